"""What the cells of an analysis page read, from their source.

The build runs a page again when a record that it reads has changed, so it must know which those
are. The kernel in which the cells run cannot tell it. Hence a page loads a record by a literal
name, and imports nothing by which it could read anything else.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from evidence.analysis import __all__ as offered

#: What a page may import beside ``evidence.analysis``.
LIBRARIES = ("matplotlib", "numpy")

IMPORTS = (
    f"an analysis page imports {' and '.join(LIBRARIES)}, and from evidence.analysis "
    f"{', '.join(offered)}, by these names"
)
LITERAL = (
    'load("...") takes the name of an example as a literal: the build reads it from '
    "the source, and runs the page again when that record changes"
)


@dataclass(frozen=True)
class Use:
    """A record that a cell loads, or a value of it.

    ``kind`` is ``load``, or the method that takes the value by its name: ``value``, ``rows``.
    """

    line: int
    kind: str
    stem: str
    name: str = ""

    @property
    def address(self) -> str:
        """The value's address."""
        return f"{self.stem}.{self.name}"


@dataclass
class Loads(ast.NodeVisitor):
    """Reads the cells of a page one after the other; ``problems`` are lines and messages."""

    uses: list[Use] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    _stems: dict[str, str] = field(default_factory=dict)
    _calls: set[ast.expr] = field(default_factory=set)

    def read(self, source: str, line: int) -> None:
        """Read one cell.

        :param line: where its source begins
        """
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            at = line + (error.lineno or 1) - 1
            self.problems.append((at, f"this is not Python: {error.msg}"))
            return
        ast.increment_lineno(tree, line - 1)
        self.visit(tree)

    def visit_Import(self, node: ast.Import) -> None:
        """Whole modules: libraries alone."""
        for alias in node.names:
            self._check_import(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Names of modules; those of ``evidence.analysis`` under their own name."""
        module = "." * node.level + (node.module or "")
        if module != "evidence.analysis":
            self._check_import(node, module)
        elif any(alias.asname or alias.name not in offered for alias in node.names):
            self.problems.append((node.lineno, IMPORTS))

    def _check_import(self, node: ast.stmt, module: str) -> None:
        if module.partition(".")[0] not in LIBRARIES:
            self.problems.append((node.lineno, f"{module} is imported; {IMPORTS}"))

    def visit_Assign(self, node: ast.Assign) -> None:
        """Remember which name stands for which record."""
        self.generic_visit(node)
        stem = self._stem(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._stems.pop(target.id, None)
                if stem:
                    self._stems[target.id] = stem

    def visit_Call(self, node: ast.Call) -> None:
        """``load("stem")``, and on what it gives ``.value("name")`` and ``.rows("name")``."""
        name = _literal(node)
        if isinstance(node.func, ast.Name) and node.func.id == "load":
            self._calls.add(node.func)
            if name:
                self.uses.append(Use(node.lineno, "load", name))
            else:
                self.problems.append((node.lineno, LITERAL))
        elif isinstance(node.func, ast.Attribute) and name:
            stem = self._stem(node.func.value)
            if stem and node.func.attr in ("value", "rows"):
                self.uses.append(Use(node.lineno, node.func.attr, stem, name))
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """``load`` is called where it stands, and never handed on under another name."""
        if node.id == "load" and node not in self._calls:
            self.problems.append((node.lineno, LITERAL))

    def _stem(self, node: ast.expr) -> str:
        """The record that an expression stands for, or nothing."""
        if isinstance(node, ast.Name):
            return self._stems.get(node.id, "")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return _literal(node) if node.func.id == "load" else ""
        return ""


def _literal(call: ast.Call) -> str:
    match call:
        case ast.Call(args=[ast.Constant(value=str(text))], keywords=[]):
            return text
    return ""
