"""Every line of Python that a page shows is executed code; what nothing runs is reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: Names of Pygments lexers that show Python.
PYTHON = ("python", "py", "pycon", "ipython", "sage")


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note the Python blocks of a page that come from nowhere that runs."""
    page = app.env.current_document.docname
    gallery = app.config.sphinx_gallery_conf["gallery_dirs"]
    if page.startswith(f"{gallery}/"):
        return  # sphinx-gallery's: the script itself, with its outputs
    domain = evidence_of(app.env)
    for block in doctree.findall(nodes.Element):
        if _is_python(block) and not _is_executed(block, domain.library.folder):
            message = (
                "nothing runs this Python; take it from an example with literalinclude"
            )
            domain.note_problem(page, block.line or 0, Kind.UNEXECUTED, message)


def _is_python(node: nodes.Node) -> bool:
    if isinstance(node, nodes.doctest_block):
        return True
    language = node.get("language", "") if isinstance(node, nodes.literal_block) else ""
    return str(language).lower().startswith(PYTHON)


def _is_executed(block: nodes.Element, examples: Path) -> bool:
    """Whether it is taken from an example, or belongs to a cell that this build runs."""
    source = block.get("source")
    if source and Path(source).resolve().is_relative_to(examples):
        return True
    classes = block.parent.get("classes", ()) if block.parent is not None else ()
    return "cell_input" in classes or "cell_output" in classes
