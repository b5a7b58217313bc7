"""Where measured values come from: a build's records, those of a repository, or claims.json."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from conftest import ROOT, Site
from evidence.analysis import load
from evidence.examples.library import Example, Library, open_library
from evidence.judge.claim import ClaimError
from evidence.records import sources
from evidence.records.model import Measured, Plain, Raised, Record, Table
from evidence.records.store import (
    RecordError,
    canonical,
    measured_from_json,
    measured_to_json,
)
from evidence.site.publish.claims_json import SCHEMA, published
from factories import quick, record, records, timing
from hypothesis import given

if TYPE_CHECKING:
    from collections.abc import Callable

CELLS = {"size": Plain(4), "age_s": timing(1, 2), "error": Raised("OSError", "no")}
MEASURED = {
    "speedup": timing(4.9, 5.1),
    "calls": Plain(7),
    "failed": Raised("ValueError", "must be"),
    "sweep": Table((CELLS,)),
}


def library(**measured: Record | None) -> Library:
    """A library of examples with these records."""
    examples = {
        stem: Example(Path(f"{stem}.py"), Path(f"{stem}.json"), record=made)
        for stem, made in measured.items()
    }
    return Library(Path(), examples)


@pytest.fixture
def claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in that holds a ``claims.json`` and nothing else, and that file."""
    data = published(library(copy=record("copy", MEASURED), other=None), [])
    path = tmp_path / "claims.json"
    path.write_text(canonical(data))
    monkeypatch.chdir(tmp_path)
    return path


