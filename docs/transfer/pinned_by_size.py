"""Figure: the bandwidth of copies to the GPU from pageable and from pinned memory."""

from evidence.figures.marks import (
    BEST,
    MUTED,
    PLAIN,
    REFERENCE,
    binary,
    label,
    lines,
    names,
    ticks,
)
from matplotlib.ticker import FixedLocator

STEM = "pinned_copy_is_faster"
LINES = {
    "pinned_bytes_per_s": ("pinned", BEST),
    "pageable_bytes_per_s": ("pageable", PLAIN),
}


def draw(axes, records):
    """Draw bandwidth in GB/s over size on a logarithmic axis; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_size")
    sizes = [row["size_bytes"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e9)
    link = records.value(f"{STEM}.link_bytes_per_s").value / 1e9
    generation = records.value(f"{STEM}.link_generation").value
    width = records.value(f"{STEM}.link_width").value
    axes.axhline(link, **REFERENCE)
    text = f"PCIe {generation:.0f} x{width:.0f}: {link:.0f} GB/s"
    label(axes, text, (sizes[0], link), MUTED, (0, 6))
    axes.set(xscale="log", ylim=(0, link * 1.15), ylabel="GB/s")
    names(axes, ends)
    ticks(axes.xaxis, sizes[::3], binary)
    axes.yaxis.set_major_locator(FixedLocator([0, 20, 40, 60]))
    return [{name: row[name] for name in ("size_bytes", *LINES)} for row in rows]
