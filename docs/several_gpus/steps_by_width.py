"""Figure: the time of a training step on one GPU, with DDP and with DataParallel, by width."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, lines, names, ticks

SWEEP = "ddp_gains_in_large_models.by_width"
LINES = {
    "one_s": ("one GPU", PLAIN),
    "ddp_s": ("DDP", BEST),
    "dp_s": ("DataParallel", COSTLY),
}


def draw(axes, records):
    """Draw milliseconds over the width, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    widths = [row["width"].value for row in rows]
    ends = lines(axes, widths, rows, LINES, unit=1e-3)
    axes.set(xscale="log", yscale="log", xlabel="width of the layers", ylabel="ms")
    names(axes, ends)
    ticks(axes.xaxis, widths, "{:g}".format)
    ticks(axes.yaxis, [1, 3, 10, 30], "{:g}".format)
    return [{name: row[name] for name in ("width", *LINES)} for row in rows]
