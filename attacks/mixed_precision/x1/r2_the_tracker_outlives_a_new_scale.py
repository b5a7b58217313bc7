"""
Page: save_resume.md.
Sentence: "The last one counts the good steps since the scale has changed" (_growth_tracker).
Attack: change the scale by update(new_scale), as the floor of grad_scaler.md does, in the middle of an
interval; let the scale stand at FP32's limit; skip a step at a scale of zero; two optimizers (is a step
of each counted once?).
Refuted if after a change the entry is not the number of good steps since then.
"""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
weight = torch.nn.Parameter(torch.ones(8, device=device))
optimizer = torch.optim.SGD([weight], lr=0.0)


def good(scaler, n=1, bad=False):
    for _ in range(n):
        optimizer.zero_grad()
        scaler.scale((weight * (torch.inf if bad else 0.0)).sum()).backward()
        scaler.step(optimizer)
        scaler.update()


wrong = []
scaler = torch.amp.GradScaler(device, growth_interval=10)
good(scaler, 7)
scaler.update(1024.0)
count = scaler.state_dict()["_growth_tracker"]
good(scaler, 2)
after = scaler.state_dict()
good(scaler, 1)
end = scaler.state_dict()
print("7 good steps, update(1024.0):", count, "; 2 more:", after, "; 1 more:", end)
if after["_growth_tracker"] != 2:
    wrong.append(f"update(new_scale): {after['_growth_tracker']} instead of 2, doubled after {3 if end['scale'] == 2048 else 'more'} good steps")

scaler = torch.amp.GradScaler(device, init_scale=2.0**127, growth_interval=10)
good(scaler, 12)
state = scaler.state_dict()
print("12 good steps at 2**127:", state)
if state["scale"] == 2.0**127 and state["_growth_tracker"] != 12:
    wrong.append(f"at FP32's limit: {state['_growth_tracker']} after 12 good steps without a change")

scaler = torch.amp.GradScaler(device, growth_interval=10)
good(scaler, 5)
good(scaler, 1, bad=True)
good(scaler, 3)
state = scaler.state_dict()
print("5 good, one skipped, 3 good:", state)
if state["_growth_tracker"] != 3:
    wrong.append("after a skip")

scaler = torch.amp.GradScaler(device, growth_interval=10)
others = [torch.optim.SGD([torch.nn.Parameter(torch.ones(8, device=device))], lr=0.0) for _ in range(2)]
for _ in range(4):
    scaler.scale(sum(o.param_groups[0]["params"][0].sum() for o in others)).backward()
    [scaler.step(o) for o in others]
    scaler.update()
state = scaler.state_dict()
print("4 iterations of two optimizers:", state)
if state["_growth_tracker"] != 4:
    wrong.append("two optimizers")
if wrong:
    print(f"REFUTED: {wrong}")
else:
    print("NOT REFUTED: update(new_scale), FP32's limit, a skip and two optimizers counted as said")
