"""Figure: the memory that graphs reserve, by their number and by how they share a pool."""

from evidence.figures.marks import BEST, PLAIN, STEP, names, ticks

STEM = "each_capture_takes_a_pool_of_its_own"
LINES = {
    "apart_bytes": ("a pool\nfor each", PLAIN),
    "shared_bytes": ("one pool,\nresults kept", STEP),
    "copied_bytes": ("one pool,\nresults copied", BEST),
}
MIB = 2**20


def draw(axes, records):
    """Draw exact bytes over the graphs, both logarithmic; give the rows drawn."""
    rows = records.rows(f"{STEM}.by_graphs")
    graphs = [row["graphs"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        taken = [row[name].value / MIB for row in rows]
        axes.plot(graphs, taken, "o-", color=colour)
        ends.append((text, (graphs[-1], taken[-1]), colour))
    axes.set(xscale="log", yscale="log", ylim=(48, 1500), xlabel="graphs", ylabel="MiB")
    names(axes, ends)
    ticks(axes.xaxis, graphs, "{:.0f}".format)
    ticks(axes.yaxis, [64, 128, 256, 512, 1024], "{:.0f}".format)
    return rows
