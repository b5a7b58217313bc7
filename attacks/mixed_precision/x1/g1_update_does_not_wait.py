"""
Page: grad_scaler.md.
Sentence: "The scaler waits in `step`, unless the optimizer is fused, again in `update`, which reads
the found infinities, and in `get_scale`".
Attack: all three parts. For `update`: hold the stream for about 15 ms, call update(), and look whether the
stream is still busy when the call returns; first use in the process, then steady state; default and
fused optimizer, an overflow and a good step, after unscale_, two optimizers, update(new_scale).
Sync debug mode "error" is asked as well. get_scale() in the same place is the positive control.
Then `step`: fused SGD with momentum, Adam, AdamW, Adagrad, with amsgrad, with a tensor as learning
rate, after unscale_ (none may wait, first use aside), and default, foreach=False and capturable AdamW (all must wait).
Refuted if update() returns while the stream is still busy in every try and the control waits, or if a
fused step waits in steady state, or one that is not fused does not.
"""
import time

import torch

HOLD = 30_000_000
TRIES = 8


def optimizer_of(fused, n=1):
    weights = [torch.nn.Parameter(torch.ones(4096, device="cuda")) for _ in range(n)]
    return [(w, torch.optim.AdamW([w], fused=fused)) for w in weights]


def prepared(scaler, pairs, bad, unscale):
    for _, o in pairs:
        o.zero_grad()
    factor = torch.inf if bad else 1.0
    scaler.scale(sum((w * factor).sum() for w, _ in pairs)).backward()
    for _, o in pairs:
        if unscale:
            scaler.unscale_(o)
        scaler.step(o)
    torch.cuda.synchronize()


def probe(call):
    """Whether the stream was still held when the call returned, and the host's milliseconds."""
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    end = torch.cuda.Event()
    end.record()
    begin = time.perf_counter()
    call()
    took = (time.perf_counter() - begin) * 1e3
    held = not end.query()
    torch.cuda.synchronize()
    return held, took


scaler = torch.amp.GradScaler("cuda")
pairs = optimizer_of(False)
prepared(scaler, pairs, False, False)
print("first use of update in the process: still held, ms:", probe(scaler.update))

results = {}
for fused in (False, True):
    for bad in (False, True):
        for unscale in (False, True):
            for n in (1, 2):
                scaler, pairs = torch.amp.GradScaler("cuda"), optimizer_of(fused, n)
                found = []
                for _ in range(TRIES // 2):
                    prepared(scaler, pairs, bad, unscale)
                    found.append(probe(scaler.update))
                results[fused, bad, unscale, n] = found
scaler, pairs = torch.amp.GradScaler("cuda"), optimizer_of(False)
prepared(scaler, pairs, False, False)
results["new_scale"] = [probe(lambda: scaler.update(1024.0)) for _ in range(TRIES)]
for key, found in results.items():
    print(key, "still held:", sum(h for h, _ in found), "of", len(found), "max ms:", max(t for _, t in found))

# step: the other part of the sentence
O = torch.optim
STEPPED = {
    "fused SGD": lambda p: O.SGD(p, lr=0.1, momentum=0.9, fused=True),
    "fused Adam": lambda p: O.Adam(p, fused=True),
    "fused Adam, amsgrad": lambda p: O.Adam(p, amsgrad=True, fused=True),
    "fused Adam, tensor lr": lambda p: O.Adam(p, lr=torch.tensor(1e-3, device="cuda"), fused=True),
    "fused Adam, CPU tensor lr": lambda p: O.Adam(p, lr=torch.tensor(1e-3), fused=True),
    "fused AdamW": lambda p: O.AdamW(p, fused=True),
    "fused Adagrad": lambda p: O.Adagrad(p, fused=True),
    "AdamW": lambda p: O.AdamW(p),
    "AdamW, foreach=False": lambda p: O.AdamW(p, foreach=False),
    "AdamW, capturable": lambda p: O.AdamW(p, capturable=True),
}
step_wrong = []
for name, make in STEPPED.items():
    for unscale in (False, True):
        try:
            weights = [torch.nn.Parameter(torch.ones(64, 64, device="cuda")) for _ in range(3)]
            optimizer, own = make(weights), torch.amp.GradScaler("cuda", init_scale=4.0)
            found = []
            for _ in range(4):
                optimizer.zero_grad()
                own.scale(sum(w.sum() for w in weights)).backward()
                if unscale:
                    own.unscale_(optimizer)
                found.append(probe(lambda: own.step(optimizer)))
                own.update()
        except (NotImplementedError, TypeError, ValueError, RuntimeError) as error:
            print("step:", name, "not available:", str(error).splitlines()[0][:80])
            torch.cuda.synchronize()
            continue
        steady = [held for held, _ in found[1:]]
        print("step:", name, "unscale_", unscale, "returned while held, first:", found[0], "steady:", steady)
        if steady.count(name.startswith("fused")) != 3:
            step_wrong.append(f"{name}, unscale_ {unscale}: {steady}")

prepared(scaler, pairs, False, False)
torch.cuda.set_sync_debug_mode("error")
said = "nothing"
try:
    scaler.update()
except RuntimeError as error:
    said = str(error)[:80]
get_said = "nothing"
try:
    scaler.get_scale()
except RuntimeError as error:
    get_said = str(error)[:80]
torch.cuda.set_sync_debug_mode("default")
print("sync debug mode: update:", said, "| get_scale:", get_said)
control = [probe(scaler.get_scale) for _ in range(TRIES)]
print("control get_scale still held:", sum(h for h, _ in control), "of", TRIES)
waits = sum(not held for found in results.values() for held, _ in found)
total = sum(map(len, results.values()))
control_waits = sum(not held for held, _ in control)
if control_waits < TRIES:
    raise SystemExit("control failed: get_scale did not wait")
if waits == 0 and said == "nothing":
    print(f"REFUTED: update() returned while the stream was held in {total} of {total} tries; get_scale waited in {control_waits} of {TRIES}; step against the sentence: {step_wrong}")
elif step_wrong:
    print(f"REFUTED: step: {step_wrong} (update waited in {waits} of {total} tries)")
else:
    print(f"NOT REFUTED: update() waited in {waits} of {total} tries, sync debug mode said: {said}; every step as said")
