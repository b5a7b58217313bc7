"""A tiny site, written and built anew for a test: one example with a made-up record, one page."""

from __future__ import annotations

import os
import pickle
import re
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bs4 import BeautifulSoup
from evidence.examples.script import read_script
from evidence.records.model import Figure, Output, Process, Record
from evidence.records.store import checksum, save
from factories import record
from forked import run_sphinx

if TYPE_CHECKING:
    from docutils import nodes

ROOT = Path(__file__).parents[1]

CONF = """\
project = "Tiny"
author = copyright = "nobody"
extensions = ["evidence", "myst_parser"]
myst_enable_extensions = ["attrs_inline", "colon_fence"]
html_theme = "basic"
nitpicky = True
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/(?!_)[^/]+\\.py$",
    "ignore_pattern": r"^_",
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "show_signature": False,
    "download_all_examples": False,
    "write_computation_times": False,
    "show_memory": False,
    "image_scrapers": (),
    "reset_modules": (),
}
"""

# What a shell starts in the background ignores Ctrl-C, and what tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: Executed, it would raise: neither the module nor the folder exists.
SCRIPT = '''\
"""
A copy
======

How fast is a copy?
"""

import no_such_module

open("/no/such/folder/executed", "w")

# %%
# What it gave:

measured = {}
'''

SVG = b"""\
<svg xmlns="http://www.w3.org/2000/svg" width="40pt" height="30pt" viewBox="0 0 40 30">
<text x="2" y="20">%s</text>
</svg>
"""


def claim(name: str = "copy-is-faster", expect: str = ">= 3", **options: str) -> str:
    """A claim as a page writes it: its sentence, and its checks in a block."""
    return (
        f"[{_sentence(expect, options)}]{{#{name}}}\n\n{_checks(name, expect, options)}"
    )


def hazard(*codes: str, expect: str = ">= 3", **options: str) -> str:
    """A hazard as a page writes it, ``wrong`` and ``right``, perhaps each with its code.

    :param options: those of its second block
    """
    given = {"wrong": {"control": "right"}, "right": options}
    shown = dict(zip(given, codes or ("", ""), strict=True))
    boxes = [
        f":::{{{name}}} {name}\n{_sentence(expect, given[name])}\n\n{code}\n:::\n"
        for name, code in shown.items()
    ]
    checks = [_checks(name, expect, given[name]) for name in given]
    return "\n\n".join(["::::{hazard}", *boxes, "::::", *checks])


def _sentence(expect: str, options: dict[str, str]) -> str:
    shown = options.get("value", "copy.speedup")
    if expect in ("true", "false"):
        shown = f"is faster | is not faster <{shown}>"
    return f"It is faster ({{measured}}`{shown}`)."


def _checks(name: str, expect: str, options: dict[str, str]) -> str:
    """A block of checks with one check."""
    given = {"value": "copy.speedup", **options}
    check = f"  how fast: {given.pop('value')} {expect}"
    lines = [f"  :{option}: {text}" for option, text in given.items()]
    return "\n".join(["```{checks}", f"{name}:", check, *lines, "```"])


@dataclass(frozen=True)
class Build:
    """What one ``sphinx-build`` gave."""

    code: int
    output: str
    errors: str
    folder: Path

    @property
    def html(self) -> Path:
        return self.folder / "html"

    @property
    def warnings(self) -> list[str]:
        """Every warning, as it stands in the log, the site's own folder left out."""
        found: list[str] = []
        for line in self.errors.splitlines():
            if re.search(r"\b(WARNING|ERROR|CRITICAL): ", line) or not found:
                found.append(line)
            else:
                found[-1] += f"\n{line}"
        return found

    @property
    def read(self) -> set[str]:
        """The pages that this build read."""
        return set(re.findall(r"reading sources\.\.\. \[ *\d+%\] (\S+)", self.output))

    def page(self, name: str = "index") -> BeautifulSoup:
        return BeautifulSoup((self.html / f"{name}.html").read_text(), "html.parser")

    def text(self, name: str = "index") -> str:
        """The words of a page's body, with single spaces."""
        body = self.page(name).find(role="main")
        assert body is not None
        return " ".join(body.get_text(" ").split())

    def doctree(self, name: str = "index") -> nodes.document:
        data = (self.folder / "doctrees" / f"{name}.doctree").read_bytes()
        tree: nodes.document = pickle.loads(data)
        return tree


