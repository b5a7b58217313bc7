"""Drawings are kept by all that they are made of: what changes is drawn anew, and judged anew."""

from __future__ import annotations

import pickle
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest
from conftest import Site, claim, green
from evidence.records.model import Plain
from evidence.site.reading import plots
from evidence.site.reading.plots import kept
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path


class Pen:
    """Draws something else each time."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self) -> str:
        self.drawn += 1
        return f"drawing {self.drawn}"


def test_what_is_made_of_the_same_is_drawn_once(tmp_path: Path) -> None:
    pen, path = Pen(), tmp_path / "figures" / "a"
    expected = ["drawing 1", "drawing 1", "drawing 2", "drawing 2", "drawing 3"]
    made_of = [("a", 1), ("a", 1), ("a", 2), ("a", 2), ("a", 1)]
    assert expected == [kept(path, parts, pen) for parts in made_of]
    assert ["a"] == [file.name for file in path.parent.iterdir()]


def test_what_another_engine_drew_is_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pen = Pen()
    kept(tmp_path / "a", "same", pen)
    monkeypatch.setattr(plots, "DRAWN_BY", "another matplotlib")
    assert "drawing 2" == kept(tmp_path / "a", "same", pen)


def test_what_decides_how_a_figure_looks_and_is_judged_is_the_engine() -> None:
    names = {path.name for path in plots._FILES}
    assert {"site.mplstyle", "texts.py", "units.py", "plots.py", "markup.py"} <= names
    contents, versions = plots.DRAWN_BY
    assert {path.read_bytes() for path in plots._FILES if path.is_file()} == {*contents}
    assert [version("matplotlib"), version("numpy")] == versions


def test_an_interrupted_drawing_leaves_no_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pen = Pen()
    kept(tmp_path / "a", "older", pen)
    written = type(tmp_path).write_bytes

    def interrupt(path: Path, content: bytes) -> int:
        written(path, content[:7])
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(type(tmp_path), "write_bytes", interrupt)
        with pytest.raises(KeyboardInterrupt):
            kept(tmp_path / "a", "newer", pen)
    assert "drawing 1" == kept(tmp_path / "a", "older", pen)
    assert "drawing 3" == kept(tmp_path / "a", "newer", pen)


def test_what_cannot_be_drawn_is_not_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept(tmp_path / "a", "same", lambda: 1 / 0)
    assert not [*tmp_path.iterdir()]


PLOT = """\
def draw(axes, records):
    cell = records.value("copy.speedup")
    axes.plot(cell.value, cell.value, "o")
    axes.set_title("as it was drawn")
    return [{"kind": records.value("copy.kind"), "speedup": cell}]
"""
PICTURE = """\
def draw(axes):
    axes.plot([0, 1], [2, 3])
    axes.text(0.5, 2.5, "as it was drawn")
"""


@pytest.fixture
def drawn(tmp_path: Path) -> Site:
    site = green(tmp_path)
    site.record(measured={"speedup": timing(4.9, 5.1), "kind": Plain("warm")})
    site.write("docs/dots.py", PLOT)
    site.write("docs/lanes.py", PICTURE)
    of = ":title: A\n:alt: A dot.\n\nCaption.\n:::"
    site.page(claim(), f":::{{plot}} dots\n{of}", f":::{{picture}} lanes\n{of}")
    return site


def marked(site: Site) -> None:
    """Have what is kept say that it is."""
    for path in (site.folder / "build" / "figures").iterdir():
        key, _, content = path.read_bytes().partition(b"\n")
        figure = pickle.loads(content)
        svgs = tuple(svg.replace("as it was drawn", "as kept") for svg in figure.svgs)
        content = pickle.dumps(figure._replace(svgs=svgs))
        path.write_bytes(key + b"\n" + content)


def test_a_page_has_the_same_bytes_whether_drawn_or_kept(drawn: Site) -> None:
    pages = [(drawn.build().html / "index.html").read_bytes() for _ in range(2)]
    assert pages[0] == pages[1]
    marked(drawn)
    # What only a figure uses is used, or there would be a warning.
    text = drawn.build().text()
    assert 4 == text.count("as kept")
    assert "warm" in text


def test_a_figure_of_other_records_or_of_another_module_is_drawn_anew(
    drawn: Site,
) -> None:
    drawn.build()
    marked(drawn)
    drawn.record(measured={"speedup": timing(4.8, 5.2), "kind": Plain("cold")})
    text = drawn.build().text()
    assert (2, 2) == (text.count("as kept"), text.count("as it was drawn"))
    assert "cold" in text
    marked(drawn)
    drawn.write("docs/dots.py", PLOT.replace("as it was drawn", "anew"))
    text = drawn.build().text()
    assert (2, 2) == (text.count("as kept"), text.count("anew"))


def test_a_figure_writes_out_which_examples_it_is_of(drawn: Site) -> None:
    drawn.write("docs/dots.py", PLOT.replace('"copy.', '"co" "py.'))
    (warning,) = drawn.build(code=1).warnings
    message = "asks for 'copy', a name that it does not write in one piece"
    assert warning.endswith(f"WARNING: plot 'dots': {message} [evidence.plot]")


def test_a_build_that_draws_nothing_loads_no_matplotlib(drawn: Site) -> None:
    said = "print('matplotlib is loaded:', 'matplotlib' in sys.modules)"
    tell = f"app.connect('build-finished', lambda *_: {said})"
    conf = f"\nimport sys\n\ndef setup(app):\n    {tell}\n"
    for loaded in (True, False):
        build = drawn.build(conf=conf, PYTHONHASHSEED="0")
        assert f"matplotlib is loaded: {loaded}" in build.output
