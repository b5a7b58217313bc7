"""
A foreign stream needs the same waits
=====================================

How do you use a stream that another library made? Wrap its address in ``ExternalStream``, and
wait for the stream as for any other. The way in which the library created the stream decides
whether the default stream waits for it anyway: do not rely on that.
"""

import ctypes

import torch

# %%
# The driver makes a stream, as a library would: a plain stream, or one that never waits for the
# default stream. The driver also tells the kind of a stream.

PLAIN, NON_BLOCKING = 0, 1
torch.cuda.init()
x = torch.zeros(2**20, device="cuda")
driver = ctypes.CDLL("libcuda.so.1")


def library_stream(flags):
    address = ctypes.c_void_p()
    if driver.cuStreamCreate(ctypes.byref(address), flags):
        raise RuntimeError("no stream")
    return address.value


def is_plain(stream):
    flags = ctypes.c_uint()
    if driver.cuStreamGetFlags(
        ctypes.c_void_p(stream.cuda_stream), ctypes.byref(flags)
    ):
        raise RuntimeError("no flags")
    return flags.value == PLAIN


# %%
# The wrapped stream works like one of PyTorch's own streams.

address = library_stream(NON_BLOCKING)
foreign = torch.cuda.ExternalStream(address)
foreign.wait_stream(torch.cuda.current_stream())  # x is ready
with torch.cuda.stream(foreign):
    x.add_(1)
torch.cuda.current_stream().wait_stream(foreign)
print(x.sum().item(), foreign)

# %%
# One stream is held and then fills a tensor, and another stream sums the tensor, with and without
# waiting. ``torch.cuda._sleep`` is private to PyTorch and may change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
COUNT = x.numel()


def attempt(writer, reader, waits):
    torch.cuda.synchronize()
    x.zero_()
    torch.cuda.synchronize()
    with torch.cuda.stream(writer):
        torch.cuda._sleep(HOLD)
        x.fill_(1)
    if waits:
        reader.wait_stream(writer)
    with torch.cuda.stream(reader):
        total = x.sum()
    torch.cuda.synchronize()
    return (total != COUNT).item()


# %%
# A plain stream and the default stream wait for each other; no other pair does.

plain = torch.cuda.ExternalStream(library_stream(PLAIN))
default, side = torch.cuda.default_stream(), torch.cuda.Stream()
CASES = {
    "non_blocking": (foreign, default, False),
    "non_blocking_awaited": (foreign, default, True),
    "non_blocking_reads": (default, foreign, False),
    "plain": (plain, default, False),
    "plain_reads": (default, plain, False),
    "plain_beside": (plain, side, False),
    "plain_beside_awaited": (plain, side, True),
    "own": (side, default, False),
}
for case in CASES.values():
    attempt(*case)  # not counted: the first launch of a kernel waits
table = []
for name, case in CASES.items():
    table.append({"case": name, "wrong": sum(attempt(*case) for _ in range(TRIES))})
    print(table[-1])

# %%
# Two wrappers of one address are equal. A wrapper of one of PyTorch's own streams has that
# stream's address, but does not compare equal to the stream.

again = torch.cuda.ExternalStream(address)
wrapped = torch.cuda.ExternalStream(side.cuda_stream)
measured = {
    "tries": TRIES,
    "by_case": {"table": table},
    "wrappers_equal": again == foreign,
    "own_address_equal": wrapped.cuda_stream == side.cuda_stream,
    "own_equal": wrapped == side,
    "plain_is_plain": is_plain(plain),
    "non_blocking_is_plain": is_plain(foreign),
    "own_is_plain": is_plain(side),
}
print(measured)
