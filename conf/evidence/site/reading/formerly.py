"""The ``formerly`` directive: what the notes of older versions said, and since when not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of

if TYPE_CHECKING:
    from sphinx.util.typing import OptionSpec


@dataclass(frozen=True)
class Formerly:
    """A statement of older notes, the claim that refutes or limits it, and since when."""

    versions: str
    statement: str
    claim: str
    since: str
    page: str
    line: int
    anchor: str


class FormerlyDirective(SphinxDirective):
    """``:::{formerly} PyTorch 1.7-1.11``: the body is what those notes said.

    ``claim`` is the id of the claim that refutes or limits it, ``since`` the version.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "claim": directives.unchanged_required,
        "since": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Show it quietly, and collect it for the page of changes."""
        versions, page = self.arguments[0], self.env.docname
        domain = evidence_of(self.env)
        if missing := [
            name for name in ("claim", "since") if not self.options.get(name)
        ]:
            message = f"formerly {versions!r} has no :{missing[0]}:"
            domain.note_problem(page, self.lineno, Kind.CLAIM, message)
            return []
        number = len(domain.data["formerly"].get(page, ())) + 1
        note = Formerly(
            versions,
            " ".join(line.strip() for line in self.content if line.strip()),
            self.options["claim"],
            self.options["since"],
            page,
            self.lineno,
            f"formerly-{number}",
        )
        domain.data["formerly"].setdefault(page, []).append(note)
        body = self.parse_content_to_nodes()
        first = next((node for node in body if isinstance(node, nodes.paragraph)), None)
        if first is not None:
            first.insert(0, nodes.strong("", f"Formerly, {versions}. "))
        return [nodes.container("", *body, classes=["formerly"], ids=[note.anchor])]
