"""Claim capturable-forms-round-otherwise: after two steps of AdamW, the weights of the loop and of foreach with capturable=True do not agree with those without (torch.allclose), those of fused do.

REFUTED: with other weights and gradients, AdamW's loop or foreach agrees after 2 steps, or fused does not after 1,
2 or 100. Reported: which optimizers have the same bits, and the largest differences in ulps of the largest weight.
"""
import inspect, warnings, torch
warnings.simplefilter("ignore"); d = "cuda"; O = torch.optim; bad, same, worst = [], [], {}
names = [n for n in ("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "ASGD", "Adadelta", "RMSprop", "Rprop") if "capturable" in inspect.signature(getattr(O, n)).parameters]
def weights(name, steps, **how):
    torch.manual_seed(0); ps = [torch.randn(n, device=d, requires_grad=True) for n in (1000, 33, 4096)]; start = [p.detach().clone() for p in ps]
    o = getattr(O, name)(ps, **how); marks = {}
    torch.manual_seed(1)
    for s in range(1, steps + 1):
        for p in ps: p.grad = torch.randn_like(p) * (1 + s % 3) + 0.1 * p.detach()
        o.step()
        if s in (1, 2, 100): marks[s] = torch.cat([p.detach().clone() for p in ps])
    return marks, torch.cat(start)
for name in names:
    for form in ({"foreach": False}, {"foreach": True}) + (({"fused": True},) if name in ("Adam", "AdamW") else ()):
        try: (a, start), (b, _) = weights(name, 100, **form), weights(name, 100, capturable=True, **form)
        except Exception as e: print(f"{name} {form}: {type(e).__name__} {str(e)[:90]}"); continue
        for s in (1, 2, 100):
            key = f"{name} {next(iter(form))}={next(iter(form.values()))} {s}"; gap = ((a[s] - b[s]).abs().max() / (a[s].abs().max() * 2**-23)).item(); close = torch.allclose(a[s], b[s])
            if torch.equal(a[s], b[s]): same.append(key)
            else: worst[key] = f"{gap:.2g}" + " allclose" * close
            if name == "AdamW" and ("fused" in form) != close and ("fused" in form or s == 2): bad.append(f"{key}: {'agrees' if close else 'does not agree'}")
if not (same and worst): raise SystemExit("nothing could be compared")
print(f"{'REFUTED' if bad else 'HOLDS'}: {bad} same bits: {same}; others, in ulps of the largest weight: {worst}")
