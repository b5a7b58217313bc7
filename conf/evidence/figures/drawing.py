"""Figures in the site's style: inline SVG whose inks are the page's CSS variables."""

from __future__ import annotations

import csv
import io
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence.records.model import scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from evidence.records.model import Row

#: Colours in which matplotlib draws, and the CSS variables that replace them. The values are
#: arbitrary; they only must not occur otherwise.
INKS = {
    "#010101": "var(--color-foreground-primary)",
    "#010102": "var(--plot-muted)",
    "#010103": "var(--plot-grid)",
    "#010201": "var(--plot-1)",
    "#010202": "var(--plot-2)",
    "#010203": "var(--plot-3)",
    "#010204": "var(--plot-4)",
}

INK, MUTED, *_ = INKS

STYLE = Path(__file__).with_name("site.mplstyle")


class CutOffError(Exception):
    """Something was drawn where the limits of the axes do not let it be seen."""


def paint(painter: Callable[[Any], Sequence[Row]]) -> tuple[str, Sequence[Row]]:
    """Let a function draw on axes in the site's style; gives the SVG and the rows it returned.

    :raises CutOffError: when the limits of the axes cut off what it drew, as those that suited an
        older record may
    """
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context(STYLE):
        figure = Figure(layout="constrained")
        axes = figure.subplots()
        rows = painter(axes)
        if cut_off := _cut_off(axes):
            x, y = cut_off[0]
            raise CutOffError(
                f"draws outside its axes, as at ({x:.4g}, {y:.4g}): widen their limits"
            )
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue(), rows


def _cut_off(axes: Any) -> list[tuple[float, float]]:
    """The points of lines, bands and bars that lie outside the limits of the axes.

    What is placed by the axes instead of by data, as a line across all of them, is left out.
    """
    shapes = [
        *((line, line.get_xydata()) for line in axes.lines),
        *(
            (band, path.vertices)
            for band in axes.collections
            for path in band.get_paths()
        ),
        *(
            (bar, bar.get_patch_transform().transform(bar.get_path().vertices))
            for bar in axes.patches
        ),
    ]
    (left, right), (low, high) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
    return [
        (x, y)
        for shape, points in shapes
        if shape.get_transform().contains_branch(axes.transData)
        for x, y in points
        if x < left or right < x or y < low or high < y
    ]


def as_csv(rows: Sequence[Row]) -> str:
    """The numbers of a figure in base units."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(map(scalar, row.values()) for row in rows)
    return text.getvalue()


def inline_svg(svg: str, name: str, alt: str) -> str:
    """The SVG for inline use: page inks, the page's font, ids of its own, an accessible name.

    :param name: unique on the page: it goes into the ids
    """
    body = svg[svg.index("<svg") :]
    for ink, variable in INKS.items():
        body = body.replace(ink, variable)
    body = re.sub(r"'DejaVu Sans'(?:, [^;\"]+)?", "var(--font-stack)", body)
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", body)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', body)
    assert size is not None
    opening = (
        f'<svg class="plot-drawing" role="img" aria-label="{escape(alt, quote=True)}" '
        f'viewBox="0 0 {size[1]} {size[2]}" xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    body = opening + re.sub(
        r"\s*<metadata>.*?</metadata>", "", body[body.index(">") + 1 :], flags=re.S
    )
    return f'<div class="plot-scroll" tabindex="0" role="group" aria-label="figure">{body}</div>'
