"""
record_stream needs PyTorch's own tensor
========================================

Does ``record_stream`` work on a tensor that came back from another library? Not through DLPack:
the memory is PyTorch's, but the tensor's memory block is not the allocator's any more, and the
call does nothing, without an error. On views of the original, it works.
"""

import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
x = torch.ones(2**20, device="cuda")
back = torch.from_dlpack(x)  # as if another library had returned it
side.wait_stream(here)
with torch.cuda.stream(side):
    total = back.sum()
x.record_stream(side)  # the original, not the tensor that came back
del x, back
here.wait_stream(side)  # for the total; what becomes of x needs no wait
print(total.item())

# %%
# The side stream reads the tensor behind a kernel that only sleeps. Before that, the tensor is
# dropped, and the next one is made. (``_sleep`` is private to PyTorch.)

HOLD, TRIES, COUNT = 20_000_000, 15, 2**20  # cycles: about ten milliseconds
WAYS = {
    "from_dlpack": torch.from_dlpack,
    "a capsule": lambda x: torch.utils.dlpack.from_dlpack(x.__dlpack__()),
    "the original": lambda x: x,
    "detach": lambda x: x.detach(),
    "a part": lambda x: x.view(2, -1)[1:],
    "Parameter": lambda x: torch.nn.Parameter(x),
}


def attempt(way):
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    made = torch.ones(COUNT, device="cuda")
    torch.cuda.synchronize()
    other, address = way(made), made.data_ptr()
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
        total = made.sum()
    other.record_stream(side)
    del made, other
    new = torch.full((COUNT,), 5.0, device="cuda")
    reused = new.data_ptr() == address
    torch.cuda.synchronize()
    return reused, total.item() != COUNT


# %%
# In how many tries was the memory used again too early, and the sum wrong?

rows = []
for name, way in WAYS.items():
    attempt(way)  # not counted: the first launch of a kernel may wait
    reused, wrong = map(sum, zip(*(attempt(way) for _ in range(TRIES)), strict=True))
    rows.append({"recorded": name, "reused": reused, "wrong": wrong})
    print(rows[-1])

measured = {"tries": TRIES, "by_recorded": {"table": rows}}
