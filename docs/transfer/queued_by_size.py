"""Figure: how many non_blocking copies return behind a held stream, by their size."""

from evidence.figures.marks import binary, label, ticks

SWEEP = "pageable_copies_wait_for_staging.by_size"
#: The text of each line, the row that it stands at, how far off its point, and its side.
LABELS = {
    "from_pinned": ("from and into pinned memory", 0, (0, 10), "left"),
    "from_pageable": ("from pageable memory", 1, (-6, -18), "right"),
    "to_pageable": ("into pageable memory", 0, (0, 8), "left"),
}


def draw(axes, records):
    """Draw the calls that returned over size, both axes logarithmic; give the rows."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    for colour, (name, (text, place, offset, side)) in enumerate(LABELS.items()):
        counts = [row[name].value for row in rows]
        axes.plot(sizes, counts, "o", color=f"C{colour}", clip_on=False, zorder=3)
        # Between the sizes nothing was measured.
        axes.plot(sizes, counts, ":", color=f"C{colour}", linewidth=1.5)
        point = sizes[place], counts[place]
        label(axes, text, point, f"C{colour}", offset, ha=side, va="baseline")
    axes.set(xscale="log", xlabel="size of each copy", ylabel="calls that returned")
    axes.set_yscale("symlog", linthresh=1, linscale=0.5)
    axes.set_ylim(0, 5000)
    ticks(axes.xaxis, [*sizes[:2], *sizes[3:]], binary)
    ticks(axes.yaxis, [0, 1, 10, 100, 1000], "{:,.0f}".format)
    kept = ("size_bytes", "from_pinned", "to_pinned", "from_pageable", "to_pageable")
    return [{name: row[name] for name in kept} for row in rows]
