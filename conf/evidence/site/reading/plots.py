"""The ``plot`` directive: a page's figure, drawn from records while the page is read.

``:::{plot} bandwidth_by_size`` loads the module of that name beside the page and calls its
``draw(axes, records)``, which draws and returns the numbers it drew as rows. Figure and numbers
therefore cannot differ. The drawing is inline SVG whose inks are the page's CSS variables, so it
follows the light and the dark mode. It is kept in ``figures`` beside the doctrees.
"""

from __future__ import annotations

import os
import pickle
import re
import runpy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from evidence.figures import PlotError
from evidence.figures.drawing import (
    Records,
    again,
    as_csv,
    paint,
    sketch,
    words,
)
from evidence.figures.labels import writing
from evidence.records.address import Address, AddressError, NoRecordError
from evidence.records.model import Row
from evidence.records.store import checksum
from evidence.records.units import spoken
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import sweep
from evidence.site.look.nodes import details, disclosure
from evidence.site.look.words import _
from evidence.site.reading import figure_texts, quantities
from evidence.site.reading.quantities import FORGED_MARK, IN_DIGITS

#: A number of two digits, or with a unit; "copy 1" is a name.
_TYPED = re.compile(rf"(?<![\w.])\d[\d.,]*\d|{IN_DIGITS}|{FORGED_MARK.pattern}")

_ENGINE = Path(__file__).resolve().parents[2]
#: What draws and compares, and the packages that it draws with.
_ROOMS = ("figures", "records", "site/reading")
_FILES = sorted(path for room in _ROOMS for path in (_ENGINE / room).iterdir())
DRAWN_BY = (
    [path.read_bytes() for path in _FILES if path.is_file()],
    [version(package) for package in ("matplotlib", "numpy")],
)

#: Its options, all of them required.
OPTIONS = {"alt": "an alternative text", "title": "a title that says what is seen"}


class Figure(NamedTuple):
    """A drawing for a wide screen and one for a phone; its rows, what it used, its labels."""

    svgs: tuple[str, str]
    rows: Sequence[Row] = ()
    uses: frozenset[Address] = frozenset()
    labels: tuple[str, ...] = ()


