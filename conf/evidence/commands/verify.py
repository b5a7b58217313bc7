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
from pathlib import Path
from typing import Any, TextIO

import click

from evidence.commands import (
    EXAMPLES,
    SCHEDULER,
    SEVERAL,
    CommandError,
    answers,
    campaign,
    tell,
)
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.measure.campaign import Result
from evidence.measure.recording import conditions
from evidence.records.compare import builder_words
from evidence.records.store import find, record_path, seal


@click.command()
@EXAMPLES
@click.option("--docs", type=Path, default=Path("docs"), help="the folder of the pages")
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
    type=click.File("w", encoding="utf-8", lazy=False),
    help="write what was measured, as a file that can be sent",
)
@SCHEDULER
@SEVERAL
def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    target: TextIO | None,
    **how: Any,
) -> int:
    """Judge every claim on this machine.

    It ends with 0 when all in scope hold, with 2 when nothing could be judged.
    """
    origin = _origin() if target else {}
    paths = find_scripts(examples)
    asked = questions(docs, expressions, {path.stem for path in paths})
    needed = _stems(asked)
    scripts = [read_script(path) for path in paths if path.stem in needed]
    measuring = campaign(scripts, **how)
    builder = measuring.builder
    print(f"verifying {len(asked)} claims on {builder_words(builder)}", flush=True)
    needed = _stems(claim for claim in asked if claim.scope.holds_on(builder))
    found: dict[str, Result] = {}
    interrupted = _interrupted(
        found, measuring.run(s for s in scripts if s.stem in needed)
    )
    committed = {s.stem: r for s in scripts if (r := find(record_path(s.path)))}
    judged = answers.answers(asked, found, builder)
    if target is not None:
        target.write(seal({**origin, **answers.as_data(judged, found, builder)}))
    for line in conditions(found.values()):
        tell(line)
    lines = [
        *answers.table(judged, committed),
        *answers.failures(found, judged, builder),
    ]
    if interrupted:
        lines.append(f"interrupted: {len(judged)} of {len(asked)} claims were judged")
    print("\n".join([*lines, answers.summary(judged)]), flush=True)
    return 130 if interrupted else 0 if answers.verified(judged) else 1


def _interrupted(found: dict[str, Result], results: Iterable[Result]) -> bool:
    """Whether the measuring was interrupted; what it had found by then is there."""
    try:
        for result in results:
            found[result.script.stem] = result
    except KeyboardInterrupt:
        return True
    return False


def _origin() -> dict[str, str]:
    """Where passes come from: this machine by its random id, the day, the commit.

    :raises CommandError: when the id cannot be kept
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
    ask = "git describe --always --dirty --abbrev=40 --exclude='*'"
    failed, commit = subprocess.getstatusoutput(ask)
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"machine": machine, "day": day, "commit": "" if failed else commit}


def _stems(claims: Iterable[Claim]) -> set[str]:
    """The examples that claims rest on."""
    return {stem for claim in claims for stem in claim.stems}
