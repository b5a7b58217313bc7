"""
Another process fails alone
===========================

What else does a second process on the same GPU do to the first? The second process takes memory
for its tensors and for a CUDA context. Its queue and its failures stay its own:
``synchronize()`` does not wait for it, and its device-side assert ends only that process.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
import os
from multiprocessing import Pipe, get_context

import torch

# %%
# The other process is forked before CUDA is used. It makes a tensor, then keeps its stream busy
# when it is told to, and in the end asks for a row that does not exist. (``_sleep`` is private to
# PyTorch and may change.)

GIB = 2**30
HOLD = 200_000_000  # cycles of the GPU's clock, about a tenth of a second


def obey(pipe):
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1), os.dup2(nowhere, 2)  # a failed assertion is reported at length
    pipe.recv()
    kept = torch.zeros(GIB, dtype=torch.uint8, device="cuda")
    kept[torch.tensor([0], device="cuda")].sum().item()
    pipe.send("made")
    while pipe.recv() == "hold":
        torch.cuda._sleep(HOLD)
        pipe.send("held")
        torch.cuda.synchronize()
        pipe.send("done")
    try:
        kept[torch.tensor([GIB], device="cuda")].sum().item()
    except Exception as error:
        pipe.send(str(error).splitlines()[0])
        raise


pipe, other_end = Pipe()
other = get_context("fork").Process(target=obey, args=(other_end,))
other.start()


def tell(word):
    pipe.send(word)
    return pipe.recv()


# %%
# How much memory is left before and after, and how much does the allocator hold here?

x = torch.arange(1000, device="cuda")
x += 0  # loads the kernel
x.sum().item()
free, reserved = torch.cuda.mem_get_info()[0], torch.cuda.memory_reserved()
tell("make")
taken = free - torch.cuda.mem_get_info()[0]
print(f"{taken / GIB:.2f} GiB less for a tensor of {GIB / GIB:.0f} GiB")

# %%
# Does waiting for the whole GPU include the other process's work? This one has a little work of
# its own.

TRIES = 10
unfinished = 0
for _ in range(TRIES):
    tell("hold")
    x += 1
    torch.cuda.synchronize()
    unfinished += not pipe.poll()  # the other process has not said that it is done
    pipe.recv()
print(f"returned while the other process was busy: {unfinished} of {TRIES}")

# %%
# The other process ends with an error. This one goes on.

error = tell("fail")
other.join()
right = x.sum().item() == 499_500 + 1000 * TRIES
print(f"{error}, exit code {other.exitcode}; still right here: {right}")

measured = {
    "tries": TRIES,
    "unfinished": unfinished,
    "tensor_bytes": GIB,
    "taken_bytes": taken,
    "reserved_alike": torch.cuda.memory_reserved() == reserved,
    "error_there": error,
    "other_failed": other.exitcode == 1,
    "right": right,
    "memory_is_back": torch.cuda.mem_get_info()[0] >= free,
}
