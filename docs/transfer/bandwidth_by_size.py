"""Figure: how fast a copy to the GPU is, by its size and by what is pinned when."""

from evidence.marks import MUTED, REFERENCE, binary, label, line, names, ticks
from matplotlib.ticker import FixedLocator

SWEEP = "first_pinning_costs_more_than_it_saves.by_size"
LINK = "pinned_copy_is_faster.link_bytes_per_s"
LABELS = {
    "pinned": "pinned",
    "cached": "pin, then copy\n(block cached)",
    "pageable": "pageable",
    "first_use": "pin, then copy\n(first time)",
}


def draw(axes, records):
    """Draw bandwidth in GB/s over size on a logarithmic axis; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    drawn = [{"size_bytes": row["size_bytes"]} for row in rows]
    ends = []
    for colour, (kind, text) in enumerate(LABELS.items()):
        name = f"{kind}_bytes_per_s"
        cells = [row[name] for row in rows]
        end = line(axes, sizes, cells, f"C{colour}", unit=1e9)
        ends.append((text, end, f"C{colour}"))
        for row, cell in zip(drawn, cells, strict=True):
            row[name] = cell
    link = records.value(LINK).value / 1e9
    axes.axhline(link, **REFERENCE)
    label(axes, f"PCIe link: {link:.0f} GB/s", (sizes[0], link), MUTED, (0, 6))
    axes.set(xscale="log", ylim=(0, link * 1.15), ylabel="GB/s")
    names(axes, ends)
    ticks(axes.xaxis, sizes[::2], binary)
    axes.yaxis.set_major_locator(FixedLocator([0, 20, 40, 60]))
    return drawn
