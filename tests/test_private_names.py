"""The one list of what the engine and the templates use of others without being promised it.

A new version of one of these packages may change any of it without a word. So each package is
bounded to the releases that were tried, and what has changed is named here before a page looks
wrong: with the file of ours to change.
"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

import furo
import myst_nb
import pytest
import sphinx
import sphinx_gallery
from conftest import ROOT
from packaging.requirements import Requirement
from sphinx_gallery import gen_rst, py_source_parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENGINE = ROOT / "conf" / "evidence"
TEMPLATES = ROOT / "conf" / "_templates"
FURO = Path(furo.THEME_PATH)
BASIC = Path(sphinx.__file__).parent / "themes" / "basic"
GALLERY_STATIC = Path(sphinx_gallery.__file__).parent / "_static"
NOTEBOOK_STATIC = Path(myst_nb.__file__).parent / "static"


class Private(NamedTuple):
    """A name of another package, the files of ours that use it, and what they rely on."""

    package: str
    name: str
    used: tuple[str, ...]
    relied_on: Callable[[], bool]


def says(place: str, *texts: str) -> Callable[[], bool]:
    """That the source of a module, class or function holds these texts."""
    return lambda: all(text in inspect.getsource(resolve_name(place)) for text in texts)


def takes(place: str, *names: str) -> Callable[[], bool]:
    """That a function has these parameters and no others."""
    return lambda: (
        list(names) == list(inspect.signature(resolve_name(place)).parameters)
    )


def is_property(place: str) -> Callable[[], bool]:
    return lambda: isinstance(resolve_name(place), property)


def has_one_place(template: str) -> bool:
    fields = [field for _, field, _, _ in Formatter().parse(template)]
    return [field for field in fields if field is not None] == ["0"]


def exist(folder: Path, *names: str) -> Callable[[], bool]:
    return lambda: all((folder / name).is_file() for name in names)


def inline_scripts() -> list[str]:
    text = (FURO / "base.html").read_text("utf-8")
    return re.findall(r"<script>(.*?)</script>", text, re.DOTALL)


def replaced() -> list[str]:
    """What our page template replaces in furo's."""
    return re.findall(r"replace\('([^']+)'", (TEMPLATES / "page.html").read_text())


def overridden() -> set[str]:
    """The blocks that our templates fill; what they extend has them under the same names."""
    texts = [path.read_text("utf-8") for path in TEMPLATES.rglob("*.html")]
    return set(re.findall(r"{%-? block (\w+)", "".join(texts)))


def known_blocks() -> set[str]:
    pages = [*FURO.glob("*.html"), BASIC / "layout.html"]
    texts = [path.read_text("utf-8") for path in pages]
    return set(re.findall(r"{%-? *block (\w+)", "".join(texts)))


#: What sphinx-gallery keeps of a script while it renders it.
SCRIPT_VARS = {
    *("src_file", "target_file", "image_path_iterator", "execute_script", "file_conf"),
    *("example_globals", "fake_main", "memory_delta", "passing"),
    *("formatted_exception", "multi_image"),
}


def script_vars() -> set[str]:
    return set(re.findall(r'script_vars\["(\w+)"\]', inspect.getsource(gen_rst)))


REPLAY, SHELL = "site/gallery/replay.py", "site/publish/shell.py"
TRANSLATOR = "site/publish/translator.py"
MARKDOWN, API_LINKS = "site/publish/markdown.py", "site/gallery/links.py"
NOTEBOOKS, OUTDATED = "site/reading/notebooks.py", "site/judging/outdated.py"
SCRIPT, PAGES = "examples/script.py", "site/tables/chapters.py"

