"""The Markdown twins: what reads badly where nothing shows how it looks."""

from __future__ import annotations

import pytest
from docutils import nodes
from docutils.utils import new_document
from evidence.site.look.nodes import paragraph, row, section, span, table, texts
from evidence.site.publish.markdown import Markdown


def written(*parts: nodes.Node) -> str:
    """What the Markdown twin of a page of these nodes says."""
    document = new_document("page")
    document += parts
    return Markdown().page(document)


def test_the_twin_has_no_spaces_at_the_ends_of_lines() -> None:
    lines = (paragraph("One. "), paragraph("Two. "))
    assert "One.\n\nTwo.\n" == written(*lines)


def test_the_twin_fills_a_row_that_is_one_heading() -> None:
    heading = nodes.row("", nodes.entry("", paragraph("Copies"), morecols=1))
    rows = table(("Claim", "Verdict"), [heading, row(["It is fast.", "holds"])])
    expected = [
        "| Claim | Verdict |",
        "| --- | --- |",
        "| Copies |  |",
        "| It is fast. | holds |",
    ]
    assert expected == written(rows).splitlines()


def test_the_twin_sets_off_titles_of_figures_and_totals() -> None:
    title = paragraph("Speed by size", classes=["plot-title"])
    totals = paragraph(span("5 claims", "total"), " ", span("2 examples", "total"))
    assert "**Speed by size**\n\n5 claims. 2 examples.\n" == written(title, totals)


def test_the_twin_has_all_of_a_sentence_that_the_page_begins() -> None:
    link = nodes.reference("", "", nodes.Text("It …"), refuri="a.html#b", internal=True)
    link += nodes.raw("", "It is fast.", format="markdown")
    assert "[It is fast.](a.md#b)\n" == written(paragraph(link))


def test_the_twin_says_what_a_drawing_shows_as_it_was_written() -> None:
    svgs = (
        f'<svg class="{kind}" role="img" aria-label="A &quot;late&quot; copy &amp; '
        f'PyTorch&#x27;s own, {kind}: a &lt; b">'
        for kind in ("wide", "phone")
    )
    drawn = nodes.raw("", "".join(svgs), format="html")
    said = """*Figure.* A "late" copy & PyTorch's own, wide: a < b\n"""
    assert said == written(drawn)


def test_what_an_item_holds_stands_below_its_text_whatever_its_mark() -> None:
    def item(text: str, code: str) -> nodes.list_item:
        return nodes.list_item("", paragraph(text), nodes.literal_block(code, code))

    def listed(kind: type[nodes.Element], *words: str) -> nodes.Element:
        return kind("", *(item(f"{word}:", f"run({word!r})") for word in words))

    numbered = listed(nodes.enumerated_list, *"abcdefghij")
    marked = listed(nodes.bullet_list, "k", "m")
    lines = written(numbered, marked).splitlines()
    # Markdown ends an item where a line stands further left than its text.
    for mark, word in (("1. ", "a"), ("2. ", "b"), ("10. ", "j"), ("- ", "k")):
        begin, indent = lines.index(f"{mark}{word}:"), " " * len(mark)
        code = [f"{indent}{line}" for line in ("```", f"run({word!r})", "```")]
        assert ["", *code] == [line.rstrip() for line in lines[begin + 1 : begin + 5]]


@pytest.mark.parametrize(
    ("language", "shown"),
    [("text", ""), ("none", ""), ("Python", "python"), ("bash", "bash"), (None, "")],
)
def test_the_twin_names_the_language_of_code(language: str | None, shown: str) -> None:
    known = {"language": language} if language else {}
    code = nodes.literal_block("", "one()\n\n  two()\n\n", **known)
    assert f"```{shown}\none()\n\n  two()\n```\n" == written(code)


def test_the_twin_leads_to_twins_and_leaves_other_addresses() -> None:
    links = {
        "up": {"refuri": "../a.html", "internal": True},
        "place": {"refuri": "a.html#b", "internal": True},
        "away": {"refuri": "https://docs.example/a.html"},
        "here": {"refid": "below", "internal": True},
    }
    line = paragraph(*(nodes.reference("", name, **to) for name, to in links.items()))
    assert (
        "[up](../a.md)[place](a.md#b)[away](https://docs.example/a.html)"
        "[here](#below)\n"
    ) == written(line)


def test_the_twin_keeps_headings_quotes_and_terms() -> None:
    note = nodes.note("", paragraph("One."), paragraph("Two."))
    item = nodes.definition_list_item(
        "", nodes.term("", "a"), nodes.term("", "b"), paragraph("Both.")
    )
    deep = section(
        "Deep",
        nodes.rubric("", "A topic", **{"heading-level": 4}),
        nodes.rubric("", "R"),
    )
    emphasis = paragraph(nodes.emphasis("", "so "), nodes.strong("", " it"), "!")
    parts = note, nodes.definition_list("", item), nodes.comment("", "no"), deep
    shown = section("Title", emphasis, *parts)
    assert [
        *("# Title", "", "*so*  **it**!", "", "> One.", ">", "> Two.", ""),
        *("- **a**, **b**: Both.", "", "## Deep", "", "#### A topic", "", "**R**"),
    ] == written(shown).splitlines()


def test_the_twin_of_a_picture_and_of_a_cell_is_one_line() -> None:
    pictures = nodes.image(uri="a.svg", alt="Two lines."), nodes.image(uri="b.svg")
    rows = [["a|b", "c\nd"], ["e", "f"]]
    code = texts(("one", "two"), rows, code=True)
    plain = texts(("one", "two"), rows)
    head = ["| one | two |", "| --- | --- |"]
    assert ["*Figure.* Two lines."] == written(*pictures).splitlines()
    assert [*head, "| `a\\|b` | c d |", "| `e` | f |"] == written(code).splitlines()
    assert [*head, "| a\\|b | c d |", "| e | f |"] == written(plain).splitlines()
