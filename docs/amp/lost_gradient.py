"""Figure: how far a weight's gradient is off, by the number of its uses in one block."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, names, ticks

TABLE = "reused_weights_lose_gradient_in_the_cache.same_bf16"
LINES = {
    "cached_error_share": ("cached", COSTLY),
    "together_error_share": ("in one call", PLAIN),
    "uncached_error_share": ("not cached", BEST),
}


def draw(axes, records):
    """Draw the error of each way over the number of uses, both logarithmic; give the rows."""
    rows = records.rows(TABLE)
    uses = [row["uses"].value for row in rows]
    ends = []
    for name, (text, colour) in LINES.items():
        errors = [row[name].value for row in rows]
        axes.plot(uses, errors, "o-", color=colour)
        ends.append((text, (uses[-1], errors[-1]), colour))
    axes.set(
        xscale="log",
        yscale="log",
        ylim=(3e-5, 2),
        xlabel="uses of the weight in one block",
        ylabel="error of the gradient",
    )
    names(axes, ends)
    ticks(axes.xaxis, [1, 10, 100, 1000], "{:g}".format)
    ticks(axes.yaxis, [1e-4, 1e-3, 1e-2, 1e-1, 1], "{:.4g}".format)
    return rows
