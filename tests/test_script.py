"""An example is read as sphinx-gallery reads it, and refused where it cannot be measured."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from evidence.examples.script import (
    PageError,
    ScriptError,
    Settings,
    find_scripts,
    read_script,
    read_scripts,
)
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
        ("unknown field `gpu`; known are gpus, processes, timeout, fresh,", {"gpu": 1}),
        ("Expected `int`, got `str` - at `$.gpus`", {"gpus": "2"}),
        ("Expected `int`, got `float`", {"gpus": 2.0}),
        ("Expected `int`, got `bool`", {"gpus": True}),
        ("Expected `int` >= 0", {"gpus": -1}),
        ("Expected `int` >= 0", {"processes": -1}),
        ("Expected `int`, got `array`", {"processes": [6]}),
        ("Expected `float`, got `str`", {"timeout": "2 min"}),
        ("Expected `float`, got `bool`", {"timeout": False}),
        ("Expected `float` > 0", {"timeout": 0}),
        ("Expected `bool`, got `int`", {"fresh": 1}),
        ("Expected `array`, got `str`", {"expected_warnings": "all"}),
        ("Expected `str`, got `int`", {"expected_warnings": [1]}),
        ("missing ), unterminated subpattern", {"expected_warnings": ["("]}),
    ],
)
def test_a_wrong_setting_is_refused(
    tmp_path: Path, message: str, settings: dict[str, object]
) -> None:
    path = write(tmp_path, "copy", "measured = {'x': 1}", **settings)
    with pytest.raises(ScriptError) as caught:
        read_script(path)
    assert str(caught.value).startswith("copy.py: sphinx_gallery_evidence: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["evidense", "thumbnail_number", "start_ignore"])
def test_another_comment_to_the_gallery_is_refused(tmp_path: Path, name: str) -> None:
    text = WHOLE.replace("import math", f"# sphinx_gallery_{name} = 2\nimport math")
    message = f"copy.py: sphinx_gallery_{name} is unknown here; write sphinx_gallery_ev"
    with pytest.raises(ScriptError, match=f"^{message}"):
        read_script(bare(tmp_path, text))


@pytest.mark.parametrize(
    "value", ["[]", "[1]", "2", "{gpus: 2}", "'gpus'", "{'gpus': {1}}", "{1}"]
)
def test_settings_that_are_no_dict_of_values_are_refused(
    tmp_path: Path, value: str
) -> None:
    text = f'"""\nA copy\n======\n"""\n\n# sphinx_gallery_evidence = {value}\n\nx = 1\n'
    with pytest.raises(ScriptError, match=r"^copy\.py"):
        read_script(bare(tmp_path, text))


HEAD = '"""\nA copy\n======\n"""\n'


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("cannot be read: invalid syntax", f"{HEAD}x = = 1\n"),
        ("cannot be read: unterminated triple-quoted", '"""\nA copy\n======\n'),
        ("cannot be read: .* null bytes", f"{HEAD}x = '\0'\n"),
        # A cell that is no Python by itself.
        ("cannot be read: '\\(' was never closed", f"{HEAD}x = (\n# %%\n# Text\n\n1)"),
        ("has no code, and so nothing to measure", HEAD),
        ("has no code, and so nothing to measure", f"{HEAD}# only a comment\n"),
    ],
)
def test_a_file_that_cannot_be_measured_is_refused(
    tmp_path: Path, message: str, text: str
) -> None:
    with pytest.raises(ScriptError, match=rf"^copy\.py {message}"):
        read_script(bare(tmp_path, text))


@pytest.mark.parametrize(
    ("message", "data"),
    [
        ("has no docstring, which holds its title", b"x = 1\n"),
        ("has no docstring, which holds its title", b'""" """\nx = 1\n'),
        ("is not UTF-8: ", HEAD.encode() + b"x = '\xff'\n"),
    ],
)
def test_a_file_that_cannot_even_be_shown_is_told_apart(
    tmp_path: Path, message: str, data: bytes
) -> None:
    path = tmp_path / "copy.py"
    path.write_bytes(data)
    with pytest.raises(PageError, match=rf"^copy\.py {message}"):
        read_script(path)


