"""Figure: how much longer calls take in deterministic mode."""

from evidence.figures.marks import BEST, COSTLY, REFERENCE, ticks

SWEEP = "deterministic_mode_costs_some_calls_dear.by_call"
DEAR = 2  # from here on, a call is drawn as a costly one


def draw(axes, records):
    """Draw a dot for each call, with its interval; give the rows drawn."""
    rows = sorted(records.rows(SWEEP), key=lambda row: row["slowdown"].value)
    for place, row in enumerate(rows):
        ratio = row["slowdown"]
        colour = COSTLY if ratio.value >= DEAR else BEST
        reach = [ratio.interval.low, ratio.interval.high]
        axes.plot(reach, [place] * 2, color=colour, linewidth=7, alpha=0.3)
        axes.plot(ratio.value, place, "o", color=colour, markersize=9)
    axes.axvline(1, **REFERENCE, zorder=0)
    most = max(row["slowdown"].interval.high for row in rows)
    axes.set(
        xscale="log",
        xlabel="time / time without the switch",
        xlim=(0.7, 1.5 * most),
        ylim=(len(rows) - 0.5, -0.5),
    )
    axes.grid(visible=False)
    ticks(axes.xaxis, [1, 3, 10, 30, 100], "{:g}×".format)
    axes.set_yticks(range(len(rows)), [row["call"].value for row in rows])
    return rows
