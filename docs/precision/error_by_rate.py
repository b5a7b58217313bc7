"""Figure: the error of a large product against its rate, from FP64 to FP8."""

from evidence.figures.marks import BEST, COSTLY, is_narrow, label, ticks

TABLE = "modes_trade_error_for_speed.by_mode"
#: Words, and where they stand in points; a mode without words has the place of another one.
WORDS = {
    "FP64": ("FP64", (10, 0)),
    "FP32": ("FP32", (10, 0)),
    "TF32": ("TF32", (-10, 0)),
    "BF16": ("BF16", (10, -2)),
    "FP16": ("FP16", (10, -2)),
    "FP16, FP16 sums": ("FP16 sums", (-11, 4)),
    "FP8": ("FP8", (-10, 6)),
    "FP8, fast sums": ("fast sums", (11, 0)),
}


def draw(axes, records):
    """Draw the largest error in per cent over the rate, both logarithmic; give the rows."""
    rows = records.rows(TABLE)
    for row in rows:
        name, rate = row["mode"].value, row["rate_flop_per_s"]
        error = row["error_share"].value * 100
        other = "sums" in name
        colour = COSTLY if other else BEST
        ends = [rate.interval.low / 1e12, rate.interval.high / 1e12]
        axes.plot(ends, [error] * 2, color=colour, linewidth=6, alpha=0.3)
        point = rate.value / 1e12, error
        form = {"markersize": 12, "fillstyle": "none"} if other else {"markersize": 7}
        axes.plot(*point, "o", color=colour, **form)
        words, offset = WORDS.get(name, ("", (0, 0)))
        words = words.replace("fast sums", "fast") if is_narrow(axes) else words
        if words:
            ha = "left" if offset[0] > 0 else "right"
            label(axes, words, point, colour, offset, ha=ha)
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(30, 5000),
        ylim=(1e-13, 1e3),
        xlabel="TFLOP/s",
        ylabel="largest error",
    )
    ticks(axes.xaxis, [50, 100, 200, 500, 1000, 2000], "{:,g}".format)
    ticks(axes.yaxis, [1e-12, 1e-9, 1e-6, 1e-3, 1], "{:g} %".format)
    return rows