def test_the_code_key_is_of_the_code_and_the_settings(tmp_path: Path) -> None:
    key = read_script(bare(tmp_path, WHOLE)).code_key
    prose = WHOLE.replace("Some prose", "Other prose").replace("only a", "just a")
    assert key == read_script(bare(tmp_path, prose)).code_key
    # What runs beside it changes no example.
    comment = '# sphinx_gallery_quiet = "machine"'
    alone = WHOLE.replace(
        "# sphinx_gallery_evidence", f"{comment}\n# sphinx_gallery_evidence"
    )
    assert "machine" == read_script(bare(tmp_path, alone)).settings.quiet
    assert key == read_script(bare(tmp_path, alone)).code_key
    for changed in (
        WHOLE.replace("math.pi", "math.e"),
        WHOLE.replace("300", "301"),
        WHOLE.replace("# sphinx_gallery_evidence", "# a"),
    ):
        assert key != read_script(bare(tmp_path, changed)).code_key


@pytest.mark.parametrize(
    ("expected", "comment"),
    [
        ("Invalid enum value 'loud'", '# sphinx_gallery_quiet = "loud"'),
        ("Expected `str`, got `null`", "# sphinx_gallery_quiet = whatever"),
        (
            'write # sphinx_gallery_quiet = "host"',
            '# sphinx_gallery_evidence = {"quiet": "host"}',
        ),
    ],
)
def test_what_has_to_be_quiet_is_said_in_a_comment_of_its_own(
    expected: str, comment: str, tmp_path: Path
) -> None:
    path = bare(tmp_path, f'"""\nCopy\n====\n"""\n{comment}\nmeasured = {{"x": 1}}\n')
    with pytest.raises(ScriptError, match=re.escape(expected)):
        read_script(path)


def test_every_example_below_a_folder_is_found(tmp_path: Path) -> None:
    for name in ("b/z.py", "b/a.py", "a/m.py", "b/_x.py", "b/a.json", "a/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    expected = [tmp_path / name for name in ("a/m.py", "b/a.py", "b/z.py")]
    assert expected == find_scripts(tmp_path)


def test_two_examples_do_not_share_a_stem(tmp_path: Path) -> None:
    write(tmp_path / "a", "copy", "1")
    write(tmp_path / "b", "copy", "2")
    message = r"two examples have the stem 'copy': a/copy\.py and b/copy\.py"
    with pytest.raises(PageError, match=message):
        find_scripts(tmp_path)


@pytest.mark.parametrize("stem", ["my-example", "2copies", "a.b"])
def test_the_name_of_an_example_can_be_cited(tmp_path: Path, stem: str) -> None:
    write(tmp_path, stem, "1")
    message = rf"^{stem}\.py: its name, which pages cite, is no identifier$"
    with pytest.raises(PageError, match=message):
        find_scripts(tmp_path)


@pytest.mark.parametrize(
    ("expected", "there", "settings"),
    [
        (1, 8, Settings()),
        (1, 8, Settings(gpus=0)),
        (3, 8, Settings(gpus=3)),
        (2, 2, Settings(gpus=3)),
        (0, 0, Settings(gpus=3)),
        (8, 8, Settings(gpus=3, quiet="machine")),
        (7, 7, Settings(gpus=2, all_gpus=True)),
    ],
)
def test_an_example_occupies_the_gpus_whose_cores_it_uses(
    expected: int, there: int, settings: Settings
) -> None:
    assert expected == settings.takes(there)


def test_of_several_examples_those_that_can_be_measured_are_read(
    tmp_path: Path,
) -> None:
    (tmp_path / "bare.py").write_text("x = 1\n")
    (tmp_path / "wrong.py").write_text(f"{HEAD}x = = 1\n")
    whole = [write(tmp_path, "copy", "1"), write(tmp_path, "wait", "2")]

    scripts, problems = read_scripts(sorted(tmp_path.glob("*.py")))

    assert [read_script(path) for path in whole] == scripts
    first, second = problems
    assert "bare.py has no docstring, which holds its title" == first
    assert second.startswith("wrong.py cannot be read: invalid syntax")
