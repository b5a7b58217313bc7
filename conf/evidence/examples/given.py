"""What an example was given and did not find: its own constants, kept beside its results."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

#: What a constant may be made of, beside names of other constants.
_PARTS = (
    *(ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def given(source: str) -> frozenset[str]:
    """The names in ``measured`` whose value the text of a script alone decides.

    ``{"tries": TRIES, "bytes": 4 * FLOATS}`` gives both, where ``TRIES`` and ``FLOATS`` are
    assigned once, and from constants.
    """
    tree = ast.parse(source)
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    stored = Counter(name.id for name in names if isinstance(name.ctx, ast.Store))
    constants: set[str] = set()
    kept: set[str] = set()
    for name, value in _assigned(tree):
        if name == "measured" and isinstance(value, ast.Dict):
            kept = set(_constant_items(value, constants))
        elif stored[name] == 1 and _is_constant(value, constants):
            constants.add(name)
    return frozenset(kept)


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


def _constant_items(measured: ast.Dict, constants: set[str]) -> Iterator[str]:
    for key, value in zip(measured.keys, measured.values, strict=True):
        if isinstance(key, ast.Constant) and _is_constant(value, constants):
            yield str(key.value)


def _is_constant(value: ast.expr, constants: set[str]) -> bool:
    return all(
        isinstance(node, _PARTS)
        or (isinstance(node, ast.Name) and node.id in constants)
        for node in ast.walk(value)
    )