class PlotDirective(SphinxDirective):
    """A figure drawn from records, or a picture that explains; the body is its caption."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec] = dict.fromkeys(
        OPTIONS, directives.unchanged_required
    )

    def run(self) -> list[nodes.Node]:
        """Draw, and show caption and numbers below."""
        (name,) = self.arguments
        domain = evidence_of(self.env)
        records = Records(domain.site.library.records)
        try:
            self.check_words()
            figure = self.figure(name, records)
        except (PlotError, AddressError) as error:
            domain.note_uses(records.uses)
            # That an example has no record is reported once, as for a value.
            if not isinstance(error, NoRecordError):
                message = f"{self.name} {name!r}: {error}"
                domain.note_fault(Kind.PLOT, message, self.lineno)
            return []
        domain.note_uses(figure.uses)
        # On a page that shows it twice, ids would stand there twice.
        number = self.env.new_serialno(f"plot {name}")
        name = f"{name}-{number}" if number else name
        title, alt = self.options["title"], self.options["alt"]
        picture = figure_texts.shown(name, figure.svgs, alt, figure.labels)
        content = self.parse_content_to_nodes()
        caption = nodes.container("", *content, classes=["caption"])
        heading = nodes.paragraph(title, title, classes=["plot-title"])
        # A text that has a source is translated.
        for text in (heading, picture):
            self.set_source_info(text)
        data = [numbers(name, figure.rows)] if figure.rows else []
        shown = [heading, picture, caption, *data]
        return [nodes.container("", *shown, classes=["plot"], made=True)]

    def check_words(self) -> None:
        """See that it has title and alternative text.

        :raises PlotError: when one is missing, or the latter says what nothing checks
        """
        for option, what in OPTIONS.items():
            if not self.options.get(option):
                raise PlotError(f"it needs {what}, :{option}:")
        if typed := quantities.first(self.options["alt"]):
            raise PlotError(f"says {typed!r} in :alt:, which nothing checks: say less")

    def figure(self, name: str, records: Records) -> Figure:
        """The figure that an earlier build kept, or else drawn.

        :raises AddressError: when it asks for what was not measured
        :raises PlotError: when it cannot be drawn, or lies
        """
        module = Path(self.env.doc2path(self.env.docname)).with_name(f"{name}.py")
        self.env.note_dependency(str(module))
        if not module.exists():
            raise PlotError(f"there is no {module.name} beside the page")
        source = module.read_text("utf-8")
        stems = sorted(records.records.keys() & re.findall(r"\w+", source))
        measured = [records.records[stem].measured for stem in stems]
        folder = Path(self.env.doctreedir).with_name("figures")
        place = module.relative_to(self.env.srcdir).with_suffix("").parts
        made_of = (self.name, source, stems, measured)
        pen = partial(picture, module)
        if self.name == "plot":
            pen = partial(draw, module, records)
        figure = kept(folder / "-".join(place), made_of, pen)
        # It is judged as its module writes it, and kept for every language.
        said = figure_texts.said(self.env, figure.labels)
        if not said:
            return figure
        path = folder / "-".join((*place, self.config.language))
        pen = partial(translated, figure, module, records, said)
        return kept(path, (made_of, said), pen)


def kept(path: Path, made_of: object, draw: Callable[[], Figure]) -> Figure:
    """What an earlier build left in a file, if it is made of the same; else what is drawn now.

    What is red is not kept: it is drawn anew, and told, in every build. That a module asks for more
    than its records, such as the time, is not seen.

    :param made_of: all that it is made of but the engine, told by its ``repr``
    """
    key = checksum(repr((DRAWN_BY, made_of)).encode()).encode()
    if path.exists():
        key_before, _, content = path.read_bytes().partition(b"\n")
        if key_before == key:
            before: Figure = pickle.loads(content)
            return before
    drawn = draw()
    path.parent.mkdir(exist_ok=True)
    # Who reads it meanwhile, or interrupts, finds the whole of it or nothing.
    begun = path.with_name(f"{path.name}.{os.getpid()}")
    begun.write_bytes(key + b"\n" + pickle.dumps(drawn))
    begun.replace(path)
    return drawn


def draw(module: Path, records: Records) -> Figure:
    """Draw one figure, wide and for a phone.

    :raises AddressError: when it asks for what was not measured
    :raises PlotError: when the module cannot be run, has no ``draw`` or returns a number of
        no record, or :func:`paint` raises it
    """
    with _module(module) as painter, writing({}) as labels:
        wide, rows = paint(lambda axes: painter(axes, records), records.taken)
        phone, _rows = paint(
            lambda axes: painter(axes, records), records.taken, phone=True
        )
        records.check(rows)
    if forged := FORGED_MARK.search("".join(words(wide + phone))):
        raise PlotError(f"draws {forged[0]!r}, which only the build may")
    # A kept figure is known to be of today's records by the names of examples in its module.
    named = re.findall(r"\w+", module.read_text("utf-8"))
    for stem in sorted({address.stem for address in records.uses} - {*named}):
        raise PlotError(
            f"asks for {stem!r}, a name that it does not write in one piece"
        )
    uses = frozenset(records.uses)
    return Figure((wide, phone), rows, uses, tuple(labels.patterns))


def picture(module: Path) -> Figure:
    """Draw what explains, wide and for a phone.

    :raises PlotError: when the module cannot be run, has no ``draw`` or draws a number
    """
    with _module(module) as painter, writing({}) as labels:
        svgs = sketch(painter), sketch(painter, phone=True)
    if typed := [text for text in words("".join(svgs)) if _TYPED.search(text)]:
        raise PlotError(
            f"draws {typed[0]!r}, which is typed: a picture measures nothing"
        )
    return Figure(svgs, labels=tuple(labels.patterns))


def translated(
    figure: Figure, module: Path, records: Records, said: Mapping[str, str]
) -> Figure:
    """The same figure with other labels."""
    with _module(module) as painter, writing(said):
        if figure.rows:
            pen = partial(again, lambda axes: painter(axes, records))
        else:
            pen = partial(sketch, painter)
        svgs = pen(), pen(phone=True)
    return Figure(svgs, figure.rows, figure.uses, figure.labels)


@contextmanager
def _module(module: Path) -> Iterator[Any]:
    """The function with which a module draws; what it raises is told as an error of the module."""
    try:
        yield runpy.run_path(str(module))["draw"]
    except (AddressError, PlotError):
        raise
    except (Exception, SystemExit) as error:
        cause = f"raised {type(error).__name__}: {error}"
        raise PlotError(f"{module.name} {cause}") from error


def numbers(name: str, rows: Sequence[Row]) -> details:
    """The numbers of a figure: as a table for people, and as CSV in base units."""
    text = as_csv(rows)
    block = nodes.literal_block(text, text, language="text")
    about = {"classes": ["numbers"], "names": [f"{name}-numbers"]}
    table = sweep(rows, spoken(rows[0]))
    return disclosure(_("Data, also as CSV"), table, block, **about)
