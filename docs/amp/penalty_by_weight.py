"""Figure: how far the gradients of a penalised loss are off, by the weight of the loss."""

import math

from evidence.figures.marks import BEST, COSTLY, names, ticks

TABLE = "a_scaled_penalty_matches_fp64.by_weight"
LINES = {
    "right_error_share": ("scaled", BEST),
    "outputs_not_scaled_error_share": ("not scaled", COSTLY),
}


def draw(axes, records):
    """Draw the error over the weight, both on logarithmic axes; give the rows drawn."""
    rows = records.rows(TABLE)
    weights = [row["weight"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        errors = [row[name].value * 100 for row in rows]
        axes.plot(weights, errors, "o-", color=colour)
        ends.append((text, (weights[-1], errors[-1]), colour))
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(0.01, 300),
        xlabel="weight of the loss",
        ylabel="error of the gradients",
    )
    axes.invert_xaxis()
    names(axes, ends)
    ticks(axes.xaxis, weights[::2], _power)
    ticks(axes.yaxis, [0.01, 0.1, 1, 10, 100], "{:g} %".format)
    return rows


def _power(weight):
    """A power of ten, as the page writes it."""
    power = "⁰¹²³⁴⁵⁶⁷⁸⁹"[round(-math.log10(weight))]
    return f"{10:d}⁻{power}" if weight < 1 else f"{weight:g}"
