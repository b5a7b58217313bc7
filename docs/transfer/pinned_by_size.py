"""Figure: the bandwidth of copies to the GPU from pageable and from pinned memory."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

STEM = "pinned_copy_is_faster"
LABELS = {"pinned": "pinned", "pageable": "pageable"}


def draw(axes, records):
    """Draw bandwidth in GB/s over size on a logarithmic axis; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_size")
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
        axes.annotate(
            text,
            (sizes[-1], medians[-1]),
            xytext=(10, 0),
            textcoords="offset points",
            va="center",
            color=f"C{colour}",
            annotation_clip=False,
        )
        for line, cell in zip(drawn, cells, strict=True):
            line[name] = cell
    link = records.value(f"{STEM}.link_bytes_per_s").value / 1e9
    generation = records.value(f"{STEM}.link_generation").value
    width = records.value(f"{STEM}.link_width").value
    axes.axhline(link, color="#010102", linewidth=1, linestyle=(0, (5, 4)))
    axes.annotate(
        f"PCIe {generation:.0f} x{width:.0f}: {link:.0f} GB/s",
        (sizes[0], link),
        xytext=(0, 6),
        textcoords="offset points",
        color="#010102",
    )
    axes.set(xscale="log", ylim=(0, link * 1.15), ylabel="GB/s")
    axes.xaxis.set(
        major_locator=FixedLocator(sizes[::3]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda size, _: binary(size)),
    )
    axes.yaxis.set_major_locator(FixedLocator([0, 20, 40, 60]))
    return drawn


def binary(size):
    """4 KiB, 1 MiB, 1 GiB."""
    power = 1 + (size >= 2**20) + (size >= 2**30)
    return f"{size / 2 ** (10 * power):.0f} {('KiB', 'MiB', 'GiB')[power - 1]}"
