"""Markup that lies: what would show code that never ran, or hide a claim, is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import SCRIPT, SVG, Build, Site, claim, green
from docutils import nodes
from evidence.site.reading import markup

if TYPE_CHECKING:
    from collections.abc import Iterable

INCLUDE = "```{{literalinclude}} ../examples/memory/{}.py\n{}\n```"
UNEXECUTED = (
    "nothing runs this Python; literalinclude it from an example, or name its language "
    "[evidence.unexecuted]"
)
RAW = (
    "raw HTML or meta data shows what no record says; write Markdown, and % for a comment "
    "[evidence.markup]"
)


def no_option(name: str) -> str:
    return (
        f"'literalinclude': Unknown option key: '{name}' (allowed: ['dedent', 'end-at', "
        "'language', 'lines', 'pyobject', 'start-at']) [myst.directive_option]"
    )


NO_NUMBERS = (
    "'literalinclude': Invalid option value for 'lines': 8-10: leaves out the first line, with "
    "2-, and no other [myst.directive_option]"
)
PICTURE = (
    "a picture could show anything; have {plot} or {picture} draw it [evidence.markup]"
)
FORMULA = (
    "a formula could show any number; write it in words, or as code [evidence.markup]"
)
OPENING = (
    "a page opens with code that runs when it is pasted: the whole first cell of an example, of "
    "at most 20 lines [evidence.unexecuted]"
)


def printed(found: str) -> str:
    return (
        f"{found!r} is printed as text; mend the markup, or show it in a block of markdown "
        "[evidence.markup]"
    )


def pointed(words: str) -> str:
    return f"{words!r} is seen only by who points at it; write it into the text [evidence.markup]"


def invisible(code: str) -> str:
    return (
        f"{code} cannot be seen, or changes what stands before it; remove it "
        "[evidence.markup]"
    )


def language(name: str) -> str:
    return (
        f"a block of {name!r} could show any output; name one of bash, markdown, sh, text, toml "
        "[evidence.markup]"
    )


def forged(name: str) -> str:
    return (
        f"a block of class {name!r} is the build's own to make; remove the class "
        "[evidence.markup]"
    )


def hidden(name: str) -> str:
    return (
        f"claim {name!r} holds a heading, or stands in a block; end that with ':::' before "
        "[evidence.markup]"
    )


def styled(name: str) -> str:
    return f"class {name!r} of a part of a text may hide it; remove the class [evidence.markup]"


def typed(found: str) -> str:
    return (
        f"{found!r} is typed, and checked by nothing; write it as {{measured}}`stem.name` "
        "[evidence.markup]"
    )


WAY = """\
def way(source):
    for _ in range(3):
        if source:
            return "a name of some length", source
