"""The site around the text: policy, landmarks, weight, Markdown twins, addresses, links."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest
from bs4 import BeautifulSoup
from conftest import ROOT, Build, Site, claim, green
from docutils import nodes
from docutils.utils import new_document
from evidence.examples.script import Script, ScriptCell, Settings
from evidence.site.gallery.links import (
    Link,
    candidates,
    links_of_code,
    with_links,
)
from evidence.site.look.nodes import (
    details,
    disclosure,
    paragraph,
    section,
    table,
    texts,
)
from evidence.site.look.words import shortened
from evidence.site.publish import shell
from evidence.site.publish.markdown import Markdown
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

if TYPE_CHECKING:
    from bs4 import Tag

BASE = "https://example.org/cuda/"
TEMPLATES = ROOT / "conf" / "_templates"
CONF = f"""
html_theme = "furo"
html_baseurl = "{BASE}"
html_additional_pages = {{"404": "404.html", "search": "search.html"}}
templates_path = ["{TEMPLATES}"]
intersphinx_mapping = {{"torch": ("https://torch.test/", "{ROOT}/conf/torch.inv")}}
"""

SCRIPT = '''\
"""
A copy
======

How fast is a copy?
"""

import torch

page = torch.empty(1)
locked = page.pin_memory()
event = torch.cuda.Event()
event.elapsed_time(event)
event.of_no_page()

# %%
# What it gave:

measured = {}
'''

INDEX = f"""\
# Tiny

*The lead* with `lead_word`. *It* has a second sentence.

{claim(documented="about 5 times (cuda.md)")}

## Waiting

{{any}}`torch.cuda.Event.elapsed_time` waits, `wait_word`.

```{{toctree}}
:caption: Pages

other
gallery/index
```
"""

OTHER = """\
# Other

Nothing to copy here | but {measured}`copy.speedup` and `code_word`.

## Deep

Again `wait_word` and once more `wait_word`, `lead_word`.

`torch.empty()`, `torch.empty`, `torch.Tensor.pin_memory`, `torch.no_name`.

### `torch.ones`

1. one
2. two *words*

| a | b |
|---|---|
| 1 | [up](index.md) |
| 2 | aten.cell_at_once |

`os.environ.of_a_process_that_is_long` is long, `os.environ.short` is not.
"""


def write(site: Site) -> Site:
    site.write("docs/index.md", INDEX)
    site.write("docs/other.md", OTHER)
    site.script(code=SCRIPT)
    site.record(names={"page": "torch.Tensor", "event": "torch.cuda.streams.Event"})
    return site


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return write(green(tmp_path_factory.mktemp("shell"))).build(conf=CONF)


def meta(page: Tag, name: str, key: str = "name") -> str:
    (tag,) = page.find_all("meta", {key: name})
    return str(tag["content"])


def pages(build: Build) -> list[str]:
    """Every page; those of the claims are none of furo's: see tests/test_claim_pages.py."""
    found = (path.relative_to(build.html) for path in build.html.rglob("*.html"))
    return sorted(str(path)[:-5] for path in found if path.parts[0] != "claims")


def files(build: Build, page: str) -> set[str]:
    tags = build.page(page).select("script[src], link[rel=stylesheet]")
    return {Path(str(t.get("src") or t["href"]).partition("?")[0]).name for t in tags}


def test_a_long_name_may_break_between_its_parts(built: Build) -> None:
    text = (built.html / "other.html").read_text("utf-8")

    parts = "os.<wbr>environ.<wbr>of_<wbr>a_<wbr>process_<wbr>that_<wbr>is_<wbr>long"
    assert f"<code>{parts}</code>" in text
    assert "<code>os.environ.short</code>" in text
    assert "<td><p>aten.<wbr>cell_<wbr>at_<wbr>once</p></td>" in text


def test_the_policy_allows_the_inline_scripts_of_every_page(built: Build) -> None:
    for name in pages(built):
        page = built.page(name)
        # What has a type is data, which no browser runs.
        scripts = page.find_all("script", src=False, type=False)
        inline = [tag.string for tag in scripts]
        digests = (hashlib.sha256(text.encode()).digest() for text in inline if text)
        allowed = [
            f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests
        ]
        policy = meta(page, "Content-Security-Policy", "http-equiv")
        (rule,) = re.findall(r"script-src ([^;]*)", policy)
        assert ["'self'", *allowed] == rule.split(), name
        assert len(inline) == 1
        assert not page.find_all(onclick=True)


