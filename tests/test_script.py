"""An example is read as sphinx-gallery reads it, and refused where it cannot be measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from evidence.examples.script import ScriptError, Settings, find_scripts, read_script
from scripts import write

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = '''\
"""
A copy
======

How fast is it?
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 300, "fresh": True}

import math

# %%
# Some prose.

# only a comment

# %%
# More prose.

x = math.pi
x
'''


def bare(folder: Path, text: str) -> Path:
    path = folder / "copy.py"
    path.write_text(text)
    return path


def test_cells_are_those_with_a_statement_and_know_their_lines(tmp_path: Path) -> None:
    path = bare(tmp_path, WHOLE)
    lines = WHOLE.splitlines()
    script = read_script(path)
    assert (path, "copy") == (script.path, script.stem)
    # The first statement of a cell, by its place in the cell and by its place in the file.
    found = []
    for cell in script.cells:
        offset, source = next(
            (offset, line)
            for offset, line in enumerate(cell.source.splitlines())
            if line and not line.startswith("#")
        )
        found.append((source, lines[cell.line - 1 + offset]))
    expected = [("import math", "import math"), ("x = math.pi", "x = math.pi")]
    assert expected == found


def test_settings_are_read_from_the_one_comment(tmp_path: Path) -> None:
    expected = Settings(gpus=2, timeout=300, fresh=True)
    assert expected == read_script(bare(tmp_path, WHOLE)).settings


def test_without_the_comment_the_settings_are_the_usual_ones(tmp_path: Path) -> None:
    text = WHOLE.replace("# sphinx_gallery_evidence", "# a")
    expected = Settings(gpus=1, processes=0, timeout=120, fresh=False)
    assert expected == read_script(bare(tmp_path, text)).settings


@pytest.mark.parametrize(
    "settings",
    [
        {"gpus": 0},
        {"timeout": 0.5},
        {"processes": 3},
        {"fresh": False},
        {"expected_warnings": ["deprecated", "use .*"]},
        {"expected_warnings": ("deprecated",)},
        {"expected_warnings": []},
    ],
)
def test_each_setting_can_be_given(tmp_path: Path, settings: dict[str, object]) -> None:
    (name,) = settings
    found = getattr(
        read_script(write(tmp_path, "copy", "1", **settings)).settings, name
    )
    expected = settings[name]
    assert (tuple(expected) if isinstance(expected, list) else expected) == found


@pytest.mark.parametrize(
    ("message", "settings"),
    [
        ("unknown setting 'gpu' (known: gpus, processes, timeout, fresh,", {"gpu": 1}),
        ("setting 'gpus' cannot be '2'", {"gpus": "2"}),
        ("setting 'gpus' cannot be 2.0", {"gpus": 2.0}),
        ("setting 'gpus' cannot be True", {"gpus": True}),
        ("setting 'gpus' cannot be -1", {"gpus": -1}),
        ("setting 'processes' cannot be -1", {"processes": -1}),
        ("setting 'processes' cannot be [6]", {"processes": [6]}),
        ("setting 'timeout' cannot be '2 min'", {"timeout": "2 min"}),
        ("setting 'timeout' cannot be False", {"timeout": False}),
        ("setting 'timeout' cannot be 0", {"timeout": 0}),
        ("setting 'fresh' cannot be 1", {"fresh": 1}),
        ("setting 'expected_warnings' cannot be 'all'", {"expected_warnings": "all"}),
        ("setting 'expected_warnings' cannot be [1]", {"expected_warnings": [1]}),
        ("setting 'expected_warnings' cannot be ['(']", {"expected_warnings": ["("]}),
    ],
)
def test_a_wrong_setting_is_refused(
    tmp_path: Path, message: str, settings: dict[str, object]
) -> None:
    path = write(tmp_path, "copy", "measured = {'x': 1}", **settings)
    with pytest.raises(ScriptError) as caught:
        read_script(path)
    assert str(caught.value).startswith(f"copy.py: {message}")


@pytest.mark.parametrize("value", ["[]", "[1]", "2", "'gpus'", "{'gpus': {1}}", "{1}"])
def test_settings_that_are_no_dict_of_values_are_refused(
    tmp_path: Path, value: str
) -> None:
    text = f'"""\nA copy\n======\n"""\n\n# sphinx_gallery_evidence = {value}\n\nx = 1\n'
    with pytest.raises(ScriptError, match=r"^copy\.py"):
        read_script(bare(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = 1\n", id="no docstring"),
        pytest.param('"""\nA copy\n======\n"""\n\nx = = 1\n', id="no Python"),
        pytest.param('"""\nA copy\n======\n', id="no end"),
    ],
)
def test_a_file_that_is_no_example_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ScriptError, match=r"^copy\.py cannot be read: "):
        read_script(bare(tmp_path, text))


def test_the_code_key_is_of_the_code_and_the_settings(tmp_path: Path) -> None:
    key = read_script(bare(tmp_path, WHOLE)).code_key
    prose = WHOLE.replace("Some prose", "Other prose").replace("only a", "just a")
    assert key == read_script(bare(tmp_path, prose)).code_key
    for changed in (
        WHOLE.replace("math.pi", "math.e"),
        WHOLE.replace("300", "301"),
        WHOLE.replace("# sphinx_gallery_evidence", "# a"),
    ):
        assert key != read_script(bare(tmp_path, changed)).code_key


def test_every_example_below_a_folder_is_found(tmp_path: Path) -> None:
    for name in (
        "b/z.py",
        "b/a.py",
        "a/m.py",
        "b/_template.py",
        "b/a.json",
        "a/__init__.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    expected = [tmp_path / name for name in ("a/m.py", "b/a.py", "b/z.py")]
    assert expected == find_scripts(tmp_path)


def test_two_examples_do_not_share_a_stem(tmp_path: Path) -> None:
    write(tmp_path / "a", "copy", "1")
    write(tmp_path / "b", "copy", "2")
    message = r"two examples have the stem 'copy': a/copy\.py and b/copy\.py"
    with pytest.raises(ScriptError, match=message):
        find_scripts(tmp_path)
