"""Old revisions have their claims in boxes, which what compares with them still reads."""

from __future__ import annotations

from evidence.judge.pages import read_boxes
from evidence.judge.scope import Scope

PAGE = """\
# A page

:::{claim} several-checks
:of: copy
:check: .speedup >= 3
:check: .early of .calls == .calls
:scope: torch>=2.9
:control: nested
:seed: pin-fast, pin-small
It is {measured}`.speedup` faster.

So it is.
:::

::::{hazard}
```{claim}  nested
:value: paged.by_size[size=4].slowdown
:expect: in 3..5 as documented
:documented: 3 to 5 (a page)

It is slower.
```
::::

```{checks} copy
no-box:
  faster: .speedup >= 3
```
"""


def test_a_box_is_read_with_its_options_and_its_sentence() -> None:
    (first, sentence), (nested, said) = read_boxes(PAGE, "memory/copy")

    assert ("several-checks", "memory/copy", 3) == (first.id, first.page, first.line)
    checks = [(str(c.value), str(c.total), c.expect) for c in first.checks]
    assert [
        ("copy.speedup", "None", ">= 3"),
        ("copy.early", "copy.calls", "== .calls"),
    ] == checks
    assert (Scope("torch>=2.9"), "nested") == (first.scope, first.control)
    assert ("pin-fast", "pin-small") == first.seed
    assert "It is {measured}`.speedup` faster.\n\nSo it is." == sentence

    assert ("nested", 16) == (nested.id, nested.line)
    (check,) = nested.checks
    assert "paged.by_size[size=4].slowdown" == str(check.value)
    assert ("in 3..5 as documented", True) == (check.expect, check.documented)
    assert "It is slower." == said.strip()