"""


def box(name: str, *, closed: bool = True) -> str:
    """A claim that is a block, perhaps one whose end was forgotten, and its checks."""
    sentence, checks = claim(name).split("\n\n")
    said = sentence.removeprefix("[").removesuffix(f"]{{#{name}}}")
    return f"{checks}\n\n:::{{right}} {name}\n{said}\n{':::' * closed}"


def wrapped(block: str, name: str) -> str:
    return f"::::{block}\n{box(name)}\n::::"


def folded(name: str) -> str:
    return f":::{{topic}} More\n{claim(name)}\n:::"


#: What a page says, and what the build says of it: the line, counted from the lie's first.
LIES: dict[str, tuple[str, list[tuple[int, str]]]] = {
    "fence": ("```\nx = 1\n```", [(0, UNEXECUTED)]),
    "none": ("```none\nx = 1\n```", [(0, UNEXECUTED)]),
    "version": ("```python3\nx = 1\n```", [(0, UNEXECUTED)]),
    "code-block": ("```{code-block}\nx = 1\n```", [(0, UNEXECUTED)]),
    "indented": ("    x = 1", [(0, UNEXECUTED)]),
    "literal": ("```{eval-rst}\nSo::\n\n    x = 1\n```", [(3, UNEXECUTED)]),
    "doctest": ("```{eval-rst}\n>>> x\n1\n```", [(1, UNEXECUTED)]),
    "cell": (
        ":::{container} cell_input\n```python\nx = 1\n```\n:::",
        [(1, UNEXECUTED)],
    ),
    "template": (INCLUDE.format("_template", ":language: text"), [(0, UNEXECUTED)]),
    "lines": (INCLUDE.format("copy", ":lines: 8-10"), [(1, NO_NUMBERS), (0, OPENING)]),
    "open": (INCLUDE.format("copy", ":lines: 2-"), [(0, OPENING)]),
    "prepend": (
        INCLUDE.format("copy", ":prepend: x"),
        [(1, no_option("prepend")), (0, OPENING)],
    ),
    "append": (
        INCLUDE.format("copy", ":append: x"),
        [(1, no_option("append")), (0, OPENING)],
    ),
    "diff": (
        INCLUDE.format("copy", ":diff: ../examples/memory/_template.py"),
        [(1, no_option("diff")), (0, OPENING)],
    ),
    "opening": (INCLUDE.format("copy", ":end-at: import"), [(0, OPENING)]),
    "later-cell": (INCLUDE.format("copy", ":start-at: measured ="), [(0, OPENING)]),
    "unparsed": (INCLUDE.format("long", ":pyobject: way\n:lines: 2-"), [(0, OPENING)]),
    "long-opening": (INCLUDE.format("long", ":start-at: x ="), [(0, OPENING)]),
    "script": ("<script>alert(1)</script>", [(0, RAW)]),
    "inline": ("It <b>holds.", [(0, RAW)]),
    "raw": ("```{raw} html\n<b>holds</b>\n```", [(0, RAW)]),
    "rest": ("```{eval-rst}\n.. raw:: html\n\n   <b>holds</b>\n```", [(1, RAW)]),
    "forged": ("✓ at least", [(0, printed("✓"))]),
    "alike": ("✅ at least", [(0, printed("✅"))]),
    "forged-note": (
        ":::{admonition} Yes\n:class: panel\nIt is.\n:::",
        [(0, forged("panel"))],
    ),
    "forged-word": (
        "```{rst-class} verdict\n```\n\nAt least.",
        [(3, forged("verdict"))],
    ),
    "forged-value": (
        "```{eval-rst}\n.. role:: seen\n   :class: measured\n\n:seen:`3 times`.\n```",
        [(4, typed("3 times")), (4, styled("measured"))],
    ),
    "forged-box": (
        ":::{container} box\nIt is: **holds**.\n:::",
        [(0, forged("box"))],
    ),
    "forged-plot": (
        ":::{container} plot\nIt is faster.\n:::",
        [(0, forged("plot"))],
    ),
    "latex": (wrapped("{only} latex", "latex"), [(6, hidden("latex"))]),
    "unseen": (
        wrapped("{container} panel", "unseen"),
        [(0, forged("panel")), (6, hidden("unseen"))],
    ),
    "latex-text": (f":::{{only}} latex\n{claim('text')}\n:::", [(1, hidden("text"))]),
    "class-text": (
        f"```{{rst-class}} x\n```\n\n{claim('dark')}",
        [(3, hidden("dark"))],
    ),
    "hidden-word": (
        "It is [not]{.visually-hidden} late.",
        [(0, styled("visually-hidden"))],
    ),
    "class": (f"```{{rst-class}} x\n```\n\n{box('class')}", [(8, hidden("class"))]),
    "within": (
        f"{box('within', closed=False)}{box('inner')}",
        [(12, hidden("inner"))],
    ),
    "swallows": (
        f"{box('swallows', closed=False)}\n## More",
        [(5, hidden("swallows"))],
    ),
    "folded": (folded("folded"), [(1, hidden("folded"))]),
    "two-colons": ("::{right} two-colons\n\nIt is.", [(0, printed("{right}"))]),
    "no-braces": (":::right no-braces\n\nIt is.\n:::", [(0, forged("right"))]),
    "indented-checks": (
        "    ```{checks} indented-checks\n    ```",
        [(0, printed("{checks} indented-checks"))],
    ),
    "option-outside": (
        f"{claim('option-outside')}\n:scope: sm_80+",
        [(6, printed(":scope:"))],
    ),
    "rest-role": ("Is :measured:`copy.speedup`.", [(0, printed(":measured:"))]),
    "spaced-role": ("Is {measured} `copy.speedup`.", [(0, printed("{measured}"))]),
    "times": ("About 3 times faster.", [(0, typed("3 times"))]),
    "bandwidth": ("It has **42** GB/s.", [(0, typed("42 GB/s"))]),
    "ratio": ("It gains 7×.", [(0, typed("7×"))]),
    "factor": ("A factor of 7.", [(0, typed("factor of 7"))]),
    "other-micro": ("It takes 1½ μs.", [(0, typed("1½ μs"))]),
    "unit-in-words": ("It moves 2 gigabytes.", [(0, typed("2 gigabytes"))]),
    "all-in-words": ("In three milliseconds.", [(0, typed("three milliseconds"))]),
    "twice": ("It is Twice as fast.", [(0, typed("Twice as fast"))]),
    "half": ("In half the time.", [(0, typed("half the time"))]),
    "comparison": ("Ten times slower.", [(0, typed("Ten times slower"))]),
    "fold": ("A threefold gain.", [(0, typed("threefold"))]),
    "total": ("In 9 of 20 tries.", [(0, typed("9 of 20"))]),
    "all": ("All 20 were wrong.", [(0, typed("All 20"))]),
    "shown-as-output": (
        "```text\n3 times faster\n```",
        [(0, typed("3 times"))],
    ),
    "forged-in-code": ("`✓ at least 3`", [(0, printed("✓"))]),
    "quantity-in-code": ("About `100×` faster.", [(0, typed("100×"))]),
    "number-in-code": ("About `90` ms or `x`.", [(0, typed("90 ms"))]),
    "hidden-in-code": ("`6.5\u200b`", [(0, invisible("U+200B"))]),
    "hidden-in-block": ("```sh\n# \u202e7\n```", [(0, invisible("U+202E"))]),
    "zero-width": ("It gains 6.5\u2060×.", [(0, invisible("U+2060"))]),
    "entity": ("It gains 6.5&shy;×.", [(0, invisible("U+00AD"))]),
    "superscript": ("It gains ¹⁰⁴×.", [(0, typed("¹⁰⁴×"))]),
    "quotation": ("> About 8 times faster.", [(0, typed("8 times"))]),
    "attribution": ("> It is.\n\n> -- 9 times faster", [(2, typed("9 times"))]),
    "comment-in-shell": ("```sh\n# in 30 ms\n```", [(0, typed("30 ms"))]),
    "console": ("```console\n$ run\n1\n```", [(0, language("console"))]),
    "json": ('```json\n{"speed": 4}\n```', [(0, language("json"))]),
    "math": ("It gains {math}`100`.", [(0, FORMULA)]),
    "math-block": ("```{math}\n2x\n```", [(0, FORMULA)]),
    "dollars": ("It gains $120$.", [(0, printed("$120$"))]),
    "image": ("![It holds](fake.svg)", [(0, PICTURE)]),
    "figure": ("```{figure} fake.svg\nIt is.\n```", [(0, PICTURE)]),
    "title-of-a-link": (
        '[It](https://example.org "60 times faster")',
        [(0, pointed("60 times faster"))],
    ),
    "abbreviation": (
        "{abbr}`It (70 times faster)`.",
        [(0, pointed("70 times faster"))],
    ),
    "menu": (
        "```{toctree}\n:caption: 80 times faster\n\nIt <index>\n```",
        [(0, typed("80 times"))],
    ),
    "title-in-a-menu": (
        "```{toctree}\n95 times faster <index>\n```",
        [(0, typed("95 times"))],
    ),
    "unit-behind-a-value": (
        "In {measured}`copy.speedup` per lane.",
        [(0, typed("… per"))],
    ),
    "digit-before-a-value": ("In 1{measured}`copy.speedup`.", [(0, typed("1…"))]),
    "verse": (
        "```{eval-rst}\n| It is\n| 3 times faster.\n```",
        [(2, typed("3 times"))],
    ),
    "caption": (
        "```{code-block} text\n:caption: 3 times faster\n\nx\n```",
        [(0, typed("3 times"))],
    ),
    "share": ("Of them 20 %.", [(0, typed("20 %"))]),
    "duration": ("It takes 1.5 s.", [(0, typed("1.5 s"))]),
    "heading": ("## Up to 64 KiB", [(0, typed("64 KiB"))]),
}


@pytest.fixture(scope="module")
def lied(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A build of a site with one lie a page."""
    site = green(tmp_path_factory.mktemp("lies"))
    site.write("docs/fake.svg", SVG % b"holds")
    site.write("examples/memory/_template.py", SCRIPT)
    site.script("long", SCRIPT.replace("import no_such_module", "x = 1\n" * 21 + WAY))
    site.record("long")
    site.page(claim("long", value="long.speedup"), name="uses-long")
    for name, (lie, _) in LIES.items():
        site.page(lie, name=name)
    return site.build(code=1)


