"""Figures in the site's style: inline SVG whose inks are the page's CSS variables."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from evidence.figures import INKS, PlotError
from evidence.records.address import Address, lookup, lookup_table
from evidence.records.model import Cell, Record, Row, Timing, scalar

#: What matplotlib would write into every SVG.
METADATA = ("Creator", "Date", "Format", "Type")

#: The site's style, and what a phone changes in it: 360 pixels across.
STYLE = Path(__file__).with_name("site.mplstyle")
PHONE = {"figure.figsize": (5, 4.4), "font.size": 13, "lines.markersize": 4}

#: A font of one glyph, an em wide, which stands for each Han: matplotlib asks how wide a text is,
#: and the reader's browser has the font that writes it. ``.ci/em_wide.py`` makes it.
EM_WIDE = Path(__file__).with_name("em_wide.ttf")

#: How the plot of an example looks as its thumbnail: an image knows nothing of the page's inks.
THUMBNAIL = Path(__file__).with_name("thumbnail.css")

#: What an SVG is as good without: comments, empty groups and their names, turns by nothing, fonts.
_FONT = r"font-family: 'DejaVu Sans'[^;\"]*;? ?"
_IDLE = re.compile(
    rf'<!--.*?-->|<g/>| transform="rotate\(-0 [^)]*\)"|{_FONT}', re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
_LONG = re.compile(r"(\.\d)\d+")


class Records:
    """The records as a figure's module sees them; what it takes, and computes of it, is noted."""

    def __init__(self, records: Mapping[str, Record]) -> None:
        self.records = records
        self.uses: set[Address] = set()
        #: What it took, by the names of values and columns.
        self.taken: set[tuple[str, Cell]] = set()
        self._computed: set[Timing] = set()

    def value(self, address: str) -> Cell:
        """A single measured value.

        :raises AddressError: when nothing was measured under this address
        """
        used = Address.of(address)
        self.uses.add(used)
        cell = lookup(used, self.records)
        self.taken.add((used.quantity, cell))
        return cell

    def rows(self, address: str) -> Sequence[Row]:
        """The rows of a sweep.

        :raises AddressError: when nothing was measured under this address
        """
        used = Address.of(address)
        self.uses.add(used)
        rows = [dict(row) for row in lookup_table(used, self.records).rows]
        self.taken.update(cell for row in rows for cell in row.items())
        return rows

    def computed(self, function: Callable[..., float], *cells: Timing) -> Timing:
        """What a function gives of the medians of timings, process by process.

        :raises PlotError: when it gives the same of others
        """
        medians = [*zip(*(cell.median for cell in cells), strict=True)]
        values = tuple(function(*process) for process in medians)
        for process, value in zip(medians, values, strict=True):
            others = [median * (2 + place) for place, median in enumerate(process)]
            if function(*others) == value:
                raise PlotError("computes a value that does not depend on what it took")
        count = len(values)
        cell = Timing(values, iqr=(0.0,) * count, n=(1,) * count)
        self._computed.add(cell)
        return cell

    def check(self, rows: Sequence[Row]) -> None:
        """See that rows hold what was taken; what was computed has a name of its own.

        :raises PlotError: when they hold something else
        """
        names = {name for name, _ in self.taken}
        for name, cell in (column for row in rows for column in row.items()):
            is_own = cell in self._computed and name not in names
            if not is_own and (name, cell) not in self.taken:
                advice = "take it from one, or compute it: records.computed()"
                raise PlotError(f"returns a {name} that is in no record: {advice}")


@cache
def _add_font() -> None:
    from matplotlib.font_manager import fontManager

    fontManager.addfont(EM_WIDE)
    # Bold, it is as wide.
    fontManager.ttflist.append(replace(fontManager.ttflist[-1], weight=700))


@contextmanager
def _axes(*, phone: bool) -> Iterator[Any]:
    # Here, for a build that draws nothing does not load matplotlib.
    from matplotlib import style
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    _add_font()
    with style.context([STYLE, PHONE] if phone else STYLE):
        yield FigureCanvasSVG(Figure(layout="constrained")).figure.subplots()


def _svg(axes: Any) -> str:
    figure, buffer = axes.figure, io.StringIO()
    # savefig() would draw everything once more to find the layout, in which an SVG has 72 dots to
    # the inch.
    figure.set_dpi(72)
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")
    figure.canvas.print_svg(buffer, metadata=dict.fromkeys(METADATA))
    return buffer.getvalue()


