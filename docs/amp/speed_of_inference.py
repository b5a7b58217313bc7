"""Figure: what 16 bits gain over FP32 in inference, by batch and by way."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, STEP, lines, names, ticks

SWEEP = "a_block_for_each_call_slows_inference.by_batch"
LINES = {
    "bfloat16_speedup": ("bfloat16()", BEST),
    "one_block_speedup": ("autocast, one\nblock for all", STEP),
    "each_call_speedup": ("autocast, a block\nfor each call", COSTLY),
}


def draw(axes, records):
    """Draw the speedup over the batch, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    batches = [row["batch"].value for row in rows]
    axes.axhline(1, **REFERENCE)
    ends = lines(axes, batches, rows, LINES)
    axes.set(xscale="log", yscale="log", ylim=(0.3, 30), xlabel="batch")
    names(axes, ends)
    ticks(axes.xaxis, batches, "{:.0f}".format)
    ticks(axes.yaxis, [0.5, 1, 2, 5, 10, 20], "{:g}×".format)
    return rows
