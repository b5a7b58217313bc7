"""Edges of claims, scopes, verdicts and keys that a mutation of the code would move."""

from __future__ import annotations

import pytest
from evidence.judge.claim import directives, make_claim, read_claims
from evidence.judge.scope import Scope
from evidence.judge.verdict import Judgement, Verdict, judge
from evidence.records.address import Address, AddressError, lookup
from evidence.records.code_key import strip_comments
from evidence.records.compare import Change, compare, spoken_change
from evidence.records.model import Cell, Plain, Raised, Table, Timing
from factories import builder, claim, record, timing

RECORDS = {
    "copy": record("copy", {"speedup": timing(4.8, 5.2), "waits": Plain(True)}),
    "paged": record("paged", {"speedup": timing(1, 1.1)}),
}

#: Two processes, not the ends of six.
TWO = Timing((2.0, 3.0), iqr=(0.0, 0.0), n=(9, 9))

NESTED = """\
Text.

::::{note}
:class: wide
:name: here

:::{claim} inner
:value: copy.speedup
:expect: true

Inner.
:::
::::

```{claim} outer
:value: copy.speedup
:expect: true
Outer.
```
"""


def test_a_claim_within_another_directive_has_its_own_line() -> None:
    lines = NESTED.splitlines()
    expected = [
        lines.index(":::{claim} inner") + 1,
        lines.index("```{claim} outer") + 1,
    ]
    assert expected == [claim.line for claim in read_claims(NESTED, "page.md")]


def test_an_inner_directive_is_found_with_its_options() -> None:
    found = [(name, line) for name, _, _, _, line in directives(NESTED)]
    assert [("note", 3), ("claim", 7), ("claim", 15)] == found


def test_a_text_that_begins_elsewhere_counts_its_lines_from_there() -> None:
    assert [12, 16, 24] == [found[-1] for found in directives(NESTED, 10)]


def test_an_option_that_is_not_given_is_empty() -> None:
    made = make_claim("a", {"value": "a.b", "expect": "true"}, "S.", "page.md", 1)
    expected = ("any", "", (), (), "")
    assert expected == (
        made.scope.text,
        made.documented,
        made.seed,
        made.contradicts,
        made.control,
    )


@pytest.mark.parametrize("changes", [{"capability": ""}, {"capability": "unknown"}])
def test_a_version_that_is_not_known_is_older_than_any(changes: dict[str, str]) -> None:
    assert not Scope.parse("sm_01+").holds_on(builder(**changes))
    assert Scope.parse("sm_00+").holds_on(builder(**changes))


def test_a_builder_without_torch_is_older_than_any_torch() -> None:
    assert Scope.parse("torch<0.1").holds_on(builder(torch=""))
    assert not Scope.parse("torch<0.0").holds_on(builder(torch=""))


@pytest.mark.parametrize(
    ("verdict", "scope", "stale"),
    [(Verdict.OUT_OF_SCOPE, "gpus>=8", ()), (Verdict.STALE, "any", ("copy",))],
)
def test_a_claim_that_is_not_judged_keeps_its_evidence(
    verdict: Verdict, scope: str, stale: tuple[str, ...]
) -> None:
    given = claim(">= 3", scope=scope)
    expected = Judgement(given, verdict, timing(4.8, 5.2), RECORDS["copy"])
    assert expected == judge(given, RECORDS, stale)


def test_a_bound_in_a_table_is_found_by_the_stem_of_its_record() -> None:
    # Its address has two dots.
    swept = Table(({"size": Plain(1), "speedup": timing(1, 1.1)},))
    records = {**RECORDS, "paged": record("paged", {"sweep": swept})}
    given = claim("> paged.sweep[size=1].speedup")
    assert Verdict.HOLDS is judge(given, records).verdict
    assert Verdict.STALE is judge(given, records, {"paged"}).verdict


def test_a_claim_may_compare_with_a_value_of_its_own_record() -> None:
    # Then the records are those of the claim, and no other.
    given = claim("<= copy.limit")
    own = {"copy": record("copy", {"speedup": timing(2, 3), "limit": Plain(5)})}
    assert Verdict.HOLDS is judge(given, own).verdict