def of_page(warnings: Iterable[str], name: str) -> list[str]:
    return [text for text in warnings if text.startswith(f"docs/{name}.md:")]


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_named_with_its_line_and_the_way_out(name: str, lied: Build) -> None:
    _, said = LIES[name]
    expected = [f"docs/{name}.md:{9 + n}: WARNING: {text}" for n, text in said]

    assert expected == of_page(lied.warnings, name)


def test_nothing_else_is_reported(lied: Build) -> None:
    assert sum(len(said) for _, said in LIES.values()) == len(lied.warnings)


def test_the_prose_of_an_example_types_no_number_and_no_verdict(site: Site) -> None:
    site.script(
        code=SCRIPT.replace("What it gave:", "✓ holds.\n#\n# It is 3 times faster:")
    )
    said = [text.partition("WARNING: ")[2] for text in site.build(code=1).warnings]

    assert [printed("✓"), typed("3 times")] == said


@pytest.mark.parametrize(
    ("message", "lie"),
    [
        (FORMULA, "It is :math:`14`,"),
        (typed("15×"), "It is ``15×``,"),
    ],
)
def test_the_prose_of_an_example_shows_no_number(
    message: str, lie: str, site: Site
) -> None:
    site.script(code=SCRIPT.replace("What it gave:", f"{lie} What it gave:"))
    (said,) = site.build(code=1).warnings

    assert said.endswith(f"WARNING: {message}")


