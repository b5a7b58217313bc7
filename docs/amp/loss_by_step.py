"""Figure: the loss of a small training in each format, with and without a scaler."""

from evidence.figures.marks import BEST, COSTLY, INK, PLAIN, STEP, names, ticks

SWEEP = "bf16_learns_without_a_scaler.curves"
LINES = {
    "fp32": ("FP32", INK),
    "tf32": ("TF32", PLAIN),
    "fp16_with_a_scaler": ("FP16, scaler", STEP),
    "bf16_without_a_scaler": ("BF16", BEST),
    "fp16_without_a_scaler": ("FP16 alone", COSTLY),
}


def draw(axes, records):
    """Draw the loss over the steps, the loss on a logarithmic axis; give the rows."""
    rows = records.rows(SWEEP)
    steps = [row["step"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        losses = [row[name].value for row in rows]
        axes.plot(steps, losses, "o-", color=colour, markersize=4)
        ends.append((text, (steps[-1], losses[-1]), colour))
    axes.set(yscale="log", xlabel="step", ylabel="loss")
    names(axes, ends)
    ticks(axes.xaxis, steps[::5], "{:g}".format)
    ticks(axes.yaxis, [10**power for power in range(-10, 1, 2)], "{:.0e}".format)
    return [{name: row[name] for name in ("step", *LINES)} for row in rows]
