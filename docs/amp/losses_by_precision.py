"""Figure: the losses of three models over the steps, each in four precisions."""

from evidence.figures.marks import BEST, COSTLY, MUTED, PLAIN, STEP, label, names, ticks

SWEEP = "precisions_differ_less_than_seeds.by_step"
LINES = {
    "fp32_loss": ("FP32", PLAIN, "-"),
    "tf32_loss": ("TF32", STEP, "--"),
    "fp16_loss": ("FP16, scaler", COSTLY, "-."),
    "bf16_loss": ("BF16", BEST, ":"),
}
MODELS = {"transformer": "transformer", "conv_net": "conv net", "mlp": "MLP"}


def draw(axes, records):
    """Draw four lines for each model, which lie on each other; give the rows drawn."""
    rows = records.rows(SWEEP)
    ends = []
    for model, text in MODELS.items():
        own = [row for row in rows if row["model"].value == model]
        steps = [row["step"].value for row in own]
        for name, (_, colour, style) in LINES.items():
            losses = [row[name].value for row in own]
            axes.plot(steps, losses, style, color=colour)
        ends.append((text, (steps[-1], own[-1]["fp32_loss"].value), MUTED))
    axes.set(ylim=(0, 2.5), xlabel="step", ylabel="loss, mean of ten steps")
    names(axes, ends)
    first = rows[0]["step"].value, 2.4
    for place, (text, colour, _) in enumerate(LINES.values()):
        label(axes, text, first, colour, (95 * place + 4, 0))
    ticks(axes.xaxis, sorted({row["step"].value for row in rows})[1::2], "{:.0f}".format)
    return rows