PRIVATE = [
    Private(
        "sphinx-gallery",
        "gen_rst.execute_script",
        (REPLAY,),
        takes(
            "sphinx_gallery.gen_rst:execute_script",
            *("script_blocks", "script_vars", "gallery_conf", "file_conf"),
        ),
    ),
    Private(
        "sphinx-gallery",
        "check_spaces_in_filenames",
        (REPLAY,),
        takes("sphinx_gallery.utils:check_spaces_in_filenames", "files"),
    ),
    Private(
        "sphinx-gallery",
        "_import_matplotlib",
        (REPLAY,),
        says("sphinx_gallery.gen_gallery", "        _import_matplotlib()\n"),
    ),
    Private(
        "sphinx-gallery",
        "gen_rst.CODE_OUTPUT",
        (REPLAY,),
        lambda: has_one_place(gen_rst.CODE_OUTPUT),
    ),
    Private(
        "sphinx-gallery",
        "figure_rst",
        (REPLAY,),
        takes(
            "sphinx_gallery.scrapers:figure_rst",
            "figure_list",
            "sources_dir",
            "fig_titles",
            "srcsetpaths",
        ),
    ),
    Private(
        "sphinx-gallery",
        "get_md5sum",
        (REPLAY,),
        takes("sphinx_gallery.utils:get_md5sum", "src_file", "mode"),
    ),
    Private(
        "sphinx-gallery",
        ".md5",
        (REPLAY,),
        says(
            "sphinx_gallery.gen_rst",
            'script_vars["target_file"] + ".md5"',
            'f"{src_file}.md5"',
        ),
    ),
    Private(
        "sphinx-gallery",
        "script_vars",
        (REPLAY,),
        lambda: script_vars() == SCRIPT_VARS,
    ),
    Private(
        "sphinx-gallery",
        "sphx_glr_",
        ("site/gallery/lists.py",),
        says(
            "sphinx_gallery.gen_rst",
            '"sphx_glr_" + base_image_name + "_{0:03}.png"',
            'f"sphx_glr_{base_image_name}_thumb.{ext}"',
        ),
    ),
    Private(
        "sphinx-gallery",
        "split_code_and_text_blocks",
        (SCRIPT,),
        lambda: py_source_parser.Block._fields == ("type", "content", "lineno"),
    ),
    Private(
        "sphinx-gallery",
        ".codeobj.json",
        (API_LINKS,),
        says(
            "sphinx_gallery._doctree_links",
            *('f"{docname}.codeobj.json"', 'cobj["module_short"]', 'cobj["module"]'),
            *("cobj['name']", 'cobj["is_class"]'),
        ),
    ),
    Private(
        "sphinx-gallery",
        "sphx-glr",
        (MARKDOWN, SHELL),
        says(
            "sphinx_gallery.gen_rst",
            *("sphx-glr-download-link-note", "sphx-glr-footer", "sphx-glr-timing"),
        ),
    ),
    Private(
        "sphinx-gallery",
        "sg_gallery",
        (SHELL,),
        exist(
            GALLERY_STATIC,
            *("sg_gallery.css", "sg_gallery-dataframe.css", "sg-tags.js"),
            *("sg_gallery-binder.css", "sg_gallery-rendered-html.css"),
        ),
    ),
    Private(
        "sphinx",
        "builder.search",
        ("site/publish/search_index.py",),
        says(
            "sphinx.builders.html:StandaloneHTMLBuilder",
            "search = True",
            "if self.search:",
        ),
    ),
    Private(
        "sphinx",
        "get_js_stemmer_code",
        ("site/publish/search_index.py",),
        says(
            "sphinx.search:IndexBuilder",
            "window.Stemmer = ",
            "self.lang: SearchLanguage",
        ),
    ),
    Private(
        "sphinx",
        "anonlabels",
        ("site/reading/prose.py", OUTDATED),
        is_property("sphinx.domains.std:StandardDomain.anonlabels"),
    ),
    Private(
        "sphinx",
        "keep_going",
        (OUTDATED, SHELL),
        says("sphinx.application", "self.keep_going = bool(warningiserror)"),
    ),
    Private(
        "sphinx",
        "relations",
        (SHELL,),
        says("sphinx.builders.html", "self.relations = self.env.collect_relations()"),
    ),
    Private(
        "sphinx",
        "InventoryAdapter",
        (API_LINKS,),
        is_property("sphinx.ext.intersphinx:InventoryAdapter.main_inventory"),
    ),
    Private(
        "sphinx",
        "xref",
        (TRANSLATOR,),
        says("sphinx.roles", "self.classes = ['xref', self.reftype]"),
    ),
    Private(
        "sphinx",
        "starttag",
        (TRANSLATOR,),
        says(
            "sphinx.writers.html5:HTML5Translator",
            "'p', '', CLASS='caption', ROLE='heading'",
        ),
    ),
    Private(
        "sphinx",
        "toctree_includes",
        (PAGES, OUTDATED),
        says(
            "sphinx.environment:BuildEnvironment",
            "self.toctree_includes: ",
            "self.tocs: ",
        ),
    ),
    Private(
        "sphinx",
        ".buildinfo",
        (OUTDATED,),
        says(
            "sphinx.builders.html", "'.buildinfo'", "self.outdir / INVENTORY_FILENAME"
        ),
    ),
    Private(
        "sphinx",
        "SphinxHighlight",
        ("../_static/shell.js",),
        lambda: all(
            name in (BASIC / "static" / "sphinx_highlight.js").read_text("utf-8")
            for name in ("SphinxHighlight", "hideSearchWords", "highlight-link")
        ),
    ),
    Private(
        "myst-nb",
        "source_map",
        (NOTEBOOKS,),
        says("myst_nb.sphinx_", '"source_map"'),
    ),
    Private(
        "myst-nb",
        "jupyter_execute",
        (NOTEBOOKS,),
        says("myst_nb.sphinx_ext", 'OUTPUT_FOLDER = "jupyter_execute"'),
    ),
    Private("myst-nb", "mystnb.", (SHELL,), exist(NOTEBOOK_STATIC, "mystnb.css")),
    Private(
        "myst-nb",
        'class="cell ',
        (SHELL,),
        says(
            "myst_nb.core.render:MditRenderMixin.render_nb_cell_code",
            'classes = ["cell"]',
        ),
    ),
    Private(
        "furo",
        "base.html",
        (SHELL,),
        # The policy allows exactly this text, which no page may fill in.
        lambda: len(inline_scripts()) == 1 and "{" not in inline_scripts()[0],
    ),
    Private(
        "furo",
        "THEME_PATH",
        (SHELL,),
        exist(FURO, "base.html", "page.html", "sidebar/navigation.html"),
    ),
    Private(
        "furo",
        "replace(",
        ("../_templates/page.html",),
        lambda: (
            [1, 1, 1, 1, 1]
            == [(FURO / "page.html").read_text("utf-8").count(t) for t in replaced()]
        ),
    ),
    Private(
        "furo",
        "block ",
        ("../_templates/page.html", "../_templates/404.html"),
        lambda: overridden() <= known_blocks(),
    ),
    Private(
        "furo",
        "current-page",
        ("../_templates/sidebar/navigation.html", "../_static/shell.js"),
        says("furo.navigation", "current-page"),
    ),
    Private(
        "furo",
        "before_furo",
        (SHELL,),
        says("furo", 'if "toctree" in context:', 'connect("html-page-context"'),
    ),
]


