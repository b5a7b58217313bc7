"""The ``plot`` directive: a page's figure, drawn from records while the page is read.

``:::{plot} bandwidth_by_size`` loads the module of that name beside the page and calls its
``draw(axes, records)``, which draws and returns the numbers it drew as rows. Figure and numbers
therefore cannot differ. The drawing is inline SVG whose inks are the page's CSS variables, so it
follows the light and the dark mode.
"""

from __future__ import annotations

import csv
import io
import re
import runpy
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import ClaimError
from evidence.judge.verdict import lookup
from evidence.records.model import Cell, Table, scalar
from evidence.records.units import format_cell
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.nodes import details, summary, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sphinx.util.typing import OptionSpec

    from evidence.records.model import Record, Row

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

_INK, _MUTED, _GRID, *_SERIES = INKS

#: No frame, few lines: what is drawn is the data. Sizes are points at 72 to the inch, which are
#: CSS pixels of the drawing.
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "measured-cuda",
    "figure.figsize": (9.2, 4.6),
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 14,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.linewidth": 1,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "grid.color": _GRID,
    "grid.linewidth": 1,
    "legend.frameon": False,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "xtick.labelcolor": _MUTED,
    "ytick.labelcolor": _MUTED,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "lines.linewidth": 2.2,
    "lines.markersize": 5,
}


_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


class PlotError(Exception):
    """A figure whose module is missing, or cannot draw."""


class Records:
    """The records as a figure's module sees them; remembers which it used."""

    def __init__(self, records: Mapping[str, Record]) -> None:
        self._records = records
        self.used: set[str] = set()

    def value(self, address: str) -> Cell:
        """A single measured value.

        :raises ClaimError: when nothing was measured under this address
        """
        self.used.add(address)
        return lookup(address, self._records)

    def rows(self, address: str) -> Sequence[Row]:
        """The rows of a sweep.

        :raises ClaimError: when nothing was measured under this address
        """
        self.used.add(address)
        stem, _, name = address.partition(".")
        record = self._records.get(stem)
        found = record.measured.get(name) if record else None
        if not isinstance(found, Table):
            raise ClaimError(f"no table was measured as {address!r}")
        return found.rows


class PlotDirective(SphinxDirective):
    """A figure drawn from records; the body is its caption, ``alt`` is required."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec] = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Draw, and show caption and numbers below."""
        name, alt = self.arguments[0], self.options.get("alt", "")
        module = Path(self.env.doc2path(self.env.docname)).with_name(f"{name}.py")
        self.env.note_dependency(str(module))
        domain = evidence_of(self.env)
        records = Records(domain.library.records)
        try:
            if not alt:
                raise PlotError("it needs an alternative text, :alt:")
            svg, rows = draw(module, records)
        except (PlotError, ClaimError) as error:
            message = f"plot {name!r}: {error}"
            domain.note_problem(self.env.docname, self.lineno, Kind.PLOT, message)
            return []
        finally:
            domain.note_use(self.env.docname, records.used)
            domain.note_examples(
                {address.partition(".")[0] for address in records.used}
            )
        picture = nodes.raw("", _frame(svg, name, alt), format="html")
        caption = nodes.container(
            "", *self.parse_content_to_nodes(), classes=["caption"]
        )
        return [
            nodes.container(
                "", picture, caption, _numbers(name, rows), classes=["plot"]
            )
        ]


def draw(module: Path, records: Records) -> tuple[str, Sequence[Row]]:
    """Draw one figure; gives the SVG and the numbers in it.

    :raises PlotError: when the module cannot be run or has no ``draw``
    """
    import matplotlib as mpl
    from cycler import cycler
    from matplotlib.figure import Figure

    if not module.exists():
        raise PlotError(f"there is no {module.name} beside the page")
    with mpl.rc_context({**STYLE, "axes.prop_cycle": cycler(color=_SERIES)}):
        try:
            figure = Figure(layout="constrained")
            rows = runpy.run_path(str(module))["draw"](figure.subplots(), records)
        except ClaimError:
            raise
        except (Exception, SystemExit) as error:
            raise PlotError(
                f"{module.name} raised {type(error).__name__}: {error}"
            ) from error
        if not rows:
            raise PlotError(
                f"{module.name} gave no numbers: draw() must return those it drew"
            )
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue(), rows


def _frame(svg: str, name: str, alt: str) -> str:
    """The SVG for inline use: page inks, the page's font, ids of its own, an accessible name."""
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


def _numbers(name: str, rows: Sequence[Row]) -> details:
    """The numbers of the figure: as a table for people, and as CSV in base units."""
    header = list(rows[0])
    shown = table(
        header, ([format_cell(key, row[key]) for key in header] for row in rows)
    )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([scalar(row[key]) for key in header] for row in rows)
    block = nodes.literal_block(text.getvalue(), text.getvalue(), language="text")
    title = summary("", "The numbers, and as CSV")
    return details(
        "", title, shown, block, classes=["numbers"], names=[f"{name}-numbers"]
    )
