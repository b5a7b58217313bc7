"""
Page: skipped_steps.md.
Sentence: "The scaler passes a fused optimizer the number of GPUs on which it found an overflow, and the
kernel skips if that number is one." and the heading "Fused optimizers: overflows on two GPUs are not
skipped".
Attack: reach the double overflow in other ways: an explicit unscale_ before step; NaN on one GPU,
infinity on the other; two parameter groups, one per GPU; SGD with momentum; Adagrad; amsgrad; the
first parameter on cuda:1; two steps in a row; several parameters per GPU, all bad; many bad
parameters on ONE GPU (must be skipped); two optimizers, one per GPU (must be skipped).
Refuted if a double overflow leaves all weights as they were, or a single one does not.
"""
import torch

O = torch.optim
if torch.cuda.device_count() < 2:
    print("NOT REFUTED: only one GPU here, nothing was tried")
    raise SystemExit
KINDS = {
    "SGD": lambda p: O.SGD(p, lr=0.1, fused=True),
    "SGD momentum": lambda p: O.SGD(p, lr=0.1, momentum=0.9, fused=True),
    "Adam": lambda p: O.Adam(p, fused=True),
    "Adam amsgrad": lambda p: O.Adam(p, amsgrad=True, fused=True),
    "AdamW": lambda p: O.AdamW(p, fused=True),
    "Adagrad": lambda p: O.Adagrad(p, fused=True),
}


def trial(make, bad, order=(0, 1), per_gpu=2, unscale=False, groups=False, good_first=False, apart=False):
    ws = [torch.nn.Parameter(torch.ones(8, device=f"cuda:{i}")) for i in order for _ in range(per_gpu)]
    if apart:
        optimizers = [make(ws[:per_gpu]), make(ws[per_gpu:])]
    else:
        optimizers = [make([{"params": ws[:per_gpu]}, {"params": ws[per_gpu:]}] if groups else ws)]
    scaler = torch.amp.GradScaler("cuda")
    for step in range(2 if good_first else 1):
        last = step == good_first
        [o.zero_grad() for o in optimizers]
        old = [w.detach().clone() for w in ws]
        loss = sum((w * (bad.get(w.device.index, 1.0) if last else 1.0)).sum().to("cuda:0") for w in ws)
        scaler.scale(loss).backward()
        for o in optimizers:
            if unscale:
                scaler.unscale_(o)
            scaler.step(o)
        scaler.update()
    [torch.cuda.synchronize(i) for i in range(2)]
    return all(torch.equal(a, b) for a, b in zip(old, ws))


inf, nan = torch.inf, torch.nan
BOTH = {
    "both": {"bad": {0: inf, 1: inf}},
    "inf and NaN": {"bad": {0: inf, 1: nan}},
    "explicit unscale_": {"bad": {0: inf, 1: inf}, "unscale": True},
    "groups": {"bad": {0: inf, 1: inf}, "groups": True},
    "cuda:1 first": {"bad": {0: inf, 1: inf}, "order": (1, 0)},
    "five per GPU": {"bad": {0: inf, 1: inf}, "per_gpu": 5},
    "after a good step": {"bad": {0: inf, 1: inf}, "good_first": True},
}
ONE = {
    "five on cuda:0": {"bad": {0: inf}, "per_gpu": 5},
    "five on cuda:1": {"bad": {1: nan}, "per_gpu": 5},
    "cuda:1, unscale_": {"bad": {1: inf}, "unscale": True},
    "an optimizer for each": {"bad": {0: inf, 1: inf}, "apart": True},
}
skipped, taken, tried = [], [], 0
for name, make in KINDS.items():
    for cases, out, wanted in ((BOTH, skipped, True), (ONE, taken, False)):
        for case, options in cases.items():
            try:
                kept = trial(make, **options)
            except (RuntimeError, NotImplementedError, TypeError, ValueError) as error:
                print(name, case, "not available:", str(error).splitlines()[0][:80])
                continue
            tried += 1
            if kept == wanted:
                out.append(f"{name}: {case}")
print("skipped in spite of two:", skipped)
print("taken in spite of one:", taken)
if skipped or taken:
    print(f"REFUTED: of {tried} cases, double overflows that were skipped: {skipped}, single ones that were taken: {taken}")
else:
    print(f"NOT REFUTED: {tried} cases; every double overflow changed weights, every single one did not")
