"""Figures in the site's style: inline SVG whose inks are the page's CSS variables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from evidence.records.model import Row, scalar

#: What matplotlib would write into every SVG.
METADATA = ("Creator", "Date", "Format", "Type")

STYLE = Path(__file__).with_name("site.mplstyle")


class PlotError(Exception):
    """A figure that cannot be drawn, or would not show what it draws."""


def paint(painter: Callable[[Any], Sequence[Row]]) -> tuple[str, Sequence[Row]]:
    """Let a function draw on axes in the site's style; gives the SVG and the rows it returned.

    :raises PlotError: when it returns no rows, or others than it drew, or the limits of the axes
        cut off what it drew, as those that suited an older record may
    """
    from matplotlib import style
    from matplotlib.figure import Figure

    from evidence.figures import points

    with style.context(STYLE):
        figure = Figure(layout="constrained")
        axes = figure.subplots()
        rows = painter(axes)
        if not rows:
            raise PlotError("gave no numbers: draw() must return those it drew")
        if fault := points.fault(axes, rows):
            raise PlotError(f"{fault}: return what is drawn, or draw a REFERENCE")
        # What is placed by the axes alone may lie anywhere.
        data, shown = axes.dataLim, axes.viewLim
        if not (shown.contains(*data.min) and shown.contains(*data.max)):
            raise PlotError(
                f"draws from ({data.x0:.4g}, {data.y0:.4g}) to ({data.x1:.4g}, "
                f"{data.y1:.4g}), beyond its axes: widen their limits"
            )
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(METADATA))
    return buffer.getvalue(), rows


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
    # Here, for it loads matplotlib, which a build without a figure does not need.
    from evidence.figures.marks import INKS

    opening, _, body = svg[svg.index("<svg") :].partition(">")
    for ink, variable in INKS.items():
        body = body.replace(ink, variable)
    body = re.sub(r"'DejaVu Sans'(?:, [^;\"]+)?", "var(--font-stack)", body)
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", body)
    box = re.search(r'viewBox="[^"]+"', opening)
    assert box is not None
    return (
        '<div class="plot-scroll" tabindex="0" role="group" aria-label="figure">'
        f'<svg class="plot-drawing" role="img" aria-label="{escape(alt)}" {box[0]} '
        f'xmlns:xlink="http://www.w3.org/1999/xlink">{body}</div>'
    )
