"""Figure: the error of a large product against its rate, from FP64 to FP8."""

from evidence.figures.marks import COSTLY, INK, is_narrow, label, ticks

TABLE = "modes_trade_error_for_speed.by_mode"
#: Words, and where they stand in points; a mode without words has the point of its neighbour.
WORDS = {
    "FP64": ("FP64", (8, 8)),
    "FP32": ("FP32", (8, 8)),
    "TF32": ("TF32", (0, -18)),
    "BF16": ("BF16", (0, -18)),
    "FP16": ("FP16", (0, -18)),
    "FP16, FP16 sums": ("FP16,\nFP16 sums", (0, 10)),
    "FP8": ("FP8", (-6, 10)),
    "FP8, fast sums": ("fast", (10, 10)),
}


def draw(axes, records):
    """Draw the largest error in per cent over the rate, both logarithmic; give the rows."""
    rows = records.rows(TABLE)
    for row in rows:
        name, rate = row["mode"].value, row["rate_flop_per_s"]
        error = row["error_share"].value * 100
        colour = COSTLY if "sums" in name else "C0"
        ends = [rate.interval.low / 1e12, rate.interval.high / 1e12]
        axes.plot(ends, [error] * 2, color=colour, linewidth=6, alpha=0.3)
        point = rate.value / 1e12, error
        axes.plot(*point, "o", color=colour, markersize=8)
        words, offset = WORDS.get(name, ("", (0, 0)))
        if words and not (is_narrow(axes) and words == "fast"):
            label(
                axes,
                words,
                point,
                INK,
                offset,
                ha="left" if offset[0] > 0 else "center",
            )
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(30, 4000),
        ylim=(1e-13, 1e4),
        xlabel="TFLOP/s",
        ylabel="largest error",
    )
    ticks(axes.xaxis, [50, 100, 200, 500, 1000, 2000], "{:,g}".format)
    ticks(axes.yaxis, [1e-12, 1e-9, 1e-6, 1e-3, 1], "{:g} %".format)
    return rows