def test_a_preview_has_no_policy_and_the_strict_build_has(tmp_path: Path) -> None:
    # What reloads a preview is an inline script that its server writes into each page.
    policies = {}
    for preview in (True, False):
        site = write(green(tmp_path / str(preview), preview=preview))
        page = site.build(conf=CONF).page("other")
        policies[preview] = page.select("[http-equiv=Content-Security-Policy]")
    assert [] == policies[True]
    assert 1 == len(policies[False])


def test_every_landmark_has_a_name_and_every_heading_a_level(built: Build) -> None:
    page = built.page("other")
    expected = ["Site", "On this page"]
    assert expected == [tag["aria-label"] for tag in page.find_all("aside")]
    assert page.select_one("nav.sidebar-tree")["aria-label"] == "Pages"
    tools = page.select_one(".content-icon-container")
    assert (tools["role"], tools["aria-label"]) == ("region", "Page tools")


@pytest.mark.parametrize(
    "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.name)
)
def test_the_words_of_a_template_can_be_translated(path: Path) -> None:
    text = path.read_text("utf-8")
    # Jinja first: its strings hold tags, and its tags strings.
    markup = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", "", text, flags=re.DOTALL)
    assert not re.search(r"\w", re.sub(r"<[^>]*>", "", markup))
    assert not re.search(r'(aria-label|title|alt)="\w', text)


def test_only_the_open_branch_of_the_examples_is_listed(built: Build) -> None:
    def listed(name: str) -> set[str]:
        return {tag.get_text() for tag in built.page(name).select(".sidebar-tree a")}

    assert listed("other") == {"Other", "Examples"}
    assert {"Examples", "Memory", "A copy"} <= listed("gallery/memory/copy")


def test_the_list_of_pages_leads_to_the_open_one(built: Build) -> None:
    tree = built.page("gallery/memory/copy").select_one(".sidebar-tree")
    (group,) = tree.select("details")
    assert ("Pages", True) == (group.summary.get_text(), group.has_attr("open"))
    (here,) = tree.select("[aria-current=page]")
    assert ("A copy", "#") == (here.get_text(), here["href"])
    assert here.parent["class"] == ["current-page"]
    branch = [li.a.get_text() for li in here.parents if li.name == "li"]
    assert ["A copy", "Memory", "Examples"] == branch


GROUPS = f"""\
# Tiny

*The lead.*

{claim()}

```{{toctree}}
:caption: Fix & mend

Short <fix/late>
```

```{{toctree}}
:caption: Rules

Streams <streams/index>
gallery/index
```
"""

