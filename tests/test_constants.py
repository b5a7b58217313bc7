"""The constants of a script are read from its text, of which nothing runs."""

from __future__ import annotations

import ast
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import evidence
import pytest
from evidence.examples.script import (
    Script,
    ScriptError,
    Settings,
    constant_results,
    read_script,
)
from evidence.records.address import Address
from evidence.records.model import Plain, Table, Value
from factories import library, record, timing
from scripts import write

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ({"tries": 20}, "TRIES = 20\nmeasured = {'tries': TRIES, 'wrong': count()}"),
        (
            {"size": 4096, "less": -1024},
            "A, B = 4, 2**10\nmeasured = {'size': A * B, 'less': -B}",
        ),
        ({"n": 4}, "N = 3\nM = N + 1\nmeasured = {'n': M}"),
        # Only of a number is it asked.
        ({}, "measured = {'kind': 'pinned', 'both': (1, 2), 'twice': 2 * 'a'}"),
        # What changes it later gives the record another value.
        ({"n": 3}, "N = 3\nN += 1\nmeasured = {'n': N}"),
        ({"n": 4}, "N = 3\nN = N + 1\nmeasured = {'n': N}"),
        # A name that is given what no text tells is no longer the constant that it was.
        ({"m": 5}, "N, M = 3, 5\nN = count()\nmeasured = {'n': N, 'm': M}"),
        ({}, "N = len(found)\nmeasured = {'n': N, 'm': len((1, 2))}"),
        ({}, "measured = {'n': N}\nN = 3"),
        ({}, "N, *rest = 3, 4\nmeasured = {'n': rest}"),
        ({}, "measured = {**found}"),
        ({}, "measured = dict(n=3)"),
        (
            {"n": 6, "r": 1.5},
            "N = 3\nmeasured = {'n': N * 8 // 4, 'r': 3 / 2, 'z': 1 / 0}",
        ),
        ({"n": -2}, "A = B = 2\nmeasured = {'n': -B, 'm': -'a', 'a': 'a' - 1}"),
        ({"n": 3}, "N = 3\nN, M = f()\nK, L = 1, 2, 3\nmeasured = {'n': N, 'k': K}"),
        (
            {"n": 3},
            "big = 9**9**9\nN, big = 3, 4\nN = 3\nmeasured = {'n': N, 'b': big}",
        ),
        ({"n": 0, "b": False}, "N = 0\nmeasured = {'n': N, 'b': False, 'z': None}"),
    ],
)
def test_constants_of_the_script_are_read(expected: dict[str, Any], code: str) -> None:
    assert expected == constant_results(code)


#: Scripts that would run something if reading them did. Each has one entry too many.
HOSTILE = [
    "().__class__.__base__.__subclasses__()[0]('x')",
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0]('id')",
    "''.join.__self__.__class__.__mro__[1].__subclasses__()",
    "__import__('os').system('true')",
    "__builtins__['print']('x')",
    "print('x')",
    "(lambda: print('x'))()",
    "lambda: print('x')",
    "f'{print(1)}'",
    "f'{N!r:{print(1)}}'",
    "[print(n) for n in (1, 2)]",
    "{print(n) for n in (1, 2)}",
    "{n: print(n) for n in (1, 2)}",
    "[*(print(n) for n in (1, 2))]",
    "[n for n in (1, 2) if print(n)]",
    "[n for n in print('x')]",
    "(M := print('x'))",
    "(*print('x'),)",
    "{**print('x')}",
    "{print('x'): 1}",
    "N[print('x')]",
    "N.real",
    "N.__class__",
    "__class__",
    "__name__",
    "1 if print('x') else 2",
    "print('x') or 1",
    "not print('x')",
    "1 < print('x')",
    "-print('x')",
    "1 + print('x')",
    "'%s' % print('x')",
    "'{0.__class__}'.format(1)",
    "1 @ print('x')",
    "(await print('x'))",
    "(yield print('x'))",
]
#: And statements that stand before what is measured.
HOSTILE_STATEMENTS = [
    "@print\ndef N(): pass",
    "@print\nclass N: X = print('x')",
    "def N(x=print('x')): pass",
    "import antigravity as N",
    "from os import system as N",
    "N: print('x') = 3",
    "for N in print('x'): pass",
    "with print('x') as N: pass",
    "assert print('x')",
    "N = __builtins__ = __import__('os').system('true')",
    "__BUILTINS__ = print\nN = __BUILTINS__('x')",
    "N.X = N[print('x')] = 3",
    "(N, *M) = print('x'), 3",
    "del N",
    "match print('x'):\n    case N: pass",
    "try: N = print('x')\nfinally: print('x')",
]


@pytest.fixture(scope="module")
def executed() -> Iterator[list[str]]:
    """What Python executed, imported or opened since the list was cleared."""
    events: list[str] = []
    is_over = threading.Event()

    def hear(event: str, _: tuple[object, ...]) -> None:
        told = event in ("exec", "import", "open", "os.system", "subprocess.Popen")
        if told and not is_over.is_set():
            events.append(event)

    sys.addaudithook(hear)  # for as long as this process lives
    yield events
    is_over.set()


