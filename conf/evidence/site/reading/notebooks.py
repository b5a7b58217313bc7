"""Analysis pages: notebooks that myst-nb executes when it reads them, on the CPU.

They compute what no role can show. Their cells know neither this package nor torch, and read what
was measured from ``claims.json``, like a reader who downloads the notebook and that file::

    Path(os.environ.get("CLAIMS_JSON", "claims.json"))

What they show is text, in which no number is typed, and pictures: HTML could show anything.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Collection
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.judging.data import CLAIMS, as_json, measured
from evidence.site.reading import quantities

#: Where the kernel's packages are: an offline builder may have them on PYTHONPATH alone.
PACKAGES = str(distribution("ipykernel").locate_file(""))
#: What a kernel's interpreter runs: torch cannot be imported there, nor, for want of PYTHONPATH,
#: this package, nor myst-nb, whose glue() would bring what is typed into the text. What a cell
#: writes comes as messages; the process itself, as it ends, may say that a socket is gone.
START = (
    f"import os, runpy, sys; sys.path.append({PACKAGES!r}); "
    "sys.modules.update(torch=None, myst_nb=None); "
    "os.dup2(os.open(os.devnull, os.O_WRONLY), 2); "
    "runpy.run_module('ipykernel_launcher', run_name='__main__')"
)

#: The kinds of output that are shown.
SHOWN = {"text/plain", "image/png"}
#: A number that says something: a single digit may be any count.
_NUMBER = re.compile(r"(?<![\w.])\d[\d.]*\d")


def on_builder_inited(app: Sphinx) -> None:
    """Write what was measured as the site publishes it, and make the kernel that reads it."""
    folder = Path(app.doctreedir, "notebooks")
    claims = folder / CLAIMS
    environment = {
        "CLAIMS_JSON": str(claims),
        # Nothing of the home folder is run.
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONSTARTUP": "",
    }
    # Without the level it tells the terminal that it was stopped.
    options = "-f", "{connection_file}", "--log-level=CRITICAL"
    kernel = {"argv": [sys.executable, "-Ec", START, *options], "env": environment}
    # Jupyter finds this interpreter there, before any other of that name.
    path = folder / "kernels" / "python3" / "kernel.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kernel), encoding="utf-8")
    others = os.environ.get("JUPYTER_PATH", "")
    os.environ["JUPYTER_PATH"] = f"{folder}{os.pathsep}{others}".rstrip(os.pathsep)
    site = evidence_of(app.env).site
    values = as_json(measured(site.library, site.signed))
    claims.write_text(values, encoding="utf-8")
    # Else each run is announced among the warnings.
    logging.getLogger("traitlets").setLevel(logging.WARNING)


def on_doctree_read(app: Sphinx, _doctree: nodes.document) -> None:
    """Note the first thing that is wrong with a notebook's cells, and write it reproducibly.

    It runs again when what was measured changes: then the build starts clean.
    """
    page = app.env.docname
    lines = app.env.metadata[page].get("source_map")
    if lines is None:
        return
    # Where myst-nb keeps what it executed, and where its role nb-download finds it.
    path = Path(app.outdir).parent / "jupyter_execute" / f"{page}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    claims = Path(app.doctreedir, "notebooks", CLAIMS).read_text("utf-8")
    code = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    # What was measured may be typed, to choose a row.
    typed = {*_NUMBER.findall(code)} - {*_NUMBER.findall(claims)}
    for line, cell in zip(lines, notebook["cells"], strict=True):
        if message := fault(cell, typed):
            evidence_of(app.env).note_fault(Kind.ANALYSIS, message, line)
            break  # what follows an error follows from it
    # Random ids, and the version of Python, are others in each build.
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"cell-{number}"
    notebook["metadata"].pop("language_info", None)
    path.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")


def fault(cell: dict[str, Any], typed: Collection[str] = ()) -> str:
    """What is wrong with a cell after the run; empty where nothing is.

    :param typed: the numbers that the code of the notebook has, and no record
    """
    code = "".join(cell["source"])
    if cell["cell_type"] == "markdown" or not code.strip():
        return ""
    number, shown = cell.get("execution_count"), ""
    for output in cell.get("outputs", ()):
        if output["output_type"] == "error":
            said = f"{output['ename']}: {output['evalue']}".splitlines()[0]
            return f"cell {number} raises {said.rstrip(': ')}"
        data = output.get("data", {"text/plain": output.get("text", "")})
        if strange := data.keys() - SHOWN:
            return f"cell {number} shows {min(strange)}: print text, or draw a picture"
        shown += "".join(data.get("text/plain", "")) + "\n"
    forged = [*quantities.FORGED_MARK.findall(shown), quantities.first(code)]
    forged += (number for number in _NUMBER.findall(shown) if number in typed)
    for text in filter(None, forged):
        return f"cell {number} shows {text!r}, which it did not compute"
    return "" if number else "the build did not run this cell"
