"""Figure: the time that a kernel takes in a loop and in a replay, by the size of its tensor."""

from evidence.figures.marks import BEST, PLAIN, lines, names, ticks

SWEEP = "a_replay_is_a_single_launch.by_size"
LINES = {"loop_s": ("loop", PLAIN), "replay_s": ("replay", BEST)}


def draw(axes, records):
    """Draw microseconds for each kernel over elements, both logarithmic; give the rows drawn."""
    rows = records.rows(SWEEP)
    sizes = [row["size"].value for row in rows]
    ends = lines(axes, sizes, rows, LINES, unit=1e-6)
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(0.5, 300),
        xlabel="elements",
        ylabel="µs for each kernel",
    )
    names(axes, ends)
    ticks(axes.xaxis, sizes[::2], _elements)
    ticks(axes.yaxis, [1, 10, 100], "{:g}".format)
    return [{name: row[name] for name in ("size", *LINES)} for row in rows]


def _elements(count):
    for name, unit in (("Mi", 2**20), ("Ki", 2**10)):
        if count >= unit:
            return f"{count / unit:g} {name}"
    return f"{count:g}"
