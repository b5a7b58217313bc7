"""Each cell keeps what it wrote, the value of its last line and the figures it drew."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evidence.records.model import Output
from evidence.records.store import checksum
from scripts import measured, write

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [
    ("a\nb\n", "print('a')\nprint('b')"),
    ("3\n", "1 + 2"),
    ("'x'\n", "'x'"),
    ("", "None"),
    ("", "x = 3"),
    ("1\n2\n", "print(1)\n2"),
    ("\x1b[31mred\x1b[0m\n", "print('\\x1b[31mred\\x1b[0m')"),
    ("é × µ\n", "print('é × µ')"),
    ("\\udc80\n", "print('\\udc80')"),
    ("\ufffd(\n", "import os\nlength = os.write(1, b'\\xff\\x28\\n')"),
    ("low\n", "length = os.write(2, b'low\\n')"),
    ("from C", "import ctypes\ncode = ctypes.CDLL(None).printf(b'from C')"),
    (
        "from a child\n",
        "import subprocess\n_ = subprocess.run(['echo', 'from a child'])",
    ),
    ("<object object>\n", "object()"),
    ("[<__main__.A object>]\n", "class A:\n    pass\n[A()]"),
    ("at 0x10\n", "print('at 0x10')"),
    (
        "def f():\n    return 1\n\n",
        "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))",
    ),
    ("{}\n", "from __future__ import annotations\n{}"),
    ("int\n", "def g(x: int): ...\nprint(g.__annotations__['x'])"),
]


def test_each_cell_has_the_text_it_wrote_and_its_last_value(tmp_path: Path) -> None:
    cells = [code for _, code in TEXTS]
    path = write(tmp_path, "copy", *cells, "measured = {'x': 1}")
    outputs = measured(path).record.outputs
    expected = [Output(text) for text, _ in TEXTS] + [Output()]
    assert expected == list(outputs)


def test_a_value_with_html_is_shown_as_text(tmp_path: Path) -> None:
    code = """\
class A:
    def _repr_html_(self): return '<script>alert(1)</script>'
    def __repr__(self): return 'an A'
A()"""
    path = write(tmp_path, "copy", code, "measured = {'x': 1}")
    assert (Output("an A\n"), Output()) == measured(path).record.outputs


def test_figures_are_kept_with_their_cell_and_are_the_same_each_time(
    tmp_path: Path,
) -> None:
    cells = (
        "from matplotlib import pyplot as plt\nfig, ax = plt.subplots()",
        "measured = {'x': 1}\nfor n in range(2):\n    plt.figure()\n"
        "    plt.fill_between([0, 1], [1, 2 + n], hatch='/')\n    plt.title('a title')\n"
        "plt.show()",
        "plt.figure(); plt.savefig('own.svg'); plt.plot([1, 2])",
    )
    path = write(tmp_path, "copy", *cells)
    first, second = measured(path), measured(path)
    expected = [("copy-1.svg",), ("copy-2.svg", "copy-3.svg"), ("copy-4.svg",)]
    assert expected == [output.figures for output in first.record.outputs]
    assert first.figures == second.figures
    expected_sums = {name: checksum(data) for name, data in first.figures.items()}
    assert expected_sums == {fig.name: fig.sha256 for fig in first.record.figures}
    drawn = first.figures["copy-2.svg"].decode()
    assert ">a title</text>" in drawn
    assert not re.search(r"<dc:date>|0x[0-9a-f]{6}", drawn)
    expected_text = "[<matplotlib.lines.Line2D object>]\n"
    assert expected_text == first.record.outputs[2].text


def test_an_expected_warning_is_no_error_and_is_not_shown(tmp_path: Path) -> None:
    code = "import warnings\nwarnings.warn('op is deprecated')\nmeasured = {'x': 1}"
    path = write(tmp_path, "copy", code, expected_warnings=["op is .*"])
    expected = (Output(),)
    assert expected == measured(path).record.outputs
