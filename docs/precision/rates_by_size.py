"""Figure: the rate of square matmuls by their size, in five precisions."""

from evidence.figures.marks import BEST, COSTLY, MUTED, PLAIN, STEP, lines, names, ticks

SWEEP = "rates_grow_with_size.by_size"
LINES = {
    "fp64_flop_per_s": ("FP64", MUTED),
    "fp32_flop_per_s": ("FP32", PLAIN),
    "tf32_flop_per_s": ("TF32", STEP),
    "bf16_flop_per_s": ("BF16", BEST),
    "fp8_flop_per_s": ("FP8", COSTLY),
}


def draw(axes, records):
    """Draw TFLOP/s over the size, both logarithmic; give the rows drawn.

    The smallest size is left out: launches on the host decide its rate.
    """
    rows = records.rows(SWEEP)[1:]
    sizes = [row["size"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e12)
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(10, 3000),
        xlabel="rows and columns",
        ylabel="TFLOP/s",
    )
    names(axes, ends)
    ticks(axes.xaxis, sizes[:5], "{:,g}".format)
    ticks(axes.yaxis, [10, 100, 1000], "{:,g}".format)
    return rows
