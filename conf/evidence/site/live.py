"""Modes: which examples this build measures, and which it replays.

Without a word from ``EVIDENCE`` an example is measured where torch is importable and the machine
has the GPUs it needs, of the model that its record names. So nobody's first build is red because
a laptop has a small GPU.
"""

from __future__ import annotations

import importlib.util
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sphinx.errors import ConfigError

from evidence.examples.script import Script, find_scripts, read_scripts
from evidence.records.model import Builder
from evidence.records.store import find, record_path, save
from evidence.site.diagnostics import Kind, inform, warn


def measure_for_build(folder: Path, target: Path) -> dict[str, Path]:
    """Measure what this build must measure; gives the new records by stem.

    :param folder: the examples
    :param target: where the new records go
    :raises ConfigError: when ``EVIDENCE`` is no mode, or is ``live`` where nothing can be measured
    """
    mode = os.environ.get("EVIDENCE", "")
    if mode not in ("", "replay", "live"):
        raise ConfigError(f"EVIDENCE={mode!r} is no mode; use one of replay, live")
    has_torch = importlib.util.find_spec("torch") is not None
    if mode == "live" and not has_torch:
        raise ConfigError("EVIDENCE=live needs torch, which is not installed here")
    if mode == "replay" or not has_torch:
        why = "EVIDENCE=replay" if mode else "torch is not installed here"
        inform(f"replaying every record: {why}")
        return {}
    return _measure(folder, target, force=mode == "live")


def _measure(folder: Path, target: Path, *, force: bool) -> dict[str, Path]:
    # The one place where the site reaches the measuring; a replay never loads it.
    from evidence.measure import Failure
    from evidence.measure.campaign import BuilderError, Campaign

    # What cannot be read is reported with the library.
    scripts, _ = read_scripts(find_scripts(folder))
    try:
        campaign = Campaign.here(scripts if force else (), inform)
    except BuilderError as error:
        raise ConfigError(str(error)) from error
    builder = campaign.builder
    obstacles = ["" if force else obstacle(script, builder) for script in scripts]
    chosen = [script for script, o in zip(scripts, obstacles, strict=True) if not o]
    here = f"{builder.gpus} × {builder.gpu}" if builder.gpus else "no CUDA GPU"
    inform(f"this machine has {here}: {summary(obstacles)}")
    made: dict[str, Path] = {}
    for result in campaign.run(chosen):
        path = result.script.path
        if isinstance(result, Failure):
            place = f"{folder.name}/{path.relative_to(folder).as_posix()}:1"
            warn(Kind.MEASURE, str(result), place)
        else:
            made[path.stem] = target / f"{path.stem}.json"
            save(result.record, made[path.stem], dict(result.figures))
    return made


def obstacle(script: Script, builder: Builder) -> str:
    """Why a machine does not measure an example unasked, of several; empty where it does."""
    needed = script.settings.gpus
    if not 0 < needed <= builder.gpus:
        return f"needing {needed} GPUs"
    record = find(record_path(script.path))
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
