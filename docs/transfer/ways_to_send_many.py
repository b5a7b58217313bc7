"""Figure: how long a thousand small tensors take to reach the GPU, by the way they go."""

from evidence.figures.marks import BEST, INK, MUTED, PLAIN, label
from matplotlib.ticker import MaxNLocator

TABLE = "packing_beats_many_small_copies.by_way"
LOOPS, PACKED = PLAIN, BEST
LABELS = {
    "to": ("one by one", LOOPS),
    "to_free": ("with non_blocking", LOOPS),
    "foreach": ("_foreach_copy_", LOOPS),
    "pack_with_shapes": ("packed, with shapes", PACKED),
    "pack_and_copy": ("packed", PACKED),
    "pack_into_views": ("packed, views kept", PACKED),
    "packed_before": ("packed before", PACKED),
}


def draw(axes, records):
    """Draw a bar of milliseconds for each way; give the rows drawn."""
    rows = records.rows(TABLE)
    for place, row in enumerate(rows):
        text, colour = LABELS[row["way"].value]
        total = row["total_s"]
        axes.barh(place, total.value * 1e3, height=0.62, color=colour)
        ends = [total.interval.low * 1e3, total.interval.high * 1e3]
        axes.plot(ends, [place, place], color=MUTED, linewidth=1.5)
        label(axes, text, (0, place), INK, (-10, 0), ha="right")
        speedup = row["speedup"].value
        found = f"{total.value * 1e3:.2g} ms" if place == 0 else f"{speedup:.2g}×"
        label(axes, found, (ends[1], place), colour, (8, 0))
    longest = max(row["total_s"].interval.high for row in rows) * 1e3
    axes.set(xlim=(0, longest * 1.15), xlabel="ms for all of them", yticks=[])
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(visible=True, axis="x")
    axes.invert_yaxis()
    return rows
