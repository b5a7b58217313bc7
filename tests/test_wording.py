"""What a role prints: a value, words that a value chooses, a count of a total."""

from __future__ import annotations

import pytest
from evidence.judge.choices import WordingError
from evidence.judge.wording import addresses, check_sentence, expected_words, wording
from evidence.records.address import Address
from evidence.records.model import Plain, Table, Timing, Value
from factories import claim, record, timing

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
    "extra_bytes": Plain(7_860_224),
    "one": Plain(1),
    "many": Plain(2048),
    "types": Plain("float32 float32"),
    "mixed": Plain("float64 torch.float16"),
    "devices": Plain("cuda:1 cuda:1 cuda:0"),
    "strides": Plain("(1, 256)"),
    "ways": Table(({"way": Plain("a"), "wrong": Plain(20)},)),
}
RECORDS = {"copy": record("copy", MEASURED)}


NEVER = "is always wrong | is wrong in # of # tries | is never wrong"
STEPS = "no step | one step | # steps"


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
        ("等待", "true: 等待 | false: 不等待 <.yes>"),
        ("不等待", "true: 等待 | false: 不等待 <.no>"),
        ("是无穷大", "true: 是无穷大 | false: 有限 <.yes>"),
        ("在 7/20 次中出错", "总是出错 | 在 #/# 次中出错 | 从不出错 <.some of .tries>"),
        ("从不出错", "总是出错 | 在 #/# 次中出错 | 从不出错 <.none of .tries>"),
        ("没有步", "没有步 | 一步 | # 步 <.none>"),
        ("waits", "false: runs on|true: waits<.yes>"),
        ("is always wrong", f"{NEVER} <.ways[way=a].wrong of .tries>"),
        ("is wrong in 7 of 20 tries", f"{NEVER} <.some of .tries>"),
        ("is wrong in 20 of 2,048 tries", f"{NEVER}<copy.tries of copy.pages>"),
        ("is never wrong", f"{NEVER} <.none of .tries>"),
        (
            "cannot wait",
            "cannot wait | does not wait in # of # | can wait <.pair of .runs>",
        ),
        ("no step", f"{STEPS} <.none>"),
        ("one step", f"{STEPS} <.one>"),
        ("2,048 steps", f"{STEPS}<copy.many>"),
        ("20 Schritte", "kein Schritt | ein Schritt | # Schritte <.ways[way=a].wrong>"),
        ("7.50 MiB", ".extra_bytes"),
        ("FP32", ".types"),
        ("FP64 and FP16", ".mixed"),
        ("cuda:1, cuda:1 and cuda:0", ".devices"),
        ("(1, 256)", ".strides"),
    ],
)
def test_a_role_prints_a_value_or_words(expected: str, text: str) -> None:
    assert expected == said(text)


def test_a_table_shows_the_digits_that_the_interval_allows() -> None:
    assert "3.32×" == said(".speedup", None)


def test_a_table_has_words_as_well_and_every_item_of_a_list() -> None:
    texts = (f"{STEPS} <.one>", f"{NEVER} <.none of .tries>", ".types")
    said_in_a_table = [said(text, None) for text in texts]
    assert ["one step", "is never wrong", "FP32, FP32"] == said_in_a_table


def test_an_expected_list_is_written_as_the_measured_one() -> None:
    (check,) = claim('== "float32 float32"', "copy.types").checks
    assert "FP32, FP32" == expected_words(check, RECORDS, str)


OF_TOTAL = "'… always … | … # of # … | … never … <.count of .total>'"
THREE = f"a count of a total has three wordings: write {OF_TOTAL}"
PLURAL = "'no … | one … | # … <.count>'"
COUNTED = f"a count has three wordings: write {PLURAL}, or of a total {OF_TOTAL}"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (THREE, "is wrong | is not wrong <.some of .tries>"),
        (THREE, "always | at times | never <.some of .tries>"),
        (THREE, "always | in # tries | never <.some of .tries>"),
        (THREE, "in all # | in # of # | in none <.some of .tries>"),
        (THREE, "always | in # of # | seldom | never <.some of .tries>"),
        (
            f"'in # of #' does not count what 'never' says: write {OF_TOTAL}",
            "never | in # of # | always <.some of .tries>",
        ),
        (
            f"'not in # of #' does not count what 'always' says: write {OF_TOTAL}",
            "always | not in # of # | never <.some of .tries>",
        ),
        (
            f"'in # of #' does not count what 'always' says: write {OF_TOTAL}",
            "always | in # of # | always <.some of .tries>",
        ),
        ("in a total of 1 nothing is so always, or never", f"{NEVER} <.none of .one>"),
        ("a total is another value of the same example", f"{NEVER} <.some of .some>"),
        ("'… of …' takes two counts, the smaller first", f"{NEVER} <.tries of .some>"),
        ("'… of …' takes two counts, the smaller first", f"{NEVER} <.yes of .tries>"),
        ("'… of …' takes two counts, the smaller first", ".yes of .tries"),
        ("one of the wordings is empty", " | one step | # steps <.none>"),
        (COUNTED, "is | is not <.some>"),
        (COUNTED, "no step | one step | steps <.some>"),
        (COUNTED, "no step | # step | # steps <.one>"),
        (
            f"'one step' is said of 0: write {PLURAL}",
            "one step | no step | # steps <.one>",
        ),
        (
            "words are chosen by what is true or false, or by a count",
            "no byte | one byte | # bytes <.held_bytes>",
        ),
        (
            "words are chosen by what is true or false, or by a count",
            f"{STEPS} <.yes>",
        ),
    ],
)
def test_a_count_chooses_of_three_wordings_that_fit_it(message: str, text: str) -> None:
    with pytest.raises(WordingError) as error:
        said(text)
    assert message == str(error.value)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            "'is pinned' is not 'is not pinned' negated",
            "is not pinned | is pinned <.yes>",
        ),
        ("'runs on' is not 'waits' negated: write", "waits | runs on <.yes>"),
        ("'true: b' is not 'true: a' negated", "true: a | true: b <.yes>"),
        ("a count has three wordings: write", "is | is not <.some>"),
        ("words are chosen by what is true or false", "is | is not <.speedup>"),
        ("'false: 等待' is not", "true: 不等待 | false: 等待 <.yes>"),
        ("'不等待' is not '等待' negated", "等待 | 不等待 <.yes>"),
        (
            "'在 # 次中的 # 次出错' has the total before",
            "总是出错 | 在 # 次中的 # 次出错 | 从不出错 <.some of .tries>",
        ),
        (
            "'在 #/# 次中出错' does not count",
            "从不出错 | 在 #/# 次中出错 | 总是出错 <.some of .tries>",
        ),
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
