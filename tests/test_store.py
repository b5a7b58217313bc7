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
    save,
)
from factories import quick, record, records, timing
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def sealed(raw: dict[str, Any]) -> bytes:
    """A record of these fields with the right checksum."""
    return json.dumps({**raw, "checksum": checksum(canonical(raw).encode())}).encode()


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """A record whose fields were changed and that was sealed again."""
    raw = json.loads(dump(record(processes=(Process(1.0),))))
    del raw["checksum"]
    change(raw)
    return sealed(raw)


@quick
@given(records)
def test_what_was_written_is_read_back(given_record: Record) -> None:
    data = dump(given_record)
    assert given_record == parse(data)
    # Equality takes 1 for True, and ignores the order of columns: the bytes do not.
    assert data == dump(parse(data))


@quick
@given(st.lists(st.floats(-1e9, 1e9), min_size=6, max_size=6))
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
    text = dump(record(measured={"copy_s": timing(0.1234567, 0.2)})).decode()
    raw = json.loads(text)
    assert sorted(raw) == list(raw)
    assert text.endswith("}\n")
    assert '"median": [0.123457, 0.123457, 0.161728, 0.161728, 0.2, 0.2]' in text


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
    with pytest.raises(ValueError, match="is not a finite number"):
        dump(record(measured={"speedup": Plain(number)}))


def edited(old: str, new: str) -> bytes:
    text = dump(record()).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def test_a_record_that_is_laid_out_differently_is_whole() -> None:
    assert record() == parse(json.dumps(json.loads(dump(record()))).encode())


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e999", "-1.5E+400"]
)
def test_an_endless_number_is_refused_even_under_a_fitting_checksum(
    number: str,
) -> None:
    lines = dump(record()).decode().splitlines(keepends=True)
    seal = next(n for n, line in enumerate(lines) if '"checksum"' in line)
    rest = "".join(lines[:seal] + lines[seal + 1 :]).replace(
        '"gpus": 2', f'"gpus": {number}'
    )
    assert number in rest
    lines = rest.splitlines(keepends=True)
    lines.insert(seal, f'  "checksum": "{checksum(rest[:-1].encode())}",\n')
    with pytest.raises(RecordError, match=r"^was edited"):
        parse("".join(lines).encode())


@pytest.mark.parametrize(
    ("message", "data"),
    [
        ("is not JSON, or was cut off", dump(record())[:-20]),
        ("is not JSON, or was cut off", b""),
        ("is not JSON, or was cut off", b"<<<<<<< HEAD\n"),
        ("is not JSON, or was cut off", b"\xff\xfe\xff"),
        ("has schema 2, this site reads 1", edited('"schema": 1', '"schema": 2')),
        ("has schema None, this site reads 1", b"[]"),
        ("has schema None, this site reads 1", b'{"cells": []}'),
        ("was edited", edited("4.9", "4.8")),
        ("was edited", edited('"stem": "copy"', '"stem": "coqy"')),
        ("was edited", edited('"gpus": 2', '"gpus": NaN')),
        ("was edited", edited('"gpus": 2', '"gpus": 1e999')),
        ("was edited", edited('  "checksum"', '  "checksun"')),
        ("does not fit schema 1", changed(lambda raw: raw.pop("stem"))),
        ("does not fit schema 1", changed(lambda raw: raw.pop("outputs"))),
        ("does not fit schema 1", changed(lambda raw: raw.update(colour="red"))),
        (
            "does not fit schema 1",
            changed(lambda raw: raw["builder"].update(colour="red")),
        ),
        (
            "does not fit schema 1",
            changed(lambda raw: raw["processes"][0].pop("seconds")),
        ),
        ("does not fit schema 1", changed(lambda raw: raw.update(measured=[1]))),
        ("does not fit schema 1", changed(lambda raw: raw.update(measured={"a": {}}))),
        ("does not fit schema 1", changed(lambda raw: raw.update(outputs=["text"]))),
    ],
)
def test_a_record_that_is_not_whole_is_refused(message: str, data: bytes) -> None:
    with pytest.raises(RecordError, match=f"^{message}"):
        parse(data)


@pytest.mark.parametrize(
    "name",
    ["../x-1.svg", "/etc/x-1.svg", "a/x-1.svg", "a\\x-1.svg", "x-1.png", "x.svg", ""],
)
def test_a_record_names_no_file_outside_its_folder(name: str) -> None:
    of_record = record(figures=(Figure(name, "0" * 64),))
    of_output = record(outputs=(Output(figures=(name,)),))
    for foreign in (of_record, of_output):
        with pytest.raises(RecordError, match="names a file outside its folder"):
            parse(dump(foreign))


def test_a_missing_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"^does not exist"):
        load(tmp_path / "copy.json")


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
    with pytest.raises(ValueError, match="not a finite number"):
        save(unwritable, path, {"copy-2.svg": b"new"})
    expected = with_figure()
    assert expected == load(path)
    assert not (tmp_path / "copy-2.svg").exists()
