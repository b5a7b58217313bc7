"""Figure: what two streams gain over one, by the size of the matmuls in them."""

from evidence.figures.marks import BEST, PLAIN, REFERENCE, lines, names, ticks

SWEEP = "small_kernels_share_the_gpu.by_size"
LINES = {
    "queued_speedup": ("queued\nbefore", BEST),
    "launched_speedup": ("launched\nas usual", PLAIN),
}


def draw(axes, records):
    """Draw the speedup over the rows of a matmul; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size"].value for row in rows]
    axes.axhline(1, **REFERENCE)
    ends = lines(axes, sizes, rows, LINES)
    axes.set(xscale="log", ylim=(0.5, 2.3), xlabel="rows and columns")
    names(axes, ends)
    ticks(axes.xaxis, sizes, "{:.0f}".format)
    ticks(axes.yaxis, [0.5, 1, 1.5, 2], "{:g}×".format)
    return rows
