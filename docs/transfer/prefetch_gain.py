"""Figure: what prefetching gains, by how long the computation is beside the copy."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

SWEEP = "prefetching_hides_the_copy.by_products"


def draw(axes, records):
    """Draw the speedup and its bound over the ratio of the parts; give the rows drawn."""
    rows = records.rows(SWEEP)
    ratios = [row["compute_over_copy_ratio"].value for row in rows]
    gains = [row["speedup"] for row in rows]
    grid = [ratios[0] * (ratios[-1] / ratios[0]) ** (step / 200) for step in range(201)]
    best = [(1 + ratio) / max(1, ratio) for ratio in grid]
    axes.plot(grid, best, color="#010102", linewidth=1, linestyle=(0, (5, 4)))
    axes.fill_between(
        ratios,
        [gain.interval.low for gain in gains],
        [gain.interval.high for gain in gains],
        color="C0",
        alpha=0.2,
        linewidth=0,
    )
    axes.plot(ratios, [gain.value for gain in gains], "o-", color="C0")
    top = max(gains, key=lambda gain: gain.value)
    name(axes, "the longer part alone", (1, 2), "#010102", 14)
    name(axes, "prefetching", (1, top.value), "C0", -46)
    for place, text in (
        (0.02, "copying takes longer"),
        (0.98, "computing takes longer"),
    ):
        axes.text(
            place,
            0.03,
            text,
            transform=axes.transAxes,
            ha="left" if place < 0.5 else "right",
            color="#010102",
        )
    axes.set(
        xscale="log",
        xlabel="computing, in times of copying",
        ylabel="speedup",
        ylim=(0.9, 2.2),
    )
    axes.xaxis.set(
        major_locator=FixedLocator([1 / 4, 1 / 2, 1, 2, 4, 8]),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(times),
    )
    axes.yaxis.set_major_locator(FixedLocator([1, 1.5, 2]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda gain, _: f"{gain:g}×"))
    return rows


def name(axes, text, point, colour, rise):
    """Name a line above or below its highest point."""
    axes.annotate(
        text,
        point,
        xytext=(0, rise),
        textcoords="offset points",
        ha="center",
        va="center",
        color=colour,
    )


def times(ratio, _):
    """¼, ½, 1, 2, 4, 8."""
    return {0.25: "¼", 0.5: "½"}.get(ratio, f"{ratio:.0f}")
