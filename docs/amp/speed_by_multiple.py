"""Figure: the speed of matmuls of nearly equal sizes, by what the sizes are multiples of."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP, lines, names, ticks

SWEEP = "odd_widths_slow_16_bit_matmuls.by_multiple"
LINES = {
    "fp32_share": ("FP32", PLAIN),
    "tf32_share": ("TF32", STEP),
    "fp16_share": ("FP16", COSTLY),
    "bf16_share": ("BF16", BEST),
}


def draw(axes, records):
    """Draw the shares of the speed with 4,096, below which they begin; give the rows drawn."""
    rows = [row for row in records.rows(SWEEP) if row["multiple"].value < 4096]
    multiples = [row["multiple"].value for row in rows]
    ends = lines(axes, multiples, rows, LINES, unit=0.01)
    axes.set(
        xscale="log",
        ylim=(0, 120),
        xlabel="widths are multiples of",
        ylabel="share of the full speed",
    )
    names(axes, ends)
    ticks(axes.xaxis, multiples, "{:.0f}".format)
    ticks(axes.yaxis, [0, 25, 50, 75, 100], "{:.0f} %".format)
    return rows
