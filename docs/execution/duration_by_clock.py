"""Figure: how long one product seems to take, by its size and by who reads which clock."""

from evidence.figures.marks import (
    BEST,
    COSTLY,
    STEP,
    is_narrow,
    label,
    line,
    names,
    ticks,
)

STEM = "events_measure_the_gpu"
#: Column, label, colour, and where the label stands: the end of the line and the offset in points;
#: above the line, it is above its band.
LINES = (
    ("call_s", "clock, call only", COSTLY, -1, (10, 0)),
    ("clock_s", "clock, synchronized", STEP, 0, (0, 6)),
    ("delayed_s", "kernel, by events", BEST, 0, (0, -20)),
)


def draw(axes, records):
    """Draw apparent durations on two logarithmic axes; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_size")
    sizes = [row["size"].value for row in rows]
    ends = []
    for column, text, colour, end, offset in LINES:
        point = line(axes, sizes, [row[column] for row in rows], colour)
        ends.append((text, point, colour))
        if not is_narrow(axes):
            cell = rows[end][column]
            height = cell.interval.high if offset[1] > 0 else cell.value
            label(axes, text, (sizes[end], height), colour, offset)
    if is_narrow(axes):
        names(axes, ends)
    axes.set(xscale="log", yscale="log", ylim=(2e-6, 6e-2), xlabel="rows and columns")
    ticks(axes.xaxis, sizes[::2], "{:,.0f}".format)
    ticks(axes.yaxis, [1e-5, 1e-4, 1e-3, 1e-2], duration)
    return rows


def duration(seconds):
    """Microseconds, and from a thousand on milliseconds."""
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.0f} ms"