@pytest.mark.parametrize(
    ("margin", "expect", "cell"),
    [
        # The value of a timing is its median, not an end of its interval.
        ("weak", ">= 4", timing(*[7] + [10] * 4 + [11])),
        ("", ">= 4", timing(*[5] + [7] * 4 + [11])),
        # 2 % wide is not narrow, a little less is.
        ("tight", ">= 45", timing(49.5, 50.5)),
        ("", ">= 45", timing(49.6, 50.5)),
        # The low end of this wide timing would make it narrow.
        ("", "<= 20", timing(*[0.1] + [10] * 4 + [11])),
        # A bound or a value of no sign has no factor, small ones have.
        ("", "<= 0", Plain(-3)),
        ("", "<= 5", Plain(0)),
        ("", "<= 5", Plain(-1)),
        ("tight", "<= 0.6", Plain(0.58)),
        ("weak", "<= 0.9", Plain(0.1)),
        ("weak", ">= 0.1", Plain(0.9)),
        ("tight", ">= 0.5", Plain(0.51)),
        # A factor of 2 is not weak.
        ("", "<= 10", Plain(5)),
    ],
)
def test_a_margin_at_its_edges(margin: str, expect: str, cell: Cell) -> None:
    judgement = judge(claim(expect), {"copy": record("copy", {"speedup": cell})})
    assert (Verdict.HOLDS, margin) == (judgement.verdict, judgement.margin)


@pytest.mark.parametrize(
    ("hint", "address"),
    [
        ("; did you mean copy.speed_4 or copy.speed_3 or copy.speed_2?", "copy.speed_"),
        ("", "copy.zzzzzzzzzzzzzzzz"),
        ("; did you mean copy?", "copacab.speedup"),
        ("", "zzzzzz.speedup"),
    ],
)
def test_at_most_three_addresses_that_come_near_are_shown(
    hint: str, address: str
) -> None:
    known = {"copy": record("copy", {f"speed_{n}": Plain(n) for n in range(1, 5)})}
    shown = address if address.startswith("copy.") else address.partition(".")[0]
    with pytest.raises(AddressError) as error:
        lookup(Address.of(address), known)
    assert f"nothing was measured as {shown!r}{hint}" == str(error.value)


def test_only_spaces_at_the_end_of_a_line_of_code_are_stripped() -> None:
    expected = 'x = """a  \n  b """\ny = "XX"'
    assert expected == strip_comments('x = """a  \n  b """   \n\ny = "XX"  # c\n')


def test_a_line_of_a_string_keeps_what_it_holds() -> None:
    expected = 'x = """aX\nX"""'
    assert expected == strip_comments('x = """aX\nX"""\n')


def test_what_was_added_stands_before_what_was_removed() -> None:
    old = {"copy": record("copy", {"gone": Plain(1), "kept": Plain(1)})}
    new = {"copy": record("copy", {"here": Plain(1), "kept": Plain(2)})}
    expected = ["copy.kept", "copy.here", "copy.gone"]
    assert expected == [change.address for change in compare(old, new)]


@pytest.mark.parametrize(
    ("expected", "old", "new"),
    [
        (("10", "11", "+10 %"), Plain(10), Plain(11)),
        (("1,000", "1,099", "+9.9 %"), Plain(1000), Plain(1099)),
        (("10,000", "10,105", "+1.1 %"), Plain(10_000), Plain(10_105)),
        (("1000", "1000.5", "+0.05 %"), Plain(1000), Plain(1000.5)),
        (("2.5 (2.0–3.0)", "5.000", "+100 %"), TWO, timing(5.0)),
        (("'a b'", "'a  b'", ""), Raised("E", "a b"), Raised("E", "a  b")),
    ],
)
def test_a_change_is_told_at_its_edges(
    expected: tuple[str, str, str], old: Cell, new: Cell
) -> None:
    assert expected == spoken_change(Change("copy.calls", old, new))


def test_lines_before_a_string_of_several_lines_are_stripped() -> None:
    expected = 'x = 1\ny = f"""a\n\n{x}"""'
    assert expected == strip_comments('x = 1   \n\ny = f"""a\n\n{x}"""\n')
