"""offload.md, line 300.
Sentence: With hooks, autograd skips its in-place check.
Attack: Ops that save input or output, changed in place between forward and backward, under hooks that keep, hooks that copy, and save_on_cpu; also a pack hook that itself changes its input.
Expect: Not refuted for backward's version check (a pack hook that changes its input is still refused, another check).
Refuted if: any op raises 'modified by an inplace operation' in backward under hooks
"""
import json, time
import torch

SENTENCE = 'With hooks, autograd skips its in-place check.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from torch.autograd.graph import save_on_cpu, saved_tensors_hooks


def main():
    rows, refused = [], 0
    contexts = {"keep": lambda: saved_tensors_hooks(lambda t: t, lambda t: t),
                "clone": lambda: saved_tensors_hooks(lambda t: t.clone(), lambda t: t),
                "save_on_cpu": lambda: save_on_cpu(pin_memory=True)}
    ops = {"exp": lambda x: x.exp(), "sigmoid": lambda x: x.sigmoid(), "mul": lambda x: x * y, "matmul": lambda x: x @ y, "relu": lambda x: x.relu(),
           "softmax": lambda x: x.softmax(0), "view_mul": lambda x: x[1:] * y[1:], "inplace_chain": lambda x: (x * 1).mul_(2).tanh()}
    for how, context in contexts.items():
        for name, op in ops.items():
            for what in ("output", "other_input"):
                x = torch.rand(8, 8, device="cuda", requires_grad=True)
                y = torch.rand(8, 8, device="cuda")
                globals()["y"] = y
                try:
                    with context():
                        out = op(x)
                    target = out.detach() if what == "output" else y
                    target.add_(1)
                    out.sum().backward()
                    result = "ran"
                except RuntimeError as error:
                    result = "refused" if "inplace operation" in str(error) else repr(error)[:80]
                    refused += "inplace operation" in str(error)
                rows.append((how, name, what, result))
    show(not_ran=[r for r in rows if r[3] != "ran"], total=len(rows))
    return refused > 0, {"refused": refused, "of": len(rows)}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