@pytest.mark.parametrize(
    "code",
    [
        *(f"N = 3\nmeasured = {{'n': N, 'x': {expression}}}" for expression in HOSTILE),
        *(
            f"N = 3\nM = {expression}\nmeasured = {{'n': N, 'x': M}}"
            for expression in HOSTILE
        ),
        *(
            f"N = 3\n{code}\nmeasured = {{'n': 3, 'x': M}}"
            for code in HOSTILE_STATEMENTS
        ),
    ],
)
def test_nothing_runs_when_a_script_is_read(
    code: str, executed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    executed.clear()
    expected = {"n": 3}
    assert expected == constant_results(code)
    assert not executed
    assert not capsys.readouterr().out


@pytest.mark.parametrize("value", ["print('x')", "9**9**9", "[].__class__", "f'{1}'"])
def test_nothing_runs_when_settings_are_read(
    value: str, executed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = write(tmp_path, "copy", "print('x')\nmeasured = {'n': 1}").read_text()
    read_script(write(tmp_path, "warm", "1"))  # what reads scripts is loaded now
    path = tmp_path / "copy.py"
    path.write_text(text.replace("'timeout': 30", f"'timeout': {value}"))
    executed.clear()
    with pytest.raises(ScriptError, match="sphinx_gallery_evidence"):
        read_script(path)
    expected = {"open"}  # the script itself
    assert expected == set(executed)
    assert not capsys.readouterr().out


def test_nothing_else_in_the_engine_can_run_a_text() -> None:
    found: set[tuple[str, str]] = set()
    for path in sorted(Path(evidence.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name("exec" | "eval" | "__import__" as name)):
                    found.add((path.name, name))
                case ast.Import([ast.alias("runpy" | "code" | "pickle" as name)]):
                    found.add((path.name, name))
    # The process of an example, which no replay starts, and the doctor's, for the site's own
    # health check; what draws the figures of pages, and what keeps them below build/, for the next
    # build of the same checkout alone.
    expected = {("child.py", "exec"), ("pytorch.py", "exec")}
    expected |= {("plots.py", "runpy"), ("plots.py", "pickle")}
    assert expected == found


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("N = 9**9**9", id="a power of a power"),
        pytest.param("M = 2\nN = (M**1500) ** 7", id="a power of a large number"),
        pytest.param("N = 2**1500 * 2**1501 * 8**600", id="a product"),
        pytest.param("N = -(2**4095) - 2**4095", id="a sum"),
    ],
)
def test_what_would_be_too_large_is_not_calculated(code: str) -> None:
    expected = {"k": 7}
    assert expected == constant_results(f"{code}\nmeasured = {{'n': N, 'k': 7}}")


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("(" * 500 + ")" * 500, id="parentheses"),
        pytest.param("[" * 150 + "]" * 150, id="lists"),
        pytest.param("-" * 5000 + "1", id="signs"),
        pytest.param("1" + "+1" * 20000, id="a sum"),
        pytest.param("1" + "**1" * 20000, id="powers"),
        pytest.param("N" + "[0]" * 20000, id="entries"),
        pytest.param("9" * 5000, id="digits"),
    ],
)
def test_what_is_nested_deeply_ends_with_a_message_or_is_no_constant(
    expression: str, tmp_path: Path
) -> None:
    path = write(tmp_path, "copy", f"N = {expression}\nmeasured = {{'n': 1, 'm': N}}")
    try:
        constants = read_script(path).constants
    except ScriptError as error:
        assert str(error).startswith("copy.py cannot be read: ")
    else:
        expected = {"n": 1}
        assert {**constants, **expected} == constants


@pytest.mark.parametrize(
    ("found", "name", "typed", "measured"),
    [
        (False, "tries", 20, Plain(20)),
        (False, "held_bytes", 4096, Plain(4096)),
        (True, "tries", 20, Plain(19)),
        (True, "tries", None, Plain(20)),
        # Typed results are results all the same.
        (True, "same", True, Plain(True)),
        (True, "kind", "pinned", Plain("pinned")),
        (True, "speedup", 7.9, Plain(7.9)),
        (True, "copy_s", 1, timing(1, 1)),
    ],
)
def test_a_constant_is_a_count_or_size_that_the_record_has_too(
    found: bool, name: str, typed: Any, measured: Value
) -> None:
    known = library(record("copy", {name: measured}))
    copy = known.examples["copy"]
    script = Script(copy.path, (), Settings(), "0" * 64, {name: typed})
    known = replace(known, examples={"copy": replace(copy, script=script)})
    assert found is known.is_found(Address("copy", name))


def test_a_key_of_a_row_is_no_finding_although_no_text_gives_it() -> None:
    rows = ({"n": Plain(3), "calls": Plain(7)}, {"n": Plain(4), "calls": Plain(9)})
    known = library(record("copy", {"by_n": Table(rows)}))
    copy = known.examples["copy"]
    script = Script(copy.path, (), Settings(), "0" * 64, {})
    known = replace(known, examples={"copy": replace(copy, script=script)})
    found = {
        name: known.is_found(Address("copy", name))
        for name in known.records["copy"].cells
    }
    assert {
        "by_n[n=3].n": False,
        "by_n[n=3].calls": True,
        "by_n[n=4].n": False,
        "by_n[n=4].calls": True,
    } == found
