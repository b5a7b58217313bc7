"""Figure: the error of a large product against its speed, in four precisions."""

from evidence.figures.marks import is_narrow, label, ticks
from matplotlib.ticker import FixedLocator

TABLE = "tf32_trades_accuracy_for_speed.by_mode"


def draw(axes, records):
    """Draw the largest error over FLOP/s, the error on a logarithmic axis; give the rows."""
    rows = records.rows(TABLE)
    for colour, row in enumerate(rows):
        speed, error = row["product_flop_per_s"], row["max_error_share"].value * 100
        ends = [speed.interval.low / 1e12, speed.interval.high / 1e12]
        axes.plot(ends, [error, error], color=f"C{colour}", linewidth=6, alpha=0.3)
        axes.plot(speed.value / 1e12, error, "o", color=f"C{colour}", markersize=9)
        point = speed.value / 1e12, error
        # On a phone the slowest stands beside the axis, on which its name must not lie.
        beside = is_narrow(axes) and not colour
        place = (
            {"offset": (-4, 12), "ha": "left"}
            if beside
            else {"offset": (0, 12), "ha": "center"}
        )
        label(axes, row["mode"].value, point, f"C{colour}", **place)
    fastest = max(row["product_flop_per_s"].interval.high for row in rows) / 1e12
    axes.set(
        yscale="log",
        xlim=(0, fastest * 1.1),
        ylim=(5e-4, 10),
        xlabel="TFLOP/s",
        ylabel="largest error",
    )
    axes.xaxis.set_major_locator(FixedLocator(range(0, int(fastest * 1.1), 200)))
    ticks(axes.yaxis, [0.001, 0.01, 0.1, 1, 10], "{:g} %".format)
    return rows
