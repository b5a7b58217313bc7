"""Generated pages are written again when what they show changed, and only then."""

from __future__ import annotations

import re
import shutil

import pytest
from conftest import Build, Site, claim, green
from factories import timing


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A built site with a ledger and a page of changes."""
    site = green(tmp_path_factory.mktemp("outdated") / "kept", preview=True)
    site.page("```{evidence-ledger}\n```", name="ledger", title="Ledger")
    site.page("```{evidence-changes}\n```", name="changes", title="Changes")
    site.page("Nothing measured.", name="silent", title="Silent")
    site.build()
    return site


@pytest.fixture
def built(kept: Site) -> Site:
    """It, where it was built, with all its times."""
    folder = kept.folder.with_name("site")
    if not folder.exists():
        shutil.copytree(kept.folder, folder)
    shutil.rmtree(kept.folder)
    shutil.copytree(folder, kept.folder)
    return kept


def written(build: Build) -> set[str]:
    """The pages that a build wrote."""
    return set(re.findall(r"writing output\.\.\. \[ *\d+%\] (\S+)", build.output))


GENERATED = {"ledger", "changes"}


def test_another_word_of_a_page_leaves_the_ledger_as_it_is(built: Site) -> None:
    built.page("No thing measured.", name="silent", title="Silent")
    expected = {"silent"}
    assert expected == written(built.build()) - {"index"}


def test_nothing_changed_and_nothing_is_written(built: Site) -> None:
    assert not written(built.build())


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Another title"},
        {"blocks": [claim(expect=">= 3.5")]},
        {"blocks": [claim().replace("faster", "quicker")]},
    ],
)
def test_what_the_ledger_shows_is_written_again(
    built: Site, changes: dict[str, object]
) -> None:
    blocks = changes.pop("blocks", [claim()])
    assert isinstance(blocks, list)
    built.page(*blocks, **changes)  # type: ignore[arg-type]
    assert written(built.build()) >= GENERATED
    assert not written(built.build())


def test_another_record_is_shown_in_the_ledger(built: Site) -> None:
    built.record(measured={"speedup": timing(5.9, 6.1)})
    build = built.build()
    assert written(build) >= GENERATED
    assert "6.0×" in build.text("ledger")


def test_a_build_that_broke_off_is_made_up_for(built: Site) -> None:
    built.record(measured={"speedup": timing(5.9, 6.1)})
    # It dies after it read and before it wrote.
    die = "\ndef setup(app):\n    app.connect('write-started', lambda *_: 1 / 0)\n"
    built.build(code=2, conf=die)
    built.write(
        "conf/conf.py", (built.folder / "conf" / "conf.py").read_text()[: -len(die)]
    )
    assert "6.0×" in built.build().text("ledger")
