"""
Page: skipped_steps.md.
Sentence: "it falls if, and only if, an optimizer has skipped its step" (and the advice to step the
scheduler only if the scale has not fallen).
Attack, five situations, each compared with whether the weights moved: (1) a second optimizer whose
gradients are unscaled (to log or clip them) but which is not stepped in this iteration, and are
infinite: falls, nobody skipped; (2) the floor that grad_scaler.md recommends, inside the loop between
the two readings; (3) gradients that are infinite only beyond FP32's unscaling, i.e. a scale far below
1: finite when checked? (4) growth_interval=1 with overflows; (5) fused AdamW with parameters on two
GPUs, both overflowing: falls, and the step is taken (the page says so itself below).
Refuted if the scale and the truth disagree in (1), (3), (4) or (5); (2) is reported beside.
"""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def new(fused=False, on=device):
    weight = torch.nn.Parameter(torch.ones(8, device=on))
    return weight, torch.optim.AdamW([weight], fused=fused)


wrong = {}

# (1) two optimizers, the second is unscaled each time but stepped every other iteration
(w1, o1), (w2, o2) = new(), new()
scaler = torch.amp.GradScaler(device)
bad = 0
for step in range(20):
    old1, old2 = w1.detach().clone(), w2.detach().clone()
    o1.zero_grad(), o2.zero_grad()
    factor = torch.inf if step in (3, 7, 11) else 1.0
    scaler.scale(w1.sum() + (w2 * factor).sum()).backward()
    scaler.unscale_(o1), scaler.unscale_(o2)
    scaler.step(o1)
    stepped = step % 2 == 0
    if stepped:
        scaler.step(o2)
    scale = scaler.get_scale()
    scaler.update()
    fell = scaler.get_scale() < scale
    skipped = torch.equal(old1, w1) or (stepped and torch.equal(old2, w2))
    bad += fell != skipped
wrong["1 unscaled but not stepped"] = bad

# (2) the recommended floor between the readings
w, o = new()
scaler = torch.amp.GradScaler(device, init_scale=1.0)
bad = 0
for step in range(20):
    old = w.detach().clone()
    o.zero_grad()
    scaler.scale((w * (torch.nan if step % 3 == 0 else 1.0)).sum()).backward()
    scaler.step(o)
    scale = scaler.get_scale()
    scaler.update()
    if scaler.get_scale() < 1:
        scaler.update(1.0)
    bad += (scaler.get_scale() < scale) != torch.equal(old, w)
wrong["2 with the floor"] = bad

# (3) finite when checked, infinite once unscaled: scale 2**-100, gradients of 1e20 * 2**-100
for fused in (False, True):
    w, o = new(fused)
    scaler = torch.amp.GradScaler(device, init_scale=2.0**-100)
    old = w.detach().clone()
    scaler.scale((w * 1e20).sum() * 1e20).backward()  # 1e40 after unscaling
    scaler.step(o)
    scale = scaler.get_scale()
    scaler.update()
    fell, moved = scaler.get_scale() < scale, not torch.equal(old, w)
    print(f"3 fused={fused}: fell {fell}, moved {moved}, finite {bool(w.isfinite().all())}")
    wrong[f"3 small scale, fused={fused}"] = int(fell == moved)

# (4) growth in each good step
for fused in (False, True):
    w, o = new(fused)
    scaler = torch.amp.GradScaler(device, growth_interval=1)
    bad = 0
    for step in range(40):
        old = w.detach().clone()
        o.zero_grad()
        scaler.scale((w * (torch.inf if step % 4 == 1 else 1.0)).sum()).backward()
        scaler.step(o)
        scale = scaler.get_scale()
        scaler.update()
        bad += (scaler.get_scale() < scale) == (not torch.equal(old, w))
    wrong[f"4 growth in each step, fused={fused}"] = bad

# (5) both GPUs overflow
if torch.cuda.device_count() > 1:
    ws = [torch.nn.Parameter(torch.ones(8, device=f"cuda:{i}")) for i in range(2)]
    o = torch.optim.AdamW(ws, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    old = [p.detach().clone() for p in ws]
    scaler.scale((ws[0].sum().to("cuda:1") + ws[1].sum()) * torch.inf).backward()
    scaler.step(o)
    scale = scaler.get_scale()
    scaler.update()
    fell = scaler.get_scale() < scale
    kept = all(torch.equal(a, b) for a, b in zip(old, ws))
    wrong["5 fused, two GPUs"] = int(fell != kept)
print(wrong)
counted = {name: n for name, n in wrong.items() if n and not name.startswith("2")}
if counted:
    print(f"REFUTED: scale and step disagreed: {counted}; with the floor of the other page {wrong['2 with the floor']} of 20")
else:
    print(f"NOT REFUTED: {list(wrong)}; with the floor in between {wrong['2 with the floor']} of 20 wrong")
