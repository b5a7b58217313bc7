"""Figure: what each way of saving tensors needs, in memory and in time."""

from evidence.figures.marks import MUTED, label, ticks

#: Of each example the ways that are drawn: their names in the figure, and on which side.
WAYS = {
    "saved_tensors_can_wait_on_the_host": {
        "plain": ("plain", 1),
        "checkpointed": ("checkpoints", 1),
        "pinned": ("save_on_cpu, pinned", 1),
        "pageable": ("save_on_cpu, pageable", 1),
    },
    "offloading_can_run_beside_the_computation": {"beside": ("own hooks", -1)},
}
MIB = 2**20


def draw(axes, records):
    """Draw one dot for each way, time over memory; give the rows drawn."""
    drawn = []
    for stem, labels in WAYS.items():
        rows = {row["way"].value: row for row in records.rows(f"{stem}.by_way")}
        for way, (text, side) in labels.items():
            row = {key: rows[way][key] for key in ("way", "peak_bytes", "slowdown")}
            place = row["peak_bytes"].value / MIB, row["slowdown"].value
            colour = f"C{len(drawn) - 1}" if drawn else MUTED
            axes.plot(*place, "o", markersize=9, color=colour)
            towards = {1: "left", -1: "right"}[side]
            label(axes, text, place, colour, (12 * side, 0), ha=towards)
            drawn.append(row)
    longest = max(row["slowdown"].value for row in drawn)
    most = max(row["peak_bytes"].value for row in drawn) / MIB
    axes.set(
        yscale="log",
        xlim=(0, 1.25 * most),
        ylim=(0.8, 1.5 * longest),
        xlabel="peak of memory (MiB)",
        ylabel="time (plain: 1)",
    )
    ticks(axes.yaxis, [1, 2, 5, 10, 20, 50], "{:g}".format)
    return drawn
