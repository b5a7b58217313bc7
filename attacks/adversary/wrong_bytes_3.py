"""wrong_bytes.md, line 477.
Sentence: It needs no held stream: it keeps account of which stream waited for which, and reports an operation that uses a tensor to which another stream may still write.
Attack: Other uses than sum: a list of tensors (cat, stack, foreach), out=, a matrix product, a blocking copy to the host, index, a view that begins where the tensor begins, a narrowed head, an in-place write, autograd's backward; and other writers than copy_: fill_, add_, an out= argument.
Expect: Some are missed, such as tensors in nested lists or a storage seen from a second tensor with the same first element is found.
Refuted if: any of these uses of the whole tensor (not a part) is reported as nothing
"""
import json, time
import torch

SENTENCE = 'It needs no held stream: it keeps account of which stream waited for which, and reports an operation that uses a tensor to which another stream may still write.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import io
import re
from contextlib import redirect_stderr, suppress


def main():
    from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

    enable_cuda_sanitizer()
    side = torch.cuda.Stream()
    pinned = torch.ones(2**16, pin_memory=True)
    x, y, out = (torch.ones(2**16, device="cuda") for _ in range(3))
    matrix = x.view(256, 256)
    index = torch.arange(16, device="cuda")
    weight = torch.ones(2**16, device="cuda", requires_grad=True)
    writers = {"copy_": lambda: x.copy_(pinned, non_blocking=True), "fill_": lambda: x.fill_(1), "add_": lambda: x.add_(1), "out": lambda: torch.add(y, y, out=x), "foreach": lambda: torch._foreach_add_([x], 1.0)}
    users = {"sum": lambda: x.sum(), "cat": lambda: torch.cat([y, x]), "foreach": lambda: torch._foreach_mul([y, x], 2.0), "out": lambda: torch.mul(x, 2, out=out), "matmul": lambda: matrix @ matrix,
             "cpu": lambda: x.cpu(), "index": lambda: x[index], "view": lambda: x.view(2, -1).sum(), "head": lambda: x[:8].sum(), "write": lambda: x.zero_(), "item": lambda: x[0].item(), "detach": lambda: x.detach().exp(),
             "mul_for_grad": lambda: (weight * x).sum()}

    def report(writer, user):
        torch.cuda.synchronize()
        with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
            with torch.cuda.stream(side):
                writer()
            user()
        return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"

    rows, missed = {}, []
    for writer in writers:
        for user in users:
            if writer != "copy_" and user not in ("sum", "cat", "foreach"):
                continue
            try:
                rows[f"{user} of {writer}"] = report(writers[writer], users[user])
                if rows[f"{user} of {writer}"] == "nothing":
                    missed.append(f"{user} of {writer}")
            except Exception as error:
                rows[f"{user} of {writer}"] = repr(error)[:100]
    found = rows.get("sum of copy_", "nothing") != "nothing"  # the control: the sanitizer is at work
    return bool(missed) and found, {"missed": missed, "control_found": found, "rows": rows}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
