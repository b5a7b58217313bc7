"""
Sentence (precision/tf32.md:590-591, 601): [The matmul switch] does not change the forward pass of the memory-efficient one, and does not change its backward pass.

Attack: The script has one shape. Here the efficient backend is forced over head sizes 4 to 512, 1 to 1000 queries, causal, with a mask (with and without gradient), another number of keys, transposed inputs, dropout 0; forward and gradients, bits with the switch off, off again, on; only steady ones count.

Expected: its kernels use no switch (dry run: one shape unchanged); perhaps the gradient of a mask or an odd path multiplies by cuBLAS.

Refuted if: a steady forward result or gradient changes by more than a hundred-thousandth of its largest element.
"""
import json
import time

import torch

SENTENCE = '[The matmul switch] does not change the forward pass of the memory-efficient one, and does not change its backward pass.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


from torch.nn.attention import SDPBackend, sdpa_kernel
import torch.nn.functional as F


def attack():
    torch.manual_seed(0)
    switch = torch.backends.cuda.matmul
    cases = []
    for head in (4, 16, 32, 64, 96, 128, 256, 512):
        cases.append((f"head {head}", dict(head=head)))
    cases += [(f"queries {q}", dict(q=q)) for q in (1, 16, 77, 1000)]
    cases += [("keys 300", dict(k=300)), ("causal", dict(causal=True)), ("mask", dict(mask=1)), ("mask with gradient", dict(mask=2)),
              ("bool mask", dict(mask=3)), ("transposed", dict(transposed=True))]
    changed, unsteady, ran = [], [], 0
    for name, o in cases:
        head, q, k = o.get("head", 64), o.get("q", 256), o.get("k", o.get("q", 256))
        shape = lambda n: (2, n, 4, head) if o.get("transposed") else (2, 4, n, head)
        base = [torch.randn(shape(n), device="cuda") for n in (q, k, k)]
        mask = torch.randn(2, 4, q, k, device="cuda") if o.get("mask") else None
        if o.get("mask") == 3:
            mask = mask > -1

        def run(value):
            switch.fp32_precision = value
            leaves = [b.clone().requires_grad_() for b in base]
            m = mask.clone().requires_grad_() if o.get("mask") == 2 else mask
            args = [l.transpose(1, 2) for l in leaves] if o.get("transposed") else leaves
            with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
                out = F.scaled_dot_product_attention(*args, attn_mask=m, is_causal=o.get("causal", False))
            switch.fp32_precision = value
            grads = torch.autograd.grad(out.square().sum(), leaves + ([m] if o.get("mask") == 2 else []))
            return [out.detach(), *grads]

        try:
            off, again, on = run("ieee"), run("ieee"), run("tf32")
        except Exception as error:
            say(case=name, error=f"{type(error).__name__}: {str(error)[:100]}")
            continue
        ran += 1
        far = [float((a - b).abs().max() / a.abs().max()) for a, b in zip(off, on)]
        noise = [float((a - b).abs().max() / a.abs().max()) for a, b in zip(off, again)]
        say(case=name, changed_by=far, noise=noise)
        if max(noise) > 1e-6:
            unsteady.append(name)
        if any(f > 1e-5 and f > 5 * n for f, n in zip(far, noise)):
            changed.append(name)
    return bool(changed), {"ran": ran, "changed": changed, "unsteady": unsteady}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
