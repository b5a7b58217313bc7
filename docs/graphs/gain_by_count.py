"""Figure: what a replay gains over a loop, by the number of kernels in the graph."""

from evidence.figures.marks import BEST, REFERENCE, line, ticks

SWEEP = "a_replay_is_a_single_launch.by_count"


def draw(axes, records):
    """Draw the speedup over the number of kernels; give the rows drawn."""
    rows = records.rows(SWEEP)
    counts = [row["kernels"].value for row in rows]
    axes.axhline(1, **REFERENCE)
    line(axes, counts, [row["speedup"] for row in rows], BEST)
    axes.set(xscale="log", xlabel="kernels in the graph", ylim=(0, 10))
    ticks(axes.xaxis, [1, 10, 100, 500], "{:g}".format)
    ticks(axes.yaxis, [1, 3, 6, 9], "{:g}×".format)
    return [{name: row[name] for name in ("kernels", "speedup")} for row in rows]
