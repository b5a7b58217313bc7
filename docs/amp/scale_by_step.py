"""Figure: the scale of a gradient scaler over a run, and the steps that it skipped."""

from evidence.figures.marks import COSTLY, PLAIN, label, ticks

STEM = "a_scaler_finds_its_scale"


def draw(axes, records):
    """Draw the scale as a line of steps, and dots where it fell; give the rows."""
    rows = records.rows(f"{STEM}.changes")
    steps = [row["step"].value for row in rows]
    scales = [row["scale"].value for row in rows]
    axes.step(steps, scales, where="post", color=PLAIN)
    skipped = [
        (step, scale)
        for step, scale, row in zip(steps, scales, rows, strict=True)
        if row["skipped"].value
    ]
    axes.plot(*zip(*skipped, strict=True), "o", color=COSTLY)
    label(axes, "skipped", skipped[2], COSTLY)
    axes.set(yscale="log", xlabel="step", ylabel="scale")
    ticks(axes.yaxis, [2**power for power in range(0, 17, 4)], "{:,}".format)
    return rows
