"""Picture: the bits of FP32, TF32, BF16 and FP16, with the range on the left of the precision."""

from evidence.figures.marks import COPY, HOST, MUTED, WORK, is_narrow

#: Bits of exponent and mantissa.
FORMATS = {"FP32": (8, 23), "TF32": (8, 10), "BF16": (8, 7), "FP16": (5, 10)}


def draw(axes):
    """Draw a row of cells for each; all exponents end where all mantissas begin."""
    narrow = is_narrow(axes)
    height, side = (2.1, "left") if narrow else (1.35, "right")
    for row, (name, (exponent, mantissa)) in enumerate(FORMATS.items()):
        y = -height * row
        axes.text(-9 - 0.6 * (not narrow), y + narrow, name, ha=side, va="center")
        for colour, begin, end in (
            (HOST, -exponent - 1, -exponent),
            (COPY, -exponent, 0),
            (WORK, 0, mantissa),
        ):
            cells = {"left": [bit + 0.07 for bit in range(begin, end)], "align": "edge"}
            axes.barh(y - 0.43, 0.86, 0.86, color=colour, alpha=0.4, **cells)
            axes.barh(y - 0.43, 0.86, 0.86, fill=False, edgecolor=colour, **cells)
    words = "rounded off" + " in a product" * (not narrow)
    axes.text(10.4, -height, words, color=MUTED, va="center")
    top = 1.7 if narrow else 0.9
    for x, text, colour in (
        (-8.5, "sign", HOST),
        (-4, "exponent:\nrange", COPY),
        (11.5, "mantissa: precision", WORK),
    ):
        axes.text(x, top, text, color=colour, ha="center", va="bottom")
    axes.set(xlim=(-9.1, 23.1), ylim=(-height * 3 - 0.6, top + 1))
    axes.figure.set_figheight(3.6 if narrow else 2.6)
