"""Picture: the settings of FP32 precision as a tree, each below the one that it inherits."""

from evidence.figures.marks import HOST, MUTED, PLAIN, WORK, is_narrow
from evidence.figures.sketch import arrow

#: Where a setting stands, from the left and from above; its name and its default.
WIDE = 3.1
SETTINGS = {
    "torch.backends": (5, 0, "generic", "none", PLAIN),
    "cudnn": (5, 1, "all of CUDA", "none", HOST),
    "cuda.matmul": (1.6, 2, "matmuls", "none", WORK),
    "cudnn.conv": (5, 2, "convolutions", "tf32", WORK),
    "cudnn.rnn": (8.4, 2, "recurrent", "tf32", WORK),
}
PARENTS = {
    "cudnn": "torch.backends",
    "cuda.matmul": "cudnn",
    "cudnn.conv": "cudnn",
    "cudnn.rnn": "cudnn",
}


def draw(axes):
    """Draw a box for each setting, and an arrow from it to the one it inherits."""
    narrow = is_narrow(axes)
    step, half = (1.7, 0.55) if narrow else (1.5, 0.5)
    axes.set(xlim=(0, 10), ylim=(-2 * step - 0.75, 0.75))
    axes.figure.set_figheight(4.2 if narrow else 3.6)
    for name, (x, level, what, default, colour) in SETTINGS.items():
        y = -step * level
        where = {"height": 2 * half, "left": x - WIDE / 2, "align": "center"}
        axes.barh(y, WIDE, color=colour, alpha=0.3, **where)
        axes.barh(y, WIDE, fill=False, edgecolor=colour, **where)
        lines = (name, what, f"default: {default}")
        for place, text in zip((0.3, 0, -0.3), lines, strict=True):
            axes.text(x, y + place, text, ha="center", va="center")
    for name, parent in PARENTS.items():
        (x, level, *_), (up, above, *_) = SETTINGS[name], SETTINGS[parent]
        begin, end = -step * level + half, -step * above - half
        arrow(axes, (x, begin), (up + (x - up) * 0.35, end), colour=MUTED)
