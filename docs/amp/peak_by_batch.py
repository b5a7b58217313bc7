"""Figure: the peak memory of a training step, by the rows of a batch and by precision."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, names, ticks

SWEEP = "mixed_precision_saves_memory_in_large_batches.by_rows"
LINES = {
    "fp32_peak_bytes": ("FP32", PLAIN),
    "fp16_peak_bytes": ("FP16, scaler", COSTLY),
    "bf16_peak_bytes": ("BF16", BEST),
}
MIB = 2**20


def draw(axes, records):
    """Draw exact bytes over the rows, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["rows"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        taken = [row[name].value / MIB for row in rows]
        axes.plot(sizes, taken, "o-", color=colour)
        ends.append((text, (sizes[-1], taken[-1]), colour))
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(200, 5000),
        xlabel="rows in a batch",
        ylabel="MiB",
    )
    names(axes, ends)
    ticks(axes.xaxis, sizes, "{:,.0f}".format)
    ticks(axes.yaxis, [250, 500, 1000, 2000, 4000], "{:,.0f}".format)
    return rows
