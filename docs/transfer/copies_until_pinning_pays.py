"""Figure: after how many copies pinning has paid for itself, by the size of the buffer."""

from evidence.figures.marks import binary, line, ticks
from evidence.records.model import Timing

SWEEP = "first_pinning_costs_more_than_it_saves.by_size"
SMALLEST = 2**16  # below, neither is faster


def draw(axes, records):
    """Draw the copies over the size, on a logarithmic axis; give the rows drawn."""
    rows = [
        {"size_bytes": row["size_bytes"], "copies_to_pay": break_even(row)}
        for row in records.rows(SWEEP)
        if row["size_bytes"].value >= SMALLEST
    ]
    sizes = [row["size_bytes"].value for row in rows]
    line(axes, sizes, [row["copies_to_pay"] for row in rows], "C0")
    axes.set(xscale="log", ylim=(0, None), ylabel="copies")
    ticks(axes.xaxis, sizes[::2], binary)
    return rows


def break_even(row):
    """The copies for which pinning first takes as long as plain copies, in each process."""
    speeds = zip(
        row["first_use_bytes_per_s"].median,
        row["pageable_bytes_per_s"].median,
        row["pinned_bytes_per_s"].median,
        strict=True,
    )
    copies = []
    for process in speeds:
        first_use, pageable, pinned = (
            row["size_bytes"].value / speed for speed in process
        )
        copies.append((first_use - pinned) / (pageable - pinned))
    count = len(copies)
    return Timing(tuple(copies), iqr=(0.0,) * count, n=(1,) * count)
