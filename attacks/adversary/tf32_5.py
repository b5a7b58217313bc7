"""
Sentence (precision/tf32.md:905): On the GPU, a product has the same bits with "medium" as with "high", and with "high" it has the same bits as with the old flag.

Attack: The script has one product of 1024 rows. Here: squares from 8 to 4096, odd, skinny, one row, K of 16384, bmm, addmm, nn.Linear forward and backward, complex64, FP16/BF16 products, default torch.compile left out; 'high', 'high' again, 'medium', and the old flag set alone.

Expected: the same everywhere: in eager CUDA code 'medium' is TF32.

Refuted if: a product that is steady with 'high' has other bits with 'medium' or with the old flag.
"""
import json
import time

import torch

SENTENCE = 'On the GPU, a product has the same bits with "medium" as with "high", and with "high" it has the same bits as with the old flag.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    g = torch.Generator(device="cuda").manual_seed(0)
    r = lambda *s: torch.randn(*s, device="cuda", generator=g)
    cases = {}
    for m, k, n in ((8, 8, 8), (64, 64, 64), (255, 255, 255), (512, 512, 512), (1023, 1023, 1023), (4096, 4096, 4096), (1, 4096, 4096),
                    (16, 4096, 4096), (128, 16384, 128), (4096, 16, 4096), (2048, 2048, 3)):
        a, b = r(m, k), r(k, n)
        cases[f"{m}x{k}x{n}"] = lambda a=a, b=b: a @ b
    a, b = r(256, 256), r(256, 256)
    cases["transposed"] = lambda: a.t() @ b.t()
    x, y = r(16, 128, 96), r(16, 96, 64)
    cases["bmm"] = lambda: x @ y
    bias, w, inp = r(512), r(512, 256), r(1024, 256)
    cases["addmm"] = lambda: torch.addmm(bias, inp, w.t())

    def backward():
        p, q = inp.clone().requires_grad_(), w.clone().requires_grad_()
        torch.nn.functional.linear(p, q).square().sum().backward()
        return torch.cat([p.grad.flatten(), q.grad.flatten()])

    cases["linear backward"] = backward
    u = torch.complex(r(256, 256), r(256, 256))
    cases["complex64"] = lambda: torch.view_as_real(u @ u)
    for dtype in (torch.half, torch.bfloat16):
        p, q = r(512, 4096).to(dtype), r(4096, 512).to(dtype)
        cases[str(dtype)] = lambda p=p, q=q: p @ q

    def with_word(word, work):
        torch.set_float32_matmul_precision(word)
        return work()

    def with_flag(work):
        torch.set_float32_matmul_precision("highest")
        torch.backends.cuda.matmul.allow_tf32 = True
        return work()

    other, unsteady = [], []
    for name, work in cases.items():
        try:
            high, again, medium, flag = with_word("high", work), with_word("high", work), with_word("medium", work), with_flag(work)
        except Exception as error:
            say(case=name, error=f"{type(error).__name__}: {str(error)[:100]}")
            continue
        steady = torch.equal(high, again)
        same = [torch.equal(high, medium), torch.equal(high, flag)]
        say(case=name, steady=steady, medium_same=same[0], flag_same=same[1])
        if not steady:
            unsteady.append(name)
        elif not all(same):
            other.append(name)
    return bool(other), {"cases": len(cases), "other_bits": other, "unsteady": unsteady}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
