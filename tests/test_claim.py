"""Claims are read from the text of a page, with the lines where they stand."""

from __future__ import annotations

import re

import pytest
from evidence.judge.claim import (
    OPTIONS,
    Claim,
    ClaimError,
    directives,
    make_claim,
    read_claims,
)
from evidence.judge.expect import Compare, Number
from evidence.judge.scope import Scope
from evidence.records.address import Address

PAGE = """\
# A page

:::{claim} colon-fence
:value: copy.speedup
:expect: >= 4
:scope: sm_80+, gpus>=2
:documented: about 7 times (cuda.md)
:seed: 000 tf32-7x, 003 tf32-7x
:contradicts: cuda.md
:control: the-control
It is {measured}`copy.speedup` faster.

And twice.
:::

Text.

```{claim} backtick-fence
:value: copy.sweep[size=1024].pinned
:expect: true

A statement after an empty line.
```

:::::{note}
:class: wide

::::{tip} A title
Text.
:::{claim} nested-twice
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

IDS = [
    "colon-fence",
    "backtick-fence",
    "nested-twice",
    "nested-after",
    "in-a-list",
    "quoted",
]


def test_a_claim_is_read_with_all_its_options() -> None:
    expected = Claim(
        id="colon-fence",
        page="memory/copy.md",
        line=3,
        value=Address("copy", "speedup"),
        expect=">= 4",
        expectation=Compare(">=", Number(4)),
        scope=Scope.parse("sm_80+, gpus>=2"),
        documented="about 7 times (cuda.md)",
        seed=("000 tf32-7x", "003 tf32-7x"),
        contradicts=("cuda.md",),
        control="the-control",
    )
    assert expected == read_claims(PAGE, "memory/copy.md")[0]


def test_claims_are_read_in_the_order_in_which_they_stand() -> None:
    expected = IDS
    assert expected == [claim.id for claim in read_claims(PAGE, "page.md")]


@pytest.mark.parametrize(
    "claim", read_claims(PAGE, "page.md"), ids=lambda claim: claim.id
)
def test_the_line_of_a_claim_is_that_of_its_opening_fence(claim: Claim) -> None:
    lines = [
        n
        for n, line in enumerate(PAGE.splitlines(), 1)
        if f"{{claim}} {claim.id}" in line
    ]
    assert lines == [claim.line]


def test_a_repeated_option_counts_once_and_is_not_part_of_the_body() -> None:
    text = ":::{note}\n:class: a\n:class: b\n\n:::\n"
    found = [(options, body) for _, _, options, body, _ in directives(text)]
    expected = [({"class": "b"}, "")]
    assert expected == found


def test_nothing_else_is_a_claim() -> None:
    code = "```python\n# :::{claim} a\n```\n\n    :::{claim} b\n"
    text = f"{{claim}}`a`\n\n{code}\n```{{claims}} c\n```\n"
    assert not read_claims(text, "page.md")


def options(**changes: str) -> dict[str, str]:
    return {"value": "copy.speedup", "expect": "true", **changes}


@pytest.mark.parametrize("claim_id", ["tf32-faster", "a", "sm-9.0-only", "copy2"])
def test_an_id_is_kebab_case(claim_id: str) -> None:
    assert claim_id == make_claim(claim_id, options(), "S.", "page.md", 1).id


@pytest.mark.parametrize(
    ("message", "claim_id", "given", "statement"),
    [
        ("the id '' is not kebab-case", "", {}, "S."),
        ("the id 'Copy' is not kebab-case", "Copy", {}, "S."),
        ("the id 'a_b' is not kebab-case", "a_b", {}, "S."),
        ("the id 'a b' is not kebab-case", "a b", {}, "S."),
        ("the id 'a-' is not kebab-case", "a-", {}, "S."),
        ("claim 'a' has no :value:", "a", {"value": " "}, "S."),
        ("claim 'a' has no :expect:", "a", {"expect": ""}, "S."),
        ("claim 'a': unknown option 'colour' (known:", "a", {"colour": "red"}, "S."),
        ("claim 'a' states nothing", "a", {}, " \n"),
    ],
)
def test_a_claim_that_cannot_be_understood_is_an_error(
    message: str, claim_id: str, given: dict[str, str], statement: str
) -> None:
    with pytest.raises(ClaimError, match="^" + re.escape(message)):
        make_claim(claim_id, options(**given), statement, "page.md", 1)


def test_an_unknown_option_is_shown_with_the_known_ones() -> None:
    with pytest.raises(ClaimError, match=re.escape(", ".join(OPTIONS))):
        make_claim("a", options(colour="red"), "S.", "page.md", 1)


def test_a_bad_claim_of_a_page_is_an_error() -> None:
    with pytest.raises(ClaimError, match="has no :expect:"):
        read_claims(":::{claim} a\n:value: copy.speedup\nS.\n:::\n", "page.md")
