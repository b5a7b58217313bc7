"""What can be edited without a GPU: prose, comments, folders, and the pages themselves."""

from __future__ import annotations

import pytest
from conftest import SCRIPT, SVG, Site, claim, green
from evidence.records.model import Output, Plain
from factories import timing

PAGE = "gallery/memory/copy"

EDITED = '''\
"""
A copy, again
=============

New words in front.
"""

import no_such_module  # a comment


# A line of comment within the code.
open("/no/such/folder/executed", "w")

# %%
# New words between the cells.
#
# .. note:: And a whole note.

# A comment in front of the code, and one behind.
measured = {}
# The end.

# %%
# New words at the end.
'''


def test_new_prose_and_comments_stand_with_the_old_outputs(site: Site) -> None:
    site.preview = True
    site.build()
    site.script(code=EDITED)
    build = site.build()
    text = build.text(PAGE)
    for part in ("New words in front.", "between the cells.", "a whole note."):
        assert part in text
    assert "4.9 to 5.1" in text
    assert "changed since it was measured" not in text
    assert {PAGE, "gallery/memory/index", "gallery/index", "index"} == build.read
    assert "✓ holds how fast 5.0×" in build.text().replace("\u202f", " ")


def test_the_prose_of_a_claim_can_be_edited(site: Site) -> None:
    site.preview = True
    site.build()
    site.page("A new text.", claim(">= 2.5").replace("It is", "A copy is"))
    site.page(claim("copies-are-faster", ">= 2.5").replace("It is", "Copies are"))
    build = site.build()
    assert {"index"} == build.read
    assert "Copies are faster (5.0×)." in build.text()
    assert "-k copies-are-faster" in build.text()


@pytest.mark.parametrize("built_before", [False, True])
def test_a_chapter_can_be_renamed(built_before: bool, site: Site) -> None:
    figures = {"copy-1.svg": SVG % b"drawn"}
    site.record(figures=figures, outputs=(Output("said\n", figures=("copy-1.svg",)),))
    site.page(claim(), "{measured}`copy.speedup` faster")
    site.preview = built_before
    if built_before:
        site.build()
    (site.folder / "examples" / "memory").rename(site.folder / "examples" / "moving")
    build = site.build()
    assert "said" in build.text("gallery/moving/copy")
    link = build.page().find("a", string="5.0×")
    assert link is not None
    expected = "gallery/moving/copy.html#measured"
    assert expected == link["href"]


def test_an_example_can_be_removed(site: Site) -> None:
    site.script("gone")
    site.record("gone")
    site.page(claim(), claim("gone", value="gone.speedup"))
    site.preview = True
    site.build()
    for path in (site.folder / "examples" / "memory").glob("gone*"):
        path.unlink()
    site.page(claim())
    build = site.build()
    assert "gone" not in build.text("gallery/memory/index")
    assert "evidence: 1 claims judged, 1 hold" in build.output


def test_an_example_can_be_renamed_with_its_record_and_figures(site: Site) -> None:
    figures = {f"copy-{n}.svg": SVG % b"drawn" for n in (1, 2)}
    site.record(figures=figures, outputs=(Output("said\n", figures=(*figures,)),))
    site.script("twin")
    site.record("twin", measured={"speedup": timing(3.9, 4.1)})
    site.page(claim(), claim("twin", value="twin.speedup"))
    site.build()
    folder = site.folder / "examples" / "memory"
    sealed = (folder / "copy.json").read_bytes()
    for path in folder.glob("copy*"):
        path.rename(folder / path.name.replace("copy", "copy_of_all"))
    site.page(claim(value="copy_of_all.speedup"), claim("twin", value="twin.speedup"))

    page = site.build().page("gallery/memory/copy_of_all")

    assert sealed == (folder / "copy_of_all.json").read_bytes()
    assert "said" in page.text
    expected = ["drawn", "drawn"]
    assert expected == [svg.text.strip() for svg in page.select("svg.recorded")]


def test_a_preview_shows_stale_code_as_a_banner(site: Site) -> None:
    site.script(code=f"{SCRIPT}\nmore = 1\n")
    site.preview = True
    build = site.build(code=1)
    text = build.text(PAGE)
    assert "The code of this example has changed since it was measured." in text
    assert "✗ stale how fast 5.0×" in build.text().replace("\u202f", " ")


def test_a_script_that_begins_with_an_underscore_is_no_example(site: Site) -> None:
    site.write("examples/memory/_template.py", SCRIPT)
    assert "evidence: 1 claims judged, 1 hold" in site.build().output


def test_a_red_site_is_green_again_once_it_is_mended(site: Site) -> None:
    site.page(claim(expect=">= 6"), "{measured}`copy.spedup`", claim("odd", "fast"))
    site.build(code=1)
    green(site.folder)
    assert "evidence: 1 claims judged, 1 hold" in site.build().output


FOLLOWING = """\
[It is {measured}`.speedup` as fast.
It {measured}`is late | is not late <.late>`, and has {measured}`.types`.]{#words-follow}

```{checks} copy
words-follow:
  as fast: .speedup about 1 +- 5 %
  late: .late false
  types: .types == "float32 float16"
```"""


def test_words_follow_the_values(site: Site) -> None:
    said = {"late": Plain(False), "types": Plain("float32 float16")}
    site.record(measured={"speedup": timing(0.99, 1.01), **said})
    site.page(FOLLOWING)
    words = "It is about as fast. It is not late, and has FP32 and FP16."
    assert words in site.build().text()
