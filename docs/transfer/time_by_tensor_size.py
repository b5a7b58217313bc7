"""Figure: the time that one of many tensors takes to reach the GPU, by its size."""

from evidence.figures.marks import (
    BEST,
    COSTLY,
    MUTED,
    PLAIN,
    STEP,
    binary,
    lines,
    names,
    ticks,
)

SWEEP = "packing_pays_while_tensors_are_small.by_size"
LINES = {
    "new_buffer_s": ("packed, new buffer", COSTLY),
    "blocking_s": ("one by one", MUTED),
    "non_blocking_s": ("with non_blocking", PLAIN),
    "packing_s": ("packed", STEP),
    "from_pinned_s": ("pinned already", BEST),
}


def draw(axes, records):
    """Draw microseconds over bytes, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e-6)
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(0.5, 130),
        xlabel="size of each tensor",
        ylabel="µs for each tensor",
    )
    names(axes, ends)
    ticks(axes.xaxis, sizes[::2], binary)
    ticks(axes.yaxis, [1, 10, 100], "{:g}".format)
    return [{name: row[name] for name in ("size_bytes", *LINES)} for row in rows]
