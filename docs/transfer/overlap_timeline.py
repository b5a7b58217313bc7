"""Figure: who did what when, for the four combinations of memory and streams."""

from evidence.figures.marks import COPY, HOST, INK, MUTED, WORK, is_narrow, label
from matplotlib.ticker import MaxNLocator

STEM = "overlap_needs_two_streams"
CASES = {
    "pageable-one-stream": ("pageable", "one stream"),
    "pageable-two-streams": ("pageable", "two streams"),
    "pinned-one-stream": ("pinned", "one stream"),
    "pinned-two-streams": ("pinned", "two streams"),
}
LANES = {"host": HOST, "copy": COPY, "compute": WORK}
GROUP = 4.1  # a group's three lanes, and the space below them


def draw(axes, records):
    """Draw a group of three lanes for each case, on one axis in milliseconds."""
    axes.figure.set_figheight(5.6)
    shares = {row["case"].value: row for row in records.rows(f"{STEM}.by_case")}
    bars = {row["bar"].value: row for row in records.rows(f"{STEM}.bars")}
    spans = {
        bar: (row["start_s"].value * 1e3, row["end_s"].value * 1e3)
        for bar, row in bars.items()
    }
    whole = max(end for _, end in spans.values())
    for group, (case, words) in enumerate(CASES.items()):
        shade(axes, group * GROUP, spans, case)
        if is_narrow(axes):
            axes.text(0, group * GROUP - 0.75, ", ".join(words), va="center")
        for line, word in enumerate(() if is_narrow(axes) else words):
            axes.text(
                -0.015,
                group * GROUP + 0.55 + 0.9 * line,
                word,
                transform=axes.get_yaxis_transform(),
                ha="right",
                va="center",
                color=(INK, MUTED)[line],
            )
        for level, (lane, colour) in enumerate(LANES.items()):
            height = group * GROUP + level
            end = bar(axes, height, spans[f"{case}:{lane}"], colour)
            label(axes, lane, (end, height), colour, (6, 0))
    axes.set(
        xlim=(0, whole * (1.25 if is_narrow(axes) else 1.08)),
        ylim=(GROUP * len(CASES) - 1.3, -1.2 if is_narrow(axes) else -0.7),
        xlabel="milliseconds since the copy was called",
        yticks=[],
    )
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x")
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    return [
        row | {"overlap_share": shares[name.partition(":")[0]]["overlap_share"]}
        for name, row in bars.items()
    ]


def bar(axes, height, span, colour):
    """One bar, with an edge that a short one is seen by; gives its right end."""
    start, end = span
    axes.broken_barh(
        [(start, end - start)], (height - 0.42, 0.84), color=colour, linewidth=1
    )
    return end


def shade(axes, top, spans, case):
    """Mark the time in which copy and computation both ran."""
    copied, computed = spans[f"{case}:copy"], spans[f"{case}:compute"]
    begin, end = max(copied[0], computed[0]), min(copied[1], computed[1])
    if end > begin:
        axes.broken_barh(
            [(begin, end - begin)],
            (top + 0.42, 2.2),
            color="C2",
            alpha=0.25,
            linewidth=0,
        )
