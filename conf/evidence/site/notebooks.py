"""Analysis pages as notebooks that a reader downloads, and the modules that they need.

In a folder with ``claims.json`` and this archive of modules a notebook runs without the repository,
and without Sphinx.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence.site.analysis_pages import is_analysis
from evidence.site.gallery.archives import write_archive
from evidence.site.kernel import CONF

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

#: The archive, at the root of the site.
ARCHIVE = "evidence.zip"

#: What ``evidence.analysis`` imports of this package.
MODULES = (
    "__init__",
    "analysis",
    "figures/__init__",
    "figures/drawing",
    "judge/__init__",
    "judge/band",
    "judge/claim",
    "judge/expect",
    "judge/scope",
    "judge/verdict",
    "records/__init__",
    "records/model",
    "records/sources",
    "records/store",
    "records/units",
)

#: The first cells of a page as a notebook: how to run it, and what that takes.
HOW = (
    "*This is a page of {project} as a notebook. To run it, download `claims.json` and "
    "`evidence.zip` into its folder: the foot of the page links both. It needs Python 3.11 or "
    "later, numpy and matplotlib. Or run it in a copy of the site's repository, with the folder "
    "`conf` on `PYTHONPATH`.*"
)
SETUP = """\
import sys
from pathlib import Path

if Path("evidence.zip").exists():
    sys.path.append(str(Path("evidence.zip").resolve()))"""


def on_html_page_context(
    app: Sphinx,
    pagename: str,
    _template: str,
    context: dict[str, Any],
    _doctree: nodes.document | None,
) -> None:
    """Write the page as a notebook beside it, and have its footer name it."""
    if is_analysis(app.env, pagename) and app.builder.format == "html":
        target = Path(app.outdir, f"{pagename}.ipynb")
        target.parent.mkdir(parents=True, exist_ok=True)
        config: Any = app.env.myst_config  # type: ignore[attr-defined]
        text = Path(app.env.doc2path(pagename)).read_text("utf-8")
        made = notebook(text, config, app.config.project)
        target.write_text(made, encoding="utf-8")
        context["notebook"] = target.name


def notebook(text: str, config: Any, project: str) -> str:
    """A page as a notebook without outputs, which begins with how to run it.

    :param text: the source of the page
    :param config: MyST's settings
    """
    from myst_nb.core.read import read_myst_markdown_notebook

    how = {"cell_type": "markdown", "source": HOW.format(project=project)}
    setup = {"cell_type": "code", "source": SETUP, "execution_count": None}
    begin = [{**how, "metadata": {}}, {**setup, "metadata": {}, "outputs": []}]
    made = read_myst_markdown_notebook(text, config)
    cells = [dict(cell) for cell in (*begin, *made["cells"])]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # myst-nb gives each a random one
    made["metadata"] = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return json.dumps({**made, "cells": cells}, indent=1, ensure_ascii=False) + "\n"


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the archive, where there is a page that needs it."""
    if exception is not None or app.builder.format != "html":
        return
    if any(is_analysis(app.env, page) for page in app.env.found_docs):
        write_modules(Path(app.outdir, ARCHIVE))


def write_modules(path: Path) -> None:
    """Write the archive of the modules."""
    names = [f"evidence/{module}.py" for module in MODULES]
    write_archive(path, {name: (CONF / name).read_bytes() for name in names})


def setup_notebooks(app: Sphinx) -> None:
    """Register what writes the notebooks and the archive."""
    app.connect("html-page-context", on_html_page_context)
    app.connect("build-finished", on_build_finished)
