"""Figure: what pinning and not waiting gain, alone and together, for seven loops."""

from evidence.figures.marks import (
    BEST,
    PLAIN,
    REFERENCE,
    STEP,
    arms,
    is_narrow,
    label,
    names,
    ticks,
)

SWEEP = "a_pinned_loader_pays_when_copies_matter.by_loop"
LOOPS = {
    "tiny": "tiny model",
    "medium": "medium model",
    "large": "large model",
    "medium_with_one_worker": "medium model\nwith one worker",
    "tiny_with_workers": "tiny model\nwith workers",
    "medium_with_workers": "medium model\nwith workers",
    "large_with_workers": "large model\nwith workers",
}
ARMS = {
    "non_blocking_speedup": ("non_blocking", STEP),
    "pinned_speedup": ("pinned", PLAIN),
    "both_speedup": ("both", BEST),
}


def draw(axes, records):
    """Draw a line of dots for each loop, the gain on a logarithmic axis; give the rows."""
    rows = records.rows(SWEEP)
    labels = [LOOPS[row["loop"].value] for row in rows]
    below = arms(axes, rows, ARMS, labels)
    ends = []
    for place, (name, (text, colour)) in enumerate(ARMS.items()):
        end = rows[0][name].interval.high, below[name]
        ends.append((text, end, colour))
        if not is_narrow(axes):
            # The first two stand so close that one name would lie on the other.
            label(axes, text, end, colour, (10, (5, -4, 0)[place]))
    if is_narrow(axes):
        names(axes, ends)
    axes.axvline(1, **REFERENCE, zorder=0)
    intervals = [row[name].interval for row in rows for name in ARMS]
    least = min(interval.low for interval in intervals)
    most = max(interval.high for interval in intervals)
    axes.set(xscale="log", xlabel="speedup", xlim=(least / 1.05, 1.2 * most))
    ticks(axes.xaxis, [0.75, 1, 1.5, 2], "{:g}×".format)
    return rows
