"""
A replay uses the same memory
=============================

How does new data get into a CUDA graph? A replay reads and writes the addresses that the capture
saw. Copy into the tensor that was captured; a name that is bound to another tensor changes nothing.
"""

# sphinx_gallery_quiet = "nothing"
import torch

model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU())
model = model.cuda().requires_grad_(False)
static_input = torch.zeros(16, 64, device="cuda")
model(static_input)  # the warm-up: loads what the capture needs

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    static_output = model(static_input)

for _ in range(3):
    batch = torch.randn(16, 64, device="cuda")
    static_input.copy_(batch)
    graph.replay()
    error = (static_output - model(batch)).abs().max()
    print(f"largest difference: {error.item():.1e}")

# %%
# From here on, weights and inputs are small whole numbers, so that the results are exact. The new
# weights are copied into the parameters that the graph knows.

TRIES = 20


def whole(*shape):
    return torch.randint(-4, 5, shape, device="cuda").float()


def new_state():
    return {name: whole(*value.shape) for name, value in model.state_dict().items()}


model.load_state_dict(new_state())
batches = [whole(16, 64) for _ in range(TRIES)]
wanted = [model(batch) for batch in batches]
captured_input = (
    static_input  # keeps the captured tensor, whatever happens to its first name
)

# %%
# How a batch gets into the graph.


def rebound(batch):
    global static_input
    static_input = batch
    graph.replay()


def copied(batch):
    captured_input.copy_(batch)
    graph.replay()


captured_input.copy_(whole(16, 64))
graph.replay()
before = static_output.clone()
ways = []
for way in (rebound, copied):
    found = {"way": way.__name__, "right": 0, "stale": 0}
    for batch, want in zip(batches, wanted):
        way(batch)
        found["right"] += torch.equal(static_output, want)
        found["stale"] += torch.equal(static_output, before)
    ways.append(found)
print(*ways, sep="\n")

# %%
# How results are collected. Results that differ from those wanted are wrong.


def collect(keep):
    outputs = []
    for batch in batches:
        copied(batch)
        outputs.append(keep(static_output))
    return sum(not torch.equal(*pair) for pair in zip(outputs, wanted))


wrong_as_they_are = collect(lambda output: output)
wrong_as_clones = collect(lambda output: output.clone())
print(f"wrong: {wrong_as_they_are} as they are, {wrong_as_clones} as clones")

# %%
# How new weights get into the graph. The old parameters are kept, because a graph does not keep
# them, and what it would read from freed memory says nothing.

old = list(model.parameters())
loads = []
for assign in (False, True):
    right = 0
    for batch in batches:
        model.load_state_dict(new_state(), assign=assign)
        copied(batch)
        right += torch.equal(static_output, model(batch))
    loads.append({"way": "replaced" if assign else "copied", "right": right})
print(*loads, sep="\n")

measured = {
    "tries": TRIES,
    "ways": {"table": ways},
    "wrong_as_they_are": wrong_as_they_are,
    "wrong_as_clones": wrong_as_clones,
    "loads": {"table": loads},
}
