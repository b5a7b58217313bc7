"""Figure: how fast a copy to the GPU is, by its size, from pageable and pinned memory."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

STEM = "pinned_copy_is_faster"
KINDS = ("pinned", "pageable")


def draw(axes, records):
    """Draw bandwidth in GB/s over size on a logarithmic axis; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_size")
    sizes = [row["size_bytes"].value for row in rows]
    for colour, kind in enumerate(KINDS):
        cells = [row[f"{kind}_bytes_per_s"] for row in rows]
        medians = [cell.value / 1e9 for cell in cells]
        low = [cell.interval.low / 1e9 for cell in cells]
        high = [cell.interval.high / 1e9 for cell in cells]
        axes.fill_between(sizes, low, high, color=f"C{colour}", alpha=0.2, linewidth=0)
        axes.plot(sizes, medians, "o-", color=f"C{colour}")
        label(axes, kind, (sizes[-1], medians[-1]), f"C{colour}")
    link = records.value(f"{STEM}.link_bytes_per_s").value / 1e9
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
    return rows


def label(axes, text, point, colour):
    """Name a line at its right end."""
    axes.annotate(
        text,
        point,
        xytext=(10, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        annotation_clip=False,
    )


def binary(size):
    """4 KiB, 1 MiB, 256 MiB."""
    power = 2 if size >= 2**20 else 1
    return f"{size / 2 ** (10 * power):.0f} {('KiB', 'MiB')[power - 1]}"
