"""The two claims of a hazard, and the code of each, cannot change places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import SCRIPT, claim, hazard
from evidence.site.reading.claims import Arm, exchanged
from factories import claim as made

if TYPE_CHECKING:
    from conftest import Site

CODE = """\
def read_at_once():
    return x.sum()


def read_after_waiting():
    event.wait()
    return x.sum()


measured = {}"""
BLOCK = """\
```{{literalinclude}} ../examples/memory/copy.py
:pyobject: {}
```"""
UNTOLD = (
    "nothing tells whether its code belongs to 'wrong' or to 'right': write a part of it as "
    "':shows:' of that claim"
)
PAIR = "a hazard is a {wrong} and a {right}, its ':control:'"


def shown(part: str, name: str = "right") -> str:
    return f"the code of {name!r} alone has to show {part!r}"


def arm(name: str, value: str, names: str = "", code: str = "x", **options: str) -> Arm:
    """A claim that checks a value, with code that was chosen by some names."""
    checking = made(value=f"copy.{value}", name=name, **options)
    return Arm(checking, code if names or options else "", names)


AT_ONCE = arm("wrong", "stale_at_once", "read_at_once")
AFTER = arm("right", "stale_after_event", "read_after_event")
ROW = arm("wrong", "ways[way=drops].wrong", "drop")
KEPT = arm("right", "ways[way=keeps].wrong", "keep")
#: Of the words in the names, two tell the claims apart, and three tell them the other way round.
MOSTLY = arm("wrong", "late_cold_pages", "late_cold_held_shut")
ASTRAY = arm("right", "held_shut_calls", "pages")


@pytest.mark.parametrize(
    ("message", "wrong", "right"),
    [
        ("", AT_ONCE, AFTER),
        ("", ROW, KEPT),
        ("", ROW, KEPT._replace(code="", names="")),
        ("", arm("wrong", "one"), arm("right", "two")),
        ("", arm("wrong", "one"), arm("right", "two", code="a.b()", shows="b()")),
        (UNTOLD, ROW._replace(names="keep"), KEPT._replace(names="drop")),
        (UNTOLD, arm("wrong", "one"), arm("right", "two", "second")),
        (UNTOLD, arm("wrong", "one", "first"), arm("right", "two")),
        ("", arm("wrong", "one", code="a.b()", shows="b()"), arm("right", "two")),
        (
            shown("b()", "wrong"),
            arm("wrong", "one", code="a", shows="b()"),
            arm("right", "two"),
        ),
        (UNTOLD, MOSTLY, ASTRAY),
        (UNTOLD, arm("wrong", "one", "first"), arm("right", "two", "second")),
        (UNTOLD, arm("wrong", "wait", "wait"), arm("right", "waiting", "waits")),
        (shown("b()"), arm("wrong", "one"), arm("right", "two", code="a", shows="b()")),
        (
            shown("b()"),
            arm("wrong", "one", "first", code="b()"),
            arm("right", "two", code="b()", shows="b()"),
        ),
    ],
)
def test_something_tells_which_code_is_whose(
    message: str, wrong: Arm, right: Arm
) -> None:
    assert [message] * bool(message) == [*exchanged(wrong, right)]


@pytest.mark.parametrize(("wide", "length"), [(False, 38), (True, 39)])
def test_code_is_wide_by_its_longest_line(*, wide: bool, length: int) -> None:
    code = f"x\n{'y' * length}\nz"
    assert wide is AT_ONCE._replace(code=code).is_wide


@pytest.mark.parametrize(("wrong", "right"), [(AT_ONCE, AFTER), (ROW, KEPT)])
def test_codes_that_change_places_are_noticed(wrong: Arm, right: Arm) -> None:
    first = wrong._replace(code=right.code, names=right.names)
    second = right._replace(code=wrong.code, names=wrong.names)
    assert [UNTOLD] == [*exchanged(first, second)]


@pytest.mark.parametrize(
    ("message", "first", "second", "options"),
    [
        ("", "read_at_once", "read_after_waiting", {"shows": "event.wait()"}),
        (UNTOLD, "read_at_once", "read_after_waiting", {}),
        (
            shown("event.wait()"),
            "read_after_waiting",
            "read_at_once",
            {"shows": "event.wait()"},
        ),
    ],
)
def test_the_build_names_a_hazard_whose_codes_may_change_places(
    message: str, first: str, second: str, options: dict[str, str], site: Site
) -> None:
    opening = BLOCK.replace(":pyobject: {}", ":start-at: import no\n:end-at: open(")
    site.script(code=SCRIPT.replace("measured = {}", CODE))
    site.record()
    codes = (BLOCK.format(code) for code in (first, second))
    page = site.page(claim(), opening.format(), hazard(*codes, **options))
    line = page.read_text().splitlines().index("::::{hazard}") + 1
    expected = f"docs/index.md:{line}: WARNING: {message} [evidence.claim]"

    assert [expected] * bool(message) == site.build(code=int(bool(message))).warnings


def test_a_hazard_has_a_control(site: Site) -> None:
    site.page(hazard(control="wrong").replace(":control: right", ":scope: any"))
    (said,) = site.build(code=1).warnings

    assert said == f"docs/index.md:5: WARNING: {PAIR} [evidence.claim]"
