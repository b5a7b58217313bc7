"""
Page: docs/amp/gradient_penalty.md (claim a-scaled-one-does-not-wait)
Sentence: "A scaled one, `scaler.scale(one)`, is the same scale as a tensor: the same passes waited
in 0 of 20 tries".

Attack: first use instead of steady state, and a more common way to write it. (a) a fresh scaler in
each try (its scale is made by the first `scale`); (b) a scaler made by `load_state_dict`; (c) the
`one` made anew in each pass by `torch.ones((), device=...)`; (d) by `torch.tensor(1.0, device=...)`,
which copies from the host; (e) after `scaler.update(new_scale)`; The stream is held; an event behind the hold tells whether the pass
waited. CUDA's sync debug mode counts warnings as well.

Refuted if one of the arms (a), (b), (c) or (e) waits, although only `scaler.scale(one)` is used.
"""

import time
import warnings

import torch

cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")


class Fake:  # lets the logic run without a GPU
    def record(self):
        pass

    def query(self):
        return False


def hold():
    if cuda:
        torch.cuda.synchronize()
        torch.cuda._sleep(100_000_000)


torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
model = torch.nn.Sequential(*layers).to(device)
parameters = [*model.parameters()]
x, y = torch.randn(256, 64).to(device), torch.randn(256, 1).to(device)
kept_one = torch.ones((), device=device)
kept = torch.amp.GradScaler(device.type)
kept.scale(kept_one)
state = {"scale": 1024.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2000, "_growth_tracker": 0}


def fresh():
    return torch.amp.GradScaler(device.type), kept_one


def loaded():
    scaler = torch.amp.GradScaler(device.type)
    scaler.load_state_dict(state)
    return scaler, kept_one


def reset():
    kept.update(new_scale=2.0**14)
    return kept, kept_one


ARMS = {
    "as on the page": lambda: (kept, kept_one),
    "a fresh scaler": fresh,
    "a loaded scaler": loaded,
    "a new one each time": lambda: (kept, torch.ones((), device=device)),
    "one by torch.tensor": lambda: (kept, torch.tensor(1.0, device=device)),
    "update(new_scale)": reset,
    "get_scale (control)": lambda: (kept, None),
}


def gradients(make):
    for p in parameters:
        p.grad = None
    scaler, one = make()
    with torch.autocast(device.type, torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), y)
    scaled = torch.autograd.grad(scaler.scale(loss), parameters, create_graph=True)
    factor = 1 / (scaler.get_scale() if one is None else scaler.scale(one))
    grads = [grad * factor for grad in scaled]
    with torch.autocast(device.type, torch.float16):
        total = loss + 0.1 * sum(grad.pow(2).sum() for grad in grads).sqrt()
    scaler.scale(total).backward()


event = torch.cuda.Event() if cuda else Fake()
waited, tries = {}, 5
for name, make in ARMS.items():
    for _ in range(2):
        gradients(make)
    waited[name], longest = 0, 0.0
    for _ in range(tries):
        hold()
        event.record()
        begin = time.perf_counter()
        gradients(make)
        waited[name] += bool(event.query())
        longest = max(longest, time.perf_counter() - begin)
    synced = 0
    if cuda:
        torch.cuda.synchronize()
        torch.cuda.set_sync_debug_mode("warn")
        with warnings.catch_warnings(record=True, action="always") as caught:
            gradients(make)
        torch.cuda.set_sync_debug_mode("default")
        synced = sum("synchroniz" in str(w.message).lower() for w in caught)
    print({"arm": name, "waited": waited[name], "of": tries, "longest_ms": round(longest * 1e3, 2), "sync_warnings": synced})
if cuda:  # otherwise the trial tells nothing: no verdict
    assert waited["get_scale (control)"] == tries, "the control did not wait"
    assert waited["as on the page"] == 0, "the page's own arm waited, or the hold is too short"
hits = [name for name in ("a fresh scaler", "a loaded scaler", "a new one each time", "update(new_scale)") if waited[name]]
if hits:
    print("REFUTED: passes with a scaled one waited: " + "; ".join(f"{name} {waited[name]} of {tries}" for name in hits))
else:
    print(f"NOT REFUTED: fresh, loaded and reset scalers and a new one each time, waited {waited}")
