"""Figure: what tensors take, what PyTorch holds and what the driver counts, stage by stage."""

from evidence.figures.marks import BEST, COSTLY, STEP, names, ticks

SWEEP = "the_driver_counts_more_than_pytorch.stages"
LINES = {
    "used_bytes": ("driver", COSTLY),
    "reserved_bytes": ("reserved", STEP),
    "allocated_bytes": ("allocated", BEST),
}
MIB = 2**20


def draw(axes, records):
    """Draw MiB over the stages of a script; give the rows drawn."""
    rows = records.rows(SWEEP)
    places = list(range(len(rows)))
    stages = [row["stage"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        taken = [row[name].value / MIB for row in rows]
        axes.plot(places, taken, "o-", color=colour)
        ends.append((text, (places[-1], taken[-1]), colour))
    most = max(row["used_bytes"].value for row in rows) / MIB
    axes.set(ylim=(0, 1.1 * most), ylabel="MiB")
    names(axes, ends)
    ticks(axes.xaxis, places, lambda place: stages[round(place)])
    columns = ("stage", *LINES)
    return [{name: row[name] for name in columns} for row in rows]