class Site:
    """A folder with conf/, docs/ and examples/, as the real one has them.

    :param preview: builds go on from the one before, as they do for ``nox -s preview``
    """

    def __init__(self, folder: Path, *, preview: bool = False) -> None:
        self.folder = folder
        self.preview = preview
        self.write("conf/conf.py", CONF)
        self.write("examples/GALLERY_HEADER.rst", "Examples\n========\n")
        self.write("docs/evidence/sources.toml", "")

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(data)
        return path

    def page(self, *blocks: str, name: str = "index", title: str = "Tiny") -> Path:
        """Write a page: a title, a lead, which defines a word, and these blocks."""
        tree = "```{toctree}\ngallery/index\n```"
        begin = "" if name == "index" else "---\norphan: true\n---\n\n"
        end = [tree] if name == "index" else []
        text = begin + "\n\n".join([f"# {title}", "*The lead.*", *blocks, *end])
        return self.write(f"docs/{name}.md", text + "\n")

    def script(
        self, stem: str = "copy", code: str = SCRIPT, chapter: str = "memory"
    ) -> Path:
        header = f"{chapter.title()}\n{'-' * len(chapter)}\n"
        self.write(f"examples/{chapter}/GALLERY_HEADER.rst", header)
        return self.write(f"examples/{chapter}/{stem}.py", code)

    def record(self, stem: str = "copy", **changes: Any) -> Record:
        """Write the record of a script that exists: what it would have measured.

        :param figures: contents by name
        """
        (path,) = (self.folder / "examples").rglob(f"{stem}.py")
        figures: dict[str, bytes] = changes.pop("figures", {})
        script = read_script(path)
        outputs = changes.pop("outputs", (Output("4.9 to 5.1\n"),))
        silent = (Output(),) * (len(script.cells) - len(outputs))
        usual = {
            "code_key": script.code_key,
            "outputs": (*outputs, *silent),
            "processes": (Process(2.5),) * 6,
            "figures": tuple(Figure(name, checksum(figures[name])) for name in figures),
        }
        made = record(stem, **{**usual, **changes})
        save(made, path.with_suffix(".json"), figures)
        return made

    def build(
        self,
        *arguments: str,
        code: int = 0,
        conf: str = "",
        **environment: str | None,
    ) -> Build:
        """Build in a process of its own; without a word about it, a warning is a failure.

        :param code: the expected exit code
        :param conf: lines to add to conf.py
        :param environment: variables to set, or None to unset
        """
        if conf:
            self.write("conf/conf.py", CONF + conf)
        usual = {"PYTHONPATH": str(ROOT / "conf"), "EVIDENCE": "replay"}
        merged = {**os.environ, **usual, **environment}
        command = [
            *("--no-color", "-b", "html", "-c", "conf", "-d", "build/doctrees"),
            *(() if self.preview else ("-W", "--keep-going")),
            *("docs", "build/html", *arguments),
        ]
        known = {name: text for name, text in merged.items() if text is not None}
        # A hash seed, a locale or a time zone is read when Python starts.
        anew = not environment.keys() <= {"EVIDENCE"}
        exit_code, output, errors = run_sphinx(command, self.folder, known, anew=anew)
        errors = errors.replace(f"{self.folder}/", "")
        build = Build(exit_code, output, errors, self.folder / "build")
        if self.preview and exit_code == 0 and build.warnings:
            build = replace(build, code=1)  # as it would be, were it strict
        assert code == build.code, build.errors
        assert (code == 0) is (not build.warnings), build.errors
        return build


def green(folder: Path, *, preview: bool = False) -> Site:
    """A site without a fault: one example, its record, one page with one claim."""
    made = Site(folder, preview=preview)
    made.page(claim())
    made.script()
    made.record()
    return made


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A green site of the test's own."""
    return green(tmp_path)
