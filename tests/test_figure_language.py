"""A figure in Chinese: title, alternative text and labels, and what they may not say."""

from __future__ import annotations

import json
import pickle
import re
import runpy
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from babel.messages.pofile import read_po
from conftest import ROOT, Build, Site, claim
from evidence.figures import drawing
from evidence.figures.labels import Labels, is_wide, labels, width, writing
from evidence.figures.marks import MOST_IN_A_ROW, names
from evidence.records.model import Plain
from evidence.site.reading.figure_texts import _added
from factories import timing
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path

quoted = partial(json.dumps, ensure_ascii=False)
CHINESE = 'language = "zh_CN"\nlocale_dirs = ["../locale"]\n'
CONF = f'{CHINESE}translation_progress_classes = "untranslated"\n'

PLOT = """\
from evidence.figures.marks import names

def draw(axes, records):
    cell, count = records.value("copy.speedup"), records.value("copy.copies")
    axes.plot(cell.value, cell.value, "o")
    axes.set(ylabel="as fast", xlabel="FP64")
    text = f"{count.value} copies\\nat once"
    names(axes, [(text, (cell.value, cell.value), "C0")])
    return [{"copies": count, "speedup": cell}]
"""
PICTURE = """\
from evidence.figures.sketch import box, lanes, mark

def draw(axes):
    at = lanes(axes, ("host", "host "), end=4)
    box(axes, at["host"], (0, 1), "call 1", "C0")
    box(axes, at["host "], (1, 3), "FP32", "C1")
    mark(axes, 3, "done")
"""
#: What is said of the two, by the page, and by its figures.
PAGE = {
    "As fast, by copies": "快慢，按拷贝的份数",
    "A dot, at *both* ends.": "一个点，在*两*端。",
    "Lanes, not times": "泳道，不是时间",
}
LABELS = {
    "{0} copies\nat once": "同时\n拷贝 {0} 份",
    "as fast": "快慢",
    "call {0}": "调用 {0}",
    "host": "主机",
}


def chinese(
    folder: Path,
    page: dict[str, str] | None = None,
    figures: dict[str, str] | None = None,
) -> Site:
    """A site with a plot and a picture, and with catalogs of these translations."""
    site = Site(folder)
    site.script()
    measured = {"speedup": timing(4.9, 5.1), "copies": Plain(64)}
    site.record(measured=measured)
    site.write("docs/dots.py", PLOT)
    site.write("docs/lanes.py", PICTURE)
    title, alt, other = PAGE
    plot = f":::{{plot}} dots\n:title: {title}\n:alt: {alt}\n\nCaption.\n:::"
    lanes = f":::{{picture}} lanes\n:title: {other}\n:alt: Two lanes.\n\nCaption.\n:::"
    site.page(claim(), plot, lanes)
    write(site, "index", {**PAGE, **(page or {})})
    write(site, "figures", {**LABELS, **(figures or {})})
    return site


def write(site: Site, name: str, said: dict[str, str]) -> None:
    """Write a catalog."""
    texts = {"": "Content-Type: text/plain; charset=UTF-8\n", **said}
    messages = [f"msgid {quoted(t)}\nmsgstr {quoted(texts[t])}\n" for t in texts]
    site.write(f"locale/zh_CN/LC_MESSAGES/{name}.po", "\n".join(messages))


def written(build: Build, kind: str = "wide") -> list[set[str]]:
    """What is written in each figure of a page."""
    found = build.page().select(f"svg.{kind}")
    return [{text.get_text(strip=True) for text in svg("text")} for svg in found]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return chinese(tmp_path_factory.mktemp("chinese")).build(conf=CONF)


def test_titles_and_alternative_texts_are_translated(shown: Build) -> None:
    titles = [title.get_text() for title in shown.page().select("p.plot-title")]
    assert [PAGE["As fast, by copies"], PAGE["Lanes, not times"]] == titles
    names = [svg["aria-label"] for svg in shown.page().select("svg[role=img]")]
    assert ["一个点，在*两*端。"] * 2 + ["Two lanes."] * 2 == names


def test_the_markdown_twin_follows(shown: Build) -> None:
    twin = (shown.html / "index.md").read_text("utf-8")
    told = re.findall(r"\*\*(.+)\*\*\n\n\*.+?\* (.+)\n\nCaption", twin)
    title, alt, other = PAGE.values()
    assert [(title, alt), (other, "Two lanes.")] == told


def test_an_alternative_text_that_is_not_translated_is_marked(shown: Build) -> None:
    languages = [svg.get("lang") for svg in shown.page().select("svg[role=img]")]
    assert [None, None, "en", "en"] == languages


def test_labels_are_translated_by_their_pattern(shown: Build) -> None:
    plot, picture = written(shown)
    assert {"快慢", "FP64", "同时", "拷贝 64 份"} <= plot
    assert {"主机", "调用 1", "FP32", "done"} == picture
    phone, _ = written(shown, "phone")
    assert "同时拷贝 64 份" in phone


