"""Figure: the time of an optimizer's step, by its form and by the size of its parameters."""

from evidence.figures.marks import BEST, COSTLY, names, ticks

STEM = "a_fused_step_is_fastest"
FORMS = ["loop", "foreach", "capturable", "fused"]
SIZES = {"many_small": ("many small", COSTLY), "few_large": ("few large", BEST)}
TIMES = [0.3, 1, 3, 10, 30]


def draw(axes, records):
    """Draw the medians with their intervals, form by form; give the rows drawn."""
    drawn, ends = [], []
    for size, (text, colour) in SIZES.items():
        rows = records.rows(f"{STEM}.{size}")
        own = {row["form"].value: row["step_s"] for row in rows}
        cells = [own[form] for form in FORMS]
        for place, cell in enumerate(cells):
            span = [cell.interval.low * 1e3, cell.interval.high * 1e3]
            axes.plot([place, place], span, color=colour)
        medians = [cell.value * 1e3 for cell in cells]
        axes.plot(range(len(FORMS)), medians, "o", color=colour)
        drawn += rows
        ends.append((text, (len(FORMS) - 1, medians[-1]), colour))
    axes.set(yscale="log", ylim=(0.3, 40), xlim=(-0.4, 3.4), ylabel="ms")
    names(axes, ends)
    ticks(axes.xaxis, range(len(FORMS)), lambda place: FORMS[int(place)])
    ticks(axes.yaxis, TIMES, "{:g}".format)
    return drawn
