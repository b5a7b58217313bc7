"""The hazards of the site that a script's text shows, by the rules of ``findings.toml``.

A rule is about a statement as ``ast.unparse`` writes it: without comments, with single quotes, and
of a loop or a block the first line alone. The script is parsed, and never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from evidence.doctor.report import Outcome

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_PARTS = ("body", "handlers", "orelse", "finalbody", "cases")


def first_line(node: ast.AST) -> str:
    """A statement, or the first line of one that has a body."""
    return ast.unparse(node).partition("\n")[0]


@dataclass(frozen=True)
class Line:
    """A statement, and what it is in from the outside, each with the part of it."""

    node: ast.stmt
    around: tuple[tuple[ast.AST, str], ...] = ()

    @property
    def within(self) -> list[str]:
        """The first lines of what it is in."""
        return [first_line(node) for node, _ in self.around]

    @property
    def loop(self) -> str:
        """The loop that runs it each time, below what is around; empty where there is none."""
        for node, part in reversed(self.around):
            if isinstance(node, _LOOPS) and part == "body":
                return "\n".join([*self.within, ast.unparse(node)])
            if part != "body" or isinstance(node, (ast.If, ast.ExceptHandler)):
                return ""
        return ""

    def excludes(self, other: Line) -> bool:
        """Whether they are in two branches of a condition."""
        parts = dict(other.around)
        return any(
            parts.get(n, p) != p for n, p in self.around if isinstance(n, ast.If)
        )


def lines(body: Sequence[Any], around: tuple[Any, ...] = ()) -> Iterator[Line]:
    """The statements of a body in their order, without those of functions within."""
    for node in body:
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            if isinstance(node, ast.stmt):
                yield Line(node, around)
            for part in _PARTS:
                yield from lines(getattr(node, part, ()), (*around, (node, part)))


class _NoTexts(ast.NodeTransformer):
    """Takes out what is written in strings, which may be code, but for single words."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Keep ``"cuda:0"`` and numbers."""
        is_word = re.fullmatch(r"[\w:]*", str(node.value))
        return node if is_word else ast.Constant("")


def find(path: Path, rules: dict[str, Any]) -> Iterator[Outcome]:
    """The lines of a script at which each rule finds its mistake.

    :raises OSError: when it cannot be read
    :raises ValueError: when it is no text
    :raises SyntaxError: when it is no Python
    """
    source = path.read_text("utf-8")
    root = _NoTexts().visit(ast.parse(source))
    whole = ast.unparse(root)
    if not re.search("cuda|accelerator", source):
        return
    bodies = [root.body, *(n.body for n in ast.walk(root) if isinstance(n, _FUNCTIONS))]
    scopes = [[*lines(body)] for body in bodies]
    for name, rule in rules.items():
        numbers = set()
        fitting = "statement" in rule and fits(rule, "script", whole)
        for scope in scopes if fitting else ():
            texts = tuple(first_line(line.node) for line in scope)
            for index, text in enumerate(texts):
                for match in re.finditer(rule["statement"], text):
                    # "{0}" in a rule is the name that its pattern found.
                    own = next(filter(None, match.groups()), "")
                    if applies(rule, own, scope, texts, index):
                        numbers.add(scope[index].node.lineno)
        if numbers:
            yield name, {"lines": sorted(numbers)}


def fits(rule: dict[str, Any], place: str, text: str) -> bool:
    """Whether the text of a place has what a rule asks for there, and lacks the other."""
    has, lacks = rule.get(f"{place}_has", ""), rule.get(f"{place}_lacks", r"(?!)")
    return bool(re.search(has, text)) and not re.search(lacks, text)


@lru_cache
def places_of(pattern: str, texts: tuple[str, ...]) -> list[int]:
    """The indexes of the texts that have a pattern."""
    return [index for index, text in enumerate(texts) if re.search(pattern, text)]


def applies(
    rule: dict[str, Any],
    own: str,
    scope: list[Line],
    texts: tuple[str, ...],
    index: int,
) -> bool:
    """Whether what is around a statement is as its rule says."""
    rule = {k: v.replace("{0}", own) for k, v in rule.items() if isinstance(v, str)}
    line, after = scope[index], [-1]
    if "after" in rule:
        after = [n for n in places_of(rule["after"], texts) if n < index]
    both = zip(scope, texts, strict=True)
    places: dict[str, Callable[[], Iterable[str]]] = {
        "loop": lambda: [line.loop],
        "within": lambda: line.within,
        "above": lambda: texts[:index],
        "below": lambda: texts[index + 1 :],
        "beside": lambda: (text for other, text in both if not line.excludes(other)),
        "between": lambda: texts[after[-1] + 1 : index],
    }
    asked = {key.partition("_")[0] for key in rule} & places.keys() if after else ()
    fine = (fits(rule, place, "\n".join(places[place]())) for place in asked)
    return bool(after) and all(fine)
