"""A page as a notebook, in a folder with what a reader downloads and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from analysis_site import ANALYSIS, FURO, write
from bs4 import BeautifulSoup
from conftest import ROOT, Build, Site, loaded_with
from evidence.examples.library import open_library
from evidence.records.store import canonical
from evidence.site.notebooks import MODULES, notebook, write_modules
from evidence.site.publish.claims_json import published
from myst_parser.config.main import MdParserConfig

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

PAGES = [
    path
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if "\nfile_format: mystnb\n" in path.read_text()
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A site with an analysis page: a table, a figure, and printed text."""
    site = write(tmp_path_factory.mktemp("notebooks") / "site")
    return site.build(conf=ANALYSIS + FURO)


@pytest.fixture
def folder(built: Build, tmp_path: Path) -> Path:
    """A folder with the three files that the page's footer links."""
    links = built.page("deep/which").select("footer a[download]")
    for link in links:
        shutil.copy(built.html / "deep" / str(link["href"]), tmp_path)
    expected = ["claims.json", "evidence.zip", "which.ipynb"]
    assert expected == sorted(path.name for path in tmp_path.iterdir())
    return tmp_path


def run(
    path: Path, cwd: Path, *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a notebook in an interpreter that knows nothing of this one's paths."""
    return subprocess.run(
        [sys.executable, *options, str(ROOT / "tests" / "run_notebook.py"), str(path)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def result(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def cells(table: Tag) -> list[list[str]]:
    """The texts of a table; a notebook leaves the marks of code in them."""
    return [
        [cell.get_text().replace("`", "") for cell in row.select("th, td")]
        for row in table.select("tr")
    ]


def test_a_notebook_shows_what_its_page_shows_beside_two_files(
    built: Build, folder: Path
) -> None:
    done = run(folder / "which.ipynb", folder, "-I")
    found = result(done)
    assert str(folder / "evidence.zip" / "evidence" / "__init__.py") == found["origin"]
    table, figure = (output["text/html"] for output in found["shown"])
    (shown,) = built.page("deep/which").select("table.analysis")
    assert [["What to do", "Measured"], ["use it", "5.0× of 3.0"]] == cells(shown)
    assert cells(shown) == cells(BeautifulSoup(table, "html.parser"))
    assert 'aria-label="It rises."' in figure
    assert done.stdout.startswith("printed\n")


def test_it_runs_in_the_repository_as_well(built: Build) -> None:
    where = {"PYTHONPATH": str(ROOT / "conf")}
    docs = built.folder.parent / "docs"
    found = result(run(built.html / "deep" / "which.ipynb", docs, **where))
    assert str(ROOT / "conf" / "evidence" / "__init__.py") == found["origin"]
    assert "5.0× of 3.0" in found["shown"][0]["text/html"]


def test_it_says_how_to_run_it_and_has_no_outputs(built: Build) -> None:
    page = json.loads((built.html / "deep" / "which.ipynb").read_text())
    assert [f"cell-{n}" for n in range(7)] == [cell["id"] for cell in page["cells"]]
    how = page["cells"][0]["source"]
    assert how.startswith("*This is a page of Tiny as a notebook. To run it, download")
    assert {"kernelspec"} == set(page["metadata"])
    code = [cell for cell in page["cells"] if cell["cell_type"] == "code"]
    assert [([], None)] * 4 == [(c["outputs"], c["execution_count"]) for c in code]
    assert "sys.path" not in built.text("deep/which")


def test_a_page_without_cells_links_no_notebook(built: Build) -> None:
    assert not built.page("index").select("footer a[download]")
    assert built.page("index").select("footer .page-twin a")


def test_a_site_without_cells_publishes_no_modules(site: Site, built: Build) -> None:
    assert (built.html / "evidence.zip").exists()
    assert not (site.build(conf=ANALYSIS).html / "evidence.zip").exists()


@pytest.mark.parametrize(
    "module", ["judge/scope", "figures/drawing", "records/__init__"]
)
def test_a_module_that_the_archive_lacks_is_missed(module: str, folder: Path) -> None:
    archive = folder / "evidence.zip"
    with zipfile.ZipFile(archive) as whole:
        contents = {name: whole.read(name) for name in whole.namelist()}
    del contents[f"evidence/{module}.py"]
    with zipfile.ZipFile(archive, "w") as part:
        for name, content in contents.items():
            part.writestr(name, content)
    done = run(folder / "which.ipynb", folder, "-I")
    name = f"evidence.{module}".replace("/", ".").removesuffix(".__init__")
    assert f"No module named '{name}'" in done.stderr


def test_the_archive_holds_the_modules_that_a_page_imports_and_no_other(
    tmp_path: Path,
) -> None:
    loaded = loaded_with("evidence.analysis")
    imported = {name for name in loaded if name.startswith("evidence")}
    named = {f"evidence/{module}".removesuffix("/__init__") for module in MODULES}
    assert {name.replace(".", "/") for name in imported} == named
    write_modules(tmp_path / "evidence.zip")
    with zipfile.ZipFile(tmp_path / "evidence.zip") as archive:
        assert [f"evidence/{module}.py" for module in MODULES] == archive.namelist()


def test_without_the_archive_python_says_what_is_missing(folder: Path) -> None:
    (folder / "evidence.zip").unlink()
    done = run(folder / "which.ipynb", folder, "-I")
    assert "No module named 'evidence'" in done.stderr


def test_without_the_claims_it_says_what_to_download(folder: Path) -> None:
    (folder / "claims.json").unlink()
    done = run(folder / "which.ipynb", folder, "-I")
    assert "there is neither a folder examples/ nor a file claims.json" in done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_of_this_site_shows_the_same_from_claims_as_from_records(
    page: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{page.stem}.ipynb"
    config = MdParserConfig(enable_extensions={"colon_fence"})
    path.write_text(notebook(page.read_text(), config, "Measured CUDA"))
    write_modules(tmp_path / "evidence.zip")
    claims = canonical(published(open_library(ROOT / "examples"), []))
    (tmp_path / "claims.json").write_text(claims)
    downloaded = result(run(path, tmp_path, "-I"))
    assert downloaded["origin"].startswith(str(tmp_path))
    at_home = result(run(path, ROOT, PYTHONPATH=str(ROOT / "conf")))
    assert at_home["origin"].startswith(str(ROOT))
    assert downloaded["shown"]
    assert at_home["shown"] == downloaded["shown"]


def test_this_site_has_a_page_to_run() -> None:
    assert "which_copy" in {page.stem for page in PAGES}
