"""The end of reading without a build: what is judged, what is told, and what is asked anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from evidence.examples.script import Script, Settings
from evidence.judge.facts import Seed, Sources
from evidence.judge.passes import Elsewhere, Outcome
from evidence.judge.verdict import Verdict, judge, judge_all
from evidence.records.address import Address
from evidence.records.model import Plain, Table
from evidence.site.diagnostics import Fault, Kind
from evidence.site.judging import judged, outdated
from evidence.site.judging.claim_faults import (
    REMEDIES,
    of_judgements,
    of_names,
    of_passes,
    of_statements,
    of_tables,
    of_versions,
)
from evidence.site.judging.judged import (
    of_gallery,
    of_records,
    of_texts,
    on_env_updated,
)
from evidence.site.parts import Shown
from factories import (
    builder,
    claim,
    claim_of,
    domain,
    having,
    record,
    statement,
    timing,
)

if TYPE_CHECKING:
    from evidence.judge.claim import Claim

KEYS = {"copy": "0" * 64, "wait": "e" * 64}
RECORDS = (
    record("copy", {"speedup": timing(4.9, 5.1)}),
    record("wait", {"ratio": timing(7.1, 7.3)}, code_key=KEYS["wait"]),
)
FAST = claim(">= 3.5", "copy.speedup", "fast", ("a", 3), contradicts="u-copy")
UNKNOWN = claim(">= 5", "copy.spedup", "unknown", ("a", 7), seed="s-copy")
SLOW = claim(">= 9", "wait.ratio", "slow", ("b", 11), seed="s-wait", confirms="u-wait")
BACKED = claim(">= 3", "wait.ratio", "backed", ("b", 13))
FAR = claim(">= 2", "wait.ratio", "far", ("b", 17), seed="s-copy")


class Build:
    """A build at the end of reading: what it logs, and which passes it asked."""

    def __init__(self, *claims: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
        self.faults: list[Fault] = []
        self.lines: list[str] = []
        self.asked: list[tuple[Path, list[str], dict[str, str]]] = []
        self.said = said = domain(*claims, records=RECORDS)
        for each in claims:
            value = Shown(each.checks[0].value, each.line, each.id)
            said.page(each.page).shown.append(value)
        seeds = {
            name: Seed("memory: Copies", ["cuda"], "It waits.")
            for name in ("s-copy", "s-wait")
        }
        having(
            said,
            upstream={name: statement() for name in ("u-copy", "u-wait")},
            sources=Sources(statements=seeds),
        )
        self.code(**KEYS)
        del said.judged
        env: Any = said.env
        env.found_docs = {f"gallery/memory/{stem}" for stem in KEYS}
        env.get_domain = {"evidence": said}.__getitem__
        env.config.root_doc = "index"
        env.config.language = "de"  # what is wrong with sentences is tested elsewhere
        self.app: Any = SimpleNamespace(srcdir="/site/docs")
        monkeypatch.setattr(judged, "warn", lambda *told: self.faults.append(told))
        monkeypatch.setattr(judged, "inform", self.lines.append)
        monkeypatch.setattr(judged, "read_passes", self._passes)
        monkeypatch.setattr(outdated, "pages", self._outdated)

    def code(self, **keys: str) -> None:
        """Give the examples this code."""
        library = self.said.site.library
        examples = {
            stem: replace(each, script=Script(each.path, (), Settings(), keys[stem]))
            for stem, each in library.examples.items()
        }
        site = replace(self.said.site, library=replace(library, examples=examples))
        self.said.open(site)

    def _passes(
        self, folder: Path, claims: list[Claim], keys: dict[str, str], _signed: object
    ) -> Elsewhere:
        self.asked.append((folder, [each.id for each in claims], keys))
        return Elsewhere(near={("backed", BACKED.checks[0])})

    def _outdated(self, app: object) -> list[str]:
        """What a page shows of others is known once all is judged."""
        assert app is self.app
        assert self.said.judged.judgements
        return ["ledger", "page"]

    def end(self) -> list[str]:
        return on_env_updated(self.app, self.said.env)

    @property
    def kinds(self) -> list[Kind]:
        return [kind for kind, *_ in self.faults]


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Build:
    return Build(FAST, UNKNOWN, SLOW, BACKED, FAR, monkeypatch=monkeypatch)


def test_every_claim_is_judged_and_each_fault_told_once(build: Build) -> None:
    pages = build.end()

    assert ["ledger", "page"] == pages
    assert ["5 claims judged, 3 hold"] == build.lines
    unknown, slow, far = build.faults
    misspelt = "nothing was measured as 'copy.spedup'; did you mean copy.speedup?"
    assert (Kind.CLAIM, f"claim 'unknown': {misspelt}", ("a", 7)) == unknown
    found = [(kind, text.partition(":")[0], at) for kind, text, at in (slow, far)]
    expected = [
        (Kind.DIVERGED, "claim 'slow'", ("b", 11)),
        (Kind.WEAK, "claim 'far'", ("b", 17)),
    ]
    assert expected == found


def test_what_became_of_the_claims_is_known_to_the_pages(build: Build) -> None:
    build.end()

    found = build.said.judged
    verdicts = [(each.claim.id, each.verdict, each.margin) for each in found.judgements]
    assert [
        ("fast", Verdict.HOLDS, ""),
        ("slow", Verdict.DIVERGED, ""),
        ("backed", Verdict.HOLDS, ""),
        ("far", Verdict.HOLDS, "weak"),
    ] == verdicts
    assert {"u-copy": [FAST]} == found.contradicting
    assert {"s-copy": [UNKNOWN, FAR], "s-wait": [SLOW]} == found.about
    assert {("backed", BACKED.checks[0])} == found.elsewhere.near


def test_passes_are_asked_of_claims_that_can_be_judged_and_anew_of_what_changed(
    build: Build,
) -> None:
    folder, ids = Path("/site/docs/evidence/passes"), ["fast", "slow", "backed", "far"]
    for _ in range(2):
        build.end()
        assert [(folder, ids, KEYS)] == build.asked
        assert {("backed", BACKED.checks[0])} == build.said.judged.elsewhere.near

    changed = {**KEYS, "wait": "f" * 64}
    build.code(**changed)
    build.end()
    build.said.pages["b"].claims[0] = claim(">= 8", "wait.ratio", "slow", ("b", 11))
    build.end()

    assert [(folder, ids, changed), (folder, ["slow"], changed)] == build.asked[1:]


def test_a_claim_on_changed_code_is_stale_whatever_its_record_says(
    build: Build,
) -> None:
    build.code(**{**KEYS, "wait": "f" * 64})

    build.end()

    verdicts = [each.verdict for each in build.said.judged.judgements]
    assert [Verdict.HOLDS, *[Verdict.STALE] * 3] == verdicts
    assert [Kind.CLAIM, Kind.STALE] == build.kinds
    assert ["5 claims judged, 1 hold"] == build.lines


def test_an_example_that_cannot_be_read_has_no_code_for_passes(build: Build) -> None:
    library = build.said.site.library
    wait = replace(library.examples["wait"], script=None, problem="is broken")
    examples = {**library.examples, "wait": wait}
    site = replace(build.said.site, library=replace(library, examples=examples))
    build.said.open(site)

    build.end()

    ((_folder, _claims, keys),) = build.asked
    assert {"copy": KEYS["copy"]} == keys
    assert (Kind.RECORD, "is broken", "examples/memory/wait.py:1") in build.faults


def test_an_example_that_does_not_exist_is_told_at_its_first_line_of_each_page(
    tmp_path: Path,
) -> None:
    known = domain(records=RECORDS)
    uses = {"b": ["copies.speedup", "copies.n", "waits.n"], "a": ["copies.speedup"]}
    for name, addresses in uses.items():
        known.page(name).uses |= {*map(Address.of, addresses), Address("copy", "n")}
    (tmp_path / "a.md").write_text("A title\n\nSeven × copies.speedup\ncopies again\n")
    (tmp_path / "b.md").write_text("A figure shows them.\nwaits.n\n")
    env: Any = known.env
    env.doc2path = lambda name: f"{tmp_path}/{name}.md"

    found = [*of_names(known)]

    copies = "nothing was measured as 'copies'; did you mean copy?"
    waits = "nothing was measured as 'waits'; did you mean wait?"
    expected = [(copies, ("a", 3)), (copies, ("b", 1)), (waits, ("b", 2))]
    assert [Fault(Kind.CLAIM, *each) for each in expected] == found


def test_examples_without_a_record_may_be_what_was_meant(tmp_path: Path) -> None:
    stems = ("zeta", "beta", "eta", "theta")
    known = domain(records=(*RECORDS, *map(record, stems)))
    library = known.site.library
    bare = {stem: replace(library.examples[stem], record=None) for stem in stems}
    having(known, library=replace(library, examples={**library.examples, **bare}))
    known.page("page").uses.add(Address("quux", "n"))
    (tmp_path / "page.md").write_text("quux.n")
    env: Any = known.env
    env.doc2path = lambda name: f"{tmp_path}/{name}.md"

    (fault,) = of_names(known)

    said = "nothing was measured as 'quux' (zeta, beta, eta: no record)"
    assert Fault(Kind.CLAIM, said, ("page", 1)) == fault


PASSES = Path("/site/docs/evidence/passes")


def test_passes_that_cannot_be_used_or_contradict_a_claim_are_told() -> None:
    checks = ".speedup >= 4", "wait.ratio >= 8"
    both = claim_of(*checks, name="both", place=("page", 19), of="copy")
    known = domain(both, FAST, records=RECORDS)
    theirs = {
        stem: record(
            stem,
            {"speedup": timing(4.2, 4.4), "ratio": timing(7.7, 7.9)},
            builder=builder(gpu=f"NVIDIA L{len(stem)}"),
        )
        for stem in ("copy", "wait")
    }
    outcome = Outcome(
        "fast",
        "0000000a",
        "NVIDIA L40",
        "2.11",
        Counter({Verdict.HOLDS: 5, Verdict.NOISY: 2, Verdict.DIVERGED: 4}),
    )
    elsewhere = Elsewhere(
        unusable={PASSES / "1.json": "is no JSON", PASSES / "2.json": "was edited"},
        failed=[(PASSES / "3.json", judge(both, theirs))],
        doubted=[(PASSES / "4.json", outcome)],
    )
    known.close(replace(known.judged, elsewhere=elsewhere))

    found = [*of_passes(known)]

    place, remedy = "docs/evidence/passes", REMEDIES[Kind.ELSEWHERE]
    again = "remove it, or ask its sender for it again"
    expected = [
        (f"{place}/1.json is no JSON; {again}", f"{place}/1.json:1"),
        (f"{place}/2.json was edited; {again}", f"{place}/2.json:1"),
        (
            "claim 'both': expected wait.ratio >= 8, measured 7.8× (7.7–7.9×) on "
            f"NVIDIA L4 ({place}/3.json); {remedy}",
            ("page", 19),
        ),
        (
            "claim 'fast': held in 5 of 11 earlier passes on NVIDIA L40 "
            f"({place}/4.json); {remedy}",
            ("a", 3),
        ),
    ]
    assert [Fault(Kind.ELSEWHERE, *each) for each in expected] == found


def test_records_that_no_script_stands_beside_are_told_by_name(tmp_path: Path) -> None:
    examples = tmp_path / "examples"
    for name in (
        "b/went.json",
        "b/wait.json",
        "b/wait.py",
        "a/gone.json",
        "a/notes.md",
    ):
        (examples / name).parent.mkdir(parents=True, exist_ok=True)
        (examples / name).touch()
    known = domain()
    having(known, library=replace(known.site.library, folder=examples))

    found = [*of_records(known)]

    said = "is the record of no example: rename it with its script, or remove it"
    places = "examples/a/gone.json:1", "examples/b/went.json:1"
    assert [Fault(Kind.RECORD, said, place) for place in places] == found


def test_a_message_says_what_was_found_where_it_was_found() -> None:
    on_a_cpu = builder(gpu="", gpus=0)
    records = record(builder=on_a_cpu), record("wait", {"ratio": timing(7.1, 7.3)})
    far = claim(">= 5", "wait.ratio", "far", ("page", 5), scope="gpus>=8")
    known = domain(claim(">= 6"), far, records=records)

    slow, beyond = of_judgements(known)

    assert slow.message.startswith(
        "claim 'a-claim': expected >= 6, measured 5.0× (4.9–5.1×) on a CPU "
        "(examples/memory/copy.json); "
    )
    assert beyond.message.endswith(
        "; the scope 'gpus>=8' leaves out its own record: correct it"
    )

    theirs = {"copy": record(measured={"n": Plain(3)}, builder=on_a_cpu)}
    failed = [(PASSES / "5.json", *judge_all([claim()], theirs))]
    known.close(replace(known.judged, elsewhere=Elsewhere(failed=failed)))
    (missing,) = of_passes(known)
    said = "claim 'a-claim': expected >= 3, measured nothing on a CPU (docs/evidence/"
    assert missing.message.startswith(said)


def test_statements_that_are_named_wrongly_or_shown_after_all_are_told() -> None:
    seeds = {
        "waits-for-copies": Seed("memory: Copies", ["cuda"], "It waits."),
        "runs-warm": Seed(
            "memory: Copies", ["cuda"], "It is warm.", "it has no sensor"
        ),
    }
    wrong = claim(
        name="wrong",
        place=("a", 3),
        seed="waits-for-copy, waits-for-copies",
        confirms="copies-are-fest",
    )
    shown = claim(
        name="shown", place=("b", 5), seed="runs-warm", contradicts="copies-are-fast"
    )
    known = domain(wrong, shown, records=RECORDS)
    upstream = {name: statement() for name in ("zero_cost", "copies-are-fast", "eager")}
    having(known, upstream=upstream, sources=Sources(statements=seeds))

    found = [*of_statements(known)]

    sources, facts = "docs/evidence/sources.toml", "docs/evidence/upstream.toml"
    expected = [
        (
            Kind.CLAIM,
            f"claim 'wrong': {sources} has no 'waits-for-copy'; did you mean waits-for-copies?",
            ("a", 3),
        ),
        (
            Kind.CLAIM,
            f"claim 'wrong': {facts} has no 'copies-are-fest'; did you mean copies-are-fast?",
            ("a", 3),
        ),
        (
            Kind.CLAIM,
            "claim 'shown': its seed 'runs-warm' is shown: take its 'cannot' out of "
            f"{sources}",
            ("b", 5),
        ),
        *(
            (
                Kind.UNUSED,
                f"no claim contradicts or confirms {name!r}: name it in a claim, or "
                "remove it",
                f"{facts}:1",
            )
            for name in ("eager", "zero_cost")
        ),
    ]
    assert [Fault(*each) for each in expected] == found


def test_an_example_without_a_page_is_named() -> None:
    known = domain(records=RECORDS)
    env: Any = known.env
    env.found_docs = {"index", "gallery/index", "gallery/memory/index"}
    env.found_docs |= {"gallery/memory/copy", "gallery/memory/reindex"}

    none, left = of_gallery(known)

    assert Fault(Kind.COUNT, "the example memory/wait.py has no page") == none
    page = "gallery/memory/reindex"
    said = f"{page} is the page of no example; remove the folder gallery/"
    assert Fault(Kind.COUNT, said, page) == left


def test_a_page_with_a_fault_hides_nothing_of_the_next() -> None:
    known = domain(FAST, SLOW, records=RECORDS)
    known.page("a").faults.append(Fault(Kind.CLAIM, "wrong", ("a", 3)))
    known.page("b").in_text.clear()

    (fault,) = of_texts(known)

    assert ("b", 11) == fault.place


def test_a_cell_behind_what_is_no_cell_is_judged_too() -> None:
    sweep = Table(tuple({"n": Plain(n), "x": Plain(n + 0.5)} for n in (3, 4)))
    known = domain(records=(record("copy", {"sweep": sweep, "speedup": timing(7, 8)}),))
    cells = ("speedup", 7), ("sweep[n=3].x", 7), ("sweep[n=4].n", 7)
    known.page("page").shown.extend(
        Shown(Address("copy", name), line, row=2) for name, line in cells
    )

    (fault,) = of_tables(known)

    assert fault.message.startswith("copy.sweep[n=4].n does not belong into this row")


def test_all_records_of_an_older_torch_are_to_be_made_again() -> None:
    versions = {"a": "2.9.1", "b": "2.11.0", "c": "2.14.1", "d": "2.9.0"}
    records = tuple(
        record(stem, {"n": Plain(n)}, builder=builder(torch=f"{torch}+cu130"))
        for n, (stem, torch) in enumerate(versions.items(), 2)
    )
    checks = "a.n <= b.n", "c.n <= d.n"
    every = claim_of(*checks, name="every", place=("page", 23))

    (fault,) = of_versions(domain(every, records=records))

    said = (
        "it compares records of torch 2.9 and 2.11 and 2.14: record a, b, d with 2.14"
    )
    assert f"claim 'every': {said} as well" == fault.message
