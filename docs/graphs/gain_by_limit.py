"""Figure: what a graph, BF16 and a larger batch gain, in three models with three limits."""

from evidence.figures.marks import BEST, PLAIN, REFERENCE, STEP, names, ticks

SWEEP = "three_models_have_three_limits.by_model"
MODELS = {
    "wide": "compute\n(wide)",
    "pointwise": "memory\n(pointwise)",
    "narrow": "overhead\n(narrow)",
}
ARMS = {
    "bf16_speedup": ("BF16", STEP),
    "rows_speedup": ("larger batch", PLAIN),
    "graph_speedup": ("graph", BEST),
}
APART = 0.25  # of the distance of two models


def draw(axes, records):
    """Draw a dot for each gain, with its interval; give the rows drawn."""
    rows = records.rows(SWEEP)
    ends = []
    for place, (name, (text, colour)) in enumerate(ARMS.items()):
        for at, row in enumerate(rows):
            gain, height = row[name], at + (place - 1) * APART
            reach = [gain.interval.low, gain.interval.high]
            axes.plot(reach, [height] * 2, color=colour, linewidth=7, alpha=0.3)
            axes.plot(gain.value, height, "o", color=colour, markersize=9)
        last = max(1, rows[-1][name].interval.high), len(rows) - 1 + (place - 1) * APART
        ends.append((text, last, colour))
    axes.axvline(1, **REFERENCE, zorder=0)
    most = max(row[name].interval.high for row in rows for name in ARMS)
    axes.set(
        xscale="log",
        xlabel="time as usual / time",
        xlim=(0.7, 1.2 * most),
        ylim=(len(rows) - 0.5, -0.5),
    )
    axes.grid(visible=False)
    names(axes, ends)
    ticks(axes.xaxis, [1, 2, 4, 8, 16], "{:g}×".format)
    models = [MODELS[row["model"].value] for row in rows]
    axes.set_yticks(range(len(rows)), models, multialignment="right")
    return rows
