"""
Sentence (precision/tf32.md:175-176): With `NVIDIA_TF32_OVERRIDE=0` in the environment, [...] setting [the flag] no longer changes a product. The variable speaks to NVIDIA's libraries, and PyTorch does not see it.

Attack: The variable is set before torch is imported; products of many shapes and kinds (square from 16 to 2048, odd, skinny, one row, transposed, bmm, addmm, baddbmm, einsum, nn.Linear forward and backward, complex64, out=) with the flag off, off again, and on. Convolution and attention (math) besides.

Expected: no cuBLAS product changes; if one does, through cuBLASLt or another path, the sentence is too wide.

Refuted if: a product whose bits were steady with the flag off changes when it is on.
"""
import os

os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
import json
import time

import torch

SENTENCE = "With `NVIDIA_TF32_OVERRIDE=0` in the environment, [...] setting [the flag] no longer changes a product. The variable speaks to NVIDIA's libraries, and PyTorch does not see it."


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    g = torch.Generator(device="cuda").manual_seed(0)
    r = lambda *s, **k: torch.randn(*s, device="cuda", generator=g, **k)
    cases = {}
    for n in (16, 64, 255, 512, 1023, 2048):
        a, b = r(n, n), r(n, n)
        cases[f"mm {n}"] = lambda a=a, b=b: a @ b
        cases[f"mm {n} transposed"] = lambda a=a, b=b: a.t() @ b.t()
    a, b, c = r(8, 4096), r(4096, 4096), r(1, 4096)
    cases["8 rows"], cases["one row"] = lambda: a @ b, lambda: c @ b
    x, y, z = r(16, 128, 96), r(16, 96, 64), r(16, 128, 64)
    cases["bmm"], cases["baddbmm"] = lambda: x @ y, lambda: torch.baddbmm(z, x, y)
    cases["einsum"] = lambda: torch.einsum("bij,bjk->ik", x, y)
    bias, w, inp = r(512), r(512, 256), r(1024, 256)
    cases["addmm"] = lambda: torch.addmm(bias, inp, w.t())
    cases["addmm gelu"] = lambda: torch._addmm_activation(bias, inp, w.t(), use_gelu=True)
    cases["linear"] = lambda: torch.nn.functional.linear(inp, w, bias)

    def backward():
        p, q = inp.clone().requires_grad_(), w.clone().requires_grad_()
        torch.nn.functional.linear(p, q).square().sum().backward()
        return torch.cat([p.grad.flatten(), q.grad.flatten()])

    cases["linear backward"] = backward
    u = torch.complex(r(256, 256), r(256, 256))
    cases["complex64"] = lambda: torch.view_as_real(u @ u)
    i, k = r(8, 64, 32, 32), r(64, 64, 3, 3)
    others = {"conv2d": lambda: torch.conv2d(i, k)}
    flag = torch.backends.cuda.matmul

    def at(value, work):
        flag.allow_tf32 = torch.backends.cudnn.allow_tf32 = value
        return work()

    changed, unsteady = [], []
    for name, work in {**cases, **others}.items():
        try:
            off, again, on = at(False, work), at(False, work), at(True, work)
        except RuntimeError as error:
            say(case=name, error=str(error)[:100])
            continue
        steady, same = torch.equal(off, again), torch.equal(off, on)
        say(case=name, steady=steady, same=same, largest=float((on - off).abs().max()))
        if not steady:
            unsteady.append(name)
        elif not same and name in cases:
            changed.append(name)
    return bool(changed), {"changed": changed, "unsteady": unsteady, "flag_reads": flag.allow_tf32}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
