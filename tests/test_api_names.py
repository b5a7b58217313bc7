"""Names of the torch API: what pages and examples write, and what links go to, exists."""

from __future__ import annotations

import ast
import importlib
import re
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT
from evidence.examples.script import find_scripts, read_script
from evidence.records.versions import release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INVENTORY = ROOT / "conf" / "torch.inv"

#: Names that a newer torch has than the one that runs these tests, and since when.
NEWER = {"torch._inductor.config.triton.cudagraph_trees_generation_cloning": "2.14"}

#: In code that stands in a sentence, a role or a link; not in addresses and file names.
NAME = re.compile(r"(?<![\w/.-])torch(?:\.[A-Za-z_]\w*)+(?![\w-])")
CODE = re.compile(r"`([^`\n]+)`")

#: Asking for these fails in a build of torch without CUDA, with one of these messages.
WITHOUT_CUDA = ("Torch not compiled with CUDA", "CUDA driver", "NVIDIA driver")


def linked() -> list[tuple[str, str]]:
    """The names of the inventory, each with the page that documents it."""
    lines = INVENTORY.read_text("utf-8").splitlines()
    return [(name, page) for name, _, page in (line.split() for line in lines[3:])]


def called(path: Path) -> Iterator[str]:
    """Every name below torch in an example's code."""
    for cell in read_script(path).cells:
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Attribute):
                yield from NAME.findall(ast.unparse(node))
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from NAME.findall(node.module)
                yield from (f"{node.module}.{name.name}" for name in node.names)


def written(path: Path) -> Iterator[str]:
    """Every name below torch in the code that a page's sentences hold."""
    for code in CODE.findall(path.read_text("utf-8")):
        yield from NAME.findall(code)


def every_name() -> dict[str, str]:
    """Each name with one of the places where it stands."""
    pages = [p for p in (ROOT / "docs").rglob("*.md") if "gallery" not in p.parts]
    found: dict[str, str] = {}
    for path in find_scripts(ROOT / "examples"):
        names = (name for name in called(path) if name.startswith("torch."))
        found.update(dict.fromkeys(names, path.name))
    for path in pages:
        found.update(dict.fromkeys(written(path), path.name))
    return found | dict.fromkeys((name for name, _ in linked()), INVENTORY.name)


def exists(name: str) -> bool:
    """Whether the installed torch has a name, or would have it with CUDA."""
    if "._C." in f"{name}.":
        return True  # what is compiled in differs between builds
    first, *rest = name.split(".")
    found: object = importlib.import_module(first)
    for depth, part in enumerate(rest, 2):
        if found is None:
            return True  # such as torch.version.cuda, without CUDA
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(".".join(name.split(".")[:depth]))
            except ImportError:
                return False
        except (AssertionError, RuntimeError) as error:
            return any(text in str(error) for text in WITHOUT_CUDA)
    return True


def test_the_inventory_is_sorted_and_holds_each_name_once() -> None:
    names = [name for name, _ in linked()]
    assert sorted(set(names)) == names
    assert len(names) > 100


def test_names_are_found_in_code_and_in_sentences(tmp_path: Path) -> None:
    script = tmp_path / "copy.py"
    script.write_text(
        '"""\nA\n=\n\nB.\n"""\n\nfrom torch.cuda import Event\n\ntorch.ones(1)\n'
    )
    page = tmp_path / "page.md"
    page.write_text(
        "{any}`torch.cuda.Stream`, `torch.mm(a)`, [torch.org](a/torch.html)"
    )
    assert {"torch.cuda", "torch.cuda.Event", "torch.ones"} == set(called(script))
    assert {"torch.cuda.Stream", "torch.mm"} == set(written(page))


@pytest.mark.torch
def test_a_name_that_torch_has_not_is_found() -> None:
    names = ["torch.cuda.Event", "torch.cuda.Evnt", "torch.no_module.name"]
    assert [True, False, False] == [exists(name) for name in names]


@pytest.mark.torch
def test_torch_has_every_name_that_the_site_uses() -> None:
    here = importlib.import_module("torch").__version__
    later = {name for name, since in NEWER.items() if release(since) > release(here)}
    missing = {name: place for name, place in every_name().items() if not exists(name)}
    assert {} == {name: missing[name] for name in missing.keys() - later}
    assert later <= missing.keys()
