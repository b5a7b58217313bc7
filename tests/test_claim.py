"""Claims are read from the text of a page, with the lines where they stand."""

from __future__ import annotations

import re

import pytest
from evidence.judge.claim import OPTIONS, Check, Claim, ClaimError, make_claim
from evidence.judge.expect import Expectation, Scope
from evidence.judge.pages import directives, read_claims
from evidence.records.address import Address
from evidence.records.model import Plain
from factories import claim

PAGE = """\
# A page

:::{claim} colon-fence
:value: copy.speedup
:expect:  >=   4
:scope: sm_80+, gpus>=2
:documented: about 7 times (cuda.md)
:seed: 000 tf32-7x, , 003 tf32-7x
:contradicts: copies-are-slow,a-copy
:confirms: copies-are-free
:control: the-control
It is {measured}`copy.speedup` faster.
:::

```{claim} backtick-fence
:value: copy.sweep[size=1024].pinned
:expect: true

A statement after an empty line.
```

:::::{note}
:class: wide
:name: here

::::{tip} A title
Text.
:::{claim}   nested-twice
:value: copy.speedup
:expect: true
Nested.
:::
::::

```{claim} nested-after
:value: copy.speedup
:expect: true
After.
```
:::::

- item

  :::{claim} in-a-list
  :value: copy.speedup
  :expect: true
  Listed.
  :::

> :::{claim} quoted
> :value: copy.speedup
> :expect: true
> Quoted.
> :::
"""


def test_a_claim_is_read_with_all_its_options() -> None:
    expected = Claim(
        id="colon-fence",
        page="memory/copy",
        line=3,
        checks=(
            Check(Address("copy", "speedup"), ">= 4", Expectation(">=", (Plain(4),))),
        ),
        scope=Scope("sm_80+, gpus>=2"),
        documented="about 7 times (cuda.md)",
        seed=("000 tf32-7x", "003 tf32-7x"),
        contradicts=("copies-are-slow", "a-copy"),
        confirms=("copies-are-free",),
        control="the-control",
    )
    claims, _ = read_claims(PAGE, "memory/copy")
    assert expected == claims[0]


def test_an_option_that_is_not_given_is_empty() -> None:
    given = {"value": "copy.speedup", "expect": "true"}
    check = Check(Address("copy", "speedup"), "true", Expectation("true"))
    expected = Claim("a", "page", 9, (check,), Scope("any"))
    assert expected == make_claim("a", given, "S.", "page", 9)


def test_claims_are_read_in_order_with_the_lines_of_their_opening_fences() -> None:
    expected = [
        (line.split()[-1], number)
        for number, line in enumerate(PAGE.splitlines(), 1)
        if "{claim}" in line
    ]
    claims, wrong = read_claims(PAGE, "page")
    assert expected == [(claim.id, claim.line) for claim in claims]
    assert not wrong


def test_what_is_wrong_with_a_claim_stands_at_its_line() -> None:
    missing = ":::{claim} a\n:value: copy.speedup\nS.\n:::\n"
    empty = ":::{claim} b\n:value: copy.speedup\n:expect: true\n:::\n"
    claims, wrong = read_claims(f"{missing}\n{PAGE}\n{empty}", "page")
    last = len(PAGE.splitlines()) + 7
    expected = [(1, "claim 'a': has no :expect:"), (last, "claim 'b': states nothing")]
    assert expected == wrong
    assert "colon-fence" in {claim.id for claim in claims}


def test_every_directive_is_found_with_its_argument_options_and_body() -> None:
    text = ":::{note}\n:class: a\n:class: b\n\nText.\n```{tip}  A title\n```\n:::\n"
    note, tip = directives(text, 10)
    assert ("note", "", {"class": "a\nb"}, 10) == (*note[:3], note.line)
    assert "\nText.\n```{tip}  A title\n```" == note.body
    assert ("tip", "A title", {}, "", 15) == tip


def test_nothing_else_is_a_claim() -> None:
    code = "```python\n# :::{claim} a\n```\n\n    :::{claim} b\n"
    text = f"{{claim}}`a`\n\n{code}\n```{{claims}} c\n```\n"
    assert ([], []) == read_claims(text, "page")


def test_a_verdict_rests_on_the_value_and_those_it_is_compared_with() -> None:
    given = claim("in copy.low..3 * other.high", value="copy.count")
    expected = ["copy.count", "copy.low", "other.high"]
    assert expected == list(map(str, given.addresses))
    assert {"copy", "other"} == given.stems


@pytest.mark.parametrize("name", ["tf32-faster", "a", "sm-9.0-only", "copy2"])
def test_an_id_is_kebab_case(name: str) -> None:
    assert name == claim(name=name).id


@pytest.mark.parametrize("name", ["", "Copy", "a_b", "a b", "a-", "2a"])
def test_an_id_that_is_not_kebab_case_is_an_error(name: str) -> None:
    with pytest.raises(ClaimError, match=f"^the id '{name}' is not kebab-case$"):
        claim(name=name)


@pytest.mark.parametrize(
    ("message", "given"),
    [
        (": :value: says nothing", {"value": " "}),
        (": :expect: says nothing", {"expect": ""}),
        (": :scope: stands twice", {"scope": "any\nany"}),
        (": write :check: alone, or :value: and :expect:", {"check": "copy.a true"}),
        (": 'copy speedup >= 3' is no address with an", {"value": "copy speedup"}),
        (": '>= 4' has no number of :documented:", {"expect": ">= 4 as documented"}),
        (f": unknown option 'colour' (known: {', '.join(OPTIONS)})", {"colour": "red"}),
        (": bad expectation 'fast': not understood; write one of", {"expect": "fast"}),
        (": bad expectation '>= 4 B': 'B' is no unit of a", {"expect": ">= 4 B"}),
        (": bad scope 'moon'; write one of any,", {"scope": "moon"}),
    ],
)
def test_an_option_that_cannot_be_understood_is_an_error(
    message: str, given: dict[str, str]
) -> None:
    with pytest.raises(ClaimError, match="^" + re.escape(f"claim 'a-claim'{message}")):
        claim(**given)


@pytest.mark.parametrize("missing", ["value", "expect"])
def test_value_and_expectation_must_be_given(missing: str) -> None:
    given = {"value": "copy.speedup", "expect": "true"}
    del given[missing]
    with pytest.raises(ClaimError, match=rf"^claim 'a': has no :{missing}:$"):
        make_claim("a", given, "S.", "page", 1)


def test_a_claim_without_a_statement_is_an_error() -> None:
    given = {"value": "copy.speedup", "expect": "true"}
    with pytest.raises(ClaimError, match=r"^claim 'a': states nothing$"):
        make_claim("a", given, " \n", "page", 1)


def test_a_claim_may_have_several_checks_behind_a_common_prefix() -> None:
    given = {
        "of": "copy.by_size[size=4]",
        "check": ".speedup >= 5 as documented\n.fast_s <= 0.2 * copy.slow_s\ncopy.ok true",
        "documented": "about 5 times (cuda.md)",
    }
    checks = make_claim("a", given, "S.", "page", 1).checks
    expected = [
        ("copy.by_size[size=4].speedup", ">= 5 as documented", True),
        ("copy.by_size[size=4].fast_s", "<= 0.2 * copy.slow_s", False),
        ("copy.ok", "true", False),
    ]
    found = [(str(check.value), check.expect, check.documented) for check in checks]
    assert expected == found
