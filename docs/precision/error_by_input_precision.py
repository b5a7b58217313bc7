"""Figure: the error of a Triton kernel's product, by the precision of its inputs."""

from evidence.figures.marks import label, ticks

TABLE = "a_triton_kernel_is_in_tf32_by_default.by_precision"


def draw(axes, records):
    """Draw the largest error of each as a point on a logarithmic axis; give the rows."""
    rows = records.rows(TABLE)
    for place, row in enumerate(rows):
        error, colour = row["max_error_share"].value, f"C{place}"
        axes.plot(error, -place, "o", color=colour, markersize=9)
        right = error < 3e-4
        offset, side = ((12, 0), "left") if right else ((-12, 0), "right")
        label(
            axes, row["input_precision"].value, (error, -place), colour, offset, ha=side
        )
    axes.set(
        xscale="log",
        xlim=(1e-7, 1e-1),
        ylim=(-len(rows) + 0.4, 0.6),
        xlabel="largest error / mean magnitude",
    )
    axes.yaxis.set_visible(False)
    ticks(axes.xaxis, [1e-7, 1e-5, 1e-3, 1e-1], "{:g}".format)
    return rows
