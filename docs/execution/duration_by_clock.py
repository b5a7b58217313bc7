"""Figure: how long one product seems to take, by its size and by who reads which clock."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

STEM = "events_measure_the_gpu"
#: Column, label, and where the label stands: the end of the line and the offset in points.
LINES = (
    ("call_s", "clock, call only", -1, (10, 0)),
    ("clock_s", "clock, synchronised", 0, (0, 10)),
    ("delayed_s", "events", 0, (0, -20)),
)


def draw(axes, records):
    """Draw apparent durations on two logarithmic axes; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_size")
    sizes = [row["size"].value for row in rows]
    for number, (column, text, end, offset) in enumerate(LINES):
        cells = [row[column] for row in rows]
        medians = [cell.value for cell in cells]
        low = [cell.interval.low for cell in cells]
        high = [cell.interval.high for cell in cells]
        colour = f"C{number}"
        axes.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(sizes, medians, "o-", color=colour)
        label(axes, text, (sizes[end], medians[end]), offset, colour)
    axes.set(xscale="log", yscale="log", ylim=(2e-6, 6e-2), xlabel="rows and columns")
    axes.xaxis.set(
        major_locator=FixedLocator(sizes[::2]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda size, _: f"{size:.0f}"),
    )
    axes.yaxis.set(
        major_locator=FixedLocator([1e-5, 1e-4, 1e-3, 1e-2]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda seconds, _: duration(seconds)),
    )
    return rows


def label(axes, text, point, offset, colour):
    """Name a line near one of its ends."""
    axes.annotate(
        text,
        point,
        xytext=offset,
        textcoords="offset points",
        va="center" if offset[0] else "baseline",
        color=colour,
        annotation_clip=False,
    )


def duration(seconds):
    """10 µs, 1 ms."""
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.0f} ms"
