"""A build is red where a sentence says what no check shows, or a lead what no claim shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Site
from evidence.records.model import Plain, Table
from factories import timing

MEASURED = {
    "speedup": timing(4.9, 5.1),
    "slowdown": timing(1.9, 2.1),
    "waited": Plain(0),
    "tries": Plain(20),
}
CHECKS = """\
```{checks} copy
copies-are-faster:
  speedup: .speedup >= 3
kernels-do-not-wait:
  waited: .waited of .tries == 0
products-are-slower:
  slowdown: .slowdown >= 1.5
```"""
FASTER, WAITS = "Pinned copies are faster", "Kernels do not wait"
SLOWER = "Products are slower"
LEAD = "A *copy* moves bytes."


def warnings(folder: Path, lead: str, *said: str, is_red: bool = True) -> list[str]:
    ids = ("copies-are-faster", "kernels-do-not-wait", "products-are-slower")
    spans = [f"[{text}]{{#{name}}}." for text, name in zip(said, ids, strict=True)]
    site = Site(folder)
    path = site.page(*spans, CHECKS)
    path.write_text(path.read_text().replace("*The lead.*", lead))
    site.page("Elsewhere, kernels wait.", name="other", title="Kernels wait")
    site.script()
    site.record(measured=MEASURED)
    build = site.build(code=int(is_red))
    return [warning.partition("WARNING: ")[2] for warning in build.warnings if warning]


@pytest.mark.parametrize(
    "lead",
    [
        LEAD,
        "Pinned [copies are fast](#copies-are-faster). A *copy* moves bytes.",
        "Kernels [go on](other.md): they wait elsewhere.",
    ],
)
def test_a_lead_that_is_shown_is_green(tmp_path: Path, lead: str) -> None:
    assert [] == warnings(tmp_path, lead, FASTER, WAITS, SLOWER, is_red=False)


@pytest.mark.parametrize(
    ("lead", "start"),
    [
        ("Pinned copies are faster.", "Pinned copies are faster."),
        (f"{LEAD}\nCopies [win](#kernels-do-not-wait).", "Copies win."),
        (f"Move [all](other.md) bytes. {LEAD}", "Move all bytes."),
        ("Pageable copies are *never* slow.", "Pageable copies are never slow."),
        ("*Never* pin.", "Never pin."),
        (
            "Pinned [copies are fast](#copies-are-faster). Pinned copies win.",
            "Pinned copies win.",
        ),
        (
            f"[{SLOWER}](#products-are-slower). {LEAD} Slower products win.",
            "Slower products win.",
        ),
    ],
)
def test_a_lead_that_no_claim_shows_is_red(
    tmp_path: Path, lead: str, start: str
) -> None:
    assert [
        f"the lead says {start!r} …, and no claim shows it: link to one that shares 2 words "
        "with it [evidence.unchecked]"
    ] == warnings(tmp_path, lead, FASTER, WAITS, SLOWER)


def test_a_sentence_that_no_check_shows_is_red(tmp_path: Path) -> None:
    said = "Pinned copies are slower", "Kernels wait", "Products are faster"
    found = warnings(tmp_path, LEAD, *said)
    remedy = "mend the sentence, or say it in the label of the check that shows it"

    assert [
        f"claim {name!r} {what}: {remedy} [evidence.unchecked]"
        for name, what in (
            ("copies-are-faster", "says 'slower' of 'copies are faster'"),
            ("copies-are-faster", "says 'slower', but its checks show the opposite"),
            (
                "kernels-do-not-wait",
                "does not deny 'waited', which a check expects to be 0 or false",
            ),
            ("kernels-do-not-wait", "denies nothing, but its id denies 'wait'"),
            ("products-are-slower", "says 'faster' of 'products are slower'"),
            ("products-are-slower", "says 'faster', but its checks show the opposite"),
        )
    ] == found


SPAN = "[Kernels do not wait]{#kernels-do-not-wait}"
CALLED = "claim 'kernels-do-not-wait'"
UNDENIED = (
    f"{CALLED} in 'Kernels always wait' does not deny 'waited', which a check expects"
)
DENIED = (
    f"{CALLED} is denied by the words beside it: say so in its span [evidence.claim]"
)
#: A span, what its checks say besides, and what is wrong with it.
BESIDE = {
    "a title that hides another sentence": (
        SPAN.replace("do not", "always"),
        ":title: Kernels do not wait.",
        UNDENIED,
    ),
    "a title with a number": (
        SPAN,
        ":title: Kernels do not wait, and take 3 ms.",
        f"{CALLED} says '3 ms' in 'Kernels do not wait, and take 3 ms.', checked by nothing",
    ),
    "a label of the opposite": (
        SPAN,
        "slower: .speedup >= 3",
        f"{CALLED} has the label 'slower' for 'speedup'",
    ),
    "a label with a number": (
        SPAN,
        "kernels for each 9 MiB: .tries == 20",
        f"{CALLED} says '9 MiB' in 'kernels for each 9 MiB', checked by nothing",
    ),
    "a reference that says the opposite": (
        f"{SPAN}. [Kernels always wait]{{.row .kernels-do-not-wait}}",
        ":tried: views",
        UNDENIED,
    ),
    "a reference that says more": (
        f"{SPAN}. [Copies never fail]{{.row .copies-are-faster}}",
        ":tried: views",
        "in 'Copies never fail' says 'never', which its sentence does not",
    ),
    "a denial before it": (f"It is a myth that {SPAN}", ":tried: views", DENIED),
    "a denial behind it": (f"{SPAN} is not true", ":tried: views", DENIED),
}


@pytest.mark.parametrize(("span", "line", "message"), BESIDE.values(), ids=BESIDE)
def test_what_stands_beside_a_claim_says_no_other_thing(
    tmp_path: Path, span: str, line: str, message: str
) -> None:
    checks = CHECKS.replace(".tries == 0", f".tries == 0\n  {line}")
    others = (
        f"[{FASTER}]{{#copies-are-faster}}.",
        f"[{SLOWER}]{{#products-are-slower}}.",
    )
    site = Site(tmp_path)
    site.page(*others, f"{span}.", checks)
    site.script()
    site.record(measured=MEASURED)
    found = site.build(code=1).warnings
    assert [warning for warning in found if message in warning], found


def test_sentences_that_changed_places_are_red(tmp_path: Path) -> None:
    message = (
        "the sentences of 'copies-are-faster' and 'kernels-do-not-wait' fit each other's checks "
        "better than their own: exchange them, or write labels that tell them apart "
        "[evidence.unchecked]"
    )
    assert message in warnings(tmp_path, LEAD, WAITS, FASTER, SLOWER)


SIZES = """\
| Size | Calls |
|---|---|
| [{text}]{{#small-calls}} | return |

```{{checks}} copy
small-calls:
  small calls that return, of {size}: .by_size[size_bytes=4194304].calls == 1
  small calls by kind: .by_kind[kind=none].calls == 1
  :title: Small calls of {size} return.
```"""


def sized(folder: Path, text: str, size: str, code: int) -> list[str]:
    site = Site(folder)
    site.page(SIZES.format(text=text, size=size))
    site.script()
    by_size = {"size_bytes": Plain(4194304), "calls": Plain(1)}
    by_kind = {"kind": Plain("none"), "calls": Plain(1)}
    tables = {"by_size": Table((by_size,)), "by_kind": Table((by_kind,))}
    site.record(measured=tables)
    return site.build(code=code).warnings


def test_a_size_that_names_a_row_may_stand_in_a_title_and_a_label(
    tmp_path: Path,
) -> None:
    assert [] == sized(tmp_path, "none", "4 MiB", 0)


@pytest.mark.parametrize("size", ["64 MiB", "4 MiB and 2 GB/s", "4.4 MiB"])
def test_another_size_is_typed(tmp_path: Path, size: str) -> None:
    title, label = sized(tmp_path, "none", size, 1)

    assert f"in 'Small calls of {size} return.', checked by nothing" in title
    assert f"in 'small calls that return, of {size}', checked by nothing" in label


def test_a_row_of_one_word_that_is_no_key_says_what_its_sentence_says(
    tmp_path: Path,
) -> None:
    (warning,) = sized(tmp_path, "nothing", "4 MiB", 1)

    assert "in 'nothing' says 'nothing', which its sentence does not" in warning
