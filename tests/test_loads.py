"""What the cells of an analysis page read: seen in their source, or refused."""

from __future__ import annotations

import pytest
from evidence.site.loads import IMPORTS, LITERAL, Loads, Use

HEAD = "from evidence.analysis import draw, load\n"


def read(*cells: str) -> Loads:
    """Read cells that begin at lines 1, 11, 21, ..."""
    loads = Loads()
    for number, source in enumerate(cells):
        loads.read(source, 10 * number + 1)
    return loads


def test_a_value_is_seen_where_its_record_is_loaded() -> None:
    loads = read(f'{HEAD}x = 1\nload("copy").rows("sweep")\nload("other")')
    expected = {
        Use(3, "rows", "copy", "sweep"),
        Use(3, "load", "copy"),
        Use(4, "load", "other"),
    }
    assert expected == set(loads.uses)
    assert not loads.problems
    assert {"copy.sweep", "copy.", "other."} == {use.address for use in loads.uses}


def test_a_value_is_seen_by_the_name_of_its_record_in_later_cells() -> None:
    loads = read(
        f'{HEAD}a = load("copy")\nb = a.value("n")',
        'def f(axes):\n    return [a.rows("sweep")]\ndraw(f, alt="")',
        'a = load("other")\nc = [a.value("m") for _ in range(3)]',
    )
    found = {(use.line, use.address) for use in loads.uses if use.kind != "load"}
    assert {(3, "copy.n"), (12, "copy.sweep"), (22, "other.m")} == found


@pytest.mark.parametrize(
    "source",
    [
        'a = load("copy")\na = 3\na.value("n")',
        'a = {"b": 1}\na.value("n")',
        'load("copy").value(name)',
        'load("copy").other("n")',
        'load("copy").builder',
    ],
)
def test_nothing_else_is_taken_for_a_value(source: str) -> None:
    assert ["load"] * source.count("load(") == [use.kind for use in read(source).uses]


@pytest.mark.parametrize(
    "source",
    [
        "import numpy",
        "import numpy as np, matplotlib.ticker",
        "from matplotlib.ticker import FixedLocator as Ticks",
        "from evidence.analysis import claim, computed, draw, load, show_table",
    ],
)
def test_what_a_page_may_import(source: str) -> None:
    assert not read(source).problems


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("import torch", "torch is imported; "),
        ("import torch.cuda as cuda", "torch.cuda is imported; "),
        ("from torch import nn", "torch is imported; "),
        ("import json", "json is imported; "),
        ("from pathlib import Path", "pathlib is imported; "),
        ("from . import sibling", ". is imported; "),
        ("import evidence.analysis", "evidence.analysis is imported; "),
        ("from evidence.records import store", "evidence.records is imported; "),
        ("from evidence.analysis import load as take", ""),
        ("from evidence.analysis import _paths", ""),
        ("from evidence.analysis import *", ""),
    ],
)
def test_what_a_page_may_not_import(source: str, module: str) -> None:
    assert [(2, module + IMPORTS)] == read(f"x = 1\n{source}").problems


@pytest.mark.parametrize(
    "source",
    [
        'stem = "copy"\nload(stem)',
        'x = 1\nload(f"copy")',
        'x = 1\nload("co" + "py")',
        'x = 1\nload(stem="copy")',
        "x = 1\nload()",
        "x = 1\nload(*stems)",
        'x = 1\nload("copy", "other")',
        "x = 1\ntake = load",
        "x = 1\nlist(map(load, stems))",
    ],
)
def test_a_record_is_loaded_by_a_literal_name(source: str) -> None:
    loads = read("y = 2", source)
    assert [(12, LITERAL)] == loads.problems
    assert not loads.uses


def test_what_is_not_python_is_reported_at_its_line() -> None:
    loads = read("x = 1", "x = 1\n%timeit x", 'load("copy")')
    assert [(12, "this is not Python: invalid syntax")] == loads.problems
    assert ["copy"] == [use.stem for use in loads.uses]