STREAMS = """\
# All about streams

*The lead.*

```{toctree}
:caption: Order

Waits <waits>
```

```{toctree}
:caption: Memory

kept
```
"""


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Two groups; a chapter of two groups below one of them, and a page of it in the other."""
    site = green(tmp_path_factory.mktemp("grouped"))
    site.write("docs/index.md", GROUPS.replace("fix/late", "streams/late"))
    site.write("docs/streams/index.md", STREAMS)
    for name in ("late", "waits", "kept"):
        site.write(f"docs/streams/{name}.md", f"# Is it {name}?\n\n*It is.*\n")
    return site.build(conf=CONF)


@pytest.mark.parametrize(
    ("page", "opened"),
    [
        ("index", ["Fix & mend"]),
        ("streams/late", ["Fix & mend"]),
        ("streams/index", ["Rules"]),
        ("streams/waits", ["Rules", "Order"]),
        ("streams/kept", ["Rules", "Memory"]),
        ("gallery/index", ["Rules"]),
    ],
)
def test_of_the_groups_those_are_open_that_hold_the_page(
    grouped: Build, page: str, opened: list[str]
) -> None:
    tree = grouped.page(page).select_one(".sidebar-tree")
    shown = [group.summary.get_text() for group in tree.select("details[open]")]
    assert shown == opened


@pytest.mark.parametrize(
    ("page", "crumbs"),
    [
        ("index", []),
        ("search", []),
        ("streams/late", [("Fix & mend", None)]),
        ("streams/index", [("Rules", None)]),
        ("streams/waits", [("Rules", None), ("Streams", "index.html")]),
        ("gallery/memory/index", [("Rules", None), ("Examples", "../index.html")]),
    ],
)
def test_a_page_says_what_it_stands_below(
    grouped: Build, page: str, crumbs: list[tuple[str, str | None]]
) -> None:
    shown = grouped.page(page).select(".crumbs li")
    assert crumbs == [(li.get_text(), li.a and li.a["href"]) for li in shown]


def test_the_name_of_a_group_is_no_markup(grouped: Build) -> None:
    text = (grouped.html / "streams/late.html").read_text("utf-8")
    shown = text.partition('class="crumbs"')[2].partition("</nav>")[0]
    assert "Fix &amp; mend" in shown


def test_a_page_belongs_to_the_chapter_of_its_folder(grouped: Build) -> None:
    text = (grouped.html / "llms.txt").read_text()
    sections = [line for line in text.splitlines() if line.startswith(("## ", "- ["))]
    assert [line.split("]")[0] for line in sections[:5]] == [
        "## All about streams",
        "- [Is it late?",
        "- [All about streams",
        "- [Is it waits?",
        "- [Is it kept?",
    ]
    assert "## Rules" in sections
    assert "## Fix & mend" not in sections


def test_of_a_long_list_without_a_caption_the_open_entry_is_listed(
    tmp_path: Path,
) -> None:
    site = green(tmp_path)
    names = [f"page_{number}" for number in range(9)]
    for folder, count in {"long": 9, "short": 8}.items():
        below = "\n".join(names[:count])
        tree = f"```{{toctree}}\n{below}\n```\n"
        site.write(f"docs/{folder}/index.md", f"# {folder}\n\n*It is.*\n\n{tree}")
        for name in names[:count]:
            site.write(f"docs/{folder}/{name}.md", f"# {name}\n\n*It is.*\n")
    site.page(claim(), "```{toctree}\nlong/index\nshort/index\n```")
    build = site.build(conf=CONF)

    def listed(page: str) -> list[str]:
        links = build.page(page).select(".sidebar-tree li li a")
        return [link.get_text() for link in links]

    assert listed("long/page_3") == ["page_3"]
    assert listed("long/index") == []
    assert listed("short/page_3") == names[:8]


def test_a_claim_is_quoted_with_its_evidence_open(site: Site) -> None:
    site.page(claim(), "```{evidence-quote} copy-is-faster\n```")
    build = site.build(conf=CONF)
    (quoted,) = build.page().select(".quoted")
    assert ("It is faster (5.0×).", "#copy-is-faster") == (
        quoted.a.get_text(),
        quoted.a["href"],
    )
    assert quoted.details.has_attr("open")
    assert "5.0×" in quoted.select_one(".panel").get_text()


def test_a_quote_of_no_claim_is_red(site: Site) -> None:
    site.page(claim(), "```{evidence-quote} copy-is-slower\n```")
    build = site.build(conf=CONF, code=1)
    assert "no claim is called 'copy-is-slower'" in build.errors


def test_an_entry_of_the_list_of_pages_has_its_own_name_or_the_title(
    site: Site,
) -> None:
    entries = "Mine & yours <other>\nPyTorch <https://pytorch.org>\ncoded"
    site.page(claim(), f"```{{toctree}}\n{entries}\n```")
    for name, title in {"other": "Other", "coded": "What `a<b` & c say"}.items():
        site.write(f"docs/{name}.md", f"# {title}\n\nText.\n")
    tree = site.build(conf=CONF).page("coded").select_one(".sidebar-tree")
    shown = [(tag["href"], tag.decode_contents()) for tag in tree.select("a")]
    assert shown == [
        ("other.html", "Mine &amp; yours"),
        ("https://pytorch.org", "PyTorch"),
        ("#", "What <code>a&lt;b</code> &amp; c say"),
        ("gallery/index.html", "Examples"),
    ]


def test_a_page_is_described_by_its_lead(built: Build) -> None:
    page = built.page()
    expected = "The lead with lead_word. It has a second sentence."
    assert expected == meta(page, "description")
    assert expected == meta(page, "og:description", "property")
    assert meta(page, "og:title", "property") == "Tiny"
    assert meta(page, "og:type", "property") == "website"
    assert f"{BASE}other.html" == meta(built.page("other"), "og:url", "property")


def test_a_page_without_a_text_is_described_by_the_first(built: Build) -> None:
    expected = "The lead with lead_word. It has a second sentence."
    assert expected == meta(built.page("search"), "description")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short.", "Short."),
        ("One two three. Four five six seven", "One two three."),
        ("A b. C d. Four five, six seven", "A b. C d."),
        (
            "A sentence of 2.11 words is whole. So.",
            "A sentence of 2.11 words is whole.",
        ),
        ("A b. C d. Four fi. Six", "A b. C d. Four fi."),
        ("Four five six sevn", "Four five six sevn"),
        ("Four five six; seven eight", "Four five six …"),
        ("Four five six, seven eight", "Four five six …"),
        ("A sentence of 2.11 words? So! It", "A sentence of 2.11 words?"),
        ("字" * 9 + "。" + "字" * 9, "字" * 9 + "。"),
        ("字" * 30, "字" * 18 + " …"),
    ],
)
def test_a_description_is_whole_sentences_where_there_are_any(
    text: str, expected: str
) -> None:
    assert expected == shortened(text, 18)


def test_a_page_loads_only_what_it_uses(built: Build) -> None:
    for name in pages(built):
        used = files(built, name)
        assert not {"sg-tags.js", "sg_gallery-binder.css", "furo-extensions.css"} & used
        assert ("sg_gallery.css" in used) is name.startswith("gallery/")
        assert "furo.css" in used


def test_code_and_links_are_not_cut_into_spans(built: Build) -> None:
    page = built.page()
    assert not page.select("span.pre, span.std-ref")
    assert page.select_one("article code").get_text() == "lead_word"


IDLE = "docutils literal notranslate reference internal external head stub row-odd"


def test_no_element_but_a_table_has_a_class_that_no_style_asks_for(
    built: Build,
) -> None:
    idle = ", ".join(f"article .{name}" for name in [*IDLE.split(), "row-even"])
    for name in ("index", "other", "gallery/memory/copy"):
        page = built.page(name)
        assert {"table"} >= {tag.name for tag in page.select(idle)}, name
        assert page.select("article a, article code, article pre"), name


def test_headings_that_the_build_makes_are_listed_as_they_are_nested() -> None:
    def listed(of: nodes.Element) -> list[object]:
        found: list[object] = []
        for item in of.children:
            line, *below = item.children
            (link,) = line.findall(nodes.reference)
            found.append((link.astext(), link["refuri"], *map(listed, below)))
        return found

    deep = section("Deep", section("Deepest", paragraph("Text.")))
    page = section("Page", paragraph("Text."), section("One", deep), section("Two"))
    below = [("Deep", "#deep", [("Deepest", "#deepest")])]
    assert [("One", "#one", below), ("Two", "#two")] == listed(shell._headings(page))


def test_every_page_tells_what_measured_the_site(built: Build) -> None:
    # The page of a wrong address is its own document, and search is a form.
    told = [name for name in pages(built) if name not in ("404", "search")]
    assert len(told) > 5
    for name in told:
        foot = built.page(name).select(".page-builders")
        expected = [
            "Measured on NVIDIA H200, torch 2.11.0, last run on 31 January 2026"
        ]
        assert expected == [part.text for part in foot], name


def test_a_twin_holds_the_values_and_the_verdicts(built: Build) -> None:
    text = (built.html / "index.md").read_text()
    expected = (
        "It is faster (5.0×).\n\n> ✓\u00a0holds how fast **5.0×** (4.9–5.1×; expected at least "
        "3×); Documented: about 5 times (cuda.md); "
        "Measured by: [copy.py](gallery/memory/copy.md#measured) · NVIDIA H200 · "
        "31 January 2026 · unsigned; On your GPU: `nox -s verify -- -k copy-is-faster`; "
        "Quote: [link, badge, citation, data](claims/copy-is-faster.html)"
    )
    assert expected in text
    assert "# Tiny\n\n*The lead* with `lead_word`." in text
    link = "[`torch.cuda.Event.elapsed_time`](https://torch.test/generated/torch.cuda.Event"
    assert link in text
    assert text.endswith("waits, `wait_word`.\n")  # and no table of contents


def test_a_twin_keeps_lists_tables_and_links(built: Build) -> None:
    text = (built.html / "other.md").read_text()
    assert "but 5.0× and `code_word`" in text
    assert "1. one\n2. two *words*" in text
    assert "| a | b |\n| --- | --- |\n| 1 | [up](index.md) |" in text


def test_a_twin_of_an_example_holds_its_code_and_record(built: Build) -> None:
    text = (built.html / "gallery/memory/copy.md").read_text()
    assert text.startswith(
        "# A copy\n\n✓ 1 claim holds · [Tiny](../../index.md#copy-is-faster)\n\n"
        "How fast is a copy?\n\n```python\nimport torch\n"
    )
    assert "locked = page.pin_memory()\n" in text
    assert "| speedup | 5.0× (4.9–5.1×), median of 6 processes |" in text
    assert "Download" not in text


def test_a_page_names_its_twin(built: Build) -> None:
    page = built.page("gallery/memory/copy")
    links = {tag["href"] for tag in page.select("[type='text/markdown']")}
    assert {"copy.md"} == links
    assert not built.page("search").select("[type='text/markdown']")


def test_spaces_stand_outside_an_emphasis() -> None:
    paragraph = nodes.paragraph(
        "", "", nodes.strong("", "Formerly. "), nodes.Text("It.")
    )
    assert Markdown().write(paragraph) == "**Formerly.** It."


def listed(kind: type[nodes.Element], *texts: str) -> nodes.Element:
    """A list of this kind, with a paragraph in each item."""
    items = (nodes.list_item("", nodes.paragraph("", text)) for text in texts)
    return kind("", *items)


def link(uri: str, *, internal: bool = False, **more: object) -> nodes.reference:
    return nodes.reference("", "more", refuri=uri, internal=internal, **more)


@pytest.mark.parametrize(
    ("expected", "node"),
    [
        (
            "- **pinned**, **locked**: Stays.\n- **paged**: Goes.",
            nodes.definition_list(
                "",
                *(
                    nodes.definition_list_item(
                        "",
                        *(nodes.term("", term) for term in terms),
                        nodes.definition("", nodes.paragraph("", text)),
                    )
                    for text, *terms in (
                        ("Stays.", "pinned", "locked"),
                        ("Goes.", "paged"),
                    )
                ),
            ),
        ),
        (
            "- one\n- 1. two\n  2. three",
            nodes.bullet_list(
                "",
                nodes.list_item("", nodes.paragraph("", "one")),
                nodes.list_item("", listed(nodes.enumerated_list, "two", "three")),
            ),
        ),
        ("```\nas is\n```", nodes.literal_block("", "as is\n", language="none")),
        ("```\nas is\n```", nodes.literal_block("", "as is", language="text")),
        ("```python\nx = 3\n```", nodes.literal_block("", "x = 3", language="Python")),
        ("[more](../a.md#x)", link("../a.html#x", internal=True)),
        ("[more](a.md)", link("a.html", internal=True)),
        ("[more](https://e.org/a.html#x)", link("https://e.org/a.html#x")),
        ("[more](a.html.txt)", link("a.html.txt", internal=True)),
        ("[more](#x)", nodes.reference("", "more", refid="x", internal=True)),
        ("more", link("a.html", internal=True, classes=["measured"])),
        (
            "> One.\n>\n> Two.",
            nodes.warning(
                "", *(nodes.paragraph("", text) for text in ("One.", "Two."))
            ),
        ),
        ("*Figure.* A < B.", nodes.raw("", '<svg class="x" aria-label="A &lt; B.">')),
        ("", nodes.raw("", "<b>bold</b>")),
        ("*Figure.* A plot.", nodes.image(alt="A plot.")),
        ("", nodes.image()),
        ("", nodes.comment("", "hidden")),
        (
            "> seen; 5 times",
            details(
                "",
                nodes.paragraph("", "seen"),
                nodes.paragraph("", " "),
                nodes.paragraph("", " 5 times "),
                classes=["line"],
            ),
        ),
        ("", details("", nodes.paragraph("", "seen"), classes=["ev"])),
        (
            "**Data**\n\n| a | b |\n| --- | --- |\n| `x` | 2 |\n| `y` | 5 |",
            disclosure(
                "Data",
                texts(["a", "b"], [["x", "2"], ["y", "5"]], code=True),
                nodes.literal_block("", "a,b"),
            ),
        ),
    ],
)
def test_each_node_has_its_markdown(expected: str, node: nodes.Element) -> None:
    assert expected == Markdown().write(node)


def test_a_heading_has_the_level_of_its_section_and_alone_is_bold() -> None:
    low = section("Low", nodes.paragraph("", "Text."))
    page = section("Page", section("Mid", low), nodes.rubric("", "Aside"))
    document = new_document("page")
    document += page
    written = Markdown().page(document)
    assert "# Page\n\n## Mid\n\n### Low\n\nText.\n\n**Aside**\n" == written


def test_a_table_of_short_rows_has_all_of_its_columns() -> None:
    shown = table(["a", "b", "c"], [["1", "2", "3"], ["chapter"]])
    header, _rule, row, short = Markdown().write(shown).splitlines()
    assert ("| a | b | c |", "| 1 | 2 | 3 |") == (header, row)
    assert ["chapter", "", ""] == [cell.strip() for cell in short.split("|")[1:-1]]


def test_a_cell_with_a_bar_stays_one_cell() -> None:
    entry = nodes.entry("", nodes.paragraph("", "a | b"))
    row = nodes.row("", entry)
    table = nodes.table("", nodes.tgroup("", nodes.tbody("", row)))
    assert "| a \\| b |" in Markdown().write(table)


def test_llms_txt_lists_every_page_in_reading_order(built: Build) -> None:
    text = (built.html / "llms.txt").read_text()
    assert text.startswith("# Tiny\n\n> The lead with lead_word.")
    listed = re.findall(rf"\({re.escape(BASE)}([\w/]+)\.md\)", text)
    expected = ["other", "gallery/index", "gallery/memory/index", "gallery/memory/copy"]
    assert ["SKILL", *expected] == listed
    assert "## Pages\n\n- [Other]" in text


def test_llms_txt_counts_the_verdicts_of_the_site_and_of_each_page(site: Site) -> None:
    site.page(claim(), "```{toctree}\nother\nshown\n```")
    site.write("docs/other.md", f"# Other\n\nText.\n\n{claim('apart', '>= 6')}\n")
    site.write("docs/shown.md", "# Shown\n\nIt took {measured}`copy.speedup`.\n")
    text = (site.build(code=1).html / "llms.txt").read_text()
    counted = "2 claims, 1 hold, measured on NVIDIA H200, torch 2.11.0, last run on"
    assert counted in text
    assert "- [Other](other.md): Text. (1 claim, 0 hold)\n" in text
    # A page that claims nothing has no verdicts.
    assert "- [Shown](shown.md): It took 5.0×.\n" in text


def test_the_sitemap_lists_every_page(built: Build) -> None:
    text = (built.html / "sitemap.xml").read_text()
    found = re.findall(r"<loc>(.*?)</loc>", text)
    names = [
        "gallery/index",
        "gallery/memory/copy",
        "gallery/memory/index",
        "index",
        "other",
    ]
    assert [f"{BASE}{name}.html" for name in names] == found


def test_without_an_address_there_is_no_sitemap(site: Site) -> None:
    build = write(site).build(conf=CONF + 'html_baseurl = ""\n')
    assert not (build.html / "sitemap.xml").exists()
    assert "](other.md)" in (build.html / "llms.txt").read_text()


def test_the_page_of_a_wrong_address_works_at_any_depth(built: Build) -> None:
    page = built.page("404")
    assert page.base["href"] == "/cuda/"
    # What comes before would ask elsewhere.
    assert page.base.find_previous(href=True) is None
    assert "base-uri 'self'" in meta(page, "Content-Security-Policy", "http-equiv")
    links = page.select("[href]:not(base), [src], [action]")
    targets = [tag.get("href") or tag.get("src") or tag.get("action") for tag in links]
    assert len(targets) > 4
    assert [target for target in targets if target.startswith(("/", ".."))] == []


def test_without_an_address_the_page_of_a_wrong_one_begins_at_the_root(
    site: Site,
) -> None:
    page = write(site).build(conf=CONF + 'html_baseurl = ""\n').page("404")
    assert page.base["href"] == "/"


REPOSITORY = "https://example.org/code/cuda"
LINKED = f"""{CONF}
html_theme_options = {{
    "source_repository": "{REPOSITORY}",
    "source_branch": "main",
    "top_of_page_buttons": [],
}}
"""
CLONE = "```{evidence-clone}\n```\n"


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = write(green(tmp_path_factory.mktemp("linked")))
    site.write("docs/index.md", INDEX + "\n" + CLONE)
    return site.build(conf=LINKED)


def addresses(build: Build, page: str, where: str) -> dict[str, str]:
    """The links within a selected part of a page, by their text."""
    links = build.page(page).select(f"{where} a")
    return {str(link.get_text()): str(link["href"]) for link in links}


@pytest.mark.parametrize(
    ("page", "title", "source"),
    [
        ("other", "Other", "docs/other.md"),
        ("gallery/memory/copy", "A copy", "examples/memory/copy.py"),
        ("gallery/memory/index", "Memory", "examples/memory/GALLERY_HEADER.rst"),
        ("gallery/index", "Examples", "examples/GALLERY_HEADER.rst"),
    ],
)
def test_a_page_leads_to_its_source_and_to_a_report(
    page: str, title: str, source: str, linked: Build
) -> None:
    found = addresses(linked, page, ".page-source")
    report, _, asked = found.pop("Report a problem").partition("?")
    assert found == {
        "Repository": REPOSITORY,
        "Edit this page": f"{REPOSITORY}/edit/main/{source}",
    }
    assert (linked.folder.parent / source).exists()
    assert f"{REPOSITORY}/issues/new" == report
    assert {"title": [title], "body": [f"{source}: "]} == parse_qs(asked)


def test_a_page_that_the_build_fills_in_lists_its_headings(linked: Build) -> None:
    listed = [(a.text, a["href"]) for a in linked.page().select(".toc-tree a")]
    assert [("Waiting", "#waiting")] == listed
    assert not linked.page("gallery/memory/index").select(".toc-tree")


def test_a_page_without_a_source_leads_to_the_repository_alone(linked: Build) -> None:
    only = {"Repository": REPOSITORY}
    assert only == addresses(linked, "search", ".page-source")


def test_the_evidence_of_a_claim_leads_to_a_report(
    linked: Build,
) -> None:
    lines = [line.get_text() for line in linked.page().select(".ev p")]
    expected = [
        "On your GPU: nox -s verify -- -k copy-is-faster",
        "If it differs there: report it",
        "Quote: link, badge, citation, data",
    ]
    assert expected == lines[-3:]
    report = addresses(linked, "index", ".ev")["report it"]
    address, _, asked = report.partition("?")
    assert f"{REPOSITORY}/issues/new" == address
    body = "docs/index.md, holds on NVIDIA H200. On my GPU: "
    assert {"title": ["copy-is-faster"], "body": [body]} == parse_qs(asked)


def test_the_commands_before_verify_are_shown(linked: Build) -> None:
    block = linked.page().select("div.highlight-sh")[-1].get_text()
    expected = f"git clone {REPOSITORY}\ncd cuda\npython -m pip install nox"
    assert expected == block.strip()


def test_without_a_repository_there_is_no_link_to_one(site: Site) -> None:
    write(site).write("docs/index.md", INDEX + "\n" + CLONE)
    page = site.build(conf=CONF).page()
    assert [] == page.select(".page-source, .highlight-sh")
    assert "git clone" not in page.get_text()
    assert "report it" not in page.get_text()


def test_names_of_torch_in_code_are_links(built: Build) -> None:
    links = built.page("gallery/memory/copy").select(".highlight a")
    linked = {link.get_text(): link["href"] for link in links}
    expected = {
        "torch.empty": "torch.empty.html#torch.empty",
        "page.pin_memory": "torch.Tensor.pin_memory.html#torch.Tensor.pin_memory",
        "torch.cuda.Event": "torch.cuda.Event.html#torch.cuda.Event",
        "event.elapsed_time": "torch.cuda.Event.html#torch.cuda.Event.elapsed_time",
    }
    assert {
        name: f"https://torch.test/generated/{page}" for name, page in expected.items()
    } == linked


def test_a_name_in_code_is_a_link_as_far_as_it_is_documented() -> None:
    links = {
        "torch.cuda": Link("cuda.html", "torch.cuda"),
        "x.size": Link("size.html?a=1&b=2", "torch.Tensor.size"),
        "size": Link("never.html", "size"),
        "torch.cuda.Event": Link("event.html", "torch.cuda.Event"),
    }
    code = _highlighted(
        "torch.cuda.other = x.size(0).size\nf().size\ntorch.cuda.Event.query"
    )
    shown = BeautifulSoup(with_links(code, links), "html.parser")
    assert code == with_links(code, {})
    assert shown.get_text() == BeautifulSoup(code, "html.parser").get_text()
    assert [
        ("torch.cuda", "cuda.html", "torch.cuda"),
        ("x.size", "size.html?a=1&b=2", "torch.Tensor.size"),
        ("torch.cuda.Event", "event.html", "torch.cuda.Event"),
    ] == [(a.get_text(), a["href"], a["title"]) for a in shown("a")]


def _highlighted(code: str) -> str:
    return highlight(code, PythonLexer(), HtmlFormatter())


def test_a_name_of_torch_is_a_link_where_it_stands_first(built: Build) -> None:
    links = built.page("other").select("article a[href^=http]")
    assert [link.get_text() for link in links] == [
        "torch.empty()",
        "torch.Tensor.pin_memory",
    ]
    assert (
        links[0]["href"] == "https://torch.test/generated/torch.empty.html#torch.empty"
    )


def test_a_method_may_be_documented_with_its_base() -> None:
    found = [*candidates("torch.nn.modules.linear.Linear", "to")]
    expected = ["torch.nn.modules.linear.Linear.to", "torch.nn.Module.to"]
    assert expected == [found[0], found[-1]]
    assert "torch.nn.Linear.to" in found


def test_a_method_of_an_optimizer_is_documented_with_the_base_of_all() -> None:
    *_, last = candidates("torch.optim.sgd.SGD", "step")
    assert "torch.optim.Optimizer.step" == last


def test_of_several_documented_names_the_likeliest_is_linked() -> None:
    cells = tuple(
        ScriptCell(f"{name}()", 1) for name in ("layer.to", "sgd.step", "copy.run")
    )
    script = Script(Path("copy.py"), cells, Settings(), "0" * 64)
    names = {
        "layer": "torch.nn.modules.linear.Linear",
        "sgd": "torch.optim.sgd.SGD",
        "copy": "copies.Copy",
    }
    known = {
        "torch.nn.Linear.to": "linear.html",
        "torch.nn.Module.to": "module.html",
        "torch.optim.SGD.step": "sgd.html",
        "torch.optim.Optimizer.step": "optimizer.html",
    }
    expected = {
        "layer.to": Link("linear.html", "torch.nn.Linear.to"),
        "sgd.step": Link("sgd.html", "torch.optim.SGD.step"),
    }
    assert expected == links_of_code(script, names, {}, known)


def test_an_unknown_name_of_torch_is_red(site: Site) -> None:
    write(site).write("docs/other.md", "# Other\n\nSee {any}`torch.no_such_name`.\n")
    build = site.build(code=1, conf=CONF)
    (text,) = build.warnings
    assert "docs/other.md:3: WARNING" in text
    assert "torch.no_such_name" in text
