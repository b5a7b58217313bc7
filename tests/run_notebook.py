"""Runs a notebook's code as a reader's kernel would, with numpy and matplotlib alone installed.

``python -I tests/run_notebook.py which_copy.ipynb`` prints JSON: what each cell showed, and from
where the site's modules came.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from importlib import metadata
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

INSTALLED = ("matplotlib", "numpy")


class Absent(MetaPathFinder):
    """Finds none of the modules that are installed for other purposes."""

    def __init__(self) -> None:
        known, needed = metadata.packages_distributions(), _needed(*INSTALLED)
        self.names = {
            module
            for module, owners in known.items()
            if not needed & {_normal(owner) for owner in owners}
        }

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed(*names: str) -> set[str]:
    """Distributions, and all that these require."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        name = _normal(waiting.pop())
        if name in found:
            continue
        found.add(name)
        for line in metadata.requires(name) or ():
            required = re.match(r"[\w.-]+", line)
            if required and "extra ==" not in line:
                waiting.append(required[0])
    return found


def run(path: Path) -> list[dict[str, str]]:
    """Run the code cells; gives what the last expression of each shows."""
    shown, names = [], {"__name__": "__main__"}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            value = _run_cell(cell["source"], names)
            if hasattr(value, "_repr_mimebundle_"):
                shown.append(value._repr_mimebundle_())
    return shown


def _run_cell(source: str, names: dict[str, Any]) -> object:
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # type: ignore[attr-defined]


if __name__ == "__main__":
    absent = Absent()
    assert {"sphinx", "pytest", "markdown_it"} <= absent.names
    sys.meta_path.insert(0, absent)
    outputs = run(Path(sys.argv[1]))
    origin = sys.modules["evidence"].__file__
    print(json.dumps({"shown": outputs, "origin": origin}))