BLOCKS = {
    ".. raw:: html": "\n#\n#    <b>x</b>",
    ".. code-block:: none": "\n#\n#    9.9 to 12.1",
    ".. rst-class:: sphx-glr-timing": "",
    ".. image:: /fake.svg": "",
    "..": "\n#    It holds.",
    ">>> copy.speedup": "\n# 13",
    "It gave::": "\n#\n#    13 holds",
    ".. note:: It gave::": "\n#\n#       14 holds",
}


def refused(block: str, where: str) -> str:
    said = f"{block!r} makes a block, which could show anything; write sentences"
    return f"sphinx.errors.ConfigError: {where}: {said}"


@pytest.mark.parametrize("block", BLOCKS)
def test_the_text_of_an_example_is_sentences(block: str, site: Site) -> None:
    lie = f"{block}{BLOCKS[block]}\n#\n#"
    site.script(code=SCRIPT.replace("What it gave:", f"{lie} What it gave:"))

    assert refused(block, "memory/copy.py") in site.build(code=2).errors


def test_the_text_of_a_chapter_is_sentences(site: Site) -> None:
    header = site.folder / "examples" / "memory" / "GALLERY_HEADER.rst"
    header.write_text(header.read_text() + "\n.. image:: fake.svg\n")

    said = refused(".. image:: fake.svg", "memory/GALLERY_HEADER.rst")
    assert said in site.build(code=2).errors


def test_a_claim_that_verify_does_not_read_is_refused(site: Site) -> None:
    block = ".. right:: c\n\n   It is.\n\n.. checks:: copy\n\n   c:\n     faster: .speedup >= 3"
    site.write("docs/other.rst", f":orphan:\n\nOther\n=====\n\n{block}\n")
    expected = (
        "docs/other.rst:11: WARNING: claim 'c' is built, but not in the text: write "
        "its checks on a page in .md [evidence.count]"
    )

    assert expected in site.build(code=1).warnings


TRUE = """\
A 10 × 10 product of 16-bit floats, on sm_80 and PCIe 5, torch 2.11, in 3 steps:
{measured}`copy.speedup` times; `%` and `{x}` are code. It is pinned three times, many
times as often, once in half a second, by twice as many threads, for
four times as long, and once or twice after that, or three times over.


::::{hazard}
:::{wrong} in-a-hazard
It is faster, {measured}`copy.speedup`:

```{literalinclude} ../examples/memory/copy.py
:language: python
:start-at: import no_such_module
:end-at: open(
```
:::

:::{right} its-control
They are faster: {measured}`copy.speedup` and {measured}`ways.speedup`.
:::
::::

```{checks} copy
in-a-hazard:
  faster: .speedup >= 3
  :control: its-control
  :shows: import no_such_module
its-control:
  faster: .speedup >= 3
  faster in ways: ways.speedup >= 3
```

```{literalinclude} ../examples/memory/ways.py
:pyobject: way
:lines: 2-
:dedent: 4
```

````markdown
[It is faster]{#shown-as-markup}.

```{checks} copy
shown-as-markup:
  faster: .speedup >= 3
```
````

```sh
nox -s docs
```

```text
3 copies
```

% A comment.
"""


def test_what_is_true_stays_green(site: Site) -> None:
    code = SCRIPT.replace("measured = {}", "def way():\n    pass\n\n\nmeasured = {}")
    site.script("ways", code)
    site.record("ways")
    site.page(claim(), TRUE, "Of it, {measured}`ways.speedup`.")

    build = site.build()

    code = [block.get_text() for block in build.page().select(".highlight pre")]
    assert ["import no_such_module", "pass\n"] == [code[0].splitlines()[0], code[1]]


@pytest.mark.parametrize(
    "name",
    [
        *("hazard", "plot", "evidence-record", "details", "verdict", "strip", "line"),
        *("claim-text", "ev", "panel", "stop", "tick", "opened"),
        *("box", "wrong", "right", "result", "mark"),
    ],
)
def test_a_class_of_the_builds_own_is_refused_on_a_page(name: str) -> None:
    said = f"a block of class {name!r} is the build's own to make; remove the class"
    node = nodes.container("", classes=["words", name])
    assert [said] == [*filter(None, markup._faults(node, in_text=False))]
    node["classes"].remove(name)
    assert [] == [*filter(None, markup._faults(node, in_text=False))]
