"""Figure: what mixed precision gains in small layers, by the rows of a batch."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, STEP, lines, names, ticks

SWEEP = "mixed_precision_slows_small_steps.by_rows"
LINES = {
    "bf16_speedup": ("BF16,\nin a loop", BEST),
    "fp16_speedup": ("FP16, scaler,\nin a loop", COSTLY),
    "bf16_gpu_speedup": ("BF16,\non the GPU", STEP),
}


def draw(axes, records):
    """Draw the speedups over the rows, on logarithmic axes; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["rows"].value for row in rows]
    axes.axhline(1, **REFERENCE)
    ends = lines(axes, sizes, rows, LINES)
    most = max(row[name].interval.high for row in rows for name in LINES)
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(0.4, max(8, 1.3 * most)),
        xlabel="rows in a batch",
        ylabel="FP32 time / mixed precision time",
    )
    names(axes, ends)
    ticks(axes.xaxis, [*sizes[:3], sizes[-1]], "{:,.0f}".format)
    ticks(axes.yaxis, [0.5, 1, 2, 4, 8, 16], "{:g}×".format)
    return rows
