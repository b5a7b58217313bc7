"""``verify``: measure what the claims need on this machine, and judge them by that.

Only the bands of the claims count here, never the intervals of their records: a record says how
one builder measures, a claim says what must hold on every builder in its scope.
"""

from __future__ import annotations

import datetime
import os
import secrets
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from evidence.commands import (
    DOCS,
    EXAMPLES,
    SCHEDULER,
    CommandError,
    answers,
    campaign,
    tell,
)
from evidence.examples.script import find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.judge.verdict import Judgement
from evidence.measure.campaign import Result
from evidence.measure.recording import conditions
from evidence.records.model import Builder
from evidence.records.store import find, record_path, seal


@click.command()
@EXAMPLES
@DOCS
@click.option(
    "-k",
    "expressions",
    metavar="EXPR",
    multiple=True,
    help="only claims with this in their id, page or example; given twice, either will do",
)
@click.option(
    "--processes", type=click.IntRange(min=1), help="in how many each example runs"
)
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="write what was measured, after each example, as a file that can be sent",
)
@SCHEDULER
def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    target: Path | None,
    **how: Any,
) -> int:
    """Judge every claim on this machine.

    It ends with 0 when all in scope hold, with 2 when nothing could be judged.
    """
    paths = find_scripts(examples)
    asked = answers.questions(docs, expressions, {path.stem for path in paths})
    origin = _origin(target) if target else {}
    needed = _stems(asked)
    scripts = [read_script(path) for path in paths if path.stem in needed]
    measuring = campaign(scripts, **how)
    builder = measuring.builder
    print(f"verifying {len(asked)} claims on {builder}", flush=True)
    needed = _stems(claim for claim in asked if claim.scope.holds_on(builder))
    sending = Sending(asked, builder, target, origin)
    interrupted = sending.measure(measuring.run(s for s in scripts if s.stem in needed))
    judged = answers.answers(asked, sending.results, builder)
    sending.write(judged)
    for line in conditions(sending.results.values()):
        tell(line)
    committed = {s.stem: r for s in scripts if (r := find(record_path(s.path)))}
    lines = answers.report(judged, sending.results, builder, committed)
    if interrupted:
        lines.append(f"interrupted: {len(judged)} of {len(asked)} claims were judged")
    print("\n".join([*lines, *answers.end(judged, target)]), flush=True)
    return 130 if interrupted else 0 if answers.verified(judged) else 1


@dataclass
class Sending:
    """What was measured so far, also in a file that is whole at any time, where one is wanted."""

    asked: Sequence[Claim]
    builder: Builder
    path: Path | None
    origin: dict[str, str]
    results: dict[str, Result] = field(default_factory=dict)
    examples: dict[str, Any] = field(default_factory=dict)
    verdicts: dict[str, list[str]] = field(default_factory=dict)

    def measure(self, results: Iterable[Result]) -> bool:
        """Write what each example gives, and how claims are judged by it.

        True where it was interrupted.
        """
        try:
            for result in results:
                stem = result.script.stem
                self.results[stem] = result
                if not answers.beyond(result, self.builder):
                    self.examples[stem] = answers.entry(result)
                concerned = (claim for claim in self.asked if stem in claim.stems)
                self.write(answers.answers(concerned, self.results, self.builder))
        except KeyboardInterrupt:
            return True
        return False

    def write(self, judged: Iterable[Judgement]) -> None:
        """Replace the file: who reads it finds the old or the new one."""
        self.verdicts |= {a.claim.id: [a.verdict.value] for a in judged}
        if self.path is None:
            return
        data = {
            **self.origin,
            "schema": answers.SCHEMA,
            "builder": to_builtins(self.builder),
            "passes": [self.examples],
            "claims": self.verdicts,
        }
        part = self.path.with_name(f"{self.path.name}.part")
        part.write_text(seal(data, answers.SENT_DEPTH), encoding="utf-8")
        part.replace(self.path)


def _origin(target: Path) -> dict[str, str]:
    """Where passes come from: this machine by its random id, the day, the commit.

    :raises CommandError: when the id cannot be kept, or they cannot be written
    """
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    path = Path(state, "measured-cuda", "machine")
    try:
        machine = path.read_text() if path.exists() else secrets.token_hex(4)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(machine)
    except OSError as error:
        raise CommandError(
            f"the random id of this machine cannot be kept: {error}"
        ) from None
    try:
        target.open("a").close()
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror}") from None
    ask = "git describe --always --dirty --abbrev=40 --exclude='*'"
    failed, commit = subprocess.getstatusoutput(ask)
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"machine": machine, "day": day, "commit": "" if failed else commit}


def _stems(claims: Iterable[Claim]) -> set[str]:
    """The examples that claims rest on."""
    return {stem for claim in claims for stem in claim.stems}
