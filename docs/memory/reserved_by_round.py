"""Figure: the memory that a loop reserves, by its rounds and by two options."""

from evidence.figures.marks import BEST, COSTLY, MUTED, PLAIN, names, ticks

SWEEP = "a_split_limit_makes_expandable_segments_grow.by_round"
LINES = {
    "both_bytes": ("both", COSTLY),
    "expandable_bytes": ("expandable\nsegments", BEST),
    "max_split_bytes": ("split limit", PLAIN),
    "none_bytes": ("neither", MUTED),
}
MIB = 2**20


def draw(axes, records):
    """Draw exact bytes over the rounds; give the rows drawn."""
    rows = records.rows(SWEEP)
    rounds = [row["round"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        taken = [row[name].value / MIB for row in rows]
        axes.plot(rounds, taken, "o-", color=colour)
        ends.append((text, (rounds[-1], taken[-1]), colour))
    axes.set(ylim=(0, 1200), xlabel="rounds", ylabel="MiB reserved")
    names(axes, ends)
    ticks(axes.xaxis, rounds, "{:.0f}".format)
    ticks(axes.yaxis, [0, 250, 500, 750, 1000], "{:,.0f}".format)
    return rows
