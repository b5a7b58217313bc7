"""
Backward allocates without a line
=================================

Why have allocations of backward no line of Python? Another thread runs backward for the GPU, and no
Python runs in it. One alone has a line: the first gradient, which the calling thread makes. Let the
calling thread run backward while you record: then each has the line of ``backward()``.
"""

# sphinx_gallery_quiet = "nothing"
import torch

layers = [torch.nn.Linear(512, 512, device="cuda") for _ in range(3)]
model, batch = torch.nn.Sequential(*layers), torch.randn(256, 512, device="cuda")


def step():
    model(batch).square().mean().backward()


step()  # not recorded: libraries take their workspaces
torch.cuda.memory._record_memory_history(stacks="python")
with torch.autograd.set_multithreading_enabled(False):
    step()
events = torch.cuda.memory._snapshot()["device_traces"][batch.device.index]
frames = [event.get("frames") for event in events if event["action"] == "alloc"]
print(len(frames), "allocations,", sum(map(bool, frames)), "of them with a line")

# %%
# Which part of a step allocates? Forward and backward are recorded apart, with each setting. Lines
# are those of Python.


def recorded(function, alone):
    torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
    with torch.autograd.set_multithreading_enabled(not alone):
        function()
    found = torch.cuda.memory._snapshot()["device_traces"][batch.device.index]
    torch.cuda.memory._record_memory_history(enabled=None)
    return [e.get("frames", []) for e in found if e["action"] == "alloc"]


def has_line(frames):
    return any(frame["name"] == "run" for frame in frames)


def run(function):
    return function()


def is_first_gradient(frames):
    return any(frame["name"] == "_make_grads" for frame in frames)


rows, losses = [], []


def forward():
    losses.append(run(lambda: model(batch).square().mean()))


def backward():
    run(losses.pop().backward)


for alone in (False, True):
    model.zero_grad()
    stacks = {f.__name__: recorded(f, alone) for f in (forward, backward)}
    rows.append({"thread": "calling" if alone else "its own"})
    for name, found in stacks.items():
        rows[-1][f"{name}_allocations"] = len(found)
        rows[-1][f"{name}_with_lines"] = sum(map(has_line, found))
    rows[-1]["first_gradients"] = sum(map(is_first_gradient, stacks["backward"]))
    print(rows[-1])

# %%
# Do gradients depend on the thread?


def gradients(alone):
    model.zero_grad()
    with torch.autograd.set_multithreading_enabled(not alone):
        model(batch).square().mean().backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


measured = {
    "by_thread": {"table": rows},
    "gradients_are_equal": all(map(torch.equal, gradients(False), gradients(True))),
}
