"""
Registrations outlive their tensors
===================================

What if a registered tensor is dropped before it is unregistered? Its memory is freed,
but CUDA still believes that the address is pinned. A new tensor at that address reports
that it is pinned, and the GPU reads the pages of the old one.
"""

import torch

# %%
# Zeros are registered and dropped. Then ones are copied to the GPU: every zero that
# reaches the GPU is an error.

SIZE = 64 * 2**20  # bytes: large enough to return to the system when freed
TRIES = 20
cudart = torch.cuda.cudart()
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")


def register(tensor):
    code = cudart.cudaHostRegister(tensor.data_ptr(), tensor.nbytes, 0)
    torch.cuda.check_error(code)


def unregister(address):
    torch.cuda.check_error(cudart.cudaHostUnregister(address))


# %%
# The wrong way drops the tensor first.


def drop_registered():
    old = torch.zeros(SIZE, dtype=torch.uint8)
    register(old)
    return old.data_ptr()


# %%
# The right way unregisters it first.


def unregister_and_drop():
    old = torch.zeros(SIZE, dtype=torch.uint8)
    register(old)
    unregister(old.data_ptr())
    return old.data_ptr()


# %%
# Run one try. The system hands out the address range that was freed last.


def one_try(way):
    address = way()
    new = torch.ones(SIZE, dtype=torch.uint8)
    pinned = new.data_ptr() == address and new.is_pinned()
    target.copy_(new)
    wrong = not bool(target.all())
    if way is drop_registered:
        unregister(address)
    return pinned, wrong


bool(target.fill_(1).all())  # loads the kernels
results = {}
for way in (drop_registered, unregister_and_drop):
    results[way] = [sum(k) for k in zip(*(one_try(way) for _ in range(TRIES)))]
    print("{}: {} pinned, {} wrong".format(way.__name__, *results[way]), f"of {TRIES}")

# %%
# Unregistering waits for a pending copy from the tensor: afterwards, the tensor may be
# written to. A kernel that sleeps for some milliseconds delays the copy.


def is_right_beside_a_copy():
    tensor, copied = torch.ones(SIZE, dtype=torch.uint8), torch.cuda.Event()
    register(tensor)
    target.zero_()
    torch.cuda._sleep(20_000_000)
    target.copy_(tensor, non_blocking=True)
    copied.record()
    held = not copied.query()
    unregister(tensor.data_ptr())
    tensor.fill_(2)
    torch.cuda.synchronize()
    return held and bool((target == 1).all())


is_right_beside_a_copy()  # loads the kernels
right = sum(is_right_beside_a_copy() for _ in range(TRIES))
print(f"right after unregistering beside a copy: {right} of {TRIES}")

# %%
# Count the tries in which a new tensor took the old address and was reported as pinned,
# those in which the GPU received something other than its ones, and those in which a
# delayed copy was complete although its tensor had been unregistered.

measured = {
    "tries": TRIES,
    "pinned_dropped": results[drop_registered][0],
    "wrong_dropped": results[drop_registered][1],
    "pinned_unregistered": results[unregister_and_drop][0],
    "wrong_unregistered": results[unregister_and_drop][1],
    "right_beside_a_copy": right,
}
