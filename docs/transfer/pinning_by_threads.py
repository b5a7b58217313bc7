"""Figure: what pinning for a single copy costs or saves, by the number of host threads."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

SWEEP = "cached_pinning_pays_with_threads.by_threads"
LABELS = {"small_slowdown": "1M floats", "large_slowdown": "64 MiB"}


def draw(axes, records):
    """Draw the time of pinning and copying over the plain copy's; give the rows drawn."""
    rows = records.rows(SWEEP)
    threads = [row["threads"].value for row in rows]
    for colour, (name, text) in enumerate(LABELS.items()):
        cells = [row[name] for row in rows]
        low = [cell.interval.low for cell in cells]
        high = [cell.interval.high for cell in cells]
        medians = [cell.value for cell in cells]
        axes.fill_between(
            threads, low, high, color=f"C{colour}", alpha=0.2, linewidth=0
        )
        axes.plot(threads, medians, "o-", color=f"C{colour}")
        axes.annotate(
            text,
            (threads[-1], medians[-1]),
            xytext=(10, 0),
            textcoords="offset points",
            va="center",
            color=f"C{colour}",
            annotation_clip=False,
        )
    for height, text in ((1, "plain copy"), (2, "the tutorial's twice as slow")):
        axes.axhline(height, color="#010102", linewidth=1, linestyle=(0, (5, 4)))
        axes.annotate(
            text,
            (threads[-1], height),
            xytext=(0, 6),
            textcoords="offset points",
            ha="right",
            color="#010102",
        )
    top = max(row[name].interval.high for row in rows for name in LABELS)
    axes.set(
        xscale="log",
        xlabel="host threads",
        ylabel="time (plain copy: 1)",
        ylim=(0, max(2.4, 1.1 * top)),
    )
    axes.xaxis.set(
        major_locator=FixedLocator(threads),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda count, _: f"{count:.0f}"),
    )
    axes.yaxis.set_major_locator(FixedLocator([0, 1, 2, 3]))
    return rows
