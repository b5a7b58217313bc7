"""How a claim did with each version of PyTorch that measured it, in words."""

from __future__ import annotations

from collections import defaultdict

from evidence.judge.verdict import Judgement, Verdict
from evidence.records.units import format_cell
from evidence.records.versions import release, series
from evidence.site.domain import Judged
from evidence.site.look.words import _


def by_version(judged: Judged, claim_id: str) -> str:
    """How a claim did with each version of PyTorch, where several measured it, newest first.

    The record's is in sight above. What a version gave that does not hold is told with its values.
    """
    judgement = judged.by_id[claim_id]
    assert judgement.record is not None
    given = defaultdict[str, set[Verdict]](set)
    given[series(judgement.record.builder.torch)].add(judgement.verdict)
    for outcome in judged.elsewhere.outcomes.get(claim_id, ()):
        given[outcome.series].update(outcome.verdicts)
    words = {
        version: _(min(verdicts, key=[*Verdict].index).value)
        for version, verdicts in given.items()
    }
    for version, other in judged.elsewhere.others.get(claim_id, {}).items():
        words.setdefault(version, differing(other))
    newest_first = sorted(words, key=release, reverse=True)
    told = "; ".join(f"{version}: {words[version]}" for version in newest_first)
    return told if len(words) > 1 else ""


def differing(judgement: Judgement) -> str:
    """The verdict with another version, and the values that do not hold with it."""
    values = []
    for finding in judgement.findings:
        if finding.verdict is not Verdict.HOLDS and finding.cell is not None:
            value = finding.check.value
            values.append(f"{value.name} {format_cell(value.quantity, finding.cell)}")
    words = _(judgement.verdict.value)
    return f"{words} ({', '.join(values)})" if values else words