def bounds() -> dict[str, Requirement]:
    """What pyproject.toml asks of each package that replays the site."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = map(Requirement, settings["dependency-groups"]["site"])
    return {requirement.name: requirement for requirement in found}


def complaint(private: Private) -> str:
    """What to do about a name that is no longer as it was; empty where it is."""
    try:
        if private.relied_on():
            return ""
    except (AttributeError, ImportError, OSError):
        pass  # it is gone
    files = ", ".join(f"conf/evidence/{path}" for path in private.used)
    found = f"{private.package} {version(private.package)}"
    return f"{found} changed {private.name!r}: change {files}, or the bound in pyproject.toml"


def named(private: Private) -> str:
    return private.name


@pytest.mark.parametrize("private", PRIVATE, ids=named)
def test_what_is_used_without_a_promise_is_as_it_was(private: Private) -> None:
    assert complaint(private) == "", complaint(private)


@pytest.mark.parametrize("template", ["", "{0} {1}"])
def test_what_was_changed_is_named(
    monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    monkeypatch.setattr(gen_rst, "CODE_OUTPUT", template)
    (private,) = (each for each in PRIVATE if each.name == "gen_rst.CODE_OUTPUT")
    assert "change conf/evidence/site/gallery/replay.py, or" in complaint(private)


def test_what_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(gen_rst, "execute_script")
    expected = "changed 'gen_rst.execute_script': change conf/evidence/site/gallery/"
    assert expected in complaint(PRIVATE[0])


@pytest.mark.parametrize("package", sorted({private.package for private in PRIVATE}))
def test_its_package_is_bounded_to_what_was_tried(package: str) -> None:
    specifier = bounds()[package].specifier
    assert {">=", "<"} == {bound.operator for bound in specifier}, package
    assert version(package) in specifier


@pytest.mark.parametrize("private", PRIVATE, ids=named)
def test_the_list_names_the_files_that_use_it(private: Private) -> None:
    for path in private.used:
        assert private.name.rpartition("gen_rst.")[2] in (ENGINE / path).read_text()


def underscored(path: Path) -> Iterator[str]:
    """The private names of other objects and modules in a module of ours."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self":
            names = [node.attr]
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module != "evidence.site.look.words"
        ):
            names = [*str(node.module).split("."), *(name.name for name in node.names)]
        yield from (name for name in names if re.match(r"_[^_]", name))


def test_no_other_private_name_is_used() -> None:
    used = {name for path in ENGINE.rglob("*.py") for name in underscored(path)}
    # IPython's convention for values that show themselves as HTML.
    assert used - {"_repr_html_"} <= {private.name for private in PRIVATE}


def test_a_private_name_is_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "from sphinx._cli import run\nfrom furo import _parts\nenv._app, self._own\n"
    )
    assert {"_cli", "_parts", "_app"} == set(underscored(path))


def test_a_script_is_split_as_the_records_know_it(tmp_path: Path) -> None:
    path = tmp_path / "copy.py"
    path.write_text('"""\nA copy\n======\n"""\n\na = 1\n\n# %%\n# Why:\n\nb = 2\n')
    _, blocks = py_source_parser.split_code_and_text_blocks(str(path))
    assert ["text", "code", "text", "code"] == [block.type for block in blocks]
