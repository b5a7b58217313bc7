"""The constants of a script, read from its syntax tree: nothing that it says is run.

Known are numbers, texts, names of other constants, lists of these, and arithmetic within bounds.
All else, above all a call and an attribute, is no constant.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

#: A number has so many bits, a text or list so many entries, and a script so many parts of
#: constants: more costs a build its time and memory, and no example needs it.
MOST = 4096

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}


class _NoConstantError(Exception):
    """An expression whose text alone does not tell its value."""


def constant_results(source: str) -> dict[str, Any]:
    """The results whose value the text of a script gives, with that value.

    ``{"tries": TRIES, "bytes": 4 * FLOATS}`` gives both, where ``TRIES`` and ``FLOATS`` are
    constants, in capitals. What the script found in their place after all has another value in
    the record.

    :raises ValueError: when a constant would be too large; the message says where
    """
    reader = _Reader()
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign([ast.Name("measured")], ast.Dict(keys, expressions)):
                results = zip(keys, map(reader.read, expressions), strict=True)
                return {
                    str(key.value): value
                    for key, value in results
                    if isinstance(key, ast.Constant) and value is not None
                }
            case ast.Assign(targets, expression):
                capitals = [t for t in targets if ast.unparse(t).isupper()]
                value = reader.read(expression) if capitals else None
                for target in capitals:
                    reader.assign(target, value)
    return {}


class _Reader:
    """Reads the expressions of one script, and knows the constants so far."""

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {}
        self.parts = 0

    def read(self, expression: ast.expr) -> Any:
        """The value of an expression; None where its text alone does not tell."""
        try:
            return self.value(expression, self.constants)
        except _NoConstantError:
            return None

    def assign(self, target: ast.expr, value: Any) -> None:
        """Learn ``N = 3`` and ``ROWS, WIDTH = 4, 2**10``."""
        match target, value:
            case ast.Name(name), _:
                self.constants[name] = value
            case ast.Tuple(parts), tuple() | list() if len(parts) == len(value):
                for part, entry in zip(parts, value, strict=True):
                    self.assign(part, entry)

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """The value of an expression in which these names have values.

        :raises _NoConstantError: when its text alone does not tell
        """
        self.parts += 1
        if self.parts > MOST:
            raise ValueError(f"line {node.lineno}: more than {MOST:,} constants")
        match node:
            case ast.Constant(int() | float() | str() as value):
                return value
            case ast.Name(name) if names.get(name) is not None:
                return names[name]
            case ast.UnaryOp(ast.USub(), operand):
                return _calculate(ast.Sub, 0, self.value(operand, names), node.lineno)
            case ast.BinOp(left, operation, right):
                first, second = self.values([left, right], names)
                return _calculate(type(operation), first, second, node.lineno)
        return self.container(node, names)

    def container(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """A tuple, list or dict; an entry of one; a calculation for each entry of one."""
        match node:
            case ast.Tuple(parts):
                return tuple(self.values(parts, names))
            case ast.List(parts):
                return self.values(parts, names)
            case ast.Dict(keys, parts):
                labels = [key.value for key in keys if isinstance(key, ast.Constant)]
                if len(labels) == len(parts):
                    return dict(zip(labels, self.values(parts, names), strict=True))
            case ast.Subscript(container, ast.Constant(key)):
                with suppress(LookupError, TypeError):
                    return self.value(container, names)[key]
            case ast.ListComp(part, [ast.comprehension(ast.Name(name), container, [])]):
                with suppress(TypeError):
                    entries = iter(self.value(container, names))
                    return [self.value(part, {**names, name: e}) for e in entries]
        raise _NoConstantError

    def values(self, nodes: Iterable[ast.expr], names: Mapping[str, Any]) -> list[Any]:
        """The values of several expressions."""
        return [self.value(node, names) for node in nodes]


def _calculate(operation: type[ast.operator], left: Any, right: Any, line: int) -> Any:
    """The result of an operation on two constants.

    :raises _NoConstantError: when they do not have it
    :raises ValueError: when it would be too large
    """
    if _size(operation, left, right) > MOST:
        what = f"a constant has more than {MOST:,} bits or entries"
        raise ValueError(f"line {line}: {what}")
    with suppress(KeyError, TypeError, ArithmeticError):
        return _ARITHMETIC[operation](left, right)
    raise _NoConstantError


def _size(operation: type[ast.operator], left: Any, right: Any) -> int:
    """At most how many bits a result has, or how many entries."""
    match left, right:
        case int(), int() if operation is ast.Pow:
            return left.bit_length() * right
        case int(), int():
            return left.bit_length() + right.bit_length()
        case ((str() | tuple() | list()), int()):
            return len(left) * right
        case int(), (str() | tuple() | list()):
            return left * len(right)
        case ((str() | tuple() | list()), (str() | tuple() | list())):
            return len(left) + len(right)
    return 0
