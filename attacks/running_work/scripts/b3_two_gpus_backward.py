"""Page: execution/backward_streams.md. "the stream in which you call it may use the gradients right away, and any other stream has to
wait for that one first"; "The initial gradient that `loss.backward()` makes by itself needs no wait either."
Attack: two GPUs. Leaf a on cuda:0, leaf b on cuda:1, forward in side streams of both (c = a on 0, copied to 1, times b). Backward
called on the default streams of both; a side stream or a current stream of either GPU is held (the sleep is in forward, or before
backward in cuda:1's current stream, where the initial gradient is made). Gradients are read at once on their GPU's current stream.
Refuted if one is stale.
"""
import torch

if torch.cuda.device_count() < 2:
    raise RuntimeError("needs two GPUs")
COUNT = 2**20
here = [torch.cuda.default_stream(i) for i in range(2)]
side = [torch.cuda.Stream(i) for i in range(2)]


def attempt(held, entry):
    a = torch.ones(COUNT, device="cuda:0", requires_grad=True)
    b = torch.full((COUNT,), 2.0, device="cuda:1", requires_grad=True)
    a.grad, b.grad = torch.zeros_like(a), torch.zeros_like(b)
    [torch.cuda.synchronize(i) for i in range(2)]
    with torch.cuda.stream(side[0]), torch.cuda.stream(side[1]):
        with torch.cuda.device(0):
            c = 3 * a
        loss = (c.to("cuda:1") * b).sum()
    [torch.cuda.synchronize(i) for i in range(2)]
    with torch.cuda.stream(held):
        torch.cuda._sleep(20_000_000)
        late = held.record_event()
    if entry == "backward":
        loss.backward()
        ga, gb = a.grad, b.grad
    else:
        ga, gb = torch.autograd.grad(loss, (a, b))
    read = ga.clone(), gb.clone()  # on each GPU's current stream
    waited = late.query()
    [torch.cuda.synchronize(i) for i in range(2)]
    return bool((read[0] != 6).any()), bool((read[1] != 3).any()), waited


bad = []
for name, held in {"side 0": side[0], "side 1": side[1], "current 0": here[0], "current 1": here[1]}.items():
    for entry in ("backward", "grad"):
        attempt(held, entry)
        a, b, waited = map(sum, zip(*(attempt(held, entry) for _ in range(8))))
        print(f"{entry}, held {name}: stale on cuda:0 {a}, on cuda:1 {b}, host waited {waited} of 8")
        if a or b:
            bad.append(f"{entry}, held {name}: {a}, {b} stale")
        if waited:
            bad.append(f"{entry}, held {name}: the host waited in {waited}")
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: two GPUs, four held streams, backward and grad")
