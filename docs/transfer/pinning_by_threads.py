"""Figure: what pinning for a single copy costs or saves, by the number of host threads."""

from evidence.figures.marks import (
    GIVEN,
    MUTED,
    REFERENCE,
    binary,
    label,
    lines,
    names,
    ticks,
)
from matplotlib.ticker import FixedLocator

STEM = "cached_pinning_pays_with_threads"


def draw(axes, records):
    """Draw the time of pinning and copying over the plain copy's; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_threads")
    floats = records.value(f"{STEM}.small_floats").value
    size = records.value(f"{STEM}.large_bytes").value
    columns = {
        "small_slowdown": (f"{floats / 1e6:.0f}M floats", "C0"),
        "large_slowdown": (binary(size), "C1"),
    }
    threads = [row["threads"].value for row in rows]
    ends = lines(axes, threads, rows, columns)
    for height, text, style in (
        (1, "plain copy", REFERENCE),
        (2, "the tutorial’s twice as slow", GIVEN),
    ):
        axes.axhline(height, **style)
        label(axes, text, (threads[-1], height), MUTED, (0, 6), ha="right")
    top = max(row[name].interval.high for row in rows for name in columns)
    axes.set(
        xscale="log",
        xlabel="host threads",
        ylabel="time (plain copy: 1)",
        ylim=(0, max(2.4, 1.1 * top)),
    )
    names(axes, ends)
    ticks(axes.xaxis, threads, "{:.0f}".format)
    axes.yaxis.set_major_locator(FixedLocator([0, 1, 2, 3]))
    return rows
