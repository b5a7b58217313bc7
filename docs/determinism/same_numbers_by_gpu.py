"""Figure: how many numbers of one draw are the same on other GPUs."""

from evidence.figures.marks import BEST, COSTLY, ticks

SWEEP = "the_grid_decides_where_seeds_agree.by_gpu"
COUNT = "the_grid_decides_where_seeds_agree.count"


def draw(axes, records):
    """Draw a bar for each GPU, the smallest first; give the rows drawn."""
    rows = sorted(records.rows(SWEEP), key=lambda row: row["same"].value)
    most = records.value(COUNT).value
    for place, row in enumerate(rows):
        colour = BEST if row["same"].value == most else COSTLY
        axes.barh(place, row["same"].value, color=colour, height=0.6)
    axes.set(
        xlim=(0, 1.02 * most), ylim=(len(rows) - 0.5, -0.5), xlabel="numbers that agree"
    )
    axes.grid(visible=False, axis="y")
    ticks(axes.xaxis, [0, 500_000, 1_000_000], "{:,.0f}".format)
    axes.set_yticks(range(len(rows)), [row["gpu"].value for row in rows])
    return rows
