"""Picture: the steps of a request for memory, and the options that change each of them."""

from evidence.figures.marks import BEST, COPY, COSTLY, HOST, INK, WORK, is_narrow
from evidence.figures.sketch import arrow, box

#: What happens, from the top, and the options that change it, with the colour of the step.
STEPS = (
    ("round the size up", "roundup_power2_divisions", WORK),
    (
        "find a free block,\nsplit off the rest",
        "max_split_size_mb\nmax_non_split_rounding_mb",
        BEST,
    ),
    ("free old blocks", "garbage_collection_threshold", HOST),
    ("stay below the limit", "per_process_memory_fraction", COSTLY),
    ("get a segment\nfrom CUDA", "large_segment_size_mb\nexpandable_segments", COPY),
)


def draw(axes):
    """Draw the steps below each other, and the names of options on the right."""
    wide = 4.2 if is_narrow(axes) else 3.6
    last = len(STEPS) - 1
    axes.set(xlim=(-0.1, 10.1), ylim=(-last - 0.45, 0.45))
    axes.figure.set_figheight(0.8 * len(STEPS) + 0.3)
    for row, (step, options, colour) in enumerate(STEPS):
        box(axes, -row, (0, wide), step, colour)
        axes.text(wide + 0.4, -row, options, va="center", color=INK, linespacing=1.3)
        if row < last:
            begin, end = (wide / 2, -row - 0.31), (wide / 2, -row - 0.69)
            arrow(axes, begin, end, "if none fits" if row == 1 else "")
