"""A script's syntax tree, and what the rules ask of it: names, loops, blocks, calls that wait."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

Loop: TypeAlias = "ast.For | ast.While"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
#: Methods and functions that make the host wait for the GPU, or for a copy.
WAITS = re.compile(
    r"synchronize|wait|query|item|tolist|cpu|numpy|elapsed_time|equal|allclose|print"
)


def name(node: ast.AST | None) -> str:
    """A name with its attributes, as ``torch.cuda.empty_cache``; of a call that of its function.

    What is no name, such as a call within, is left out: ``x.sum().item`` is ``.item``.
    """
    if isinstance(node, ast.Call):
        return name(node.func)
    if isinstance(node, ast.Attribute):
        within = isinstance(node.value, (ast.Name, ast.Attribute))
        return f"{name(node.value) if within else ''}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def last(node: ast.AST) -> str:
    """The last part of a name: the method."""
    return name(node).rpartition(".")[2]


def calls(node: ast.AST, *methods: str) -> list[ast.Call]:
    """The calls within a node, in the order of lines; only of these methods, if any are named."""
    found = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
    chosen = [n for n in found if not methods or last(n) in methods]
    return sorted(chosen, key=lambda call: (call.lineno, call.col_offset))


def argument(call: ast.Call, keyword: str) -> ast.expr | None:
    """An argument that is given by its name."""
    return next((k.value for k in call.keywords if k.arg == keyword), None)


def says(call: ast.Call, keyword: str, value: object) -> bool:
    """Whether an argument that is given by name is this constant."""
    given = argument(call, keyword)
    return isinstance(given, ast.Constant) and given.value is value


def names(node: ast.AST) -> set[str]:
    """All names that a node reads or writes."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def targets(statement: ast.AST) -> set[str]:
    """The plain names that an assignment gives a value."""
    given = statement.targets if isinstance(statement, ast.Assign) else []
    return {target.id for target in given if isinstance(target, ast.Name)}


def without_waiting(call: ast.Call) -> bool:
    """Whether a copy is asked not to wait."""
    return says(call, "non_blocking", True)


class Tree:
    """A script that was parsed.

    :raises SyntaxError: when it is no Python
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.root = ast.parse(source)
        nodes = [*ast.walk(self.root)]
        self.parents = {c: n for n in nodes for c in ast.iter_child_nodes(n)}
        self.assigned = [n for n in nodes if isinstance(n, ast.Assign)]
        self.loops = [n for n in nodes if isinstance(n, (ast.For, ast.While))]
        self.blocks = [n for n in nodes if isinstance(n, (ast.With, ast.AsyncWith))]

    @cached_property
    def uses_cuda(self) -> bool:
        """Whether it speaks of a GPU at all."""
        return bool(re.search(r"cuda|accelerator", self.source))

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node is in, from the inside, up to the function that it belongs to."""
        while (node := self.parents.get(node, self.root)) is not self.root:
            if isinstance(node, _FUNCTIONS):
                return
            yield node

    def step(self, node: ast.AST) -> Loop | None:
        """The loop of steps that runs a node each time.

        None for what a condition or an ``except`` guards, for a loop that has another one in it,
        such as that of epochs, and for one that neither trains nor evaluates.
        """
        part = node
        for each in self.above(node):
            if isinstance(each, (ast.If, ast.IfExp, ast.ExceptHandler)):
                return None
            if part in getattr(each, "orelse", ()):
                return None
            part = each
            if isinstance(each, (ast.For, ast.While)):
                inner = [n for n in ast.walk(each) if n in self.loops and n is not each]
                works = self.trains(each) or self.evaluates(each)
                return each if works and not inner else None
        return None

    def trains(self, loop: ast.AST) -> bool:
        """Whether a loop computes gradients, or takes steps of an optimizer."""
        steps = (name(call) for call in calls(loop, "step"))
        return bool(calls(loop, "backward")) or any(
            re.search(r"opt|scaler", each.lower()) for each in steps
        )

    def evaluates(self, loop: ast.AST) -> bool:
        """Whether a loop runs without gradients, by a block in it or around it."""
        quiet = ("no_grad", "inference_mode")
        near = [n for n in (*self.above(loop), *ast.walk(loop)) if n in self.blocks]
        return any(calls(item, *quiet) for block in near for item in block.items)  # type: ignore[attr-defined]

    def bodies(self) -> Iterator[list[ast.stmt]]:
        """Each list of statements that run one after the other."""
        for node in ast.walk(self.root):
            for part in ("body", "orelse", "finalbody"):
                body = getattr(node, part, None)
                if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                    yield body

    def scopes(self) -> Iterator[ast.AST]:
        """The module, and each function."""
        yield self.root
        yield from (n for n in ast.walk(self.root) if isinstance(n, _FUNCTIONS[:2]))

    def own(self, scope: ast.AST) -> list[ast.Call]:
        """The calls of a module or function that are not in another function, by line."""
        inner = {c for n in ast.walk(scope) if n is not scope and isinstance(n, _FUNCTIONS) for c in calls(n)}
        return [call for call in calls(scope) if call not in inner]

    def waits(self, node: ast.AST) -> bool:
        """Whether something within waits for the GPU, or a function of the script that does."""
        own = {f.name: f for f in ast.walk(self.root) if isinstance(f, ast.FunctionDef)}
        for call in calls(node):
            if WAITS.fullmatch(last(call)):
                return True
            function = own.get(name(call))
            if function and any(WAITS.fullmatch(last(c)) for c in calls(function)):
                return True
        return False

    def made_by(self, *functions: str) -> set[str]:
        """The names that are given what these functions or methods return."""
        made = [n for n in self.assigned if isinstance(n.value, ast.Call)]
        return {t for n in made if last(n.value) in functions for t in targets(n)}
