"""
Each thread and stream gets a workspace
=======================================

Does a linear layer leak? No: the first product in a thread and a stream takes a workspace for
cuBLAS, which PyTorch keeps, up to 2.14. The backward pass has a thread of its own, and so a
workspace of its own.
"""

# sphinx_gallery_quiet = "nothing"
import torch

MIB = 2**20
layer = torch.nn.Linear(256, 256, bias=False, device="cuda")
x = torch.zeros(256, 256, device="cuda")
for step in range(3):
    before = torch.cuda.memory_allocated()
    with torch.no_grad():
        layer(x)
    grown = torch.cuda.memory_allocated() - before
    print(f"call {step}: {grown / MIB:.0f} MiB more are allocated")

# %%
# The growth is counted around each call. Products write into a tensor that is there already, so
# that nothing else is allocated.

import threading
import time

a, b, c = (torch.zeros(256, 256, device="cuda") for _ in range(3))
torch._C._cuda_clearCublasWorkspaces()  # documented, despite its name
torch.cuda.synchronize()


def grown_by(call):
    before = torch.cuda.memory_allocated()
    call()
    torch.cuda.synchronize()
    return torch.cuda.memory_allocated() - before


def product():
    torch.mm(a, b, out=c)


def in_stream(stream):
    with torch.cuda.stream(stream):
        product()


def in_thread():
    # A product that is the first call in a thread warns that there is no context.
    thread = threading.Thread(target=lambda: (c.zero_(), product()))
    thread.start()
    thread.join()
    time.sleep(0.1)  # what the thread held is handed back after its end


first = grown_by(product)
second = grown_by(product)
side = torch.cuda.Stream()
first_in_stream = grown_by(lambda: in_stream(side))
second_in_stream = grown_by(lambda: in_stream(side))

# %%
# Backward runs in a thread of autograd: its first product takes a workspace, too. The gradient is
# there before, so that only the workspace is new.

weight = torch.zeros(256, 256, device="cuda", requires_grad=True)
weight.grad = torch.zeros_like(weight)


def backward():
    (a @ weight).sum().backward()


forward_alone = grown_by(lambda: (a @ weight).sum())
first_backward, second_backward = grown_by(backward), grown_by(backward)
print(f"backward: {first_backward}, then {second_backward}")

# %%
# Another thread takes one as well. When it ends, it hands its handle and workspaces on to the next.

first_in_thread = grown_by(in_thread)
next_thread = grown_by(in_thread)
print(f"a thread {first_in_thread}, the next {next_thread}")

# %%
# PyTorch has 32 streams of a priority, which it hands out in turn: new ones, one after the other,
# take at most as many workspaces. Streams that are gone leave theirs behind.

in_streams = grown_by(lambda: [in_stream(torch.cuda.Stream()) for _ in range(100)])
print(f"100 streams: {in_streams / MIB:.0f} MiB")

# %%
# ``empty_cache`` does not free a workspace, since it is in use. Dropped by the call for that,
# they come back with the next product.

held = torch.cuda.memory_allocated()
torch.cuda.empty_cache()
after_empty_cache = torch.cuda.memory_allocated()
torch._C._cuda_clearCublasWorkspaces()
cleared = held - torch.cuda.memory_allocated()
again = grown_by(product)
measured = {
    "first_bytes": first,
    "second_bytes": second,
    "first_in_stream_bytes": first_in_stream,
    "second_in_stream_bytes": second_in_stream,
    "first_in_thread_bytes": first_in_thread,
    "next_thread_bytes": next_thread,
    "forward_alone_bytes": forward_alone,
    "first_backward_bytes": first_backward,
    "second_backward_bytes": second_backward,
    "new_streams": 100,
    "in_streams_workspaces": in_streams / first,
    "held_bytes": held,
    "after_empty_cache_bytes": after_empty_cache,
    "cleared_workspaces": cleared / first,
    "again_bytes": again,
}
