"""Figure: the time that one of many tensors takes to reach the GPU, by its size."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

SWEEP = "packing_pays_while_tensors_are_small.by_size"
LINES = {
    "new_buffer_s": ("packed, new buffer", "C3"),
    "blocking_s": ("one by one", "#010102"),
    "non_blocking_s": ("with non_blocking", "C1"),
    "packing_s": ("packed", "C0"),
    "from_pinned_s": ("pinned already", "C2"),
}


def draw(axes, records):
    """Draw microseconds over bytes, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size_bytes"].value for row in rows]
    for name, (text, colour) in LINES.items():
        cells = [row[name] for row in rows]
        low = [cell.interval.low * 1e6 for cell in cells]
        high = [cell.interval.high * 1e6 for cell in cells]
        medians = [cell.value * 1e6 for cell in cells]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(sizes, medians, "o-", color=colour)
        axes.annotate(
            text,
            (sizes[-1], medians[-1]),
            xytext=(10, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            annotation_clip=False,
        )
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(0.5, 130),
        xlabel="size of each tensor",
        ylabel="µs for each tensor",
    )
    axes.xaxis.set(
        major_locator=FixedLocator(sizes[::2]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda size, _: binary(size)),
    )
    axes.yaxis.set(
        major_locator=FixedLocator([1, 10, 100]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda time, _: f"{time:g}"),
    )
    return [{name: row[name] for name in ("size_bytes", *LINES)} for row in rows]


def binary(size):
    """64 B, 1 KiB, 16 KiB."""
    return f"{size:.0f} B" if size < 2**10 else f"{size / 2**10:.0f} KiB"
