"""Figure: the blocks of a training step, as places in a segment over the allocator's events."""

from evidence.figures.marks import BEST, COSTLY, MUTED, STEP

SWEEP = "blocks_of_a_step_share_a_segment.blocks"
COLOURS = {"before": MUTED, "backward": COSTLY, "update": STEP}
MIB = 2**20


def draw(axes, records):
    """Draw each block as a box from its allocation to its release; give the rows drawn."""
    rows = records.rows(SWEEP)
    for row in rows:
        begin, end, low, high = (
            row[name].value for name in ("begin", "end", "low_bytes", "high_bytes")
        )
        colour = COLOURS.get(row["line"].value, BEST)
        places = [low / MIB, low / MIB, high / MIB, high / MIB]
        times = [begin, end, end, begin]
        axes.fill(times, places, color=colour, alpha=0.35, linewidth=0)
        axes.fill(times, places, fill=False, edgecolor=colour, linewidth=1.2)
    axes.set(xlabel="allocations and releases", ylabel="MiB")
    for place, (text, colour) in enumerate(
        {"forward": BEST, "backward": COSTLY, "update": STEP, "before": MUTED}.items()
    ):
        where = (0.02 + 0.25 * place, 1.02)
        axes.text(*where, text, color=colour, transform=axes.transAxes, va="bottom")
    return rows
