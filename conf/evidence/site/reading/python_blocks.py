"""Every line of Python that a page shows is executed code; what nothing runs is reported."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of

#: Names of Pygments lexers that show Python.
PYTHON = ("python", "py", "pycon", "ipython", "sage")
MESSAGE = "nothing runs this Python; take it from an example with literalinclude"


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note the Python blocks of a page that come from nowhere that runs."""
    domain = evidence_of(app.env)
    if app.env.docname.startswith(f"{domain.gallery}/"):
        return  # sphinx-gallery's: the script itself, with its outputs
    for block in doctree.findall(nodes.FixedTextElement):
        if _is_python(block) and not _is_executed(block, domain.library.folder):
            domain.note_fault(Kind.UNEXECUTED, MESSAGE, block.line or 0)


def _is_python(block: nodes.Element) -> bool:
    language = str(block.get("language", "")).lower()
    return isinstance(block, nodes.doctest_block) or language.startswith(PYTHON)


def _is_executed(block: nodes.Element, examples: Path) -> bool:
    """Whether it is taken from an example, or belongs to a cell that this build runs."""
    source = block.get("source")
    if source and Path(source).resolve().is_relative_to(examples):
        return True
    classes = block.parent.get("classes", ()) if block.parent is not None else ()
    return "cell_input" in classes or "cell_output" in classes
