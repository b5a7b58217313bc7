"""Figure: the measured peak of a training step against the predicted one."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, STEP, names, ticks

SWEEP = "the_peak_of_a_step_can_be_predicted.by_case"
MODELS = {
    "linear": ("linear layers", BEST),
    "convolution": ("convolutions", STEP),
    "transformer": ("transformer", COSTLY),
}
MIB = 2**20
PLACES = [16, 64, 256, 1024, 4096]


def draw(axes, records):
    """Draw a dot for each model and batch, and the diagonal; give the rows drawn."""
    rows = records.rows(SWEEP)
    axes.plot([8, 16384], [8, 16384], **REFERENCE)
    ends = []
    for model, (text, colour) in MODELS.items():
        own = [row for row in rows if row["model"].value == model]
        predicted = [row["predicted_bytes"].value / MIB for row in own]
        peaks = [row["peak_bytes"].value / MIB for row in own]
        axes.plot(predicted, peaks, "o-", color=colour)
        ends.append((text, (predicted[-1], peaks[-1]), colour))
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(8, 16384),
        ylim=(8, 16384),
        xlabel="predicted (MiB)",
        ylabel="measured (MiB)",
    )
    names(axes, ends)
    for axis in (axes.xaxis, axes.yaxis):
        ticks(axis, PLACES, "{:,.0f}".format)
    return rows