def test_the_table_of_a_figure_is_named_by_its_title(shown: Build) -> None:
    (table,) = shown.page().select("details.numbers table")
    assert table.caption is not None
    assert PAGE["As fast, by copies"] == table.caption.get_text()


def test_figures_are_kept_for_each_language(tmp_path: Path) -> None:
    site = chinese(tmp_path)
    first = site.build(conf=CONF)
    assert {"快慢", "FP64"} <= written(first)[0]
    for path in (first.folder / "figures").iterdir():
        key, _, content = path.read_bytes().partition(b"\n")
        figure = pickle.loads(content)
        svgs = tuple(re.sub("FP64|FP32", "kept", svg) for svg in figure.svgs)
        content = pickle.dumps(figure._replace(svgs=svgs))
        path.write_bytes(key + b"\n" + content)
    english = site.build(conf="\n")
    assert {"as fast", "kept", "64 copies"} <= written(english)[0]
    assert {"host", "call 1", "kept", "done"} == written(english)[1]
    again = site.build(conf=CONF)
    assert {"快慢", "kept"} <= written(again)[0]
    # What is said otherwise is drawn anew, and nothing else.
    write(site, "figures", {**LABELS, "host": "主机端"})
    other = site.build(conf=CONF)
    assert {"快慢", "kept"} <= written(other)[0]
    assert {"主机端", "调用 1", "FP32", "done"} == written(other)[1]


def test_a_page_is_read_again_when_the_labels_change(tmp_path: Path) -> None:
    site = chinese(tmp_path)
    site.preview = True
    site.build(conf=CONF)
    write(site, "figures", {**LABELS, "host": "主机端"})
    build = site.build(conf=CONF)
    assert "index" in build.read
    assert {"主机端", "调用 1", "FP32", "done"} == written(build)[1]


def test_what_is_to_be_translated_is_extracted(tmp_path: Path) -> None:
    folder = chinese(tmp_path).build("-b", "gettext").html
    page, figures = (
        [message.id for message in read_po(BytesIO(path.read_bytes())) if message.id]
        for path in (folder / "index.pot", folder / "figures.pot")
    )
    assert {*PAGE, "Two lanes."} <= {*page}
    # No number, unit or name of capitals; and what is called the same is there once.
    assert {*LABELS, "done"} == {*figures}
    assert len(figures) == len({*figures})


def test_the_labels_get_a_catalog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = chinese(tmp_path)
    site.build("-b", "gettext")
    (tmp_path / "build/html").rename(tmp_path / "build/pot")
    kept = site.write("conf/locale/zh_CN/LC_MESSAGES/figures.po", "")
    kept.write_bytes((tmp_path / "locale/zh_CN/LC_MESSAGES/figures.po").read_bytes())
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / ".ci/catalogs.py"))["main"](["zh_CN"])
    catalog = kept.read_text("utf-8")
    assert 'msgid "done"\nmsgstr ""\n' in catalog
    assert 'msgid "call {0}"\nmsgstr "调用 {0}"\n' in catalog


SAYS = "the translation says {}, which its text does not [evidence.markup]"
TYPED = "{} is typed, and checked by nothing; write it as {{measured}}`stem.name` [evidence.markup]"


@pytest.mark.parametrize(
    ("text", "said", "message"),
    [
        ("As fast, by copies", "快慢，共 12 份", SAYS.format("12")),
        ("A dot, at *both* ends.", "一个点，共 12 份。", SAYS.format("12")),
        ("As fast, by copies", "快慢 twice as fast", TYPED.format("'twice as fast'")),
        ("A dot, at *both* ends.", "点 twice as fast", TYPED.format("'twice as fast'")),
        ("A dot, at *both* ends.", "一个点 ✓", "'✓' is printed as text; mend"),
        ("A dot, at *both* ends.", "一个\u200b点", "U+200B cannot be seen, or"),
    ],
)
def test_a_title_or_alternative_text_may_say_no_more_than_the_english(
    tmp_path: Path, text: str, said: str, message: str
) -> None:
    (warning,) = chinese(tmp_path, page={text: said}).build(conf=CONF, code=1).warnings
    assert f"docs/index.md:12: WARNING: {message}" in warning


@pytest.mark.parametrize(
    "said",
    [
        *("调用", "调用 {1}", "调用 {0} {0}", "调用 {0} 共 2", "调用 ２", "调用 {0} ✓"),
        *("调用 {0} twice as fast", "调用 {0} 5 ms", "调\u200b用 {0}"),
    ],
)
def test_a_label_may_say_no_more_than_the_english(tmp_path: Path, said: str) -> None:
    site = chinese(tmp_path, figures={"call {0}": said})
    (warning,) = site.build(conf=CONF, code=1).warnings
    message = f"draws 'call {{0}}' as {said!r}: keep its numbers, and add none"
    place = "docs/index.md:19: WARNING: picture 'lanes'"
    assert f"{place}: {message} [evidence.plot]" == warning


