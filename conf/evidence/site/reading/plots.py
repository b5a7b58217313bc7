"""The ``plot`` directive: a page's figure, drawn from records while the page is read.

``:::{plot} bandwidth_by_size`` loads the module of that name beside the page and calls its
``draw(axes, records)``, which draws and returns the numbers it drew as rows. Figure and numbers
therefore cannot differ. The drawing is inline SVG whose inks are the page's CSS variables, so it
follows the light and the dark mode.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from random import Random
from typing import Any, ClassVar, TypeAlias

from docutils import nodes
from docutils.parsers.rst import directives
from matplotlib.figure import Figure
from msgspec.structs import replace
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from evidence.figures.drawing import PlotError, as_csv, inline_svg, paint, sketch
from evidence.records.address import (
    Address,
    AddressError,
    NoRecordError,
    lookup,
    lookup_table,
)
from evidence.records.model import Cell, Row, Timing
from evidence.site.diagnostics import Kind
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.look.evidence import sweep
from evidence.site.look.nodes import details, disclosure, paragraph
from evidence.site.look.words import _
from evidence.site.reading.quantities import FORGED_MARK, IN_DIGITS

#: A drawing for a wide screen, and one for a phone.
SVGs: TypeAlias = "tuple[str, str]"

#: A number of two digits, or with a unit; "copy 1" is a name.
_TYPED = re.compile(rf"(?<![\w.])\d[\d.,]*\d|{IN_DIGITS}|{FORGED_MARK.pattern}")
#: Between the texts of a module, and what is filled into them.
_TEXTS = re.compile(r"""["'\n]|\\n|\{[^{}"'\n]*\}""")


class Records:
    """The records as a figure's module sees them; which it uses is noted for the page."""

    def __init__(
        self, domain: EvidenceDomain, change: Callable[[Cell], Cell] = lambda cell: cell
    ) -> None:
        self.domain = domain
        self._change = change
        #: All that was measured in the records that it uses, by its name.
        self.measured: set[tuple[str, Cell]] = set()

    def value(self, address: str) -> Cell:
        """A single measured value.

        :raises AddressError: when nothing was measured under this address
        """
        return self._change(
            lookup(self._use(address), self.domain.site.library.records)
        )

    def rows(self, address: str) -> Sequence[Row]:
        """The rows of a sweep.

        :raises AddressError: when nothing was measured under this address
        """
        table = lookup_table(self._use(address), self.domain.site.library.records)
        return [{name: self._change(row[name]) for name in row} for row in table.rows]

    def _use(self, text: str) -> Address:
        address = Address.of(text)
        self.domain.note_uses([address])
        if record := self.domain.site.library.records.get(address.stem):
            cells = record.cells.items()
            self.measured.update((n.rpartition(".")[2], cell) for n, cell in cells)
        return address


class PlotDirective(SphinxDirective):
    """A figure drawn from records; the body is its caption, ``title`` and ``alt`` are required."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "title": directives.unchanged_required,
        "alt": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Draw, and show caption and numbers below."""
        (name,), alt = self.arguments, self.options.get("alt", "")
        title = self.options.get("title", "")
        module = Path(self.env.doc2path(self.env.docname)).with_name(f"{name}.py")
        self.env.note_dependency(str(module))
        domain = evidence_of(self.env)
        try:
            if not alt:
                raise PlotError("it needs an alternative text, :alt:")
            if not title:
                raise PlotError("it needs a title that says what is seen, :title:")
            svgs, rows = self.draw(module)
        except NoRecordError:
            return []  # which is reported once, as for a value
        except (PlotError, AddressError) as error:
            domain.note_fault(Kind.PLOT, f"{self.name} {name!r}: {error}", self.lineno)
            return []
        # On a page that shows it twice, ids would stand there twice.
        number = self.env.new_serialno(f"plot {name}")
        name = f"{name}-{number}" if number else name
        kinds = zip(("wide", "phone"), svgs, strict=True)
        drawn = (inline_svg(svg, f"{name}-{kind}", alt, kind) for kind, svg in kinds)
        # Raw HTML without this mark is a fault; no page can set it.
        picture = nodes.raw("", "".join(drawn), format="html", drawn=True)
        content = self.parse_content_to_nodes()
        caption = nodes.container("", *content, classes=["caption"])
        heading = paragraph(title, classes=["plot-title"])
        shown = [heading, picture, caption, *([numbers(name, rows)] if rows else [])]
        return [nodes.container("", *shown, classes=["plot"], made=True)]

    def draw(self, module: Path) -> tuple[SVGs, Sequence[Row]]:
        """Draw it with the records; gives the rows it drew as well."""
        return draw(module, Records(evidence_of(self.env)))


class PictureDirective(PlotDirective):
    """A picture that explains, and shows nothing measured."""

    def draw(self, module: Path) -> tuple[SVGs, Sequence[Row]]:
        """Draw it; there are no rows."""
        return picture(module), ()


def draw(module: Path, records: Records) -> tuple[SVGs, Sequence[Row]]:
    """Draw one figure; gives it wide and for a phone, and the numbers drawn in it.

    :raises AddressError: when it asks for what was not measured
    :raises PlotError: when the module cannot be run, has no ``draw`` or returns a number of
        no record, or :func:`paint` raises it
    """
    with _module(module) as painter:
        svg, rows = paint(lambda axes: painter(axes, records))
        phone, _rows = paint(lambda axes: painter(axes, records), phone=True)
        again = painter(Figure().subplots(), Records(records.domain, _other))
    columns, changed = ([c for r in each for c in r.items()] for each in (rows, again))
    for name, cell in columns:
        # What is computed has a name of its own, and comes from what each process measured.
        known = any(name == other or cell == found for other, found in records.measured)
        typed = not isinstance(cell, Timing) or (name, cell) in changed
        if (name, cell) not in records.measured and (known or typed):
            raise PlotError(f"returns a {name} that is in no record: take it from one")
    drawn = "\n".join(_words(svg + phone))
    for text in filter(_TYPED.search, _TEXTS.split(module.read_text("utf-8"))):
        if escape(text.strip(), quote=False) in drawn:
            raise PlotError(f"draws {text!r}, which is typed: take it from a record")
    return (svg, phone), rows


def picture(module: Path) -> SVGs:
    """Draw what explains, wide and for a phone.

    :raises PlotError: when the module cannot be run, has no ``draw`` or draws a number
    """
    with _module(module) as painter:
        svgs = sketch(painter), sketch(painter, phone=True)
    if typed := [text for text in _words("".join(svgs)) if _TYPED.search(text)]:
        raise PlotError(
            f"draws {typed[0]!r}, which is typed: a picture measures nothing"
        )
    return svgs


@contextmanager
def _module(module: Path) -> Iterator[Any]:
    """The function with which a module draws; what it raises is told as an error of the module."""
    if not module.exists():
        raise PlotError(f"there is no {module.name} beside the page")
    try:
        yield runpy.run_path(str(module))["draw"]
    except (AddressError, PlotError):
        raise
    except (Exception, SystemExit) as error:
        cause = f"raised {type(error).__name__}: {error}"
        raise PlotError(f"{module.name} {cause}") from error


def _words(svg: str) -> list[str]:
    return re.findall(r">([^<>]*\w[^<>]*)<", svg)


def _other(cell: Cell) -> Cell:
    """A cell as it might have been measured, too."""
    if not isinstance(cell, Timing):
        return cell
    factor = Random(repr(cell)).uniform(1, 2)
    return replace(cell, median=tuple(factor * median for median in cell.median))


def numbers(name: str, rows: Sequence[Row]) -> details:
    """The numbers of a figure: as a table for people, and as CSV in base units."""
    text = as_csv(rows)
    block = nodes.literal_block(text, text, language="text")
    about = {"classes": ["numbers"], "names": [f"{name}-numbers"]}
    return disclosure(_("Data, also as CSV"), sweep(rows), block, **about)
