"""Figure: how fast a copy to the host is, by its size and by where it goes."""

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

SWEEP = "a_reused_pinned_buffer_is_fastest.by_size"
LINK = "pinned_copy_is_faster.link_bytes_per_s"
LINES = {
    "pinned_bytes_per_s": ("pinned, kept", BEST),
    "cached_bytes_per_s": ("pinned, cached", STEP),
    "pageable_bytes_per_s": ("pageable, kept", PLAIN),
    "first_use_bytes_per_s": ("pinned, first use", COSTLY),
    "new_bytes_per_s": ("pageable, new", MUTED),
}


def draw(axes, records):
    """Draw bandwidth in GB/s over size on logarithmic axes; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e9)
    link = records.value(LINK).value / 1e9
    axes.plot([sizes[0], sizes[-1]], [link] * 2, **REFERENCE)
    label(axes, f"PCIe link: {link:.0f} GB/s", (sizes[0], link), MUTED, (0, 6))
    axes.set(xscale="log", yscale="log", ylim=(0.002, link * 2), ylabel="GB/s")
    names(axes, ends)
    ticks(axes.xaxis, sizes, binary)
    ticks(axes.yaxis, [0.01, 0.1, 1, 10], "{:g}".format)
    return [{name: row[name] for name in ("size_bytes", *LINES)} for row in rows]
