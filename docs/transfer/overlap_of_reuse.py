"""Figure: two batches and the work on the first, with each way to drop its memory."""

from evidence.figures.marks import COPY, WORK, is_narrow, ticks

TIMELINE = "record_stream_keeps_the_overlap.timeline"
REUSED = "reused_memory_is_overwritten.reused_{}"
WAYS = {
    "dropped": "deleted, nothing else",
    "recorded": "with record_stream",
    "waited": "the side stream waits",
}
STEPS = {"first": (1, "copy 1"), "work": (0, "work on 1"), "second": (1, "copy 2")}
LANE, GROUP = 1, 2.9  # heights, in units of a lane


def draw(axes, records):
    """Draw a bar for each copy and the work, by time in milliseconds; give the rows drawn."""
    if is_narrow(axes):
        axes.figure.set_figheight(5.4)
    rows = {row["bar"].value: row for row in records.rows(TIMELINE)}
    for place, (way, title) in enumerate(WAYS.items()):
        floor = -place * GROUP
        axes.text(0, floor + 2 * LANE, title, va="bottom", weight="bold")
        same = records.value(REUSED.format(way)).value > 0
        for step, (lane, text) in STEPS.items():
            row = rows[f"{way}_{step}"]
            start, end = (row[name].value * 1e3 for name in ("start_s", "end_s"))
            colour = COPY if same or step != "second" else WORK
            y = floor + lane * LANE
            axes.barh(
                y, end - start, 0.8, start, align="edge", color=colour, alpha=0.35
            )
            axes.barh(
                y, end - start, 0.8, start, align="edge", fill=False, edgecolor=colour
            )
            if step == "second":
                wrap = ",\n" if is_narrow(axes) else ", "
                text += wrap + ("same memory" if same else "other memory")
            axes.text(
                (start + end) / 2, y + 0.4, text, ha="center", va="center", fontsize=12
            )
    axes.set(yticks=[], xlabel="milliseconds", ylim=(-2 * GROUP - 0.2, 2.6))
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False)
    ticks(axes.xaxis, [0, 0.5, 1, 1.5], "{:g}".format)
    return list(rows.values())
