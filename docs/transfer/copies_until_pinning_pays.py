"""Figure: after how many copies pinning has paid for itself, by the size of the buffer."""

from evidence.figures.marks import binary, line, ticks

SWEEP = "first_pinning_costs_more_than_it_saves.by_size"
SMALLEST = 2**16  # below, neither is faster


def draw(axes, records):
    """Draw the copies over the size, on a logarithmic axis; give the rows drawn."""
    rows = [
        {"size_bytes": row["size_bytes"], "copies_to_pay": break_even(row, records)}
        for row in records.rows(SWEEP)
        if row["size_bytes"].value >= SMALLEST
    ]
    sizes = [row["size_bytes"].value for row in rows]
    line(axes, sizes, [row["copies_to_pay"] for row in rows], "C0")
    axes.set(xscale="log", ylim=(0, None), ylabel="copies")
    ticks(axes.xaxis, sizes[::2], binary)
    return rows


def break_even(row, records):
    """The copies for which pinning first takes as long as plain copies, in each process."""
    size = row["size_bytes"].value

    def copies(first_use, pageable, pinned):
        saved = size / pageable - size / pinned
        return (size / first_use - size / pinned) / saved

    names = ("first_use_bytes_per_s", "pageable_bytes_per_s", "pinned_bytes_per_s")
    return records.computed(copies, *(row[name] for name in names))