def test_a_record_is_found_beside_its_script_here_or_above(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.script("_template")
    (site.folder / "docs" / "deep").mkdir(parents=True)
    monkeypatch.chdir(site.folder / "docs" / "deep")
    assert load("copy").value("speedup").value == 5.0
    assert load("copy").builder.gpu == "NVIDIA H200"
    with pytest.raises(LookupError) as error:
        load("cpoy")
    assert "there is no example 'cpoy'; did you mean copy?" == str(error.value)
    with pytest.raises(LookupError, match="no example '_template'"):
        load("_template")


def test_elsewhere_the_records_are_those_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load("pinned_copy_is_faster").record.stem == "pinned_copy_is_faster"
    monkeypatch.setattr(sources, "__file__", str(tmp_path / "a/b/c/d.py"))
    with pytest.raises(LookupError, match="there is neither a folder examples/ nor a"):
        load("copy")


def test_a_build_names_its_records(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = site.folder / "examples" / "memory" / "copy.json"
    made = tmp_path / "build" / "records" / "copy.json"
    made.parent.mkdir(parents=True)
    beside.rename(made)
    named = site.write("named.json", json.dumps({"copy": str(made)}))
    monkeypatch.chdir(site.folder)
    with pytest.raises(RecordError, match=r"^copy.json does not exist"):
        load("copy")
    monkeypatch.setenv(sources.RECORDS, str(named))
    assert load("copy").value("speedup").value == 5.0
    with pytest.raises(LookupError, match="there is no example 'pinned"):
        load("pinned_copy_is_faster")


def test_the_nearest_source_is_taken_and_of_two_in_a_folder_the_records(
    site: Site, claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site.folder == claims.parent
    assert isinstance(load("copy").record, Record)
    below = site.folder / "some" / "folder"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert isinstance(load("copy").record, Record)
    shutil.copy(claims, below)
    assert not isinstance(load("copy").record, Record)


@pytest.mark.usefixtures("claims")
def test_values_rows_and_builder_come_from_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    copy, expected = load("copy"), record("copy", MEASURED)
    assert expected.builder == copy.builder
    assert (4.9, 4.9, 5.0, 5.0, 5.1, 5.1) == copy.value("speedup").processes
    assert "ValueError" == copy.value("failed").value
    assert timing(1, 2) == copy.value("sweep[size=4].age_s").cell
    (row,) = copy.rows("sweep")
    assert list(CELLS) == list(row)
    with pytest.raises(ClaimError, match=r"did you mean copy\.speedup"):
        copy.value("spedup")


@pytest.mark.usefixtures("claims")
def test_an_example_that_claims_lacks_is_named() -> None:
    with pytest.raises(LookupError) as error:
        load("cpoy")
    assert "there is no example 'cpoy'; did you mean copy?" == str(error.value)


@pytest.mark.usefixtures("claims")
def test_an_example_that_had_no_record_has_no_values() -> None:
    with pytest.raises(RecordError) as error:
        load("other")
    said = "claims.json has no values of 'other': it had no usable record"
    assert said == str(error.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"schema": 1, "exam', "is not JSON, or was cut off"),
        (b"\xff\xfe\xff", "is not JSON, or was cut off"),
        (b"[]", "has schema None, and 1 is read here: download it anew"),
        (b'{"schema": 2}', "has schema 2, and 1 is read here: download it anew"),
        (b'{"schema": 1}', r"does not fit schema 1 \(KeyError\('examples'\)\)"),
        (b'{"schema": 1, "examples": 3}', r"does not fit schema 1 \(TypeError"),
    ],
)
def test_a_file_of_another_kind_is_refused(
    claims: Path, content: bytes, said: str
) -> None:
    claims.write_bytes(content)
    with pytest.raises(RecordError, match=rf"^claims\.json {said}"):
        load("copy")


#: What a file may lack, or have too much.
UNFIT: dict[str, Callable[[dict[str, Any]], object]] = {
    "no builders": lambda data: data.pop("builders"),
    "another builder": lambda data: data["builders"].clear(),
    "no values": lambda data: data["examples"][0].pop("measured"),
    "a list of values": lambda data: data["examples"][0].update(measured=[1]),
    "no value": lambda data: data["examples"][0].update(measured={"a": {}}),
    "more of a builder": lambda data: next(iter(data["builders"].values())).update(a=1),
}


@pytest.mark.parametrize("name", UNFIT)
def test_a_file_that_does_not_hold_what_is_read_is_refused(
    claims: Path, name: str
) -> None:
    data = json.loads(claims.read_text())
    UNFIT[name](data)
    claims.write_text(json.dumps(data))
    with pytest.raises(RecordError, match=r"^claims\.json does not fit schema 1"):
        load("copy")


@quick
@given(records)
def test_nothing_is_lost_between_a_record_and_claims(made: Record) -> None:
    text = canonical(measured_to_json(made.measured))
    back = measured_from_json(json.loads(text))
    assert made.measured == back
    # Equality takes 1 for True, and ignores the order of columns: the text does not.
    assert text == canonical(measured_to_json(back))


def test_this_site_publishes_what_its_records_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = published(open_library(ROOT / "examples"), [])
    (tmp_path / "claims.json").write_text(canonical(data))
    monkeypatch.chdir(tmp_path)
    paths = {path.stem: path for path in (ROOT / "examples").glob("*/[!_]*.json")}
    assert sorted(paths) == [example["stem"] for example in data["examples"]]
    for example in data["examples"]:
        kept = json.loads(paths[example["stem"]].read_text())["measured"]
        assert kept == example["measured"]
    made = load("pinned_copy_is_faster").record
    assert type(made) is Measured
    kept = json.loads(paths["pinned_copy_is_faster"].read_text())["measured"]
    assert kept == measured_to_json(made.measured)


def measured_schema() -> dict[str, Any]:
    """What the published schema says of an example's values."""
    whole = json.loads(SCHEMA.read_text())
    of_example = whole["properties"]["examples"]["items"]
    assert "measured" in of_example["required"]
    return {**of_example["properties"]["measured"], "$defs": whole["$defs"]}


@pytest.mark.parametrize("measured", [None, {}, measured_to_json(MEASURED)])
def test_measured_values_fit_the_published_schema(measured: object) -> None:
    jsonschema.validate(measured, measured_schema())


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"value": None},
        {"value": 1, "unit": "s"},
        {"timing": {"median": [], "iqr": [], "n": []}},
        {"timing": {"median": [1.0]}},
        {"raised": "ValueError"},
        {"table": [[{"value": 1}]]},
        {"table": [{"column": "a", "value": 1}]},
        {"table": [[{"column": "a", "table": []}]]},
    ],
)
def test_other_values_do_not_fit_it(value: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"a": value}, measured_schema())
