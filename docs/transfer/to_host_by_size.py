"""Figure: how fast a copy to the host is, by its size and by where it goes."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

SWEEP = "a_reused_pinned_buffer_is_fastest.by_size"
LINK = "pinned_copy_is_faster.link_bytes_per_s"
LABELS = {
    "pinned": ("pinned, kept", 9),
    "cached": ("pinned, cached", -9),
    "pageable": ("pageable, kept", 0),
    "first_use": ("pinned, first use", 5),
    "new": ("pageable, new", -5),
}
COLOURS = {
    "pinned": "C0",
    "cached": "C1",
    "pageable": "C2",
    "first_use": "C3",
    "new": "#010102",
}


def draw(axes, records):
    """Draw bandwidth in GB/s over size on logarithmic axes; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    drawn = [{"size_bytes": row["size_bytes"]} for row in rows]
    for kind, (text, rise) in LABELS.items():
        name, colour = f"{kind}_bytes_per_s", COLOURS[kind]
        cells = [row[name] for row in rows]
        medians = [cell.value / 1e9 for cell in cells]
        low = [cell.interval.low / 1e9 for cell in cells]
        high = [cell.interval.high / 1e9 for cell in cells]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(sizes, medians, "o-", color=colour)
        axes.annotate(
            text,
            (sizes[-1], medians[-1]),
            xytext=(10, rise),
            textcoords="offset points",
            va="center",
            color=colour,
            annotation_clip=False,
        )
        for line, cell in zip(drawn, cells, strict=True):
            line[name] = cell
    link = records.value(LINK).value / 1e9
    ends = [sizes[0], sizes[-1]]
    axes.plot(ends, [link] * 2, color="#010102", linewidth=1, linestyle=(0, (5, 4)))
    axes.annotate(
        f"PCIe link: {link:.0f} GB/s",
        (sizes[0], link),
        xytext=(0, 6),
        textcoords="offset points",
        color="#010102",
    )
    axes.set(xscale="log", yscale="log", ylim=(0.005, link * 2), ylabel="GB/s")
    axes.xaxis.set(
        major_locator=FixedLocator(sizes),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda size, _: binary(size)),
    )
    axes.yaxis.set(
        major_locator=FixedLocator([0.01, 0.1, 1, 10]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda rate, _: f"{rate:g}"),
    )
    return drawn


def binary(size):
    """4 KiB, 1 MiB, 256 MiB."""
    power = 2 if size >= 2**20 else 1
    return f"{size / 2 ** (10 * power):.0f} {('KiB', 'MiB')[power - 1]}"
