"""Every line of Python that a page shows is executed code; what nothing runs is reported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.directives.code import LiteralInclude

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of

#: Names of Pygments lexers that show Python, as do blocks that name none.
PYTHON = re.compile(r"(py|ipy|sage|numpy|cython|bazel|starlark).*|default|none|guess|")
UNEXECUTED = (
    "nothing runs this Python; literalinclude it from an example, or name its language"
)
#: Options of literalinclude that show the same code before and after a comment is edited.
BY_CODE = {"language", "dedent", "pyobject", "start-at", "end-at"}
BY_PLACE = (
    "literalinclude: :{name}: may show other code once a comment is edited; choose the code by "
    ":pyobject:, :start-at: and :end-at:, or by :pyobject: with ':lines: 2-'"
)


class ExampleInclude(LiteralInclude):
    """``literalinclude``; of an example, code alone decides what is shown."""

    def run(self) -> list[nodes.Node]:
        """Mark the code of an example as executed."""
        block: Any = super().run()[0]
        domain = evidence_of(self.env)
        path = Path(self.env.relfn2path(self.arguments[0])[1]).resolve()
        if path in {example.path for example in domain.library.examples.values()}:
            block["executed"] = True
            if name := self._by_place(block.astext()):
                message = BY_PLACE.format(name=name)
                domain.note_fault(Kind.UNEXECUTED, message, self.lineno)
        return [block]

    def _by_place(self, shown: str) -> str:
        """An option that goes by something else; a comment may hold the text as well."""
        given, lines = self.options, shown.splitlines() or [""]
        for name, line in (("start-at", lines[0]), ("end-at", lines[-1])):
            if given.get(name, "") not in line.partition("#")[0]:
                return name
        body = "pyobject" in given and given.get("lines") == "2-"
        return next(iter(given.keys() - BY_CODE - ({"lines"} if body else set())), "")


def is_unexecuted(node: nodes.Node) -> bool:
    """Whether a node shows Python that comes from nowhere that runs."""
    if not isinstance(node, nodes.literal_block):
        return isinstance(node, nodes.doctest_block)
    named = PYTHON.fullmatch(node.get("language", "").lower())
    is_python = named or node.get("source", "").endswith(".py")
    return bool(is_python) and "executed" not in node
