"""Analysis pages: notebooks whose cells myst-nb runs in the build, on the CPU.

myst-nb reports a failed cell once, without its line, and knows nothing of records. So it is told to
go on after an error, and what its cells read and gave is checked here, in every build.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evidence.figures.drawing import Drawing
from evidence.judge.claim import ClaimError
from evidence.judge.verdict import lookup, lookup_table
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.loads import Loads, Use
from evidence.site.nodes import details, summary
from evidence.site.reading.plots import framed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from evidence.records.model import Record
    from evidence.site.domain import EvidenceDomain

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
#: As IPython names the place of an error: the number of the cell's run, and the line in it.
_PLACE = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_WARNING = re.compile(r"\b(\w*Warning: .*)")


@dataclass(frozen=True)
class CodeCell:
    """A cell of code after the run, and the line of the page on which its source begins."""

    line: int
    source: str
    run: int | None
    outputs: Sequence[dict[str, Any]]

    def fault(self) -> tuple[int, Kind, str] | None:
        """What is wrong with it: not run, failed, or warned."""
        if self.run is None:
            return self.line, Kind.UNEXECUTED, "the build did not run this cell"
        for output in self.outputs:
            if output["output_type"] == "error":
                return self._error(output)
            warned = _WARNING.search("".join(output.get("text", "")))
            if output.get("name") == "stderr" and warned:
                return self.line, Kind.ANALYSIS, f"this cell warns: {warned[1]}"
        return None

    def _error(self, output: dict[str, Any]) -> tuple[int, Kind, str]:
        trace = _ANSI.sub("", "\n".join(output["traceback"]))
        places = [
            int(line) for run, line in _PLACE.findall(trace) if int(run) == self.run
        ]
        line = self.line + places[-1] - 1 if places else self.line
        if output["ename"] == "KeyboardInterrupt":
            return (
                line,
                Kind.ANALYSIS,
                "this cell takes longer than nb_execution_timeout",
            )
        value = str(output["evalue"]).partition("\n")[0]
        return line, Kind.ANALYSIS, f"this cell raises {output['ename']}: {value}"


def is_analysis(env: BuildEnvironment, page: str) -> bool:
    """Whether a page has cells: myst-nb notes where each begins."""
    return "source_map" in env.metadata.get(page, {})


def cells_of(env: BuildEnvironment, page: str) -> Iterator[CodeCell]:
    """The cells of a page that was just read, as myst-nb keeps them after the run."""
    config: Any = env.mystnb_config  # type: ignore[attr-defined]
    kept = Path(config.output_folder, f"{page}.ipynb").read_text("utf-8")
    text = Path(env.doc2path(page)).read_text("utf-8").splitlines()
    begins = env.metadata[page]["source_map"]
    for begin, cell in zip(begins, json.loads(kept)["cells"], strict=True):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and source.strip():
            line = _first_line(text, begin, source.splitlines())
            yield CodeCell(line, source, cell["execution_count"], cell["outputs"])


def _first_line(text: Sequence[str], begin: int, source: Sequence[str]) -> int:
    """The line on which a source begins, behind the options of its cell."""
    places = range(begin, len(text))
    found = (n for n in places if text[n : n + len(source)] == source)
    return next(found, begin) + 1


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note what the cells read, report what is wrong with them, and fold their code."""
    page, domain = app.env.current_document.docname, evidence_of(app.env)
    if not is_analysis(app.env, page):
        return
    loads, cells = Loads(), list(cells_of(app.env, page))
    for cell in cells:
        loads.read(cell.source, cell.line)
    problems = [(line, Kind.ANALYSIS, message) for line, message in loads.problems]
    problems += _note(domain, page, loads.uses)
    known = {line for line, _, _ in problems}
    faults = (cell.fault() for cell in cells)
    # The first alone: what follows an error follows from it.
    first = next((fault for fault in faults if fault), None)
    if first and first[0] not in known:
        problems.append(first)
    for line, kind, message in sorted(problems, key=lambda problem: problem[0]):
        domain.note_problem(page, line, kind, message)
    for node in list(doctree.findall(nodes.container)):
        tidy(node)


def _note(
    domain: EvidenceDomain, page: str, uses: Sequence[Use]
) -> list[tuple[int, Kind, str]]:
    """Note the records and values that a page uses; gives those that do not exist."""
    library, problems = domain.library, []
    stems = {use.stem for use in uses}
    domain.data["loads"][page] = sorted(stems & library.examples.keys())
    domain.note_examples(stems)
    for use in uses:
        try:
            if use.stem in library.records:
                _find(use, library.records)
            elif use.kind == "load" and use.stem not in library.examples:
                # Of an example without a record the build says so once, at the example.
                lookup(use.stem, library.records)
        except ClaimError as error:
            problems.append((use.line, Kind.CLAIM, str(error)))
        if use.kind != "load":
            domain.note_use(page, [use.address])
    return problems


def _find(use: Use, records: Mapping[str, Record]) -> None:
    if use.kind == "rows":
        lookup_table(use.address, records)
    elif use.kind == "value":
        lookup(use.address, records)


def tidy(node: nodes.container) -> None:
    """Fold the code of a cell tagged ``hide-input`` and put it below what it shows."""
    if node.get("nb_element") == "cell_code" and node.attributes.pop("hide_mode", None):
        code = node.pop(0)
        title = summary("", "The code that computed this")
        node += details("", title, code, classes=["code"])
    for block in list(node.children):
        if not isinstance(block, nodes.literal_block):
            continue
        if node.get("nb_element") == "cell_code_source":
            block["language"] = "python"
        elif "traceback" in block["classes"]:
            block["language"] = "text"  # no code that anyone should run
        elif "stderr" in block["classes"]:
            node.remove(block)


class DrawingDirective(SphinxDirective):
    """What :func:`evidence.analysis.draw` gives: a figure as data, and below it the caption."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Show it as the ``plot`` directive does."""
        data = json.loads(self.content[0])
        figure = Drawing(**data)
        self.content, self.content_offset = self.content[1:], self.content_offset + 1
        return [framed(figure, self.parse_content_to_nodes())]


def setup_analysis(app: Sphinx) -> None:
    """Register the directive of figures, and what watches the cells."""
    app.add_directive("drawing", DrawingDirective)
    app.connect("doctree-read", on_doctree_read)
