"""
A lazy conjugate may arrive wrong
=================================

Does every copy between GPU and host deliver the right values? Not of ``x.conj()``,
which only flags the tensor as conjugate: ``copy_`` conjugates on the host before the
values arrive, or twice if the view has gaps or is transposed. A view that is resolved
first arrives correctly.
"""

import torch

# %%
# Views that PyTorch flags instead of computing: a conjugate, a transposed one, one with
# gaps, and an imaginary part, which is flagged as negative. The first has no flag.

VIEWS = {
    "unmarked": lambda z: z,
    "conjugate": lambda z: z.conj(),
    "transposed": lambda z: z.mH,
    "with_gaps": lambda z: z.conj()[:, ::2],
    "imaginary": lambda z: z.conj().imag,
}

# %%
# Ways to copy a view into a slot. The third resolves the view on its own device before
# the copy; the last allocates its own slot.


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
# A sleeping kernel holds the stream for a few milliseconds, as other work would, so no
# copy begins before its call returns. The host reads when everything is done.

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
# How many tries are right, from the GPU to the host and back? The first try of each
# does not count, because it loads kernels and waits for them.

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
# What do the slots of the wrong conjugates contain? The values before ``conj()``.

tries = [arrived(non_blocking, on_gpu.conj(), "host") for _ in range(TRIES)]
unconjugated = sum(torch.equal(got, on_host) for got in tries)
print(f"unconjugated: {unconjugated} of {TRIES}")

measured = {"tries": TRIES, "by_view": {"table": table}, "unconjugated": unconjugated}
