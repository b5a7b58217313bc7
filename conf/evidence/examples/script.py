"""An example as sphinx-gallery reads it: its code cells and its evidence settings."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from sphinx_gallery.py_source_parser import split_code_and_text_blocks

from evidence.records.code_key import code_key, has_statement

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: Examples are the Python files whose name does not begin with an underscore.
EXAMPLE = re.compile(r"(?!_)\w+\.py")


class ScriptError(ValueError):
    """An example that cannot be measured as it is written."""


@dataclass(frozen=True)
class Settings:
    """What ``# sphinx_gallery_evidence = {...}`` may say.

    ``gpus`` it needs; ``processes`` to run in, where the default plan will not do; ``timeout`` of
    one process in seconds; ``fresh``: a new interpreter, for variables that torch reads when it is
    loaded; ``expected_warnings``: regular expressions of warnings that are no error.
    """

    gpus: int = 1
    processes: int = 0
    timeout: float = 120.0
    fresh: bool = False
    expected_warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class CodeCell:
    """A code cell that holds a statement, and the line of the file where it begins."""

    source: str
    line: int


@dataclass(frozen=True)
class Script:
    """An example: where it stands, what it runs and how."""

    path: Path
    cells: tuple[CodeCell, ...]
    settings: Settings
    code_key: str

    @property
    def stem(self) -> str:
        """The name by which pages and records call the example."""
        return self.path.stem


def read_script(path: Path) -> Script:
    """Read an example.

    :raises ScriptError: when it is not Python, has no docstring, or a setting is wrong
    """
    try:
        ast.parse(path.read_bytes(), path.name)
        configuration, blocks = split_code_and_text_blocks(str(path))
        raw = configuration.get("evidence", {})
        code = [
            (block.content, block.lineno) for block in blocks if block.type == "code"
        ]
        cells = tuple(CodeCell(*cell) for cell in code if has_statement(cell[0]))
        key = code_key((cell.source for cell in cells), raw)
    except (
        Exception
    ) as error:  # sphinx-gallery raises its own, Python SyntaxError and ValueError
        raise ScriptError(f"{path.name} cannot be read: {error}") from None
    return Script(path, cells, read_settings(raw, path.name), key)


def read_settings(raw: Mapping[str, Any], name: str) -> Settings:
    """Check the settings of one example.

    :raises ScriptError: when one is unknown or of the wrong type
    """
    if not isinstance(raw, dict):
        raise ScriptError(f"{name}: the settings are a dict, not {raw!r}")
    known = {field.name: field.default for field in fields(Settings)}
    for setting, value in raw.items():
        if setting not in known:
            raise ScriptError(
                f"{name}: unknown setting {setting!r} (known: {', '.join(known)})"
            )
        like = known[setting]
        wanted = (list, tuple) if isinstance(like, tuple) else (int, type(like))
        if not isinstance(value, wanted) or isinstance(value, bool) is not isinstance(
            like, bool
        ):
            raise ScriptError(f"{name}: setting {setting!r} cannot be {value!r}")
        if not _in_range(setting, value):
            raise ScriptError(f"{name}: setting {setting!r} cannot be {value!r}")
    listed: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in raw.items()
    }
    return Settings(**listed)


def _in_range(setting: str, value: Any) -> bool:
    if setting == "expected_warnings":
        return all(isinstance(pattern, str) and _compiles(pattern) for pattern in value)
    return bool(value > 0 if setting == "timeout" else value >= 0)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def find_scripts(folder: Path) -> list[Path]:
    """Every example below a folder, sorted by path.

    :raises ScriptError: when two have the same stem
    """
    paths = sorted(
        path for path in folder.rglob("*.py") if EXAMPLE.fullmatch(path.name)
    )
    seen: dict[str, Path] = {}
    for path in paths:
        if path.stem in seen:
            first = seen[path.stem].relative_to(folder).as_posix()
            second = path.relative_to(folder).as_posix()
            raise ScriptError(
                f"two examples have the stem {path.stem!r}: {first} and {second}"
            )
        seen[path.stem] = path
    return paths
