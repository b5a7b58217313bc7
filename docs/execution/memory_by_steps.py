"""Figure: the memory that a loop takes, by its steps and by how it drops its tensors."""

from evidence.figures.marks import BEST, PLAIN, STEP, names, ticks

STEM = "waiting_in_the_stream_bounds_the_memory"
LINES = {
    "recorded_bytes": ("record_stream", PLAIN),
    "kept_bytes": ("two kept,\nstream waits", BEST),
    "waited_bytes": ("waiting\neach time", STEP),
}
MIB = 2**20


def draw(axes, records):
    """Draw exact bytes over the steps, both logarithmic; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_steps")
    steps = [row["steps"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        taken = [row[name].value / MIB for row in rows]
        axes.plot(steps, taken, "o-", color=colour)
        ends.append((text, (steps[-1], taken[-1]), colour))
    axes.set(xscale="log", yscale="log", ylim=(12, 400), xlabel="steps", ylabel="MiB")
    names(axes, ends)
    ticks(axes.xaxis, steps, "{:.0f}".format)
    ticks(axes.yaxis, [16, 32, 64, 128, 256], "{:.0f}".format)
    return rows
