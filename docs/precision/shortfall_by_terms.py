"""Figure: how far sums of positive numbers fall short, by type and number of terms."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP, names, ticks

SWEEP = "low_types_cut_their_sums_off.by_terms"
LINES = {
    "fp32_shortfall_share": ("FP32", PLAIN),
    "bf16_shortfall_share": ("BF16", BEST),
    "fp8_shortfall_share": ("FP8", STEP),
    "fp8_fast_shortfall_share": ("FP8, fast", COSTLY),
}


def draw(axes, records):
    """Draw the mean shortfall in per cent over the terms, both logarithmic; give the rows."""
    rows = records.rows(SWEEP)
    terms = [row["terms"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        shares = [row[name].value * 100 for row in rows]
        axes.plot(terms, shares, "o-", color=colour)
        ends.append((text, (terms[-1], shares[-1]), colour))
    axes.set(xscale="log", yscale="log", xlabel="terms", ylabel="shortfall")
    names(axes, ends)
    ticks(axes.xaxis, terms, "{:,.0f}".format)
    ticks(axes.yaxis, [1e-8, 1e-6, 1e-4, 1e-2, 1], "{:g} %".format)
    return rows
