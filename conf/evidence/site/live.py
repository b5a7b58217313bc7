"""Modes: which examples this build measures, and which it replays.

A live build also writes what it measured as ``verify --json`` does, in ``build/pass.json``.

Without a word from ``EVIDENCE`` an example is measured where torch is importable and the machine
has the GPUs it needs, of the model that its record names. So nobody's first build is red because
a laptop has a small GPU.
"""

from __future__ import annotations

import importlib.util
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from evidence.examples.script import Script, find_scripts, read_scripts
from evidence.judge.clear import unclear
from evidence.judge.pages import read_folder
from evidence.records.model import Builder
from evidence.records.store import find, record_path, save
from evidence.site.diagnostics import Kind, inform, warn

if TYPE_CHECKING:
    from evidence.measure.campaign import Campaign, Result

#: What ``EVIDENCE`` may say: ``stale`` measures what has no record of its code.
MODES = ("replay", "live", "stale")


def measure_for_build(folder: Path, pages: Path, target: Path) -> dict[str, Path]:
    """Measure what this build must measure; gives the new records by stem.

    :param folder: the examples
    :param pages: the folder of the pages, whose claims say what has to run again
    :param target: where the new records go
    :raises ConfigError: when ``EVIDENCE`` is no mode, or asks to measure where nothing can be
    """
    mode = os.environ.get("EVIDENCE", "")
    if mode not in ("", *MODES):
        known = ", ".join(MODES)
        raise ConfigError(f"EVIDENCE={mode!r} is no mode; use one of {known}")
    has_torch = importlib.util.find_spec("torch") is not None
    if mode in ("live", "stale") and not has_torch:
        raise ConfigError(f"EVIDENCE={mode} needs torch, which is not installed here")
    if mode == "replay" or not has_torch:
        why = "EVIDENCE=replay" if mode else "torch is not installed here"
        inform(f"replaying every record: {why}")
        return {}
    return _measure(folder, pages, target, mode)


def _measure(folder: Path, pages: Path, target: Path, mode: str) -> dict[str, Path]:
    # In this module alone the site reaches the measuring; a replay never loads it.
    from evidence.measure import Failure
    from evidence.measure.campaign import BuilderError, Campaign

    # What cannot be read is reported with the library.
    scripts, _ = read_scripts(find_scripts(folder))
    try:
        campaign = Campaign.here(scripts if mode else (), inform)
    except BuilderError as error:
        raise ConfigError(str(error)) from error
    builder = campaign.builder
    obstacles = [obstacle(script, builder, mode) for script in scripts]
    chosen = [script for script, o in zip(scripts, obstacles, strict=True) if not o]
    here = f"{builder.gpus} × {builder.gpu}" if builder.gpus else "no CUDA GPU"
    inform(f"this machine has {here}: {summary(obstacles)}")
    made: dict[str, Path] = {}
    kept = target.with_name("pass.json") if mode == "live" else None
    begun = folder.parent / "build" / "begun"
    for result in _results(campaign, chosen, pages, begun, kept):
        path = result.script.path
        if isinstance(result, Failure):
            place = f"{folder.name}/{path.relative_to(folder).as_posix()}:1"
            warn(Kind.MEASURE, str(result), place)
        else:
            made[path.stem] = target / f"{path.stem}.json"
            save(result.record, made[path.stem], dict(result.figures))
    return made


def _results(
    campaign: Campaign,
    scripts: Sequence[Script],
    pages: Path,
    begun: Path,
    kept: Path | None,
) -> Iterator[Result]:
    """Measure examples until it is clear what they say of the claims; yield each result.

    :param begun: where what is measured is kept until all of it is
    :param kept: where all of it is written at the end, as a file that can be sent
    """
    from evidence.commands import CommandError, answers, verify
    from evidence.measure.rounds import measure_until_clear

    claims = [claim for _, claims, _ in read_folder(pages) for claim in claims]
    undecided = lambda done: unclear(claims, answers.measured(done))  # noqa: E731
    try:
        source = verify.origin(kept) if kept else {}
    except CommandError as error:
        raise ConfigError(str(error)) from error
    done: dict[str, Result] = {}
    for result in measure_until_clear(campaign, scripts, undecided, begun, inform):
        done[result.script.stem] = result
        yield result
    if kept:
        verify.judge(claims, done, campaign.builder, kept, source)


def obstacle(script: Script, builder: Builder, mode: str) -> str:
    """Why a build of a mode does not measure an example here; empty where it does."""
    record = find(record_path(script.path))
    if mode == "live":
        return ""
    if mode == "stale":
        is_recorded = record is not None and record.code_key == script.code_key
        return "with a record of their code" if is_recorded else ""
    needed = script.settings.gpus
    if not 0 < needed <= builder.gpus:
        return f"needing {needed} GPUs"
    if record is None:
        return "without a usable record"
    recorded_on = record.builder.gpu
    return "" if recorded_on == builder.gpu else f"recorded on {recorded_on or 'a CPU'}"


def summary(obstacles: Sequence[str]) -> str:
    """How many examples are measured and how many replayed, and why these."""
    replayed = Counter(filter(None, obstacles))
    why = [f"{count} {reason}" for reason, count in sorted(replayed.items())]
    measured = f"measuring {obstacles.count('')} examples"
    return ", ".join([measured, f"replaying {replayed.total()}", *why])
