"""
The clock holds under load
==========================

Does this GPU slow down at its work? Under a load that draws all the power it may have, its clock
settles below the highest one. Heat, and a supply that is too weak, slow it down much further.
"""

import subprocess
import time
import unittest

import torch

# %%
# Random matrices draw more power than most programs do.

SIZE, ASKED = 8192, 3
a, b = (torch.randn(SIZE, SIZE, device="cuda", dtype=torch.float16) for _ in range(2))
product = torch.empty_like(a)

# %%
# The driver gives its reasons for a clock as bits. These slow a GPU down; the others, such as the
# power limit, the application's own limit and an idle GPU, are how it should work.

HARMFUL = {
    0x08: "hardware",
    0x20: "heat (driver)",
    0x40: "heat (hardware)",
    0x80: "power supply",
}
FIELDS = "clocks.sm,clocks.max.sm,clocks_event_reasons.active,temperature.gpu"
gpu = f"GPU-{torch.cuda.get_device_properties(0).uuid}"
command = ["nvidia-smi", f"--id={gpu}", f"--query-gpu={FIELDS}"]
command.append("--format=csv,noheader,nounits")


def asked_at_work(wait):
    begin, query = time.perf_counter(), None
    while query is None or query.poll() is None:
        torch.mm(a, b, out=product)
        torch.cuda.synchronize()
        if query is None and time.perf_counter() > begin + wait:
            query = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = query.communicate()[0].strip().split(", ")
    if len(told) != 4 or not (told[0].isdigit() and told[2].startswith("0x")):
        raise unittest.SkipTest(f"the driver does not tell the clocks: {told}")
    clock, highest, bits, temperature = told
    why = [name for bit, name in HARMFUL.items() if int(bits, 16) & bit]
    slower = f", slowed by {' and '.join(why)}" if why else ""
    print(f"{clock} of {highest} MHz at {temperature} degrees{slower}")
    return int(clock) / int(highest), bool(why)


# %%
# The GPU is busy for a while before the first question, and during each of them.

answers = [asked_at_work(0.1 if turn else 0.7) for turn in range(ASKED)]
shares, slowed = zip(*answers)

# %%
# How often it was slowed is a share, because a GPU at its limit is slowed now and then.

measured = {
    "clock_share": {"samples": list(shares)},
    "slowed_share": {"samples": [sum(slowed) / ASKED]},
}
