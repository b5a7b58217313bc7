"""
A lazy conjugate may arrive wrong
=================================

Is every copy between GPU and host right? Not of ``x.conj()``, which only marks numbers:
``copy_`` conjugates them on the host before they arrive, or twice, if they have gaps or
are transposed. Resolved first, they arrive as they should.
"""

import torch

# %%
# Views that PyTorch marks and does not compute: a conjugate, also transposed, with gaps,
# and its imaginary part, which is marked as negative. The first one has no mark.

VIEWS = {
    "unmarked": lambda z: z,
    "conjugate": lambda z: z.conj(),
    "transposed": lambda z: z.mH,
    "with_gaps": lambda z: z.conj()[:, ::2],
    "imaginary": lambda z: z.conj().imag,
}

# %%
# Ways to copy a view into a slot. In the third one the view is computed before, where it
# is; the last one makes a slot of its own.


def blocking(slot, view):
    return slot.copy_(view)


def non_blocking(slot, view):
    return slot.copy_(view, non_blocking=True)


def resolved(slot, view):
    return slot.copy_(view.resolve_conj().resolve_neg(), non_blocking=True)


def to(slot, view):
    return view.to(slot.device, non_blocking=True)


WAYS = (blocking, non_blocking, resolved, to)

# %%
# The stream is held for some milliseconds, as by other work, so that no copy begins
# before its call returns. The host reads when all is done.

TRIES, CYCLES = 5, 10_000_000
on_gpu = torch.randn(256, 256, dtype=torch.complex64, device="cuda")
on_host = on_gpu.cpu().pin_memory()
SLOTS = {"host": {"pin_memory": True}, "gpu": {"device": "cuda"}}


def arrived(way, view, place):
    slot = torch.zeros(view.shape, dtype=view.dtype, **SLOTS[place])
    torch.cuda.synchronize()
    torch.cuda._sleep(CYCLES)
    result = way(slot, view)
    torch.cuda.synchronize()
    return result.cpu()


# %%
# How many of the tries are right? From the GPU to the host, and back. The first try of
# each does not count: it loads kernels, and waits for that.

table = []
for name, view_of in VIEWS.items():
    wanted, row = view_of(on_host).resolve_conj().resolve_neg(), {"view": name}
    for place, source in {"host": on_gpu, "gpu": on_host}.items():
        for way in WAYS:
            tries = [arrived(way, view_of(source), place) for _ in range(TRIES + 1)]
            right = sum(torch.equal(got, wanted) for got in tries[1:])
            row[f"{place}_{way.__name__}"] = right
    table.append(row)
    print(row)

# %%
# What is in the slots of the conjugates that are wrong? The numbers without the mark.

tries = [arrived(non_blocking, on_gpu.conj(), "host") for _ in range(TRIES)]
unconjugated = sum(torch.equal(got, on_host) for got in tries)
print(f"unconjugated: {unconjugated} of {TRIES}")

measured = {"tries": TRIES, "by_view": {"table": table}, "unconjugated": unconjugated}
