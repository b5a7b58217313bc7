"""Small makers of records, cells and claims for the tests."""

from __future__ import annotations

from typing import Any

from evidence.judge.claim import Claim, make_claim
from evidence.records.model import (
    Builder,
    Cell,
    Figure,
    Output,
    Plain,
    Process,
    Raised,
    Record,
    Table,
    Timing,
    Value,
)
from evidence.records.store import rounded
from hypothesis import settings
from hypothesis import strategies as st

#: Hypothesis for pure functions: the same examples in every run, nothing is kept.
quick = settings(max_examples=80, deadline=None, database=None, derandomize=True)


def builder(**changes: Any) -> Builder:
    known = {
        "gpu": "NVIDIA H200",
        "gpus": 2,
        "gpu_memory_bytes": 150_000_000_000,
        "capability": "9.0",
        "driver": "580.95.05",
        "cuda": "13.0",
        "torch": "2.11.0+cu130",
        "python": "3.12.1",
        "kernel": "6.8.0",
    }
    return Builder(**{**known, **changes})


def timing(*medians: float) -> Timing:
    """A timing whose processes gave these medians; two numbers are the ends of six."""
    if len(medians) == 2:
        low, high = medians
        medians = (low, low, (low + high) / 2, (low + high) / 2, high, high)
    count = len(medians)
    return Timing(tuple(medians), iqr=(0.0,) * count, n=(20,) * count)


def record(
    stem: str = "copy", measured: dict[str, Value] | None = None, **changes: Any
) -> Record:
    known = {
        "code_key": "0" * 64,
        "recorded": "2026-01-31",
        "builder": builder(),
        "measured": {"speedup": timing(4.9, 5.1)} if measured is None else measured,
    }
    return Record(stem, **{**known, **changes})


def claim(
    expect: str = ">= 3",
    value: str = "copy.speedup",
    name: str = "a-claim",
    place: tuple[str, int] = ("page", 1),
    **options: str,
) -> Claim:
    given = {"value": value, "expect": expect, **options}
    return make_claim(name, given, "It is faster.", *place)


def others(**known: bool | float | str | Cell) -> dict[str, Record]:
    """The record ``other`` with these values; plain ones are wrapped."""
    wrapped = {
        name: Plain(value) if isinstance(value, (bool, int, float, str)) else value
        for name, value in known.items()
    }
    return {"other": record("other", {**wrapped})}


names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
floats = st.floats(allow_nan=False, allow_infinity=False).map(rounded)
texts = st.text(max_size=20)
plains = st.builds(Plain, st.booleans() | st.integers() | floats | texts)
sampled = st.lists(
    st.tuples(floats, floats, st.integers(1, 99)), min_size=1, max_size=4
)
timings = sampled.map(lambda rows: Timing(*zip(*rows, strict=True)))
leaf = plains | timings | st.builds(Raised, texts, texts)
tables = st.lists(st.dictionaries(names, leaf, max_size=3), max_size=3).map(
    lambda rows: Table(tuple(rows))
)
figure_names = st.from_regex(r"[a-z0-9_]{1,9}-[0-9]{1,3}\.svg", fullmatch=True)
#: Records of any content that the store can write.
records = st.builds(
    Record,
    stem=names,
    code_key=texts,
    recorded=texts,
    builder=st.builds(Builder, gpu=texts, gpus=st.integers(0, 8), kernel=texts),
    measured=st.dictionaries(names, leaf | tables, max_size=4),
    outputs=st.lists(
        st.builds(Output, texts, texts, st.lists(figure_names, max_size=2).map(tuple)),
        max_size=2,
    ).map(tuple),
    figures=st.lists(st.builds(Figure, figure_names, texts), max_size=2).map(tuple),
    names=st.dictionaries(names, texts, max_size=2),
    processes=st.lists(
        st.builds(Process, floats, st.integers(0), texts), max_size=2
    ).map(tuple),
    typical=st.integers(0, 11),
)

#: Bounds, and timings around them.
bounds = st.floats(-1e6, 1e6)
measurements = st.lists(bounds, min_size=6, max_size=6).map(
    lambda medians: timing(*medians)
)
