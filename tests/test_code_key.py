"""The code key changes with the code and the settings, and with nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from evidence.records import code_key as module
from evidence.records.code_key import code_key, has_statement, strip_comments

ROOT = Path(__file__).parent.parent

CELL = 'import torch\n\nx = f(1)  # why\ntext = """a\n\n  # no comment\nb"""\n'

#: What the tokenizers of Python 3.11 and 3.12 see differently, or might.
TRICKY = {
    "fstring": 'y = f"""a  \n\n  {x:>{10}}   \n# no\n{{b}}\n\n"""  # é\n',
    "fstring_field": 'y = f"""a{\n\n    x   \n}"""\n',
    "fstring_lines": 'y = ("a"  # one\n     f"b{x!r}"  # two\n     rf"\\{x}")\n',
    "hash": "x = \"# a\"  # b\ny = '#'\nz = f'#{x}#'\n",
    "form_feed": "x = 1\n\x0c\ny = 2\n",
    "separator": 'x = "\u2028\x0b"  # c\u2028d\ny = 1\n',
    "wide": 'x = "é×µ"  # ü\nz = f"""\né\né{x}é\n"""  # é\n',
    "continued": 'x = 1 + \\\n    2  # c\ns = "a\\\n   \\\n  b"\n',
    "no_newline": "def f():\n\treturn 1\t# c",
    "crlf": "x = 1  # c\r\n\r\ny = 2\r\n",
}


@pytest.mark.parametrize(
    "edited",
    [
        CELL.replace("  # why", ""),
        CELL.replace("  # why", "  # because"),
        CELL.replace("x =", "# x\nx ="),
        CELL.replace("import torch\n\n", "import torch\n"),
        CELL.replace("import torch\n", "import torch   \n\n\n"),
        CELL.replace("import torch\n", "import torch\n\x0c\n"),
        CELL.rstrip("\n"),
        "\n\n# first\n" + CELL + "\n# last\n",
    ],
)
def test_comments_and_blank_lines_do_not_change_the_key(edited: str) -> None:
    assert code_key([CELL], {}) == code_key([edited], {})


def test_a_cell_of_comments_does_not_change_the_key() -> None:
    assert code_key([CELL], {}) == code_key(["# only\n", CELL, "\n"], {})


@pytest.mark.parametrize(
    "edited",
    [
        CELL.replace("f(1)", "f(2)"),
        CELL.replace("f(1)", "f( 1)"),
        CELL.replace("# no comment", "# a comment"),
        CELL.replace('"""a\n\n', '"""a\n'),
        CELL.replace('"""a\n', '"""a \n'),
        CELL + "x\n",
    ],
)
def test_changed_code_changes_the_key(edited: str) -> None:
    assert code_key([CELL], {}) != code_key([edited], {})


def test_the_settings_are_part_of_the_key_and_their_order_is_not() -> None:
    assert code_key([CELL], {}) != code_key([CELL], {"gpus": 2})
    assert code_key([CELL], {"gpus": 1}) != code_key([CELL], {"gpus": 2})
    settings = {"gpus": 2, "timeout": 300}
    assert code_key([CELL], settings) == code_key(
        [CELL], dict(reversed(settings.items()))
    )


def test_where_the_statements_stand_is_part_of_the_key() -> None:
    layouts = [
        ["a = 1", "b = 2"],
        ["b = 2", "a = 1"],
        ["a = 1\nb = 2"],
        ["a = 1", "b = 2", "b"],
    ]
    keys = [code_key(cells, {}) for cells in layouts]
    assert len(layouts) == len(set(keys))


@pytest.mark.parametrize(
    ("bare", "source"),
    [
        ("x = \"# a\"\ny = '#'\nz = f'#{x}#'", TRICKY["hash"]),
        ("x = 1\ny = 2", TRICKY["form_feed"]),
        ('x = "\u2028\x0b"\ny = 1', TRICKY["separator"]),
        ('y = f"""a  \n\n  {x:>{10}}   \n# no\n{{b}}\n\n"""', TRICKY["fstring"]),
        ('y = f"""a{\n\n    x   \n}"""', TRICKY["fstring_field"]),
        ("x = 1\ny = 2", TRICKY["crlf"]),
        ("def f():\n\treturn 1", TRICKY["no_newline"]),
        ('x = """a  \n  b """\ny = "XX"', 'x = """a  \n  b """   \n\ny = "XX"  # c\n'),
        ('x = """aX\nX"""', 'x = """aX\nX"""\n'),
        ('x = 1\ny = f"""a\n\n{x}"""', 'x = 1   \n\ny = f"""a\n\n{x}"""\n'),
        ("", "# nothing\n"),
    ],
)
def test_only_comments_and_blank_lines_are_stripped(bare: str, source: str) -> None:
    assert bare == strip_comments(source)


@pytest.mark.parametrize(
    ("expected", "cell"),
    [(False, ""), (False, "# c\n\n"), (True, '"text"'), (True, "pass # c")],
)
def test_a_cell_of_comments_holds_no_statement(expected: bool, cell: str) -> None:
    assert expected is has_statement(cell)


def test_a_cell_that_is_not_python_is_an_error() -> None:
    with pytest.raises(SyntaxError):
        code_key(["x = = 1"], {})


def test_every_python_version_gives_this_key() -> None:
    cells = [CELL, *TRICKY.values()]
    expected = "ee3c408c3c70d87dbb29ce064657edb247abd9c0d470aec13a0f321d29696bd4"
    assert expected == code_key(cells, {"gpus": 2, "fresh": True})


def other_python() -> str:
    """An interpreter of the other supported version that can run, or skip."""
    for minor in {11, 12} - {sys.version_info.minor}:
        for folder in os.get_exec_path():
            found = shutil.which(f"python3.{minor}", path=folder)
            ask = "import sys; print(sys.version_info[1])"
            answer = found and subprocess.run(
                [found, "-c", ask], capture_output=True, text=True
            )
            if found and answer and answer.stdout.strip() == str(minor):
                return found
    pytest.skip("no interpreter of the other supported Python version runs here")


def test_the_other_python_version_gives_the_same_keys() -> None:
    files = [
        p
        for folder in ("examples", "conf", "tests")
        for p in (ROOT / folder).rglob("*.py")
    ]
    sources = {
        **TRICKY,
        **{str(path): path.read_text(encoding="utf-8") for path in sorted(files)},
    }
    # By file: the package needs nothing here that the other interpreter may lack.
    script = (
        "import json, runpy, sys\n"
        "key = runpy.run_path(sys.argv[1])['code_key']\n"
        "sources = json.load(sys.stdin)\n"
        "print(json.dumps({name: key([text], {}) for name, text in sources.items()}))\n"
    )
    answer = subprocess.run(
        [other_python(), "-c", script, module.__file__],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        check=True,
    )
    assert {
        name: code_key([source], {}) for name, source in sources.items()
    } == json.loads(answer.stdout)
