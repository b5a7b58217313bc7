"""The generated tables: what they count, mark and quote, without a build."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT
from conftest import claim as markup
from docutils import nodes
from evidence.judge.kept import Run
from evidence.judge.passes import Elsewhere, Outcome
from evidence.judge.verdict import Verdict, judge
from evidence.records.address import Address
from evidence.records.model import Plain, Table
from evidence.records.units import THIN_SPACE
from evidence.site.look.evidence import marked, measured_tables, verdict_words
from evidence.site.look.nodes import inline, row, with_literals
from evidence.site.look.panel import (
    line,
    opened,
    referred,
    tick,
    tick_of_reference,
    tick_of_row,
    told,
)
from evidence.site.look.words import builders_words, torch_series
from evidence.site.parts import Shown
from evidence.site.tables.chapters import chapters
from evidence.site.tables.counts import byline, checked, totals
from evidence.site.tables.ledger import ledger, ledgers
from factories import (
    builder,
    claim,
    claim_of,
    domain,
    filler,
    record,
    statement,
    timing,
)
from msgspec import convert, to_builtins
from sphinx import addnodes
from test_passes import a_run

if TYPE_CHECKING:
    from conftest import Site
    from evidence.records.model import Value
    from evidence.site.domain import EvidenceDomain


def cells(shown: list[nodes.Node], name: str = "") -> list[list[str]]:
    """The texts of the rows of a table as HTML shows them, its header first."""
    (table,) = (node for node in shown if isinstance(node, nodes.table))
    for raw in [*table.findall(nodes.raw)]:
        raw.parent.remove(raw)
    return [
        [
            "".join(part.astext() for part in entry).replace(THIN_SPACE, " ").strip()
            for entry in row  # type: ignore[attr-defined]
        ]
        for row in table.findall(nodes.row)
        if name in row.astext()
    ]


def test_a_phone_names_the_model_in_the_column_of_its_passes() -> None:
    outcomes = tuple(
        Outcome("a-claim", machine, gpu, "2.11", Counter({Verdict.HOLDS: held}), keeper)
        for machine, gpu, held, keeper in (
            ("00000001", "B200", 3, "keeper"),
            ("0000000a", "L4", 2, ""),
        )
    )
    known = domain(claim(), claim(name="only-here"))
    known.close(
        replace(known.judged, elsewhere=Elsewhere(outcomes={"a-claim": outcomes}))
    )

    shown = ledger(filler(known), "")

    (table,) = (node for node in shown if isinstance(node, nodes.table))
    header, _, row, only_here = cells(shown)
    assert ["", ""] == only_here[5:]
    names = dict(re.findall(r"--on-(\d+): ' on ([^']*)'", table["style"]))
    assert {"B200": "3/3", "L4, sent in": "2/2"} == dict(
        zip(header[5:], row[5:], strict=True)
    )
    # A style counts columns from one.
    columns = {str(place): name for place, name in enumerate(header, 1)}
    assert {"6": "B200", "7": "L4, sent in"} == names
    assert names.items() <= columns.items()


def test_totals_count_what_contradicts_the_notes() -> None:
    claims = [
        claim(name="wrong", contradicts="fast"),
        claim(name="again", contradicts="fast, late", documented="no faster"),
        claim(name="right", documented="about 5 times (cuda.md)"),
        claim(name="false", expect=">= 9"),
        claim(name="own"),
    ]

    said = {name: statement() for name in ("late", "fast", "free")}

    (figures,) = totals(filler(domain(*claims, upstream=said)), "")

    expected = [
        "5 claims, 4 hold",
        "1 scripts you can run",
        "NVIDIA H200, torch 2.11.0, last run on 31 January 2026",
    ]
    assert expected == [figure.astext() for figure in figures.children[::2]]


def test_quotes_are_curly_and_code_is_code() -> None:
    said = nodes.paragraph(
        "", "", *inline(with_literals('it\'s "on" or "off": ``f("a")``'))
    )

    assert 'it’s “on” or “off”: f("a")' == said.astext()
    assert ['f("a")'] == [code.astext() for code in said.findall(nodes.literal)]


@pytest.mark.parametrize(
    ("expected", "verdict", "margin"),
    [
        (">= 0.1", "✓ holds (weak bound)", "> 10×"),
        (">= 2.4", "✓ holds (weak bound)", "2.0×"),
        (">= 3", "✓ holds", "1.63×"),
        (">= 4.8", "✓ holds (tight bound)", "1.02×"),
    ],
)
def test_the_ledger_tells_how_near_the_bound_is(
    expected: str, verdict: str, margin: str
) -> None:
    shown = ledger(filler(domain(claim(expected))), "")

    header, _, row = cells(shown)

    assert ["Claim", "Expected", "Measured", "Verdict", "Margin"] == header
    assert ["5.0× (4.9–5.1×)", verdict, margin] == row[2:]


def test_the_ledger_counts_what_holds() -> None:
    claims = [claim(name=f"held-{n}") for n in range(2)]
    claims += [claim(name="false", expect=">= 9"), claim(name="no", value="gone.x")]

    strip, _ = ledger(filler(domain(*claims)), "")

    builders = "NVIDIA H200, torch 2.11.0, last run on 31 January 2026"
    assert f"4 claims, 2 hold · {builders} claims.json" == strip.astext()


def test_a_row_tells_scope_and_what_it_contradicts() -> None:
    known = domain(
        claim(scope="sm_80+", contradicts="fast"), upstream={"fast": statement()}
    )

    *_, row = cells(ledger(filler(known), ""))

    assert ["a claim contradicts the notes", "at least 3× sm_80+"] == row[:2]


def test_a_row_names_its_builder_where_that_is_not_the_usual_one() -> None:
    made = [
        record(f"e{n}", {"n": Plain(1)}, builder=builder(gpu=f"GPU {n > 0}"))
        for n in range(3)
    ]
    claims = [claim("== 1", f"e{n}.n", f"claim-{n}") for n in range(2)]
    known = domain(*claims, records=tuple(made))

    header, *_, other, usual = cells(ledger(filler(known), ""))

    assert "Measured GPU True" == header[2]
    # What is exact has no margin.
    assert ["exactly 1 GPU False", "1", "✓ holds", ""] == other[1:]
    assert ["exactly 1", "1", "✓ holds", ""] == usual[1:]


def test_checks_that_say_the_same_are_told_once() -> None:
    checks = "copy.speedup >= 3", "copy.speedup >= 3", "copy.speedup >= 4"
    same = claim_of(*checks)

    *_, row = cells(ledger(filler(domain(same)), ""))

    assert "at least 3× (2 ×) at least 4×" == row[1]


def test_a_chapter_stands_above_its_pages_in_the_order_of_the_site() -> None:
    known = domain(claim(name="a", place=("x", 1)), claim(name="b", place=("y", 1)))
    fill = filler(known)
    for caption, page in (("Later", "y"), ("First", "x")):
        tree = addnodes.toctree(caption=caption, includefiles=[page])
        fill.env.tocs["index"] += tree

    shown = ledger(fill, "")

    header, *_ = rows = cells(shown)
    wide = [e for e in shown[1].findall(nodes.entry) if "morecols" in e]
    assert [len(header)] * 4 == [1 + entry["morecols"] for entry in wide]
    assert ["Later", "y", "b"] == [row[0] for row in rows[1:4]]
    assert ["First", "x", "a"] == [row[0] for row in rows[4:]]


def chaptered() -> EvidenceDomain:
    """Two claims in one chapter, of which one is false, and one that contradicts the notes."""
    return domain(
        claim(name="a", place=("amp/x", 1)),
        claim(">= 9", name="b", place=("amp/y", 1)),
        claim(name="c", place=("transfer/x", 1), contradicts="fast"),
        upstream={"fast": statement()},
    )


def test_a_folder_is_a_chapter_though_its_landing_page_lists_others_too() -> None:
    env = filler(domain()).env
    pages = ("amp/index", "amp/x", "fix/late", "transfer/index", "fix/early")
    env.titles = {page: nodes.title("", page.upper()) for page in pages}
    homes = ["amp/index", "transfer/index"]
    env.tocs["index"] += addnodes.toctree(caption="Rules", includefiles=homes)
    env.toctree_includes = {
        "amp/index": ["amp/x", "fix/late"],
        "transfer/index": ["fix/early"],
    }
    assert {
        "AMP/INDEX": ["amp/index", "amp/x"],
        "Rules": ["fix/late", "transfer/index", "fix/early"],
    } == chapters(env)


def test_a_ledger_of_a_chapter_has_its_claims_alone() -> None:
    rows = cells(ledger(filler(chaptered()), "transfer"))

    assert ["transfer/x", "c contradicts the notes"] == [row[0] for row in rows[1:]]


def test_the_list_of_ledgers_counts_the_claims_of_each_chapter() -> None:
    fill = filler(chaptered())
    below = ["ledger/amp", "ledger/transfer"]
    fill.env.toctree_includes["ledger"] = below
    fill.env.titles |= {page: nodes.title("", page.upper()) for page in below}

    header, *rows = cells(ledgers(fill, ""))

    assert ["Chapter", "Claims", "Contradict the notes"] == header
    assert ["LEDGER/AMP", "2 claims, 1 hold", ""] == rows[0]
    assert ["LEDGER/TRANSFER", "1 claim holds", "1"] == rows[1]


def test_a_chapter_without_a_ledger_is_red(site: Site) -> None:
    site.page(markup("another"), name="amp/speed")
    site.page("```{evidence-ledgers}\n```", name="ledger", title="Ledger")

    build = site.build(code=1)

    message = "ledger/amp.md is missing: nothing lists that chapter [evidence.count]"
    assert any(message in warning for warning in build.warnings)


def test_a_ledger_of_no_chapter_is_red(site: Site) -> None:
    below = "```{toctree}\nledger/apm\n```"
    site.page("```{evidence-ledgers}\n```", below, name="ledger", title="Ledger")
    site.page("```{evidence-ledger} apm\n```", name="ledger/apm", title="Apm")

    build = site.build(code=1)

    message = "ledger/apm.md lists nothing: no chapter has its name [evidence.count]"
    assert any(message in warning for warning in build.warnings)


@pytest.mark.parametrize("kind", ["ledger", "coverage"])
def test_the_list_of_a_chapter_stands_on_the_page_of_its_name(kind: str) -> None:
    pages = [*(ROOT / "docs/evidence" / kind).glob("*.md")]

    assert len(pages) > 5
    for page in pages:
        assert f"{{evidence-{kind}}} {page.stem}\n" in page.read_text("utf-8")


def test_a_claim_is_named_and_its_sentence_kept_for_the_twin() -> None:
    shown = ledger(filler(domain(claim())), "")

    *_, link = shown[1].findall(nodes.reference)

    name, sentence = link.children
    assert "a claim" == name.astext()
    assert ("markdown", "It is faster.") == (sentence["format"], sentence.astext())


def test_a_measured_table_names_its_columns() -> None:
    measured = {"speedup": timing(4.9, 5.1), "copies": Plain(7)}
    (table,) = measured_tables(record(measured=measured))
    assert ["name", "value"] == [cell.astext() for cell in table.children]
    assert [
        ("speedup", "5.0× (4.9–5.1×), median of 6 processes"),
        ("copies", "7"),
    ] == [tuple(text.replace(THIN_SPACE, " ") for text in row) for row in table["rows"]]


def test_a_line_under_a_lead_counts_claims_and_names_builders() -> None:
    made = [
        record(f"e{n}", {"n": Plain(1)}, builder=builder(gpu=f"GPU {n}"))
        for n in range(2)
    ]
    known = [claim("== 1", f"e{n}.n", f"c{n}", ("ledger", n)) for n in range(2)]

    def shown(count: int) -> str:
        said = domain(*known[:count], records=tuple(made))
        (strip,) = byline(filler(said), "")
        return strip.astext()

    assert shown(1).startswith("1 claim holds · GPU 0, torch 2.11.0")
    assert shown(2).startswith("2 claims, all hold · GPU 0 and GPU 1, torch 2.11.0")
    silent = domain(records=tuple(made))
    stems = ("e0", "e1", "gone")
    silent.page("ledger").uses = {Address(stem, "n") for stem in stems}
    (strip,) = byline(filler(silent), "")
    assert strip.astext().startswith("2 examples · GPU 0 and GPU 1, torch 2.11.0")


def test_the_version_of_the_site_is_the_newest_of_its_records() -> None:
    """Not that of the last day, and 2.9 is not newer than 2.13."""
    newest, *older = (
        record(stem, recorded=day, builder=builder(torch=torch))
        for stem, day, torch in (
            ("a", "2026-01-30", "2.13.1+cu130"),
            ("b", "2026-01-31", "2.12.0+cu129"),
            ("c", "2026-01-29", "2.9.1+cu128"),
        )
    )
    assert ["2.13", "2.13"] == [
        torch_series([newest, *older]),
        torch_series([*older, newest]),
    ]
    assert ["2.12", ""] == [torch_series(older), torch_series([])]


def test_a_page_of_two_versions_says_how_many_claims_rest_on_which() -> None:
    made = [
        record(f"e{n}", {"n": Plain(1)}, builder=builder(torch=f"{torch}+cu130"))
        for n, torch in enumerate(("2.9.1", "2.14.1", "2.14.1"))
    ]
    # Two rest on the last one: a page's claims are more than its records.
    rests = enumerate(("e0", "e1", "e2", "e2"))
    known = [claim("== 1", f"{e}.n", f"c{n}", ("ledger", n)) for n, e in rests]

    def shown(*numbers: int) -> str:
        said = domain(*(known[n] for n in numbers), records=tuple(made))
        (strip,) = byline(filler(said), "")
        return strip.astext()

    words = "torch 2.9.1 (1 of 4 claims) and 2.14.1 (3 of 4 claims), last"
    assert words in shown(3, 2, 1, 0)
    assert "torch 2.14.1, last" in shown(1, 2)


def test_a_cell_is_a_paragraph_unless_its_table_is_long() -> None:
    said = nodes.paragraph("", "", nodes.strong("", "c"))
    made = row(["a", [nodes.literal("", "b"), "c"], said])
    bare = row(["a", "b"], ["group"], bare=True)
    assert ["a", "bc", "c"] == [entry.astext() for entry in made.children]
    assert {nodes.paragraph} == {type(entry[0]) for entry in made.children}
    assert {nodes.generated} == {type(entry[0]) for entry in bare.children}
    assert [[], ["group"]] == [made["classes"], bare["classes"]]


def test_nothing_is_shown_of_a_claim_that_could_not_be_judged() -> None:
    filled = filler(domain(claim()))
    for fill in (tick, tick_of_reference, tick_of_row, opened, referred, line):
        assert [] == fill(filled, "not-judged"), fill
        assert [] != fill(filled, "a-claim"), fill


def test_evidence_names_all_examples_and_what_the_claim_confirms() -> None:
    both = claim_of(
        "wait.speedup <= copy.speedup",
        confirms="late, fast",
        documented="as fast (cuda.md)",
    )
    known = {
        "fast": statement(address="https://docs.example/cuda.html#fast"),
        "late": statement(page="Data", address="https://docs.example/data.html#late"),
    }
    said = domain(both, records=(record("copy"), record("wait")), upstream=known)
    told: dict[str, str] = {}
    links: dict[str, list[str]] = {}
    (box,) = line(filler(said), "a-claim")
    for part in box.findall(nodes.paragraph):
        term, _colon, text = part.astext().partition(": ")
        told[term] = text.strip()
        links[term] = [link["refuri"] for link in part.findall(nodes.reference)]
    assert (
        "copy.py · wait.py · NVIDIA H200 · 31 January 2026 · unsigned"
        == told["Measured by"]
    )
    assert "as fast (cuda.md)" == told["Documented"]
    assert "Data CUDA semantics" == told["Confirms"]
    assert [known[name].address for name in ("late", "fast")] == links["Confirms"]
    assert "Contradicts" not in told


def test_a_machine_that_sent_passes_of_two_versions_is_one() -> None:
    outcomes = tuple(
        Outcome("a-claim", machine, "NVIDIA L4", series, Counter(verdicts))
        for machine, series, verdicts in (
            ("00000001", "2.11", {Verdict.HOLDS: 3, Verdict.NOISY: 2}),
            ("00000001", "2.12", {Verdict.HOLDS: 4}),
            ("0000000a", "2.11", {Verdict.HOLDS: 1, Verdict.DIVERGED: 1}),
        )
    )
    known = domain(claim())
    elsewhere = Elsewhere(outcomes={"a-claim": outcomes})
    known.close(replace(known.judged, elsewhere=elsewhere))
    (box,) = line(filler(known), "a-claim")
    assert "held in 8 of 11 passes, on 2 × NVIDIA L4" in box.astext()


@pytest.mark.parametrize(
    ("counts", "told"),
    [(4, ["a", "b", "c", "d", "more"]), (5, ["a", "b", "c", "2 more"])],
)
def test_a_line_tells_four_values_or_the_first_and_how_many_more(
    counts: int, told: list[str]
) -> None:
    measured: dict[str, Value] = {name: Plain(n) for n, name in enumerate("abcde", 3)}
    checks = [f"copy.{name} == {n}" for n, name in enumerate("abcde"[:counts], 3)]
    known = domain(claim_of(*checks), records=(record(measured=measured),))
    (box,) = line(filler(known), "a-claim")
    *values, more = (part.astext().strip() for part in box[0].findall(nodes.inline))
    numbers = {f"check {n} {n + 2}": name for n, name in enumerate("abcde", 1)}
    assert told == [*(numbers[value] for value in values[1:]), more]


@pytest.mark.parametrize(
    ("shown", "scope"),
    [
        ("", "any"),
        ("", "torch>=2.9"),
        ("H200", "gpu == NVIDIA H200"),
        ("2 GPUs", "gpus>=2"),
        ("A100", "gpu == NVIDIA A100"),
        ("H200 or H100", "gpu == NVIDIA H200 or NVIDIA H100 80GB HBM3"),
        ("4 GPUs", "gpus>=4"),
        ("H200, 2 GPUs", "gpu == NVIDIA H200, torch<2.14, gpus>=2"),
        ("sm_80+", "sm_80+"),
    ],
)
def test_a_tick_says_where_a_claim_holds_to_all_readers(shown: str, scope: str) -> None:
    gpu = "NVIDIA A100" if "A100" in scope else "NVIDIA H200"
    known = domain(
        claim(scope=scope), records=(record(builder=builder(gpu=gpu, gpus=8)),)
    )
    (box,) = tick(filler(known), "a-claim")
    label = f"evidence: holds, {shown}" if shown else "evidence: holds"
    assert {"aria-label": label} == box[0]["html"]
    assert ["✓", *filter(None, [shown])] == box[0].astext().split(maxsplit=1)
    assert ["ev", "holds"] == box["classes"]


def test_of_what_was_counted_the_total_is_told_and_no_bound_that_it_repeats() -> None:
    measured: dict[str, Value] = {
        "late": Plain(7),
        "calls": Plain(20),
        "waits": Plain(value=False),
        "pinned": Plain(value=True),
        "speedup": timing(4.9, 5.1),
    }
    checks = (
        *(".late of .calls == 7", ".waits false", ".pinned true"),
        *(".calls <= 21", ".speedup >= 3"),
    )
    known = domain(claim_of(*checks, of="copy"), records=(record(measured=measured),))
    fill = filler(known)
    (box,) = line(fill, "a-claim")

    values = [
        value for _label, value, _more in told(*known.judged.judgements, known.site)
    ]
    mores = [more for *_value, more in told(*known.judged.judgements, known.site)]

    assert ["7 of 20", "no", "yes", "20", "5.0×"] == values
    expected = ["", "", "", "expected at most 21", "4.9–5.1×; expected at least 3×"]
    assert expected == mores
    (short,) = referred(fill, "a-claim")
    for brief in (box[0], short):
        assert "expected" not in brief.astext()
        assert "7 of 20" in brief.astext()
    assert "(expected at most 21)" in box.astext()
    assert ["#a-claim"] == [link["refuri"] for link in short.findall(nodes.reference)]


@pytest.mark.parametrize(
    ("words", "held", "of"),
    [
        ("1 claim holds", 1, 1),
        ("1 claim, 0 hold", 0, 1),
        ("2 claims, all hold", 2, 2),
        ("3 claims, 2 hold", 2, 3),
        ("1,207 claims, 1,205 hold", 1205, 1207),
    ],
)
def test_claims_are_counted_in_words(words: str, held: int, of: int) -> None:
    records = {"copy": record()}
    fast, slow = (judge(claim(bound), records) for bound in (">= 3", ">= 7"))
    assert words == verdict_words([fast] * held + [slow] * (of - held))


def test_a_claim_out_of_scope_is_neither_held_nor_refuted() -> None:
    marks = {verdict: marked(verdict)[0] for verdict in Verdict}
    others = marks.keys() - {Verdict.HOLDS, Verdict.OUT_OF_SCOPE}
    assert ("✓", "–") == (marks[Verdict.HOLDS], marks[Verdict.OUT_OF_SCOPE])
    assert {"✗"} == {marks[verdict] for verdict in others}


def test_one_other_version_is_told_beside_that_of_the_record() -> None:
    verdicts = Counter({Verdict.HOLDS: 3, Verdict.NOISY: 1})
    outcome = Outcome("a-claim", "00000001", "NVIDIA H200", "2.9", verdicts)
    known = domain(claim())
    elsewhere = Elsewhere(outcomes={"a-claim": (outcome,)})
    known.close(replace(known.judged, elsewhere=elsewhere))
    (box,) = line(filler(known), "a-claim")
    told = [part.astext() for part in box.findall(nodes.paragraph)]
    assert "By version: 2.11: holds; 2.9: noisy, as sent in" in told


def test_a_record_of_sweeps_alone_has_no_empty_table() -> None:
    rows = ({"n": Plain(3), "copied": Plain(5)}, {"n": Plain(4), "copied": Plain(9)})
    sweeps: dict[str, Value] = {name: Table(rows) for name in ("by_n", "by_m")}
    shown = measured_tables(record(measured=sweeps))
    assert ["rubric", "grid"] * 2 == [node.tagname for node in shown]
    assert ["by_n", "by_m"] == [node.astext() for node in shown[::2]]


def test_the_last_run_is_the_newest_whichever_stands_first() -> None:
    on_cpu = builder(gpu="", gpus=0)
    days = "2026-01-31", "2026-04-09", "2025-12-01"
    made = [record(f"e{n}", builder=on_cpu, recorded=day) for n, day in enumerate(days)]
    words = "a CPU, torch 2.11.0, last run on 9 April 2026"
    assert words == builders_words(made, "en") == builders_words(made[::-1], "en")
    assert "" == builders_words((), "en")
    some = [*made, record("on_a_gpu", builder=builder(gpu="NVIDIA L4"))]
    assert words.replace("a CPU", "NVIDIA L4") == builders_words(some, "en")


def test_versions_of_one_series_stand_in_order() -> None:
    made = [
        record(f"e{n}", builder=builder(torch=torch))
        for n, torch in enumerate(("2.11.1", "2.11.0", "2.9.1", "2.11.0+cu130"))
    ]
    said = builders_words(made, "en")
    assert "torch 2.9.1 and 2.11.0 and 2.11.1, last" in said


def test_a_version_on_which_no_claim_rests_is_not_told() -> None:
    old, new = (record(f"e{n}", builder=builder(torch=f"2.{n}.0")) for n in (13, 14))
    assert "torch 2.14.0, last" in builders_words([old, new], "en", [new, new])
    both = builders_words([old, new], "en", [old, new, new])
    assert "torch 2.13.0 (1 of 3 claims) and 2.14.0 (2 of 3 claims), last" in both


def test_evidence_tells_what_each_version_of_torch_gave() -> None:
    """Of the record, of passes in the claim's scope, and of those that it leaves out."""
    here = record(
        measured={"n": Plain(1), "m": Plain(2)}, builder=builder(torch="2.14")
    )
    given = claim("== 1", "copy.n", scope="torch>=2.12")
    known = domain(given, claim("== 2", "copy.m", "b-claim"), records=(here,))
    outcomes = [
        Outcome("a-claim", machine, "L4", version, Counter({verdict: 2}))
        for machine, version, verdict in (
            # The worst of two machines, whichever comes first.
            ("00000001", "2.12", Verdict.HOLDS),
            ("0000000a", "2.12", Verdict.MISSING),
            ("00000001", "2.13", Verdict.NOISY),
            ("0000000a", "2.13", Verdict.HOLDS),
        )
    ]
    others = {
        series: judge(
            claim("== 1", "copy.n"), {"copy": record(measured={"n": Plain(n)})}
        )
        for series, n in (("2.9", 7), ("2.11", 1))
    }
    run = convert(a_run(builder=to_builtins(builder(torch="2.11.0"))), Run)
    runs = [("00000002", "keeper", run)]
    elsewhere = Elsewhere(runs, {"a-claim": outcomes}, others={"a-claim": others})
    known.close(replace(known.judged, elsewhere=elsewhere))

    (told,) = (
        part.astext()
        for box in line(filler(known), "a-claim")
        for part in box.findall(nodes.paragraph)
        if part.astext().startswith("By version")
    )
    said = (
        "2.14: holds; 2.13: noisy, as sent in; 2.12: missing, as sent in; 2.11: holds; "
        "2.9: diverged (n 7), as sent in"
    )
    assert f"By version: {said}" == told
    said = " ".join(box.astext() for box in line(filler(known), "b-claim"))
    assert "Measured by" in said
    assert "By version" not in said


