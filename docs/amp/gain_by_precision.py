"""Figure: what three precisions gain over FP32, for four models."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, STEP, names, ticks

SWEEP = "mixed_precision_speeds_up_large_steps.by_model"
MODELS = {
    "transformer": "transformer\nblock",
    "conv_net": "conv net",
    "wide_mlp": "wide MLP",
    "recipe": "wide MLP,\nsmall batch",
}
ARMS = {
    "tf32_speedup": ("TF32", STEP),
    "fp16_speedup": ("FP16, scaler", COSTLY),
    "bf16_speedup": ("BF16", BEST),
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
        last = rows[-1][name].interval.high, len(rows) - 1 + (place - 1) * APART
        ends.append((text, last, colour))
    axes.axvline(1, **REFERENCE, zorder=0)
    most = max(row[name].interval.high for row in rows for name in ARMS)
    axes.set(
        xscale="log",
        xlabel="FP32 time / time",
        xlim=(0.8, 1.2 * most),
        ylim=(len(rows) - 0.5, -0.5),
    )
    axes.grid(visible=False)
    names(axes, ends)
    ticks(axes.xaxis, [1, 2, 4, 8, 16], "{:g}×".format)
    models = [MODELS[row["model"].value] for row in rows]
    axes.set_yticks(range(len(rows)), models, multialignment="right")
    return rows
