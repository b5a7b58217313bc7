"""Figure: the losses of three models over the steps, each in four precisions."""

from evidence.figures.marks import BEST, COSTLY, INK, PLAIN, STEP, names, ticks

SWEEP = "precisions_differ_less_than_seeds.by_step"
LINES = {
    "fp32_loss": (PLAIN, "-"),
    "tf32_loss": (STEP, "--"),
    "fp16_loss": (COSTLY, "-."),
    "bf16_loss": (BEST, ":"),
}
MODELS = {"transformer": "transformer", "conv_net": "conv net", "mlp": "MLP"}


def draw(axes, records):
    """Draw four lines for each model, which lie on each other; give the rows drawn."""
    rows = records.rows(SWEEP)
    ends = []
    for model, text in MODELS.items():
        own = [row for row in rows if row["model"].value == model]
        steps = [row["step"].value for row in own]
        for name, (colour, style) in LINES.items():
            losses = [row[name].value for row in own]
            axes.plot(steps, losses, style, color=colour)
        ends.append((text, (steps[-1], own[-1]["fp32_loss"].value), INK))
    axes.set(ylim=(0, 2.5), xlabel="step", ylabel="loss, mean of ten steps")
    names(axes, ends)
    ticks(
        axes.xaxis, sorted({row["step"].value for row in rows})[1::2], "{:.0f}".format
    )
    return rows
