"""Figure: the error of a Triton kernel's product, by the precision of its inputs."""

from evidence.figures.marks import ticks

TABLE = "a_triton_kernel_is_in_tf32_by_default.by_precision"


def short(place):
    """A power of ten without the zeros that Python writes in its exponent."""
    return f"{place:g}".replace("e-0", "e-")


def draw(axes, records):
    """Draw the largest error of each as a point on a logarithmic axis; give the rows."""
    rows = records.rows(TABLE)
    for row in rows:
        name, error = row["input_precision"].value, row["max_error_share"].value
        axes.plot([error], [name], "o", color="C0", markersize=9)
    axes.set(
        xscale="log",
        xlim=(1e-7, 1e-1),
        ylim=(len(rows) - 0.5, -0.5),
        xlabel="largest error / mean magnitude",
    )
    axes.figure.set_figheight(3.2)
    ticks(axes.xaxis, [1e-7, 1e-5, 1e-3, 1e-1], short)
    return rows
