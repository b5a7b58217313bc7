"""An example as sphinx-gallery reads it: its code cells, its settings, its constants.

Nothing of a script runs while it is read: its settings and constants come from its syntax tree.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from evidence.records.code_key import code_key, has_statement

#: The comments to sphinx-gallery that an example may have, and the pattern of all.
OURS, QUIET = "sphinx_gallery_evidence", "sphinx_gallery_quiet"
_COMMENT = re.compile(r"^[ \t]*#\s*(sphinx_gallery_\w+)", re.MULTILINE)

#: A constant has so many bits: to calculate a larger one costs a build its time.
MOST_BITS = 4096
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}


class ScriptError(ValueError):
    """An example that cannot be measured as it is written."""


class PageError(ScriptError):
    """An example that cannot even be shown as it is written."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What ``# sphinx_gallery_evidence = {...}`` and ``# sphinx_gallery_quiet = "..."`` may say.

    ``gpus`` it needs, and gets, or with ``all_gpus`` all there are; ``processes`` to run in, where
    the default plan will not do; ``timeout`` of one process in seconds; ``fresh``: a new
    interpreter, for variables that torch reads when it is loaded; ``expected_warnings``: regular
    expressions of warnings that are no error. ``quiet`` is what no other example may use meanwhile:
    its ``gpu``; the ``host`` as well, of which it measures memory, threads or processes, next to
    examples that measure GPUs alone; the whole ``machine``; or ``nothing``, where no result can
    tell of others on its GPUs.
    """

    gpus: Annotated[int, Meta(ge=0)] = 1
    processes: Annotated[int, Meta(ge=0)] = 0
    timeout: Annotated[float, Meta(gt=0)] = 120.0
    fresh: bool = False
    expected_warnings: tuple[str, ...] = ()
    all_gpus: bool = False
    # The last: it has a comment of its own.
    quiet: Literal["nothing", "gpu", "host", "machine"] = "gpu"

    def __post_init__(self) -> None:
        for pattern in self.expected_warnings:
            re.compile(pattern)

    def takes(self, there: int) -> int:
        """How many of the GPUs that are there it occupies: one at least, whose cores it uses."""
        whole = self.quiet == "machine" or self.all_gpus
        return there if whole else min(there, max(1, self.gpus))


@dataclass(frozen=True)
class ScriptCell:
    """A code cell that holds a statement, and the line of the file where it begins."""

    source: str
    line: int


@dataclass(frozen=True)
class Script:
    """An example: where it stands, what it runs and how.

    ``constants`` are those of its results that are none, but typed in its text.
    """

    path: Path
    cells: tuple[ScriptCell, ...]
    settings: Settings
    code_key: str
    constants: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def stem(self) -> str:
        """The name by which pages and records call the example."""
        return self.path.stem


def read_script(path: Path) -> Script:
    """Read an example.

    :raises PageError: when it is not text, or has no docstring
    :raises ScriptError: when it is not Python, has no code, or a setting is wrong
    """
    try:
        return _read(path, path.read_text(encoding="utf-8"))
    except ScriptError:
        raise
    except UnicodeDecodeError as error:
        raise PageError(f"{path.name} is not UTF-8: {error}") from None
    except Exception as error:  # sphinx-gallery's own, SyntaxError, ValueError
        raise ScriptError(f"{path.name} cannot be read: {error}") from None


def read_scripts(paths: Iterable[Path]) -> tuple[list[Script], list[str]]:
    """Read several examples; gives those that can be measured, and why the others cannot."""
    scripts, problems = [], []
    for path in paths:
        try:
            scripts.append(read_script(path))
        except ScriptError as error:
            problems.append(str(error))
    return scripts, problems


def _read(path: Path, source: str) -> Script:
    if not ast.get_docstring(ast.parse(source, path.name)):
        raise PageError(f"{path.name} has no docstring, which holds its title")
    # Not above: a process that runs an example is handed a script, and needs no parser.
    from sphinx_gallery.py_source_parser import split_code_and_text_blocks

    configuration, blocks = split_code_and_text_blocks(str(path))
    code = (ScriptCell(b.content, b.lineno) for b in blocks if b.type == "code")
    cells = tuple(cell for cell in code if has_statement(cell.source))
    if not cells:
        raise ScriptError(f"{path.name} has no code, and so nothing to measure")
    comments = set(_COMMENT.findall(source))
    # What is no Python value is left out of the configuration.
    raw = configuration.get("evidence", "nothing" if OURS in comments else {})
    settings = _settings(raw, comments, path.name)
    if "quiet" in raw:
        raise ScriptError(f'{path.name}: write # {QUIET} = "{raw["quiet"]}"')
    if QUIET in comments:
        # Not in the code key: what runs meanwhile changes no example.
        quiet = {"quiet": configuration.get("quiet")}
        settings = _settings({**raw, **quiet}, comments, path.name)
    key = code_key((cell.source for cell in cells), raw)
    return Script(path, cells, settings, key, constant_results(source))


def _settings(raw: Any, comments: set[str], name: str) -> Settings:
    """Check the settings of one example, and that it has no comments but ours."""
    if unknown := comments - {OURS, QUIET}:
        raise ScriptError(f"{name}: {min(unknown)} is unknown here; write {OURS}")
    try:
        return msgspec.convert(raw, Settings)
    except (msgspec.ValidationError, re.error) as error:
        names = ", ".join(Settings.__struct_fields__[:-1])
        raise ScriptError(f"{name}: {OURS}: {error}; known are {names}") from None


def find_scripts(folder: Path) -> list[Path]:
    """Every example below a folder, sorted by path: what does not begin with an underscore.

    :raises PageError: when the name of one is no identifier, or two have the same
    """
    paths = sorted(folder.rglob("[!_]*.py"))
    seen: dict[str, str] = {}
    for path in paths:
        place = path.relative_to(folder).as_posix()
        if not path.stem.isidentifier():
            raise PageError(f"{place}: its name, which pages cite, is no identifier")
        if path.stem in seen:
            both = f"{seen[path.stem]} and {place}"
            raise PageError(f"two examples have the stem {path.stem!r}: {both}")
        seen[path.stem] = place
    return paths


def constant_results(source: str) -> dict[str, Any]:
    """The results whose value the text of a script gives, with that value.

    ``{"tries": TRIES, "bytes": 4 * FLOATS}`` gives both, where ``TRIES`` and ``FLOATS`` are
    numbers, in capitals. What the script found in their place after all has another value in the
    record. Known are numbers, names of them, and arithmetic: all else, above all a call and an
    attribute, is no constant, nor is what would be very large.
    """
    constants: dict[str, Any] = {}
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign([ast.Name("measured")], ast.Dict(keys, expressions)):
                results = {}
                for key, expression in zip(keys, expressions, strict=True):
                    number = _number(expression, constants)
                    if isinstance(key, ast.Constant) and number is not None:
                        results[str(key.value)] = number
                return results
            case ast.Assign(targets, expression):
                for target in targets:
                    _learn(target, expression, constants)
    return {}


def _learn(target: ast.expr, expression: ast.expr, constants: dict[str, Any]) -> None:
    """Learn ``N = 3`` and ``ROWS, WIDTH = 4, 2**10``."""
    match target, expression:
        case ast.Name(name), _ if name.isupper():
            constants[name] = _number(expression, constants)
        case ast.Tuple(targets), ast.Tuple(parts) if len(targets) == len(parts):
            for each, part in zip(targets, parts, strict=True):
                _learn(each, part, constants)


def _number(node: ast.expr, constants: Mapping[str, Any]) -> Any:
    """The number that an expression gives; None where its text alone does not tell it."""
    match node:
        case ast.Constant(int() | float() as number):
            return number
        case ast.Name(name):
            return constants.get(name)
        case ast.UnaryOp(ast.USub(), operand):
            zero = ast.Constant(0)
            return _number(ast.BinOp(zero, ast.Sub(), operand), constants)
        case ast.BinOp(left, operation, right):
            numbers = _number(left, constants), _number(right, constants)
            if _bits(operation, *numbers) <= MOST_BITS:
                with suppress(KeyError, TypeError, ArithmeticError):
                    return _ARITHMETIC[type(operation)](*numbers)
    return None


def _bits(operation: ast.operator, left: Any, right: Any) -> int:
    """At most how many bits a result has; of a float it is not asked."""
    if not (isinstance(left, int) and isinstance(right, int)):
        return 0
    if isinstance(operation, ast.Pow):
        return left.bit_length() * right
    return left.bit_length() + right.bit_length()
