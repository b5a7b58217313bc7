"""Figure: what prefetching gains, by how long the computation is beside the copy."""

from evidence.figures.marks import GIVEN, MUTED, is_narrow, label, line, ticks

SWEEP = "prefetching_hides_the_copy.by_products"


def draw(axes, records):
    """Draw the speedup and its bound over the ratio of the parts; give the rows drawn."""
    rows = records.rows(SWEEP)
    ratios = [row["compute_over_copy_ratio"].value for row in rows]
    gains = [row["speedup"] for row in rows]
    grid = [ratios[0] * (ratios[-1] / ratios[0]) ** (step / 200) for step in range(201)]
    best = [(1 + ratio) / max(1, ratio) for ratio in grid]
    axes.plot(grid, best, **GIVEN)
    line(axes, ratios, gains, "C0")
    top = max(gain.value for gain in gains)
    middle = {"ha": "center", "va": "center"}
    label(axes, "the longer part alone", (1, 2), MUTED, (0, 14), **middle)
    below = -62 if is_narrow(axes) else -46  # where the two slopes leave room for it
    label(axes, "prefetching", (1, top), "C0", (0, below), **middle)
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
            color=MUTED,
        )
    axes.set(
        xscale="log",
        xlabel="computing, in times of copying",
        ylabel="speedup",
        ylim=(0.9, 2.2),
    )
    ticks(axes.xaxis, [1 / 4, 1 / 2, 1, 2, 4, 8], times)
    ticks(axes.yaxis, [1, 1.5, 2], "{:g}×".format)
    return rows


def times(ratio):
    """¼, ½, 1, 2, 4, 8."""
    return {0.25: "¼", 0.5: "½"}.get(ratio, f"{ratio:.0f}")
