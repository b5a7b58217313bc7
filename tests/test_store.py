"""Records are canonical bytes, and a record that is not whole is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from evidence.records.model import Figure, Output, Plain, Process, Record, Table, leaves
from evidence.records.store import (
    MAX_BYTES,
    RecordError,
    canonical,
    checksum,
    dump,
    load,
    parse,
    record_path,
    renamed,
    save,
)
from factories import quick, record, records, sealed, texts, timing
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path


@quick
@given(records)
def test_what_was_written_is_read_back(given_record: Record) -> None:
    data = dump(given_record)
    assert given_record == parse(data)
    # Equality takes 1 for True, and ignores the order of columns: the bytes do not.
    assert data == dump(parse(data))


@quick
@given(st.lists(st.floats(0, 1e9), min_size=6, max_size=6))
def test_rounding_happens_once(medians: list[float]) -> None:
    data = dump(record(measured={"copy_s": timing(*medians)}))
    assert data == dump(parse(data))


def test_the_order_of_columns_survives() -> None:
    table = Table(({"size": Plain(1), "age": Plain(2)},))
    back = parse(dump(record(measured={"t": table})))
    expected = ["t[size=1].size", "t[size=1].age"]
    assert expected == [name for name, _ in leaves(back.measured)]


def test_the_order_of_names_does_not_change_the_bytes() -> None:
    measured = {"b": Plain(1), "a": Plain(2)}
    turned = dict(reversed(measured.items()))
    assert dump(record(measured=measured)) == dump(record(measured=turned))


def test_the_bytes_are_canonical() -> None:
    text = dump(record(measured={"copy_s": timing(0.125, 0.25)})).decode()
    raw = json.loads(text)
    assert sorted(raw) == list(raw)
    assert text.endswith("}\n")
    assert '"median": [0.125, 0.125, 0.1875, 0.1875, 0.25, 0.25]' in text


def test_canonical_json_has_one_entry_on_a_line() -> None:
    value = {"b": [1, 2.0], "a": [{"x": "é"}, []], "c": {}, "d": ()}
    expected = """{
  "a": [
    {
      "x": "é"
    },
    []
  ],
  "b": [1, 2.0],
  "c": {},
  "d": []
}"""
    assert expected == canonical(value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump(record(measured={"speedup": Plain(number)}))


def edited(old: str, new: str) -> bytes:
    text = dump(record()).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def test_a_record_that_is_laid_out_differently_is_whole() -> None:
    assert record() == parse(json.dumps(json.loads(dump(record()))).encode())


def put(path: str, value: object) -> bytes:
    """A record with another value at a place, sealed again."""
    raw = json.loads(dump(record(processes=(Process(1.0),))))
    *parents, last = path.split("/")
    place: Any = raw
    for key in parents:
        place = place[int(key) if isinstance(place, list) else key]
    place[last] = value
    if value is None:
        del place[last]
    return sealed(json.dumps(raw).encode())


TIMING = {"median": [1.0, 2.0], "iqr": [0.0, 0.0], "n": [3, 3]}


@pytest.mark.parametrize(
    ("message", "data"),
    [
        ("is not JSON, or was cut off", dump(record())[:-20]),
        ("is not JSON, or was cut off", b""),
        ("is not JSON, or was cut off", b"\xff\xfe\xff"),
        ("is not JSON, or was cut off", b"[" * 100_000),
        ("is not JSON, or was cut off", edited('"gpus": 2', '"gpus": NaN')),
        ("has schema 2, this site reads 1", edited('"schema": 1', '"schema": 2')),
        ("has schema None, this site reads 1", b"[]"),
        ("has schema None, this site reads 1", b'{"cells": []}'),
        ("was edited", edited("4.9", "4.8")),
        ("was edited", edited('"stem": "copy"', '"stem": "coqy"')),
    ],
)
def test_a_record_that_is_not_whole_is_refused(message: str, data: bytes) -> None:
    with pytest.raises(RecordError, match=f"^{message}"):
        parse(data)


@pytest.mark.parametrize(
    ("message", "path", "value"),
    [
        ("missing required field `stem`", "stem", None),
        ("missing required field `outputs`", "outputs", None),
        ("missing required field `seconds`", "processes/0/seconds", None),
        ("unknown field `colour`", "colour", "red"),
        (r"unknown field `colour` - at `\$.builder`", "builder/colour", "red"),
        ("Expected `object`, got `array`", "measured", [1]),
        ("Expected `object` of length >= 1", "measured", {}),
        ("Expected `object`, got `str`", "outputs", ["text"]),
        ("Expected `int`, got `str`", "builder/gpus", "2"),
        ("Expected `int` >= 0", "builder/gpus", -1),
        ("Expected `float` >= 0", "processes/0/seconds", -1.0),
        ("matching regex", "code_key", "0"),
        ("matching regex", "recorded", "31 January 2026"),
        ("day is out of range for month", "recorded", "2026-02-31"),
        ("typical process is none of its processes", "typical", 1),
        ("matching regex", "measured", {"a.b": {"value": 1}}),
        ("is one of value, raised, timing, table", "measured/a", {}),
        (
            "is one of value, raised, timing, table",
            "measured/a",
            {"value": 1, "timing": TIMING},
        ),
        ("a: a measured number is at most 1e\\+100", "measured/a", {"value": 10**400}),
        ("a: a measured number is at most 1e\\+100", "measured/a", {"value": -1e101}),
        (
            "lists of a timing differ in length",
            "measured/a",
            {"timing": {**TIMING, "n": [3]}},
        ),
        (
            "Expected `array` of length >= 1",
            "measured/a",
            {"timing": {"median": [], "iqr": [], "n": []}},
        ),
        (
            "Expected `float` <=",
            "measured/a",
            {"timing": {**TIMING, "iqr": [0, 1e101]}},
        ),
        ("Expected `int` >= 1", "measured/a", {"timing": {**TIMING, "n": [3, 0]}}),
        (
            "Expected `float` >= 0",
            "measured/a",
            {"timing": {**TIMING, "median": [1, -1]}},
        ),
        ("its GPUs lack a name, a number, a kernel or torch", "builder/gpu", ""),
        ("its GPUs lack a name", "builder/torch", ""),
        ("its GPUs lack a name", "builder/kernel", ""),
        ("its GPUs lack a name", "builder/gpus", 0),
        ("matching regex", "recorded", "1970-01-01"),
        ("Invalid enum value", "outputs", [{"html": "<b>holds</b>"}]),
        ("a: a table has rows, all of the same columns", "measured/a", {"table": []}),
        ("a: a table has rows, all of the same columns", "measured/a", {"table": [[]]}),
        (
            "a: two rows of a table share the address n=1",
            "measured/a",
            {"table": [[{"column": "n", "value": 1}]] * 2},
        ),
        (
            "a: a table has rows, all of the same columns",
            "measured/a",
            {"table": [[{"column": name, "value": 1}] for name in ("n", "m")]},
        ),
        ("matching regex", "figures", [{"name": "../x-1.svg", "sha256": "0" * 64}]),
        ("matching regex", "figures", [{"name": "x.svg", "sha256": "0" * 64}]),
        (
            "a cell shows x-1.svg, which is no figure of it",
            "outputs",
            [{"text": "", "html": "", "figures": ["x-1.svg"]}],
        ),
    ],
)
def test_nonsense_is_refused_even_under_a_fitting_checksum(
    message: str, path: str, value: object
) -> None:
    with pytest.raises(RecordError, match=rf"^does not fit schema 1: .*{message}"):
        parse(put(path, value))


#: Any JSON: a place of a record where this is put is read, or refused with a message.
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e300, 1e300) | texts,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2)
    ),
    max_leaves=4,
)
places = st.sampled_from(
    [
        *(
            "stem",
            "builder",
            "builder/gpu",
            "measured",
            "measured/speedup",
            "names",
            "typical",
        ),
        *(
            "measured/speedup/timing",
            "measured/speedup/timing/median",
            "processes/0/seconds",
        ),
        *("outputs", "figures", "recorded", "new", "builder/new", "processes"),
    ]
)


@quick
@given(places, anything)
def test_nothing_that_is_sealed_again_crashes(path: str, value: object) -> None:
    try:
        read = parse(put(path, value))
    except RecordError as error:
        assert str(error).startswith(("does not fit schema 1: ", "was edited"))
    else:
        assert read == parse(dump(read))


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "1e999", "-1.5E+400"])
def test_an_endless_number_is_refused(number: str) -> None:
    with pytest.raises(RecordError):
        parse(edited("4.9", number))


def test_a_missing_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"^does not exist"):
        load(tmp_path / "copy.json")
    with pytest.raises(RecordError, match=r"^cannot be read: Is a directory"):
        load(tmp_path)


def test_a_record_of_more_than_five_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "copy.json"
    path.write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(RecordError, match="is larger than 5 MB"):
        load(path)


def test_the_record_stands_beside_its_script(tmp_path: Path) -> None:
    assert tmp_path / "copy.json" == record_path(tmp_path / "copy.py")


def with_figure() -> Record:
    return record(figures=(Figure("copy-1.svg", checksum(b"<svg/>")),))


def test_saving_writes_the_record_and_its_figures(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "copy.json"
    save(with_figure(), path, {"copy-1.svg": b"<svg/>"})
    expected = with_figure()
    assert expected == load(path)


def test_a_record_is_that_of_the_example_beside_which_it_stands(tmp_path: Path) -> None:
    names = ("copy-1.svg", "copy-2.svg")
    figures = tuple(Figure(name, checksum(name.encode())) for name in names)
    made = record(figures=figures, outputs=(Output("copy-1.svg", figures=names),))
    save(made, tmp_path / "copy.json", {name: name.encode() for name in names})
    for path in (*tmp_path.iterdir(),):
        path.rename(tmp_path / path.name.replace("copy", "fast_copy"))

    known = load(tmp_path / "fast_copy.json")

    assert "fast_copy" == known.stem
    expected = ("fast_copy-1.svg", "fast_copy-2.svg")
    assert expected == tuple(figure.name for figure in known.figures)
    assert (Output("copy-1.svg", figures=expected),) == known.outputs
    assert made.cells == known.cells
    (tmp_path / "fast_copy-2.svg").rename(tmp_path / "copy-2.svg")
    with pytest.raises(RecordError, match=r"does not fit its figure fast_copy-2\.svg"):
        load(tmp_path / "fast_copy.json")


@pytest.mark.parametrize("figures", [{}, {"copy-1.svg": b"<svg />"}])
def test_a_record_does_not_fit_a_missing_or_edited_figure(
    figures: dict[str, bytes], tmp_path: Path
) -> None:
    save(with_figure(), tmp_path / "copy.json", figures)
    with pytest.raises(RecordError, match="does not fit its figure copy-1"):
        load(tmp_path / "copy.json")


def test_saving_removes_the_figures_of_an_older_record_and_only_those(
    tmp_path: Path,
) -> None:
    others = ["copy_async-1.svg", "copy-plan.svg", "copy-1.png", "async-copy-1.svg"]
    for name in ["copy-1.svg", "copy-2.svg", "copy-10.svg", *others]:
        (tmp_path / name).write_bytes(b"old")
    save(record(), tmp_path / "copy.json", {"copy-1.svg": b"new"})
    expected = {"copy.json", "copy-1.svg", *others}
    assert expected == {path.name for path in tmp_path.iterdir()}
    expected = b"new"
    assert expected == (tmp_path / "copy-1.svg").read_bytes()


def test_a_record_that_cannot_be_written_leaves_the_older_one_whole(
    tmp_path: Path,
) -> None:
    path = tmp_path / "copy.json"
    save(with_figure(), path, {"copy-1.svg": b"<svg/>"})
    unwritable = record(measured={"speedup": Plain(float("nan"))})
    with pytest.raises(ValueError, match="not JSON compliant"):
        save(unwritable, path, {"copy-2.svg": b"new"})
    expected = with_figure()
    assert expected == load(path)
    assert not (tmp_path / "copy-2.svg").exists()


def test_a_record_under_another_name_has_figures_of_that_name() -> None:
    drawn = tuple(Figure(f"svg-{n}.svg", f"{n}" * 64) for n in (1, 2))
    shown = tuple(Output(f"of {n}\n", figures=(f"svg-{n}.svg",)) for n in (1, 2))

    found = renamed(record("svg", figures=drawn, outputs=shown), "plot")

    assert "plot" == found.stem
    assert ["plot-1.svg", "plot-2.svg"] == [figure.name for figure in found.figures]
    assert ["1" * 64, "2" * 64] == [figure.sha256 for figure in found.figures]
    assert [("plot-1.svg",), ("plot-2.svg",)] == [o.figures for o in found.outputs]
