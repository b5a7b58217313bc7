"""Figure: the gradients of a cross entropy by exponent, before and after the scale."""

from evidence.figures.marks import BEST, COSTLY, GIVEN, MUTED, label, names, ticks

SWEEP = "gradients_of_a_mean_underflow_in_fp16.by_exponent"
LINES = {
    "plain_share": ("no scale", COSTLY),
    "scaled_share": ("times the\nscale", BEST),
}

#: Between the powers of two that FP16 rounds to zero and those that it keeps.
SMALLEST = -25.5


def draw(axes, records):
    """Draw the share of the gradients in each power of two; give the rows."""
    rows = [row for row in records.rows(SWEEP) if any(row[n].value for n in LINES)]
    exponents = [row["exponent"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        shares = [row[name].value * 100 for row in rows]
        axes.plot(exponents, shares, "o-", color=colour, markersize=4)
        peak = max(zip(shares, exponents, strict=True))
        ends.append((text, (peak[1], peak[0]), colour))
    most = max(point[1] for _, point, _ in ends)
    axes.axvline(SMALLEST, **GIVEN)
    label(axes, "\u2190 zero in FP16", (SMALLEST, most * 1.17), MUTED, (6, 0))
    axes.set(
        ylim=(0, most * 1.25),
        xlabel="power of two",
        ylabel="gradients",
    )
    names(axes, ends)
    ticks(axes.xaxis, [-32, -24, -16, -8, 0, 8], "{:g}".format)
    ticks(axes.yaxis, [0, 10, 20, 30], "{:g} %".format)
    return rows
