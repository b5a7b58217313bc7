"""Figure: the loss of a training in FP32, and in FP16 with and without a scaler."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, names, ticks

CURVES = "small_gradients_need_a_scaler.curves"
LINES = {
    "without": ("FP16, no scaler", COSTLY, {}),
    "fp32": ("FP32", PLAIN, {"linewidth": 5, "alpha": 0.4}),
    "scaled": ("FP16, scaler", BEST, {"linestyle": "--", "marker": "."}),
}


def draw(axes, records):
    """Draw exact losses over the steps, on a logarithmic axis; give the rows drawn."""
    rows = records.rows(CURVES)
    steps = [row["step"].value for row in rows]
    ends = []
    for name, (text, colour, look) in LINES.items():
        losses = [row[name].value for row in rows]
        axes.plot(steps, losses, **{"marker": "o"} | look, color=colour)
        ends.append((text, (steps[-1], losses[-1]), colour))
    axes.set(yscale="log", xlabel="step", ylabel="loss")
    names(axes, ends)
    ticks(axes.yaxis, [1e-4, 1e-3, 1e-2, 1e-1], "{:g}".format)
    return rows