def paint(
    painter: Callable[[Any], Sequence[Row]],
    taken: Collection[tuple[str, Cell]] = (),
    *,
    phone: bool = False,
) -> tuple[str, Sequence[Row]]:
    """Let a function draw on axes in the site's style; gives the SVG and the rows it returned.

    :param taken: what it takes from records meanwhile, by the names of values and columns
    :param phone: draw it narrow, with its names inside
    :raises PlotError: when it returns no rows, or others than it drew, or says what is in none, or
        draws what its axes cannot show
    """
    from evidence.figures import points, texts

    with _axes(phone=phone) as axes:
        rows = painter(axes)
        if not rows:
            raise PlotError("gave no numbers: draw() must return those it drew")
        _widen(axes)
        drawn = points.drawing(axes, rows)
        points.check(drawn)
        _check_limits(axes)
        svg = _svg(axes)
        cells = {*taken, *(cell for row in rows for cell in row.items())}
        texts.check(drawn, cells, words(svg))
        return svg, rows


def again(painter: Callable[[Any], object], *, phone: bool = False) -> str:
    """Draw once more what :func:`paint` has judged, in another language; gives the SVG."""
    with _axes(phone=phone) as axes:
        painter(axes)
        _widen(axes)
        return _svg(axes)


def sketch(painter: Callable[[Any], object], *, phone: bool = False) -> str:
    """Let a function draw a picture that explains, without scales; gives the SVG.

    :param phone: draw it narrow
    :raises PlotError: when it leaves its axes
    """
    with _axes(phone=phone) as axes:
        axes.set_axis_off()
        painter(axes)
        _check_limits(axes)
        return _svg(axes)


def _widen(axes: Any) -> None:
    """Widen the limits, which suit a record, by what this machine measured beyond them."""
    data, shown = axes.dataLim, axes.viewLim
    if not all(map(math.isfinite, data.extents)):
        return  # nothing is drawn by numbers of its own
    axes.set_xbound(min(data.xmin, shown.xmin), max(data.xmax, shown.xmax))
    axes.set_ybound(min(data.ymin, shown.ymin), max(data.ymax, shown.ymax))


def _check_limits(axes: Any) -> None:
    # What is placed by the axes alone may lie anywhere.
    data, shown = axes.dataLim, axes.viewLim
    if not (shown.contains(*data.min) and shown.contains(*data.max)):
        raise PlotError(
            f"draws from ({data.x0:.4g}, {data.y0:.4g}) to ({data.x1:.4g}, "
            f"{data.y1:.4g}), beyond its axes: widen their limits"
        )


def words(svg: str) -> list[str]:
    """The texts of a drawing, line by line."""
    return [unescape(text) for text in re.findall(r">([^<>]*\w[^<>]*)<", svg)]


def as_csv(rows: Sequence[Row]) -> str:
    """The numbers of a figure in base units."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(map(scalar, row.values()) for row in rows)
    return text.getvalue()


def inline_svg(svg: str, name: str, alt: str, kind: str = "wide") -> str:
    """The SVG for inline use: page inks, the page's font, ids of its own, an accessible name.

    :param name: unique on the page: it goes into the ids
    :param kind: class of the drawing, by which the page shows it on a wide screen or on a phone
    """
    opening, _, body = _IDLE.sub("", svg[svg.index("<svg") :]).partition(">")
    for ink, variable in INKS.items():
        body = body.replace(ink, variable)
    # A tenth of a pixel is as far as an eye sees.
    body = _TAG.sub(lambda tag: " ".join(_LONG.sub(r"\1", tag[0]).split()), body)
    body = re.sub(r'\bid="', f'id="{name}-', re.sub(r"\s*\n\s*", "", body))
    body = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", body)
    box = re.search(r'viewBox="[^"]+"', opening)
    assert box is not None
    return (
        f'<svg class="plot-drawing {kind}" role="img" aria-label="{escape(alt)}" {box[0]} '
        f'xmlns:xlink="http://www.w3.org/1999/xlink">{body}'
    )


def thumbnail(svg: str) -> str:
    """The plot of an example, without its words and margins, as the picture beside its title."""
    svg = re.sub(r"<(text|metadata).*?</\1>\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace('viewBox="0 0 460.8 345.6"', 'viewBox="50 34 372 282"')
    return svg.replace("</style>", f"{THUMBNAIL.read_text('utf-8')}</style>")
