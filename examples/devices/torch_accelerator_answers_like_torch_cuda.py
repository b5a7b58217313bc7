"""
torch.accelerator answers like torch.cuda
=========================================

What replaces the calls of ``torch.cuda`` in code for any device? On a GPU, ``torch.accelerator``,
``torch.Stream`` and ``torch.Event`` work on the same streams and on the same memory.
"""

import torch

device = torch.accelerator.current_accelerator()  # "cuda", if PyTorch was built for it
x = torch.ones(2**20, device=device)
stream = torch.Stream(device)
stream.wait_stream(torch.accelerator.current_stream())
with stream:
    y = x + 1
torch.accelerator.synchronize()
print(y.device, torch.accelerator.memory_allocated())

# %%
# Each question is asked in both ways, in four states of the program.

agnostic, cuda = torch.accelerator, torch.cuda
QUESTIONS = {
    "is_available": (agnostic.is_available, cuda.is_available),
    "device_count": (agnostic.device_count, cuda.device_count),
    "current_device": (agnostic.current_device_index, cuda.current_device),
    "current_stream": (agnostic.current_stream, cuda.current_stream),
    "memory_allocated": (agnostic.memory_allocated, cuda.memory_allocated),
    "memory_reserved": (agnostic.memory_reserved, cuda.memory_reserved),
    "max_memory_allocated": (agnostic.max_memory_allocated, cuda.max_memory_allocated),
    "max_memory_reserved": (agnostic.max_memory_reserved, cuda.max_memory_reserved),
}
BYTES = 2**26  # larger than what the allocator has cached
answers = {name: [] for name in QUESTIONS}


def value(answer):
    return answer.stream_id if isinstance(answer, torch.Stream) else answer


def ask():
    for name, pair in QUESTIONS.items():
        answers[name].append([value(call()) for call in pair])


ask()
large = torch.empty(BYTES, dtype=torch.uint8, device=device)
ask()
del large
ask()
with stream:
    ask()

# %%
# Do they always agree? In the second group, each answer must also change from state to state.

GROUPS = {"devices": [*QUESTIONS][:3], "streams_and_memory": [*QUESTIONS][3:]}
groups = []
for group, names in GROUPS.items():
    pairs = [pair for name in names for pair in answers[name]]
    row = {"group": group, "questions": len(names), "asked": len(pairs)}
    row["equal"] = sum(one == two for one, two in pairs)
    row["changing"] = sum(len(set(map(str, answers[name]))) > 1 for name in names)
    groups.append(row)
    print(row)

# %%
# ``torch.cuda`` sees what ``torch.accelerator`` changes. A kernel that only sleeps holds the
# stream; its function is private to PyTorch and may change.

reserved, peak = cuda.memory_reserved(), cuda.max_memory_allocated()
agnostic.empty_cache()
agnostic.reset_peak_memory_stats()
emptied = reserved - cuda.memory_reserved()
lowered = peak - cuda.max_memory_allocated()
allocated_at_peak = cuda.max_memory_allocated() == cuda.memory_allocated()

before = cuda.current_stream()
agnostic.set_stream(stream)
chosen = value(cuda.current_stream()) == stream.stream_id
agnostic.set_stream(before)
restored = cuda.current_stream() == before

with stream:
    cuda._sleep(20_000_000)  # about ten milliseconds
    begin, end = (torch.Event(device, enable_timing=True) for _ in range(2))
    begin.record()
    cuda._sleep(20_000_000)
    end.record()
was_busy = not end.query()
agnostic.synchronize()
milliseconds = begin.elapsed_time(end)
print(f"between two events: {milliseconds:.1f} ms")

# %%
# The sleep took more than a millisecond, and the events must say so.

measured = {
    "groups": {"table": groups},
    "large_bytes": BYTES,
    "emptied_bytes": emptied,
    "lowered_bytes": lowered,
    "peak_is_lowest": allocated_at_peak,
    "stream_chosen": chosen,
    "stream_restored": restored,
    "was_busy": was_busy,
    "is_done": end.query(),
    "events_timed_it": milliseconds > 1,
}
