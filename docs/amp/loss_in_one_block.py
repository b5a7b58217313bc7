"""Figure: the loss over the steps, in FP32, with a block in each step, and with one block."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, names, ticks

SWEEP = "only_some_layers_learn_in_one_block.by_step"
LINES = {
    "around_loss": ("one block around\nthe whole loop", COSTLY),
    "in_each_step_loss": ("one block\nin each step", BEST),
    "fp32_loss": ("FP32", PLAIN),
}
WIDTH = {"fp32_loss": {"linestyle": ":", "marker": "."}}


def draw(axes, records):
    """Draw the three losses over the steps; give the rows drawn."""
    rows = records.rows(SWEEP)
    steps = [row["step"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        losses = [row[name].value for row in rows]
        axes.plot(steps, losses, **{"marker": "o"} | WIDTH.get(name, {}), color=colour)
        ends.append((text, (steps[-1], losses[-1]), colour))
    axes.set(yscale="log", xlabel="step", ylabel="loss")
    names(axes, ends)
    ticks(axes.xaxis, [1, 50, 100, 150, 200], "{:.0f}".format)
    ticks(axes.yaxis, [0.01, 0.1, 1, 10], "{:g}".format)
    return rows
