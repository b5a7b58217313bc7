"""What a cell of an analysis page uses, without a build: values, tables, figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from conftest import loaded_with
from evidence.analysis import Recorded, claim, computed, draw, show_table
from evidence.figures.drawing import INKS
from evidence.judge.claim import ClaimError
from evidence.records.model import Interval, Plain, Table
from factories import record, timing

if TYPE_CHECKING:
    from evidence.analysis import Quantity

ROWS = tuple({"size_bytes": Plain(n), "copy_s": timing(n, n + 2)} for n in (1024, 4096))
COPY = Recorded(record("copy", {"speedup": timing(4.9, 5.1), "sweep": Table(ROWS)}))


def test_a_value_knows_its_number_interval_and_processes() -> None:
    value = COPY.value("speedup")
    assert ("copy.speedup", 5.0, "5.0×") == (value.address, value.value, str(value))
    assert Interval(4.9, 5.1) == value.interval
    assert (4.9, 4.9, 5.0, 5.0, 5.1, 5.1) == value.processes


def test_a_value_that_does_not_vary_is_an_interval_of_its_own() -> None:
    value = COPY.value("sweep[size_bytes=4096].size_bytes")
    assert (Interval(4096, 4096), (4096,)) == (value.interval, value.processes)
    assert "4\u202fKiB" == str(value)


def test_the_rows_of_a_sweep_hold_values() -> None:
    first, second = COPY.rows("sweep")
    assert "copy.sweep[size_bytes=1024].copy_s" == first["copy_s"].address
    assert (4096, 4097) == (second["size_bytes"].value, second["copy_s"].value)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: COPY.value("spedup"),
            "nothing was measured as 'copy.spedup'; did you mean copy.speedup?",
        ),
        (
            lambda: COPY.rows("swep"),
            "no table was measured as 'copy.swep'; did you mean copy.sweep?",
        ),
        (lambda: Recorded(record("a")).rows("b"), "no table was measured as 'a.b'"),
    ],
)
def test_a_value_that_was_not_measured_is_named(ask: Quantity, said: str) -> None:
    with pytest.raises(ClaimError) as error:
        ask()
    assert said == str(error.value)


def test_a_computed_value_has_the_interval_of_its_processes() -> None:
    value = computed("saved_s", (0.1, 0.2, 0.3))
    assert (0.2, Interval(0.1, 0.3)) == (value.value, value.interval)
    assert "200\u202fms" == str(value)


def test_a_table_is_markdown_with_links_and_html_without() -> None:
    entries = ("is ", COPY.value("speedup"), " < `a|b`")
    rows = [(claim("copy-is-faster", "a `pin`"), entries, computed("n", [2]))]
    shown = show_table(["To do", "Measured", "N"], rows, style="special")
    expected = {
        "text/markdown": "```{table}\n:class: special\n\n| To do | Measured | N |\n"
        "| --- | --- | --- |\n| [a `pin`](#copy-is-faster) | is {measured}`copy.speedup` "
        "< `a\\|b` | 2.000 |\n```",
        "text/html": "<table><tr><th>To do</th><th>Measured</th><th>N</th></tr><tr>"
        "<td>a `pin`</td><td>is 5.0× &lt; `a|b`</td><td>2.000</td></tr></table>",
    }
    assert expected == shown._repr_mimebundle_(include=None, exclude=None)
    assert "0x" not in repr(shown)


def test_a_figure_has_its_numbers_and_its_inks() -> None:
    def rising(axes: object) -> list[dict[str, object]]:
        axes.plot([1, 2])  # type: ignore[attr-defined]
        return [{"kind": "a", "speedup": COPY.value("speedup"), "n": Plain(3)}]

    shown = draw(rising, alt="It rises.", caption="See *this*.")
    bundle = shown._repr_mimebundle_()
    fence, data, caption, end = bundle["text/markdown"].split("\n")
    assert ("``````{drawing}", "See *this*.", "``````") == (fence, caption, end)
    figure = json.loads(data)
    assert ("rising", "It rises.") == (figure["name"], figure["alt"])
    assert [["kind", "speedup", "n"], [["a", "5.0×", "3"]]] == [
        figure["header"],
        figure["rows"],
    ]
    assert "kind,speedup,n\na,5.0,3\n" == figure["csv"]
    variables = {ink for ink in INKS.values() if ink in figure["svg"]}
    assert "var(--plot-1)" in variables
    for variable in variables:
        assert f"{variable[4:-1]}:#" in bundle["text/html"]


@pytest.mark.parametrize(("rows", "alt"), [([], "It rises."), ([{"n": 1}], "")])
def test_a_figure_has_numbers_and_an_alternative_text(
    rows: list[dict[str, int]], alt: str
) -> None:
    with pytest.raises(ValueError, match=r"must return what it drew, and alt say"):
        draw(lambda _: rows, alt=alt)


def test_neither_sphinx_nor_torch_is_loaded() -> None:
    loaded = {name.partition(".")[0] for name in loaded_with("evidence.analysis")}
    assert "evidence" in loaded
    assert not loaded & {"sphinx", "docutils", "torch", "IPython", "matplotlib"}