@pytest.mark.parametrize(
    ("expected", "expect"),
    [
        ("✓\u202fholds check 1 0", "== 0"),
        ("✗\u202fdiverged check 1 0 (expected exactly 7)", "== 7"),
        ("✓\u202fholds check 1 0 (expected at most 7)", "<= 7"),
    ],
)
def test_evidence_tells_what_was_expected_where_the_value_does_not(
    expected: str, expect: str
) -> None:
    made = claim(expect, "copy.wrong")
    known = domain(made, records=(record(measured={"wrong": Plain(0)}),))
    (opened,) = (
        part.astext()
        for box in line(filler(known), "a-claim")
        for part in box.findall(nodes.paragraph)
        if "values" in part["classes"]
    )
    assert expected == opened


def test_values_are_counted_by_what_protects_them() -> None:
    sweep = Table(tuple({"n": Plain(n), "x_s": timing(n, n + 1)} for n in (1, 2)))
    measured = {"speedup": timing(4.9, 5.1), "share": Plain(0.5), "sweep": sweep}
    claims = [claim(name=f"claim-{n}", place=("page", n)) for n in range(2)]
    both = "copy.speedup >= 3", "copy.sweep[n=1].x_s >= 1 s"
    claims += [claim_of(*both, name="both", place=("other", n)) for n in range(4)]
    known = domain(*claims, records=(record(measured=measured),))
    checked_value, other = Address("copy", "speedup"), Address("copy", "share")
    key = Address("copy", "sweep[n=1].n")
    known.page("page").shown = [
        *([Shown(checked_value, 1, "claim-0")] * 5),
        *([Shown(checked_value, 2)] * 3),
        *([Shown(other, 3)] * 2),
    ]
    known.page("other").shown = [
        *([Shown(key, 1, "both")] * 4),
        *([Shown(key, 2)] * 5),
        *([Shown(checked_value, 3)] * 4),
        *([Shown(other, 4, row=1)] * 2),
    ]
    outcomes: dict[str, Any] = {"claim-0": (), "both": (), "claim-1": ()}
    known.close(replace(known.judged, elsewhere=Elsewhere(outcomes=outcomes)))

    header, *rows = cells(checked(filler(known), ""))

    assert ["On this site", "Number"] == header
    assert [
        ["claims", "6"],
        ["checks in these claims", "10"],
        ["values in claim sentences, all checked", "5"],
        ["values in other text, checked by a claim elsewhere", "7"],
        ["values in tables that only link to a claim", "4"],
        ["constants and row keys, which are not measured", "9"],
        ["claims that another machine of ours has also measured", "0"],
        ["claims that only others measured as well, as sent in", "3"],
    ] == rows
