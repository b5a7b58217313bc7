"""What an example was given and did not find: its own constants, kept beside its results."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

#: What a constant may be made of, beside names of other constants.
_PARTS = (
    *(ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def given(source: str) -> dict[str, Any]:
    """The results whose value the text of a script gives, with that value.

    ``{"tries": TRIES, "bytes": 4 * FLOATS}`` gives both, where ``TRIES`` and ``FLOATS`` are
    constants. What the script found in their place after all has another value in the record.
    """
    constants: dict[str, Any] = {}
    for name, value in _assigned(ast.parse(source)):
        if name == "measured" and isinstance(value, ast.Dict):
            return dict(_items(value, constants))
        if _is_constant(value, constants):
            constants[name] = _value(value, constants)
    return {}


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """What is assigned at the top of a module, name by name."""
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], value):
                yield name, value
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)):
                for target, value in zip(names, values, strict=False):
                    if isinstance(target, ast.Name):
                        yield target.id, value


def _items(
    measured: ast.Dict, constants: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for key, value in zip(measured.keys, measured.values, strict=True):
        if isinstance(key, ast.Constant) and _is_constant(value, constants):
            yield str(key.value), _value(value, constants)


def _is_constant(value: ast.expr, constants: Mapping[str, Any]) -> bool:
    return all(
        isinstance(node, _PARTS)
        or (isinstance(node, ast.Name) and node.id in constants)
        for node in ast.walk(value)
    )


def _value(value: ast.expr, constants: Mapping[str, Any]) -> Any:
    """A constant, computed: it is made of numbers, texts and arithmetic alone."""
    code = compile(ast.Expression(value), "constant", "eval")
    return eval(code, {"__builtins__": {}}, dict(constants))
