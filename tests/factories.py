"""Small makers of records, cells and claims for the tests."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
from docutils import nodes
from docutils.utils import new_document
from evidence.examples.library import Example, Library
from evidence.judge.claim import Claim, ClaimError
from evidence.judge.facts import Sources, Statement
from evidence.judge.pages import make_claims
from evidence.judge.verdict import Finding, Verdict, judge_all
from evidence.records.address import Address
from evidence.records.model import (
    SCHEMA,
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
from evidence.records.store import canonical, checksum, rounded
from evidence.records.units import Unit
from evidence.site.domain import EvidenceDomain, Judged, Site
from evidence.site.judging.judged import claims_by
from evidence.site.look.nodes import Filler
from evidence.site.look.words import builders_words
from hypothesis import settings
from hypothesis import strategies as st
from sphinx.locale import init as init_words

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
        "outputs": (),
        "figures": (),
        "names": {},
        "processes": (),
        "typical": 0,
        "schema": SCHEMA,
    }
    return Record(stem=stem, **{**known, **changes})


def sealed(data: bytes, **fields: object) -> bytes:
    """The bytes of a record with other fields, and the checksum that fits them."""
    raw = {**json.loads(data), **fields}
    del raw["checksum"]
    seal = checksum(canonical(raw).encode())
    return json.dumps({**raw, "checksum": seal}).encode()


def claim(
    expect: str = ">= 3",
    value: str = "copy.speedup",
    name: str = "a-claim",
    place: tuple[str, int] = ("page", 1),
    **options: str,
) -> Claim:
    return claim_of(f"{value} {expect}", name=name, place=place, **options)


def claim_of(
    *checks: str,
    name: str = "a-claim",
    place: tuple[str, int] = ("page", 1),
    of: str = "",
    **options: str,
) -> Claim:
    """A claim with these checks, each an address with its expectation.

    :raises ClaimError: with what is wrong with it
    """
    lines = [f"  check {number}: {check}" for number, check in enumerate(checks, 1)]
    lines += [f"  :{option}: {text}" for option, text in options.items()]
    claims, wrong = make_claims(of, "\n".join([f"{name}:", *lines]), *place)
    for _line, message in wrong:
        raise ClaimError(message)
    return claims[0]


#: A name for a value of each unit.
NAMES = ("x", "speedup", "x_bytes", "x_bytes_per_s", "x_s", "x_share")


def named(unit: Unit) -> Address:
    """The address of a value that is measured in a unit."""
    return next(a for name in NAMES if (a := Address("copy", name)).unit is unit)


def finding(
    given: Claim, verdict: Verdict, cell: Cell | None = None, margin: str = ""
) -> Finding:
    """What was found for the one check of a claim."""
    return Finding(given.checks[0], verdict, cell, margin)


def library(*records: Record) -> Library:
    """The examples of these records, in one chapter."""
    folder = Path("/site/examples")
    paths = {each.stem: folder / "memory" / each.stem for each in records}
    examples = (
        Example(
            paths[each.stem].with_suffix(".py"),
            paths[each.stem].with_suffix(".json"),
            record=each,
        )
        for each in records
    )
    return Library(folder, {example.stem: example for example in examples})


def statement(**changes: str) -> Statement:
    """A statement of upstream."""
    known = {
        "page": "CUDA semantics",
        "section": "Copies",
        "address": "https://docs.example/cuda.html#copies",
        "repository": "pytorch/pytorch",
        "path": "docs/cuda.md",
        "version": "0123456789abcdef",
        "read": "2026-01-31",
        "digest": "0" * 64,
        "says": "If possible, `copy_` is fast.",
        "words": "is fast",
        "suggestion": "It is slow.",
        "fault": "docs",
    }
    return Statement(**{**known, **changes})


def toml(name: str = "fast", **changes: Any) -> str:
    """A statement as the file has it; None leaves a field out."""
    fields = {**msgspec.structs.asdict(statement()), **changes}
    lines = [f"{k} = {json.dumps(v)}" for k, v in fields.items() if v is not None]
    return "\n".join([f"[statements.{name}]", *lines, ""])


def domain(
    *claims: Claim,
    records: tuple[Record, ...] = (),
    upstream: dict[str, Statement] | None = None,
) -> EvidenceDomain:
    """What pages with these claims say, judged by these records, without a build."""
    config = SimpleNamespace(language="en", html_baseurl="", html_theme_options={})
    config.evidence_editions = {}
    env: Any = SimpleNamespace(domaindata={}, config=config, docname="ledger")
    made = EvidenceDomain(env)
    known = library(*(records or (record(),)))
    init_words([], None, "evidence")
    builders = builders_words(known.records.values(), "en")
    made.open(Site(known, upstream or {}, Sources(), "gallery", builders=builders))
    for each in claims:
        page = made.page(each.page)
        page.claims.append(each)
        page.in_text.add(each.id)
        page.sentences[each.id] = "It is faster."
        page.uses.update(each.addresses)
    having(made)
    return made


def having(said: EvidenceDomain, **site: Any) -> None:
    """Change what the site is made from, and judge again."""
    said.open(replace(said.site, **site))
    known, claims = said.site, said.claims
    found = claims_by(known.upstream, claims, attrgetter("contradicts"))
    judgements = judge_all(claims, known.library.records)
    said.close(
        Judged(
            [judgement for judgement in judgements if not judgement.problem],
            contradicting={name: each for name, each in found.items() if each},
            about=claims_by(known.sources.statements, claims, attrgetter("seed")),
        )
    )


def filler(said: EvidenceDomain) -> Filler:
    """What fills in the placeholders of the page ``ledger``."""
    env: Any = said.env
    env.titles = {name: nodes.title(name, name) for name in said.pages}
    env.tocs, env.toctree_includes = {"index": nodes.bullet_list()}, {}
    env.config.root_doc = "index"
    env.current_document = SimpleNamespace(docname="ledger")
    env.get_domain = lambda _: said
    init_words([], None, "evidence")
    document = new_document("ledger")
    document.settings.env = env
    return Filler(document)


def others(**known: bool | float | str | Cell) -> dict[str, Record]:
    """The record ``other`` with these values; plain ones are wrapped."""
    wrapped = {
        name: Plain(value) if isinstance(value, (bool, int, float, str)) else value
        for name, value in known.items()
    }
    return {"other": record("other", {**wrapped})}


names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
floats = st.floats(-1e100, 1e100).map(rounded)
sizes = st.floats(0, 1e100).map(rounded)
texts = st.text(max_size=20)
plains = st.builds(Plain, st.booleans() | st.integers() | floats | texts)
sampled = st.lists(st.tuples(sizes, sizes, st.integers(1, 99)), min_size=1, max_size=4)
timings = sampled.map(lambda rows: Timing(*zip(*rows, strict=True)))
leaf = plains | timings | st.builds(Raised, texts, texts)


def _table(columns: list[str]) -> st.SearchStrategy[Table]:
    """Tables of these columns, of which the first tells the rows apart."""
    others = st.tuples(*(leaf for _ in columns[1:]))
    rows = st.dictionaries(st.integers(), others, min_size=1, max_size=3)
    return rows.map(
        lambda cells: Table(
            tuple(
                dict(zip(columns, (Plain(key), *row), strict=True))
                for key, row in cells.items()
            )
        )
    )


tables = st.lists(names, min_size=1, max_size=3, unique=True).flatmap(_table)
hashes = st.from_regex("[0-9a-f]{64}", fullmatch=True)
figures = st.builds(
    Figure, st.from_regex(r"[a-z0-9_]{1,9}-[0-9]{1,3}\.svg", fullmatch=True), hashes
)
#: Records of any content that the store can write.
records = st.builds(
    record,
    stem=names,
    code_key=hashes,
    recorded=st.dates(date(2000, 1, 1), date(2026, 1, 31)).map(str),
    builder=st.builds(
        Builder,
        gpus=st.integers(1, 8),
        **dict.fromkeys(("gpu", "torch", "kernel"), names),
    ),
    measured=st.dictionaries(names, leaf | tables, min_size=1, max_size=4),
    outputs=st.lists(st.builds(Output, texts), max_size=2).map(tuple),
    figures=st.lists(figures, max_size=2).map(tuple),
    names=st.dictionaries(names, texts, max_size=2),
    processes=st.lists(
        st.builds(Process, sizes, st.integers(0, 2**40), texts), min_size=2, max_size=2
    ).map(tuple),
    typical=st.integers(0, 1),
)

#: Bounds, and timings around them.
bounds = st.floats(-1e6, 1e6)
measurements = st.lists(bounds, min_size=6, max_size=6).map(
    lambda medians: timing(*medians)
)
