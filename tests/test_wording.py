"""What a role prints: a value, words that a value chooses, a count of a total."""

from __future__ import annotations

import pytest
from evidence.judge.wording import (
    WordingError,
    addresses,
    check_sentence,
    contrary,
    wording,
)
from evidence.records.address import Address
from evidence.records.model import Plain, Table, Timing, Value
from factories import record, timing

MEASURED: dict[str, Value] = {
    "yes": Plain(True),
    "no": Plain(False),
    "speedup": timing(3.31, 3.33),
    "near_share": Timing((0.996,) * 6, iqr=(0.0,) * 6, n=(9,) * 6),
    "none": Plain(0),
    "pair": Plain(2),
    "runs": Plain(2),
    "some": Plain(7),
    "tries": Plain(20),
    "pages": Plain(2048),
    "held_bytes": Plain(2**21),
    "ways": Table(({"way": Plain("a"), "wrong": Plain(20)},)),
}
RECORDS = {"copy": record("copy", MEASURED)}


def said(text: str, before: str | None = "") -> str:
    words = wording(text, addresses(text, "copy"), RECORDS, str, before)
    return words.replace("\u202f", " ")


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("3.3×", ".speedup"),
        ("99.6 %", ".near_share"),
        ("2 MiB", "copy.held_bytes"),
        ("20", ".ways[way=a].wrong"),
        ("none of the 20", ".none of .tries"),
        ("7 of 20", ".some of copy.tries"),
        ("all 20", ".ways[way=a].wrong of .tries"),
        ("both", ".pair of .runs"),
        ("7 of 2,048", ".some of .pages"),
        ("is pinned", "is pinned | is not pinned <.yes>"),
        ("is not pinned", "is pinned | is not pinned <.no>"),
        ("cannot wait", "can wait | cannot wait <.no>"),
        ("still waits", "still waits | no longer waits <copy.yes>"),
        ("runs on", "true: waits | false: runs on <.no>"),
        ("waits", "false: runs on|true: waits<.yes>"),
    ],
)
def test_a_role_prints_a_value_or_words(expected: str, text: str) -> None:
    assert expected == said(text)


def test_a_table_shows_the_digits_that_the_interval_allows() -> None:
    assert "3.32×" == said(".speedup", None)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            "'is pinned' is not 'is not pinned' negated",
            "is not pinned | is pinned <.yes>",
        ),
        ("'runs on' is not 'waits' negated: write", "waits | runs on <.yes>"),
        ("'true: b' is not 'true: a' negated", "true: a | true: b <.yes>"),
        ("words are chosen by what is true or false", "is | is not <.some>"),
        ("words are chosen by what is true or false", "is | is not <.speedup>"),
        ("'false: waits' is not", "true: never waits | false: waits <.yes>"),
        ("a total is another value of the same example", ".some of .some"),
        ("'… of …' takes two counts, the smaller first", ".tries of .some"),
        ("'… of …' takes two counts, the smaller first", ".speedup of .tries"),
    ],
)
def test_words_that_do_not_fit_are_an_error(message: str, text: str) -> None:
    with pytest.raises(WordingError) as error:
        said(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            ".yes prints a bare yes or no: write {measured}`is … | is not … <.yes>`",
            ".yes",
        ),
        ("", ".some"),
        ("", ".held_bytes"),
        ("", ".some of .tries"),
        ("", "is | is not <.yes>"),
    ],
)
def test_a_sentence_prints_no_bare_yes_or_no(message: str, text: str) -> None:
    found: Address = addresses(text, "copy")[0]
    cell = RECORDS["copy"].cells[found.name]
    if not message:
        check_sentence(text, cell)
        return
    with pytest.raises(WordingError) as error:
        check_sentence(text, cell)
    assert message == str(error.value)


GAIN, COST = Address("copy", "speedup"), Address("copy", "step_slowdown")


@pytest.mark.parametrize(
    ("word", "value", "before", "after"),
    [
        ("", GAIN, "The pinned copy is ", " faster than any."),
        ("", GAIN, "It takes longer; a copy is ", " as fast, or slower."),
        ("", GAIN, "What was slower is faster by ", ""),
        ("", GAIN, "It is ", " as fast."),
        ("slower", GAIN, "The copy is ", " slower than any."),
        ("longer", GAIN, "It is faster, and takes longer (", ")."),
        ("as slow", GAIN, "It is ", " as slow."),
        ("as long", GAIN, "It takes ", " as long."),
        ("as fast", COST, "It is ", " as fast."),
        ("the time", GAIN, "It takes ", " the time of the other."),
        ("", COST, "It is ", " slower."),
        ("", COST, "It takes ", " as much time."),
        ("faster", COST, "It is faster (", ")."),
        ("the speed", COST, "It has ", " the speed of the other."),
        ("", Address("copy", "size_ratio"), "It is ", " slower."),
        ("", Address("copy", "copy_s"), "It is slower: ", " longer."),
    ],
)
def test_a_speedup_is_not_called_slower(
    word: str, value: Address, before: str, after: str
) -> None:
    assert word == contrary(value, before, after)


def test_words_that_contradict_the_name_of_a_value_are_an_error() -> None:
    with pytest.raises(WordingError) as error:
        wording(
            ".speedup",
            addresses(".speedup", "copy"),
            RECORDS,
            str,
            "It is ",
            " slower.",
        )
    assert ".speedup is called 'slower': write what its name says" == str(error.value)
