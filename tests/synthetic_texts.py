"""What the synthetic site says: one script, one page, one figure, five claims."""

from __future__ import annotations

import textwrap

SCRIPT = '''\
"""
{title}
{line}

What does a copy of this kind cost? It is as fast as the link, and the call does not wait
for it. The control waits.
"""

import time

import torch

SIZE = 2 * 2**20  # bytes: larger than the cache
ROUNDS = 20

source = torch.ones(SIZE, dtype=torch.uint8).pin_memory()
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
print(f"buffers of {{SIZE:,}} bytes")

# %%
# Two buffers hold the same bytes. Both are written before anything is timed, so that no copy
# pays for the first touch of a page. A copy is timed from the call to its last byte.


def seconds(wait):
    """Time one copy."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target.copy_(source, non_blocking=not wait)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(wait=True)

# %%
# The two kinds take turns, so that a drift of the machine hits both alike.

fast, slow = [], []
for _ in range(ROUNDS):
    fast.append(seconds(wait=False))
    slow.append(seconds(wait=True))
    print(f"{{fast[-1]:.6f}} s against {{slow[-1]:.6f}} s")

# %%
# What it gave:

measured = {{
    "speedup": {{"samples": [s / f for s, f in zip(slow, fast)]}},
    "fast_s": {{"samples": fast}},
    "slow_s": {{"samples": slow}},
    "kept_bytes": SIZE,
    "waits": False,
}}
'''

PAGE = """\
# {title}

A copy of this kind is as fast as the link.
What follows says when, and what it costs.

## Rule

Copies are slowly overtaken by what computes, so a buffer is pinned once and used often:

```{{literalinclude}} ../../examples/{chapter}/{stem}.py
:language: python
:start-at: import time
:end-at: print(f
```

{prose}

## Evidence

{evidence}

## Exceptions

{prose}

## See also

- {{doc}}`The script and everything it measured </gallery/{chapter}/{stem}>`
"""

PROSE = textwrap.fill(
    "Pageable memory can be *moved* by the operating system at any time, so the GPU must "
    "not read it directly: the driver copies it through a staging buffer of its own, piece "
    "by piece, and `copy_` returns when the last piece is in that buffer. Pinned memory "
    "stays where it is, and the copy engine reads it without the help of the host.",
    88,
)

PLOT = '''\
"""Figure: speed over size."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator


def draw(axes, records):
    """Draw two lines on a logarithmic axis; give the rows drawn."""
    rows = records.rows("{stem}.by_size")
    sizes = [row["size_bytes"].value for row in rows]
    for name in ("paged_bytes_per_s", "pinned_bytes_per_s"):
        axes.plot(sizes, [row[name].value / 1e9 for row in rows], "o-", label=name)
    axes.set(xscale="log", ylabel="GB/s")
    axes.xaxis.set(
        major_locator=FixedLocator(sizes[::2]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda size, _: f"{{size / 1024:.0f}} KiB"),
    )
    axes.legend()
    return rows
'''

WAITS = "The call {{measured}}`true: waits | false: does not wait <{value}>` for its `copy_`."

#: Of each example the same five claims, in turn.
KINDS = (
    ("{speedup}", ">= 3", "Without waiting, the copy is {{measured}}`{value}` faster."),
    (
        "{stem}.fast_s",
        "< 0.3 * {stem}.slow_s",
        "It takes {{measured}}`{value}` in all.",
    ),
    ("{stem}.kept_bytes", "== 2 MiB", "The buffer keeps {{measured}}`{value}`."),
    ("{stem}.waits", "false", WAITS),
    ("{stem}.slow_s", "in 300..900 us", "Waiting, it takes {{measured}}`{value}`."),
)
