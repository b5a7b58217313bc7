"""Figure: the loss on unseen data by step, for three ways to clip with SGD."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, names, ticks

TABLE = "clipping_needs_unscaled_gradients.curve"
LINES = {
    "fp32": ("FP32", PLAIN),
    "unscaled": ("unscaled first", BEST),
    "scaled": ("scaled", COSTLY),
}


def draw(axes, records):
    """Draw the losses over the step; give the rows drawn."""
    rows = records.rows(TABLE)
    steps = [row["step"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        losses = [row[name].value for row in rows]
        axes.plot(steps, losses, "o-", color=colour)
        ends.append((text, (steps[-1], losses[-1]), colour))
    most = max(row[name].value for row in rows for name in LINES)
    axes.set(ylim=(0, most * 1.15), xlabel="step", ylabel="loss")
    names(axes, ends)
    ticks(axes.xaxis, steps[::3], "{:.0f}".format)
    return rows
