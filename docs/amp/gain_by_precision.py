"""Figure: what three precisions gain over FP32, for four models."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, STEP, arms, names, ticks

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


def draw(axes, records):
    """Draw a dot for each gain, with its interval; give the rows drawn."""
    rows = records.rows(SWEEP)
    labels = [MODELS[row["model"].value] for row in rows]
    below = arms(axes, rows, ARMS, labels)
    ends = []
    for name, (text, colour) in ARMS.items():
        last = rows[-1][name].interval.high, len(rows) - 1 + below[name]
        ends.append((text, last, colour))
    axes.axvline(1, **REFERENCE, zorder=0)
    most = max(row[name].interval.high for row in rows for name in ARMS)
    axes.set(xscale="log", xlabel="FP32 time / time", xlim=(0.8, 1.2 * most))
    names(axes, ends)
    ticks(axes.xaxis, [1, 2, 4, 8, 16], "{:g}×".format)
    return rows
