"""Claims are read from the text of a page, with the lines where they stand."""

from __future__ import annotations

import re

import pytest
from evidence.judge.claim import OPTIONS, Check, Claim, ClaimError
from evidence.judge.expect import Expectation, parse
from evidence.judge.pages import directives, read_claims, sentences
from evidence.judge.scope import Scope
from evidence.records.address import Address
from evidence.records.model import Plain
from factories import claim, claim_of

PAGE = """\
# A page

[It is {measured}`.speedup` faster]{#with-everything}, [and early]{#with-little}.

```{checks}   copy
:scope: any

with-everything:
  faster:  .speedup   >=   4
  early: .early of .calls == .calls
  :scope: sm_80+, gpus>=2
  :documented: about 7 times (cuda.md)
  :seed: 000 tf32-7x, , 003 tf32-7x
  :contradicts: copies-are-slow,a-copy
  :confirms: copies-are-free
  :control: the-control
  :shows: x.sum()
  :title: A copy is faster.
  :tried: views, backward
with-little:
  pinned: .sweep[size=1024].pinned true
```

:::::{note}
:class: wide
:name: here

::::{tip} A title
Text.
:::{checks} copy
nested-twice:
  ok: .ok true
:::
::::

```{checks}
nested-after:
  ok: copy.ok true
```
:::::

- item

  ```{checks} copy
  in-a-list:
    ok: .ok true
  ```

> ```{checks} copy
> quoted:
>   ok: .ok true
> ```
"""


def test_a_claim_is_read_with_all_its_options() -> None:
    four = Expectation(">=", (Plain(4),))
    calls = Address("copy", "calls")
    all_calls = parse("== .calls", Address("copy", "early"), "copy")
    expected = Claim(
        id="with-everything",
        page="memory/copy",
        line=8,
        checks=(
            Check(Address("copy", "speedup"), ">= 4", four, label="faster"),
            Check(
                *(Address("copy", "early"), "== .calls", all_calls),
                label="early",
                total=calls,
            ),
        ),
        scope=Scope("sm_80+, gpus>=2"),
        of="copy",
        documented="about 7 times (cuda.md)",
        seed=("000 tf32-7x", "003 tf32-7x"),
        contradicts=("copies-are-slow", "a-copy"),
        confirms=("copies-are-free",),
        control="the-control",
        shows="x.sum()",
        title="A copy is faster.",
        tried=("views", "backward"),
    )
    claims, _ = read_claims(PAGE, "memory/copy")
    assert expected == claims[0]


def test_an_option_that_is_not_given_is_empty() -> None:
    check = Check(Address("copy", "ok"), "true", Expectation("true"), label="check 1")
    expected = Claim("a", "page", 9, (check,), Scope("any"))
    assert expected == claim("true", "copy.ok", "a", ("page", 9))


def test_claims_are_read_in_order_with_the_lines_of_their_ids() -> None:
    expected = [
        (match[1], number)
        for number, line in enumerate(PAGE.splitlines(), 1)
        if (match := re.fullmatch(r"[> ]*([a-z]+-[a-z-]+|quoted):", line))
    ]
    claims, wrong = read_claims(PAGE, "page")
    assert expected == [(claim.id, claim.line) for claim in claims]
    assert len(claims) == 6
    assert not wrong


def test_what_is_wrong_with_a_check_stands_at_its_line() -> None:
    """What is wrong with a claim as a whole stands at its id; other claims are read."""
    lines = [
        *("```{checks} copy", "a:", "  fast: .speedup >= 3", "  faster: .speedup"),
        *(
            "b:",
            "  :scope: any",
            "c:",
            "  fast: .speedup >= 3",
            "  :scope: moon",
            "```",
        ),
    ]
    claims, wrong = read_claims(PAGE + "\n".join(["", *lines]), "page")
    begin = len(PAGE.splitlines()) + 2
    expected = [
        (
            begin + 3,
            "claim 'a': '.speedup' is no address with an expectation behind it",
        ),
        (begin + 4, "claim 'b': checks nothing"),
        (begin + 6, "claim 'c': bad scope 'moon'; write one of any"),
    ]
    found = [(line, message.partition(", sm_80")[0]) for line, message in wrong]
    assert expected == found
    assert len(claims) == 6


