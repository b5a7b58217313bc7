"""Figure: the losses of three models over the steps, each in four precisions."""

from evidence.figures.marks import BEST, PLAIN, STEP, names, ticks

SWEEP = "precisions_differ_less_than_seeds.by_step"
STYLES = {"fp32": "-", "tf32": "--", "fp16": "-.", "bf16": ":"}
MODELS = {
    "transformer": ("transformer", PLAIN),
    "conv_net": ("conv net", STEP),
    "mlp": ("MLP", BEST),
}


def draw(axes, records):
    """Draw four lines for each model, which lie on each other; give the rows drawn."""
    rows = records.rows(SWEEP)
    steps = [row["step"].value for row in rows]
    ends = []
    for model, (text, colour) in MODELS.items():
        for precision, style in STYLES.items():
            losses = [row[f"{model}_{precision}_loss"].value for row in rows]
            axes.plot(steps, losses, style, color=colour)
        ends.append((text, (steps[-1], losses[-1]), colour))
    axes.set(ylim=(0, 2.5), xlabel="step", ylabel="loss, mean of ten steps")
    names(axes, ends)
    ticks(axes.xaxis, steps[1::2], "{:.0f}".format)
    return rows
