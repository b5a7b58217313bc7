"""Figure: the measured peak of a training step over the predicted one."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, STEP, names, ticks

SWEEP = "the_peak_of_a_step_can_be_predicted.by_case"
MODELS = {
    "linear": ("linear layers", BEST),
    "convolution": ("convolutions", STEP),
    "transformer": ("transformer", COSTLY),
}
MIB = 2**20
PLACES = [16, 64, 256, 1024, 4096]
SHARES = [0.9, 1.0, 1.1, 1.2, 1.3]


def draw(axes, records):
    """Draw a dot for each model and batch, and a line at one; give the rows drawn."""
    rows = records.rows(SWEEP)
    axes.plot([16, 8192], [1, 1], **REFERENCE)
    ends = []
    for model, (text, colour) in MODELS.items():
        own = [row for row in rows if row["model"].value == model]
        predicted = [row["predicted_bytes"].value / MIB for row in own]
        shares = [row["peak_share"].value for row in own]
        axes.plot(predicted, shares, "o-", color=colour)
        ends.append((text, (predicted[-1], shares[-1]), colour))
    axes.set(
        xscale="log",
        xlim=(16, 8192),
        ylim=(0.85, 1.35),
        xlabel="predicted (MiB)",
        ylabel="measured / predicted",
    )
    names(axes, ends)
    ticks(axes.xaxis, PLACES, "{:,.0f}".format)
    ticks(axes.yaxis, SHARES, "{:.1f}".format)
    return rows