def test_every_directive_is_found_with_its_argument_and_body() -> None:
    text = ":::{note}\n:class: a\n\nText.\n```{tip}  A title\n```\n:::\n"
    note, tip = directives(text, 10)
    assert ("note", "", 10) == (*note[:2], note.line)
    assert ":class: a\n\nText.\n```{tip}  A title\n```" == note.body.rstrip()
    assert ("tip", "A title", "", 14) == tip


SAID = """\
[It [waits](b.md) for [all]]{#it-waits}, [and soon]{#soon}.

:::{result} so-fast
It is {measured}`.speedup` faster.
:::

::::{hazard}
:::{wrong} too-early
It reads *early*.
:::
:::{right} in-time
It reads late.
:::
::::

:::{note} no-claim
It is said.
:::
"""


def test_the_sentence_of_each_span_and_block_is_as_it_is_written() -> None:
    expected = {
        "it-waits": "It [waits](b.md) for [all]",
        "soon": "and soon",
        "so-fast": "It is {measured}`.speedup` faster.",
        "too-early": "It reads *early*.",
        "in-time": "It reads late.",
    }
    assert expected == {name: text.strip() for name, text in sentences(SAID).items()}


def test_nothing_else_is_a_claim() -> None:
    code = "```python\n# ```{checks} a\n```\n\n    ```{checks} b\n"
    text = f"{{checks}}`a`\n\n{code}\n```{{check}} c\n```\n"
    assert ([], []) == read_claims(text, "page")


def test_a_verdict_rests_on_the_value_and_those_it_is_compared_with() -> None:
    given = claim("in copy.low..3 * other.high", value="copy.count")
    expected = ["copy.count", "copy.low", "other.high"]
    assert expected == list(map(str, given.addresses))
    assert {"copy", "other"} == given.stems


@pytest.mark.parametrize("name", ["tf32-faster", "a", "sm-90-only", "copy2"])
def test_an_id_is_kebab_case(name: str) -> None:
    assert name == claim(name=name).id


@pytest.mark.parametrize("name", ["Copy", "a_b", "a b", "a-", "2a", "sm-9.0"])
def test_an_id_that_is_not_kebab_case_is_an_error(name: str) -> None:
    message = f"^claim '{name}': the id '{name}' is not kebab-case$"
    with pytest.raises(ClaimError, match=message):
        claim(name=name)


@pytest.mark.parametrize(
    ("message", "given"),
    [
        ("'check 1' says nothing", {"value": " ", "expect": ""}),
        ("'scope' says nothing", {"scope": ""}),
        ("'copy speedup >= 3' is no address with an", {"value": "copy speedup"}),
        ("'>= 4' has no number of :documented:", {"expect": ">= 4 as documented"}),
        (
            "'>= copy.other_speedup' has no number of :documented:",
            {"expect": ">= copy.other_speedup as documented"},
        ),
        (
            "'<= copy.fp16_speedup' has no number of :documented:",
            {
                "expect": "<= copy.fp16_speedup as documented",
                "documented": "16 times (cuda.md)",
            },
        ),
        (
            "'in 5..9' has no number of :documented:",
            {"expect": "in 5..9 as documented", "documented": "5 to 7 (cuda.md)"},
        ),
        (f"unknown option 'colour' (known: {', '.join(OPTIONS)})", {"colour": "red"}),
        ("bad expectation 'fast': not understood; write one of", {"expect": "fast"}),
        ("bad expectation '>= 4 B': 'B' is no unit of a", {"expect": ">= 4 B"}),
        ("bad scope 'moon'; write one of any,", {"scope": "moon"}),
        (":tried: has 'all' (known: first call, ", {"tried": "views, all"}),
    ],
)
def test_what_cannot_be_understood_is_an_error(
    message: str, given: dict[str, str]
) -> None:
    begin = re.escape(f"claim 'a-claim': {message}")
    with pytest.raises(ClaimError, match="^" + begin):
        claim(**given)


def test_a_claim_may_have_several_checks_behind_a_common_prefix() -> None:
    checks = (
        ".speedup >= 5 as documented",
        ".fast_s <= 0.2 * copy.slow_s",
        "copy.ok true",
    )
    made = claim_of(
        *checks, of="copy.by_size[size=4]", documented="about 5 times (cuda.md)"
    )
    expected = [
        ("copy.by_size[size=4].speedup", ">= 5 as documented", True),
        ("copy.by_size[size=4].fast_s", "<= 0.2 * copy.slow_s", False),
        ("copy.ok", "true", False),
    ]
    found = [
        (str(check.value), check.expect, check.documented) for check in made.checks
    ]
    assert expected == found
