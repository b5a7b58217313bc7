"""Figure: what TF32 gains in square products, by size, on the GPU and in a loop of calls."""

from evidence.figures.marks import lines, names, ticks
from matplotlib.ticker import FixedLocator

TABLE = "tf32_gains_more_in_larger_products.by_size"
LINES = {
    "gpu_speedup": ("on the GPU", "C0"),
    "loop_speedup": ("in a loop", "C1"),
}


def draw(axes, records):
    """Draw both speedups over the size, on a logarithmic axis; give the rows."""
    rows = records.rows(TABLE)
    sizes = [row["rows"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES)
    most = max(row[name].interval.high for row in rows for name in LINES)
    axes.set(
        xscale="log",
        ylim=(0, most * 1.15),
        xlabel="rows and columns",
        ylabel="FP32 time / TF32 time",
    )
    names(axes, ends)
    ticks(axes.xaxis, sizes[::2], "{:,g}".format)
    axes.yaxis.set_major_locator(FixedLocator(range(0, int(most * 1.15) + 1, 2)))
    return rows
