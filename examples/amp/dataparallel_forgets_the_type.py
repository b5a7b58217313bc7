"""
DataParallel forgets the type
=============================

Does autocast reach the threads of ``DataParallel``? They learn that it is on, but not which type
was asked for: BF16 runs as FP16, and large values overflow. Open autocast in ``forward``.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 60}
# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


class Net(torch.nn.Linear):
    """Opens autocast in forward, in whichever thread that runs."""

    def forward(self, x):
        with torch.autocast(device.type, torch.bfloat16):
            return super().forward(x)


model = torch.nn.DataParallel(Net(32, 1).to(device))
print(model(torch.randn(64, 32, device=device)).dtype)

# %%
# Each replica notes what it finds in its thread.

from threading import current_thread, main_thread

TYPE = device.type
notes = []


def state():
    on, cached = torch.is_autocast_enabled(TYPE), torch.is_autocast_cache_enabled()
    return {
        "main_thread": current_thread() is main_thread(),
        "on": on,
        "cached": cached,
    }


class Noting(torch.nn.Linear):
    """Notes the state of autocast, and what comes out."""

    def forward(self, x):
        output = super().forward(x)
        notes.append((x.get_device(), {**state(), "output": str(output.dtype)}))
        return output


class InForward(Noting):
    """The same with autocast in forward."""

    def forward(self, x):
        with torch.autocast(TYPE, torch.bfloat16, cache_enabled=False):
            return super().forward(x)


# %%
# Autocast is opened around the call, for several batches and settings, or in ``forward``. What
# follows the call runs in the calling thread.

BF16, OFF = {"dtype": torch.bfloat16}, {"enabled": False}
CASES = {
    "FP16 around": (Noting, 64, None, {"dtype": torch.float16}),
    "BF16 around": (Noting, 64, None, BF16),
    "no cache around": (Noting, 64, None, {**BF16, "cache_enabled": False}),
    "one sample": (Noting, 1, None, BF16),
    "one GPU": (Noting, 64, [0], BF16),
    "in forward": (InForward, 64, None, OFF),
}
rows = []
for case, (kind, samples, gpus, settings) in CASES.items():
    model = torch.nn.DataParallel(kind(32, 1).to(device), gpus)
    notes.clear()
    with torch.autocast(TYPE, **settings):
        output = model(torch.randn(samples, 32, device=device))
        after = str((output @ output.T).dtype)
    for gpu, note in sorted(notes, key=lambda noted: noted[0]):
        rows.append({"replica": f"{case}, GPU {gpu}", **note, "after": after})
        print(rows[-1])

# %%
# Inputs beyond the range of FP16: in how many calls are the outputs not finite?

TRIES, LARGE = 20, 1e5
x = torch.randn(64, 32, device=device)


def infinite(kind, settings):
    model = torch.nn.DataParallel(kind(32, 1).to(device))
    with torch.autocast(TYPE, **settings):
        outputs = [model(LARGE * x) for _ in range(TRIES)]
    return sum(not output.isfinite().all() for output in outputs)


# %%
# What comes next may raise an error: some operators accept FP32 and the type of autocast alone.

next_error = "none"
with torch.autocast(TYPE, torch.bfloat16):
    output = torch.nn.DataParallel(Noting(32, 1).to(device))(x).flatten()
    try:
        torch.dot(output, output)
    except RuntimeError as error:
        next_error = error

measured = {
    "by_case": {"table": rows},
    "tries": TRIES,
    "infinite_around": infinite(Noting, BF16),
    "infinite_in_forward": infinite(InForward, OFF),
    "next_error": next_error,
}
