"""Every line of Python that a page shows is executed code; what nothing runs is reported.

A page opens with a snippet that is complete: the first cell of an example, which ran alone when it
was recorded. What does not run after it is marked as an excerpt.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from pyflakes.checker import Checker
from pyflakes.messages import UndefinedName
from sphinx import addnodes
from sphinx.directives.code import LiteralInclude
from sphinx.util.typing import OptionSpec

from evidence.examples.library import Example
from evidence.site.diagnostics import Kind
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.look.nodes import cross_reference, paragraph
from evidence.site.look.words import _

#: Names of Pygments lexers that show Python, as do blocks that name none.
PYTHON = re.compile(r"(py|ipy|sage|numpy|cython|bazel|starlark).*|default|none|guess|")
UNEXECUTED = (
    "nothing runs this Python; literalinclude it from an example, or name its language"
)
#: Languages of blocks that nobody takes for the output of a run.
LANGUAGES = ("bash", "markdown", "sh", "text", "toml")
LANGUAGE = (
    f"a block of {{!r}} could show any output; name one of {', '.join(LANGUAGES)}"
)
#: Options of literalinclude that choose code by what it says, and add nothing to it.
BY_CODE = ("language", "dedent", "pyobject", "start-at", "end-at")
#: The most lines of the snippet that a page opens with, blank ones aside.
LONGEST_OPENING = 20
NO_OPENING = (
    "a page opens with code that runs when it is pasted: the whole first cell of an example, of at "
    f"most {LONGEST_OPENING} lines"
)


def without_its_first(lines: str) -> str:
    """The option ``lines``: a number may be that of another line once a comment is edited."""
    if lines != "2-":
        raise ValueError("leaves out the first line, with 2-, and no other")
    return lines


class ExampleInclude(LiteralInclude):
    """``literalinclude``; of an example, code alone decides what is shown."""

    option_spec: ClassVar[OptionSpec] = {
        **{name: LiteralInclude.option_spec[name] for name in BY_CODE},
        "lines": without_its_first,
    }

    def run(self) -> list[nodes.Node]:
        """Mark the code of an example as executed, and as an excerpt where it is one."""
        block: Any = super().run()[0]
        domain = evidence_of(self.env)
        path = Path(self.env.relfn2path(self.arguments[0])[1]).resolve()
        example = domain.site.library.examples.get(path.stem)
        if example is None or example.path != path:
            return [block]
        block["executed"] = True
        # Chosen by what, so that a hazard sees which of its two claims the code belongs to.
        names = ("pyobject", "start-at", "end-at")
        block["chosen"] = " ".join(self.options.get(name, "") for name in names)
        shown, page = block.astext(), domain.reading
        if not page.opening:
            page.opening = shown
            if not is_opening(shown, example):
                domain.note_fault(Kind.UNEXECUTED, NO_OPENING, self.lineno)
        elif not runs(f"{page.opening}\n{shown}"):
            return [block, _excerpt(example, domain)]
        return [block]


def is_opening(shown: str, example: Example) -> bool:
    """Whether code is the whole first cell of an example, and short."""
    is_short = sum(map(bool, shown.split("\n"))) <= LONGEST_OPENING
    if example.script is None or not is_short or not runs(shown):
        return False
    cell = example.script.cells[0].source
    return ast.dump(ast.parse(cell)) == ast.dump(ast.parse(shown))


def runs(code: str) -> bool:
    """Whether code knows each name that it uses, and each statement stands where it may."""
    try:
        compile(code, "a page", "exec")
    except SyntaxError:
        return False
    messages = Checker(ast.parse(code)).messages
    return not any(isinstance(message, UndefinedName) for message in messages)


def _excerpt(example: Example, domain: EvidenceDomain) -> nodes.paragraph:
    """The line under an excerpt: where all of it stands."""
    page = domain.site.library.page(example.stem, domain.site.gallery)
    label, here = f"sphx_glr_{page.replace('/', '_')}.py", domain.env.docname
    whole = cross_reference(_("full script"), label, here)
    name, target = nodes.inline("", _("notebook")), f"/{page}.ipynb"
    file = addnodes.download_reference("", "", name, reftarget=target, refdoc=here)
    line = paragraph(_("Excerpt: "), whole, " · ", file, classes=["excerpt"])
    line["translatable"] = False  # as a message, it would lose its links
    return line


def is_python(node: nodes.Element) -> bool:
    """Whether a block shows Python, by its language or the file that it comes from."""
    language = node.get("language", "").lower()
    return bool(PYTHON.fullmatch(language)) or node.get("source", "").endswith(".py")
