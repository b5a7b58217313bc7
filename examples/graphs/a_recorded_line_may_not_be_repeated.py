"""
A recorded line may not be repeated
===================================

A line raised no error in a capture: does each replay do what it did? It does the GPU's part, with
the values that are there now. What the host did was done once, in the capture.
"""

# sphinx_gallery_quiet = "nothing"
import torch

x, steps, losses = torch.zeros(8, device="cuda"), 0, []
(x * 2).sum()  # the warm-up
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = (x * 2).sum()
for value in range(3):
    x.fill_(value)
    graph.replay()
    steps += 1  # after the replay, which runs no Python
    losses.append(loss.item())
print(steps, losses)

# %%
# A counter in the capture counts once, for all replays.

count, graph = 0, torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = (x * 2).sum()
    count += 1
for _ in range(3):
    graph.replay()

# %%
# Lines that a capture records, and what is looked at before and after a replay.

import io
from contextlib import suppress

LINES = """
where: y = torch.where(mask, x, 0) | index: y = x[i] | mask-assign: x[mask] = 0 | fill: x[0] = 1
cast: y = x.to(torch.float16) | pinned-to: y = pinned.to("cuda", non_blocking=True)
pinned-async: x.copy_(pinned, non_blocking=True) | to-cpu: y = x.to("cpu", non_blocking=True)
to-pinned: pinned.copy_(x, non_blocking=True) | zeros: y = torch.zeros(8, device="cuda")
cross-entropy: y = nn.functional.cross_entropy(x, classes) | rand: y = torch.rand(8, device="cuda")
generator: y = torch.rand(8, device="cuda", generator=generator) | sgd: sgd.step()
inverse-unchecked: y = torch.linalg.inv_ex(x)[0] | clip: nn.utils.clip_grad_norm_(weights, 1.0)
backward: model(x).sum().backward() | side-apart: use(side) | default: use(default)
side-joined: side.wait_stream(here()); use(side); here().wait_stream(side)
number: y = x * number | full: y = torch.full((8,), number, device="cuda")
host-scalar: y = x + scalar | host-work: host.add_(1) | host-copy: pinned.copy_(host)
pin: y = host.pin_memory() | get-state: y = torch.cuda.get_rng_state() | count: count += 1
print: print("step", file=page) | guard: y = 0.0 if capturing() else x.sum().item()
empty-cache: torch.cuda.empty_cache()
"""
SEEN = "[y, x, host, pinned, *weights, weights[0].grad, count, page.getvalue(), held() < cached]"

# %%
# The names of the lines get new values, in place, before each replay, and each run without a graph.


def names():
    x, host, i = torch.eye(8).cuda(), torch.eye(8), torch.tensor([2, 1]).cuda()
    pinned, mask, classes, y = host.pin_memory(), x > 0.5, i.repeat(4), 0.0
    nn, scalar, generator = torch.nn, torch.tensor(1.0), torch.Generator("cuda")
    model = nn.Linear(8, 8).cuda()
    weights, sgd = list(model.parameters()), torch.optim.SGD(model.parameters(), 0.1)
    for weight in weights:
        weight.grad = torch.ones_like(weight)
    here, default = torch.cuda.current_stream, torch.cuda.default_stream()
    held, capturing = torch.cuda.memory_reserved, torch.cuda.is_current_stream_capturing

    def use(stream):
        with torch.cuda.stream(stream):
            x.add_(1)

    return {**globals(), **locals()}


@torch.no_grad()
def prepare(known, number):
    known["x"].copy_(torch.eye(8) * number), known["pinned"].fill_(10 * number)
    grads = [weight.grad for weight in known["weights"]]
    for tensor in (known["host"], known["scalar"], *known["weights"], *grads):
        tensor.fill_(number)
    if torch.is_tensor(known["y"]) and known["y"].is_floating_point():
        known["y"].fill_(-1)
    torch.manual_seed(number), known["generator"].manual_seed(number)
    torch.empty(2**25, device="cuda")  # stays in the cache
    known |= {"number": float(number), "count": 0, "page": io.StringIO()}
    known["cached"] = torch.cuda.memory_reserved()


def seen(known):
    torch.cuda.synchronize()
    return [v.tolist() if torch.is_tensor(v) else v for v in eval(SEEN, known)]


TRIES, side, rows = 5, torch.cuda.Stream(), []
for part in LINES.strip().replace("\n", " | ").split(" | "):
    name, code = part.split(": ", 1)
    eager, known, found = names(), names(), set()
    prepare(eager, 1), exec(code, eager), prepare(known, 1)
    graph = torch.cuda.CUDAGraph()
    with suppress(RuntimeError):  # of a line that is refused after all
        with torch.cuda.graph(graph):
            x.add_(1)
            exec(code, known)
        for number in range(2, TRIES + 2):
            prepare(known, number)
            before = seen(known)
            graph.replay()
            after = seen(known)
            prepare(eager, number), torch.cuda.synchronize(), exec(code, eager)
            is_right, is_left = after == seen(eager), after == before
            found.add("repeated" if is_right else "left out" if is_left else "differs")
    replay = " or ".join(sorted(found)) or "refused"
    rows.append({"call": name, "code": code, "replay": replay})
print(*rows, sep="\n")

measured = {"steps": steps, "count": count, "tries": TRIES, "by_call": {"table": rows}}
