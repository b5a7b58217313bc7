"""Figure: what a graph, BF16 and a larger batch gain, in three models with three limits."""

from evidence.figures.marks import BEST, PLAIN, REFERENCE, STEP, arms, names, ticks

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


def draw(axes, records):
    """Draw a dot for each gain, with its interval; give the rows drawn."""
    rows = records.rows(SWEEP)
    labels = [MODELS[row["model"].value] for row in rows]
    below = arms(axes, rows, ARMS, labels)
    ends = []
    for name, (text, colour) in ARMS.items():
        last = max(1, rows[-1][name].interval.high), len(rows) - 1 + below[name]
        ends.append((text, last, colour))
    axes.axvline(1, **REFERENCE, zorder=0)
    most = max(row[name].interval.high for row in rows for name in ARMS)
    axes.set(xscale="log", xlabel="time as usual / time", xlim=(0.7, 1.2 * most))
    names(axes, ends)
    ticks(axes.xaxis, [1, 2, 4, 8, 16], "{:g}×".format)
    return rows
