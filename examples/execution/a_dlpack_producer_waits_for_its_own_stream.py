"""
A DLPack producer waits for its own stream
==========================================

For whose work does ``x.__dlpack__(stream=reader)`` make the reader wait? For that of the stream
that is current when it is called, not for that of the stream that wrote the tensor. So call it
where the tensor was written.
"""

import torch

writer, reader = torch.cuda.Stream(), torch.cuda.Stream()
x = torch.zeros(2**20, device="cuda")
writer.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(writer):
    x.fill_(1)
    capsule = x.__dlpack__(stream=reader.cuda_stream)  # in the writer's block
with torch.cuda.stream(reader):
    total = torch.from_dlpack(capsule).sum()
torch.cuda.current_stream().wait_stream(reader)
print(total.item())

# %%
# The writer writes behind a kernel that only sleeps; the capsule is made with another stream as the
# current one. (``_sleep`` is private to PyTorch.)

HOLD, TRIES = 20_000_000, 15  # cycles: about ten milliseconds
CURRENT = {
    "default": torch.cuda.default_stream(),
    "reader": reader,
    "writer": writer,
}


def is_wrong(current):
    torch.cuda.synchronize()
    x.zero_()
    torch.cuda.synchronize()
    with torch.cuda.stream(writer):
        torch.cuda._sleep(HOLD)
        x.fill_(1)
    with torch.cuda.stream(current):
        capsule = x.__dlpack__(stream=reader.cuda_stream)
    with torch.cuda.stream(reader):
        total = torch.from_dlpack(capsule).sum()
    torch.cuda.synchronize()
    return total.item() != x.numel()


rows = []
for name, stream in CURRENT.items():
    is_wrong(stream)  # not counted: the first launch of a kernel may wait
    wrong = sum(is_wrong(stream) for _ in range(TRIES))
    rows.append({"current": name, "wrong": wrong})
    print(rows[-1])

measured = {"tries": TRIES, "by_current": {"table": rows}}
