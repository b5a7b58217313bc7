"""Figure: how fast a copy to the GPU is, by its size and by what is pinned when."""

from evidence.figures.marks import (
    BEST,
    COSTLY,
    MUTED,
    PLAIN,
    REFERENCE,
    STEP,
    binary,
    label,
    lines,
    names,
    ticks,
)
from matplotlib.ticker import FixedLocator

SWEEP = "first_pinning_costs_more_than_it_saves.by_size"
LINK = "pinned_copy_is_faster.link_bytes_per_s"
LINES = {
    "pinned_bytes_per_s": ("pinned", BEST),
    "cached_bytes_per_s": ("pin, then copy\n(block cached)", STEP),
    "pageable_bytes_per_s": ("pageable", PLAIN),
    "first_use_bytes_per_s": ("pin, then copy\n(first time)", COSTLY),
}


def draw(axes, records):
    """Draw bandwidth in GB/s over size on a logarithmic axis; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e9)
    link = records.value(LINK).value / 1e9
    axes.axhline(link, **REFERENCE)
    label(axes, f"PCIe link: {link:.0f} GB/s", (sizes[0], link), MUTED, (0, 6))
    axes.set(xscale="log", ylim=(0, link * 1.15), ylabel="GB/s")
    names(axes, ends)
    ticks(axes.xaxis, sizes[::2], binary)
    axes.yaxis.set_major_locator(FixedLocator([0, 20, 40, 60]))
    return [{name: row[name] for name in ("size_bytes", *LINES)} for row in rows]
