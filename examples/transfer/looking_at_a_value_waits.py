"""
Looking at a value waits
========================

Which lines make the host wait for the GPU, and how often? ``item()``, ``if`` and an
f-string wait once, and ``print`` many times, because it fetches the numbers that it
shows one by one, even twice. If you copy the tensor to the host first, only the copy
waits.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import ProfilerActivity, profile

# %%
# A loss, and larger tensors: PyTorch prints up to a thousand numbers in full, and only
# the corners of larger tensors. Then the losses of many steps.

STEPS = 200
loss = torch.ones((), device="cuda")
vector = torch.full((1000,), 0.5, device="cuda")
matrix = torch.full((1000, 1000), 0.5, device="cuda")
losses = [loss.clone() for _ in range(STEPS)]
slots = torch.zeros(2, pin_memory=True)
arrived = [torch.cuda.Event() for _ in range(2)]

# %%
# Ways to read all the losses. The last one reads each loss one step late.


def item_each():
    return [loss.item() for loss in losses]


def sum_on_gpu():
    return sum(losses).item()


def stack_at_end():
    return torch.stack(losses).tolist()


def one_step_late():
    for step, loss in enumerate(losses):
        slots[step % 2].copy_(loss, non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[1 - step % 2].synchronize()
            slots[1 - step % 2].item()


# %%
# Single lines in which a program looks at a value, often without asking for it.

LINES = {
    "item": lambda: loss.item(),
    "if": lambda: 1 if loss > 0 else 0,
    "f_string": lambda: f"{loss:.3f}",
    "isnan": lambda: bool(torch.isnan(loss)),
    "print_loss": lambda: str(loss),
    "print_vector": lambda: str(vector),
    "print_matrix": lambda: str(matrix),
    "print_on_host": lambda: str(vector.cpu()),
    "non_blocking": lambda: matrix.to("cpu", non_blocking=True),
    **{way.__name__: way for way in (item_each, sum_on_gpu, stack_at_end)},
    "one_step_late": one_step_late,
}

# %%
# The profiler counts how often PyTorch asks CUDA to wait for a stream or for an event.
# The first use of the profiler, and of each line, does not count.


def waits(line):
    line()
    torch.cuda.synchronize()
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as profiler:
        line()
    names = [event.name for event in profiler.events()]
    return [names.count(f"cuda{kind}Synchronize") for kind in ("Stream", "Event")]


waits(LINES["item"])
table = []
for line, call in LINES.items():
    stream, event = waits(call)
    table.append({"line": line, "stream_waits": stream, "event_waits": event})
    print(f"{line:>16}: waits for the stream {stream}, for an event {event}")

# %%
# Counts of calls.

measured = {"steps": STEPS, "by_line": {"table": table}}
