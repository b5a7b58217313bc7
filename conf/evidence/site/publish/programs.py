"""What programs fetch: the claims as data, those that speak of a name, and the peak rates of GPUs.

Each file says which PyTorch its site is about and, as ``schema``, what its fields are: another
number where a field is gone or says something else. A name has a file of its own,
``api/NAME.json``, for those who want no more than that; ``api/index.json`` lists all of them.
What a search needs is in ``words.json`` (:mod:`evidence.site.publish.words`).
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from sphinx.environment import BuildEnvironment
from sphinx.ext.intersphinx import InventoryAdapter

from evidence.judge.facts import read_toml
from evidence.judge.verdict import Judgement, Verdict
from evidence.records.units import THIN_SPACE
from evidence.records.versions import release, series
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.judging.data import as_json, claim_entry, measured
from evidence.site.look.panel import told
from evidence.site.tables.counts import OTHER_GPUS, not_tried, ran_elsewhere

#: The folder of names, and the file of GPUs, with the schema of both.
NAMES, GPUS, SCHEMA = "api", "gpus.json", 1
#: Where people wrote down what NVIDIA says of its GPUs, below the pages' folder.
FACTS = "evidence/gpus.toml"
#: The example with the figures of the data sheets, and their name in it.
SHEETS = ("the_gpu_nears_its_data_sheet", "SHEETS")
TERA = 1e12

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(?")
#: What is a name and no word of English: code.
_CODE = re.compile(r".*[_.(].*|[A-Z]?[a-z]+[A-Z]\w*")
_IN_CODE = re.compile(r"\btorch(?:\.\w+)+|(?<=\.)\w+(?=\()")
_DOTTED = re.compile(r"(?<![\w.])([A-Za-z_]\w*)((?:\.(?!__)\w+)*)")
#: A name in the code of more examples than that tells nothing about their claims.
COMMON = 12
#: What is a name without an inventory: what torch has, or a variable of the shell.
_OWN = re.compile(r"torch\.[\w.]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def published(domain: EvidenceDomain) -> dict[str, Any]:
    """What ``claims.json`` holds; ids instead of positions, everything sorted."""
    library, judgements = domain.site.library, domain.judged.judgements
    by_id = sorted(judgements, key=attrgetter("claim.id"))
    claims = [full_entry(domain, judgement) for judgement in by_id]
    verdicts = Counter(judgement.verdict.value for judgement in judgements)
    return {
        **measured(library, domain.site.signed),
        **about(domain),
        "torch": _oldest_first(torch for claim in claims for torch in claim["torch"]),
        "claims": claims,
        "summary": {
            "claims": len(judgements),
            "examples": len(library.examples),
            "verdicts": dict(verdicts),
        },
    }


def about(domain: EvidenceDomain) -> dict[str, Any]:
    """Which site a file is of: its PyTorch, and where it is, as far as that is known."""
    address = str(domain.env.config.html_baseurl)
    return {"version": domain.site.version, "address": address}


def _oldest_first(versions: Iterable[str]) -> list[str]:
    return sorted({*versions}, key=release)


def full_entry(domain: EvidenceDomain, judgement: Judgement) -> dict[str, Any]:
    """A claim as ``claims.json`` has it: with its evidence in words, and how far it goes."""
    claim, record = judgement.claim, judgement.record
    texts = [
        f"{check.label} {value}" + f" ({more})" * bool(more)
        for check, value, more in (told(judgement, domain.site) if record else ())
    ]
    missing = not_tried(domain.pages[claim.page].claims)
    if OTHER_GPUS in missing and ran_elsewhere(domain.judged, judgement):
        missing.remove(OTHER_GPUS)
    return {
        **claim_entry(domain, judgement),
        "told": [text.replace(THIN_SPACE, "\u00a0") for text in texts],
        "not_tried": missing,
        "torch": held_with(domain, judgement),
    }


def held_with(domain: EvidenceDomain, judgement: Judgement) -> list[str]:
    """The versions of PyTorch with which a claim held, the oldest first."""
    passes = domain.judged.elsewhere.outcomes.get(judgement.claim.id, ())
    held = [each.series for each in passes if each.held]
    if judgement.record is not None and judgement.verdict is Verdict.HOLDS:
        held.append(series(judgement.record.builder.torch))
    return _oldest_first(filter(None, held))


def gpus(domain: EvidenceDomain) -> dict[str, Any]:
    """What ``gpus.json`` holds: compute capabilities, and the peak rates that data sheets give.

    ``models`` are GPUs that have rates or were measured on, by the name that PyTorch gives them.

    Rates are in flop/s or bytes/s, for BF16 on the tensor cores without sparsity, with FP32 sums;
    each has the address of what gives it.
    """
    facts = read_toml(Path(domain.env.srcdir, FACTS), dict[str, dict[str, Any]])
    records = domain.site.library.records.values()
    measured_on = {record.builder.gpu for record in records} - {""}
    sources, capabilities = facts.get("peak_rates", {}), facts.get("capabilities", {})
    peaks = {}
    for gpu, (flops, memory) in _sheets(domain).items():
        if gpu not in sources:
            warn(Kind.COUNT, f"{FACTS} has no source for the peak rates of {gpu}")
        peaks[gpu] = {
            "bf16_flop_per_s": flops * TERA,
            "memory_bytes_per_s": memory * TERA,
            "source": sources.get(gpu, ""),
        }
    return {
        "schema": SCHEMA,
        **about(domain),
        "peak_rates": peaks,
        "capabilities": {n: m for n, m in capabilities.items() if n != "source"},
        "models": sorted(peaks.keys() | measured_on),
        "capabilities_source": capabilities.get("source", ""),
    }


def _sheets(domain: EvidenceDomain) -> dict[str, tuple[float, float]]:
    """The table of data sheets, read from its example, which is run on GPUs alone."""
    stem, name = SHEETS
    example = domain.site.library.examples.get(stem)
    if example is None:
        return {}
    for node in ast.parse(example.path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return dict(ast.literal_eval(node.value))
    warn(Kind.COUNT, f"{stem} has no {name} any more, which {GPUS} is made from")
    return {}


def write_names(env: BuildEnvironment, target: Path) -> None:
    """Write a file for each name that a claim is about, and the list of all."""
    domain, inventory = evidence_of(env), InventoryAdapter(env).main_inventory
    documented = {
        name: item.uri
        for kind, items in inventory.items()
        for name, item in items.items()
        if kind.startswith("py:")
    }
    said, called = named(domain, documented)
    folder = target / NAMES
    folder.mkdir(exist_ok=True)
    head, ids = {"schema": SCHEMA, **about(domain)}, {}
    for name in sorted({*said, *called}):
        claims = [_short(domain, each, "sentence") for each in said.get(name, ())]
        claims += [_short(domain, each, "code") for each in called.get(name, ())]
        own = {"name": name, "documented": documented.get(name, ""), "claims": claims}
        (folder / f"{name}.json").write_text(as_json(head | own) + "\n", "utf-8")
        ids[name] = [claim["id"] for claim in claims]
    text = as_json(head | {"names": ids})
    (folder / "index.json").write_text(text + "\n", "utf-8")


def _short(domain: EvidenceDomain, judgement: Judgement, where: str) -> dict[str, str]:
    claim = judgement.claim
    return {
        "id": claim.id,
        "in": where,
        "statement": domain.sentence(claim),
        "verdict": judgement.verdict.value,
        "scope": claim.scope.text,
        "json": f"claims/{claim.id}.json",
    }


#: Claims by the name that they are about.
Named: TypeAlias = Mapping[str, list[Judgement]]


def named(domain: EvidenceDomain, documented: Iterable[str]) -> tuple[Named, Named]:
    """The claims whose sentence has a name, and others whose example's code has it.

    :param documented: the names of an inventory, of which a sentence may have the end alone
    """
    ends = defaultdict[str, set[str]](set)
    for name in documented:
        parts = name.split(".")
        for first in range(len(parts)):
            ends[".".join(parts[first:])].add(name)
    said, called = (defaultdict[str, list[Judgement]](list) for _ in range(2))
    examples, codes = domain.site.library.examples, dict[str, set[str]]()
    for judgement in sorted(domain.judged.judgements, key=attrgetter("claim.id")):
        claim = judgement.claim
        own = {*names_in(domain.sentence(claim), ends)}
        if claim.stem not in codes and claim.stem in examples:
            source = examples[claim.stem].path.read_text("utf-8")
            written = (f"{name}(" for name in code_names(source))
            codes[claim.stem] = {n for each in written for n in names_in(each, ends)}
        for name in own:
            said[name].append(judgement)
        for name in codes.get(claim.stem, set()) - own:
            called[name].append(judgement)
    times = Counter(chain.from_iterable(codes.values()))
    return said, {n: found for n, found in called.items() if times[n] <= COMMON}


def code_names(source: str) -> Iterator[str]:
    """The names that code has from torch, in full also where it imports them, and its methods."""
    whole = dict[str, str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("torch."):
            for each in node.names:
                whole[each.asname or each.name] = f"{node.module}.{each.name}"
    yield from _IN_CODE.findall(source)
    for first, rest in _DOTTED.findall(source):
        if first in whole:
            yield whole[first] + rest


def names_in(sentence: str, ends: Mapping[str, set[str]]) -> Iterator[str]:
    """The full names that a sentence has; what may be the end of several is left out."""
    for written in _NAME.findall(sentence):
        name = written.rstrip("(")
        whole = ends.get(name, set())
        if name in whole:
            yield name
        elif len(whole) == 1 and _CODE.fullmatch(written):
            yield from whole
        elif not whole and _OWN.fullmatch(name):
            yield name
