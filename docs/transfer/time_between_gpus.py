"""Figure: the time that a copy to another GPU takes, by its size and its route."""

from evidence.figures.marks import BEST, PLAIN, STEP, binary, lines, names, ticks

SWEEP = "a_direct_copy_beats_the_host.by_size"
LINES = {
    "through_pageable_s": ("pageable host memory", PLAIN),
    "through_pinned_s": ("pinned host memory", STEP),
    "direct_s": ("direct", BEST),
}


def draw(axes, records):
    """Draw milliseconds over bytes, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e-3)
    axes.set(xscale="log", yscale="log", ylim=(0.015, 120), ylabel="ms")
    names(axes, ends)
    ticks(axes.xaxis, sizes, binary)
    ticks(axes.yaxis, [0.1, 1, 10, 100], "{:g}".format)
    return [{name: row[name] for name in ("size_bytes", *LINES)} for row in rows]
