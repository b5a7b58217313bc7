"""Figure: how fast a copy to the GPU is, by its size and by what is pinned when."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

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
    for colour, (kind, text) in enumerate(LABELS.items()):
        name = f"{kind}_bytes_per_s"
        cells = [row[name] for row in rows]
        medians = [cell.value / 1e9 for cell in cells]
        low = [cell.interval.low / 1e9 for cell in cells]
        high = [cell.interval.high / 1e9 for cell in cells]
        axes.fill_between(sizes, low, high, color=f"C{colour}", alpha=0.2, linewidth=0)
        axes.plot(sizes, medians, "o-", color=f"C{colour}")
        rise = 5 if kind == "first_use" else 0  # off the axis
        label(axes, text, (sizes[-1], medians[-1]), f"C{colour}", rise)
        for line, cell in zip(drawn, cells, strict=True):
            line[name] = cell
    link = records.value(LINK).value / 1e9
    axes.axhline(link, color="#010102", linewidth=1, linestyle=(0, (5, 4)))
    axes.annotate(
        f"PCIe link: {link:.0f} GB/s",
        (sizes[0], link),
        xytext=(0, 6),
        textcoords="offset points",
        color="#010102",
    )
    axes.set(xscale="log", ylim=(0, link * 1.15), ylabel="GB/s")
    axes.xaxis.set(
        major_locator=FixedLocator(sizes[::2]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda size, _: binary(size)),
    )
    axes.yaxis.set_major_locator(FixedLocator([0, 20, 40, 60]))
    return drawn


def label(axes, text, point, colour, rise):
    """Name a line at its right end."""
    axes.annotate(
        text,
        point,
        xytext=(10, rise),
        textcoords="offset points",
        va="center",
        color=colour,
        annotation_clip=False,
    )


def binary(size):
    """4 KiB, 1 MiB, 256 MiB."""
    power = 2 if size >= 2**20 else 1
    return f"{size / 2 ** (10 * power):.0f} {('KiB', 'MiB')[power - 1]}"