def test_what_a_label_says_already_its_translation_may_say() -> None:
    label = "twice as fast in FP32, {0} of {1}"
    assert not _added(label, "FP32，{1} 中的 {0}，twice as fast")
    assert _added(label, "FP16，{1} 中的 {0}，twice as fast")
    assert _added("fast in FP32, {0} of {1}", "FP32，{1} 中的 {0}，twice as fast")


def test_numbers_keep_their_places_in_a_text() -> None:
    said = Labels({"result {0} in slot {1}": "槽 {1} 的结果 {0}", "{0} s": "{0} 秒"})
    assert "槽 2 的结果 1,024" == said("result 1,024 in slot 2")
    assert "3.5 s late" == said("3.5 s late")
    assert "3.5 秒" == said("3.5 s")
    asked = ["result {0} in slot {1}", "{0} s late"]
    assert asked == [*said.patterns]


@pytest.mark.parametrize(
    "text", ["", "FP32", "8.2×", "64 KiB", "4 ms", "GB/s", "A + B"]
)
def test_what_has_no_words_is_not_asked_for(text: str) -> None:
    said = Labels({})
    assert text == said(text)
    assert not said.patterns


def test_a_text_in_one_line_has_spaces_where_letters_meet() -> None:
    said = Labels({"a copy\nat once": "拷贝\n同时", "with\nnew": "用 x\n新的"})
    assert "拷贝同时" == said.one_line("a copy\nat once")
    assert "用 x 新的" == said.one_line("with\nnew")
    assert "copies\nof x".replace("\n", " ") == said.one_line("copies\nof x")
    # It is in the language already.
    assert "copies of x" == said("copies of x")
    assert "copies of x" not in said.patterns


def test_another_language_ends_with_the_drawing() -> None:
    with writing({"late": "晚"}):
        assert "晚" == labels()("late")
        assert "晚" == Figure().text(0, 0, "late").get_text()
    assert "late" == labels()("late")
    assert "late" == Figure().text(0, 0, "late").get_text()


def legend(text: str, said: str) -> Any:
    """The legend of a phone's figure that has a text for one of its two names."""
    axes = Figure(figsize=(5, 4)).subplots()
    with writing({text: said}):
        names(axes, [("x", (0, 0), "C0"), (text, (1, 1), "C1")])
    return axes.get_legend()


def test_a_han_takes_the_room_of_two_letters() -> None:
    assert [1, 2, 2, 1] == [width(text) for text in "a锁，…"]
    assert not is_wide("")
    half = MOST_IN_A_ROW // 2
    columns = [legend("names", "锁" * count)._ncols for count in (half, half + 1)]
    assert [2, 1] == columns
    # As many letters fit.
    assert 2 == legend("names", "m" * MOST_IN_A_ROW)._ncols


def measured(text: str, **more: Any) -> Any:
    """The extent of a text in a figure, in parts of its size, when all of it is drawn."""
    with drawing._axes(phone=False) as axes:
        written = axes.text(0, 0, text, **more)
        drawing._svg(axes)
        box = written.get_window_extent()
        return box.width / written.get_size()


@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_a_han_is_an_em_wide_for_matplotlib_and_no_warning(
    weight: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A warning is an error in these tests; of fonts it is logged."""
    assert pytest.approx(4) == measured("锁页，。", weight=weight)
    assert not caplog.records


def test_of_other_glyphs_that_are_missing_matplotlib_warns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.warns(UserWarning, match="Glyph 77824 .* missing from font"):
        measured("\U00013000")
    monkeypatch.setitem(drawing.PHONE, "font.family", ["DejaVu Sans"])
    with (
        pytest.warns(UserWarning, match="Glyph 38145 .* missing from font"),
        drawing._axes(phone=True) as axes,
    ):
        axes.text(0, 0, "锁")
        drawing._svg(axes)


def test_lines_that_were_named_in_more_lines_stand_no_nearer() -> None:
    def gap(said: dict[str, str]) -> float:
        axes = Figure(figsize=(9, 4)).subplots()
        with writing(said):
            names(axes, [("low", (0, 0), "C0"), ("high", (0, 0), "C1")])
        low, high = (text.xyann[1] for text in axes.texts)
        return high - low  # type: ignore[no-any-return]

    assert gap({"high": "高\n低"}) == pytest.approx(1.5 * gap({"high": "高"}), abs=0.3)


def test_the_font_is_what_its_recipe_makes(tmp_path: Path) -> None:
    recipe = runpy.run_path(str(ROOT / ".ci/em_wide.py"))
    recipe["make"](tmp_path / "em_wide.ttf")
    made, kept = (TTFont(path) for path in (tmp_path / "em_wide.ttf", drawing.EM_WIDE))
    for table in ("cmap", "hmtx", "hhea", "glyf", "name"):
        assert made.getTableData(table) == kept.getTableData(table)
    wide = {code for first, last in recipe["WIDE"] for code in range(first, last + 1)}
    assert wide == {*kept["cmap"].tables[0].cmap}
    assert (recipe["EM"], 0) == kept["hmtx"][kept.getGlyphName(1)]
