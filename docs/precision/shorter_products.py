"""Picture: what a multiplier does for each product, in FP32, TF32 and BF16: digits by digits."""

from evidence.figures.marks import COPY, HOST, INK, WORK

#: Digits of a mantissa, with the leading one, which is not stored.
FORMATS = {"FP32": (24, HOST), "TF32": (11, WORK), "BF16": (8, COPY)}


def draw(axes):
    """Draw a square of cells for each, one for each pair of digits."""
    begin = 0
    for name, (digits, colour) in FORMATS.items():
        end = begin + digits
        axes.fill_between(
            [begin, end], 0, digits, color=colour, alpha=0.35, linewidth=0
        )
        for cell in range(digits + 1):
            for across, along in (
                ([begin, end], [cell, cell]),
                ([begin + cell, begin + cell], [0, digits]),
            ):
                axes.plot(across, along, color=colour, linewidth=0.6)
        axes.text(
            (begin + end) / 2, digits + 0.6, name, ha="center", va="bottom", color=INK
        )
        begin = end + 4
    axes.set(xlim=(-0.5, begin - 3.5), ylim=(-0.5, 27))
    axes.set_aspect("equal", anchor="W")
    axes.figure.set_figheight(3)
