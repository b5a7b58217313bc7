"""Modes: which examples this build measures, and which it replays.

Without a word from ``EVIDENCE`` an example is measured where torch is importable and the machine
has the GPUs it needs, of the model that its record names. So nobody's first build is red because
a laptop has a small GPU.
"""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from evidence.examples.script import find_scripts, read_script
from evidence.records.store import RecordError, load, record_path, save
from evidence.site.diagnostics import Kind, inform, warn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from evidence.examples.script import Script
    from evidence.records.model import Builder

MODES = ("replay", "live")


def measure_for_build(folder: Path, target: Path) -> dict[str, Path]:
    """Measure what this build must measure; gives the new records by stem.

    :param folder: the examples
    :param target: where the new records go
    :raises ConfigError: when ``EVIDENCE`` is no mode, or is ``live`` where nothing can be measured
    """
    mode = os.environ.get("EVIDENCE", "")
    if mode not in ("", *MODES):
        raise ConfigError(
            f"EVIDENCE={mode!r} is no mode; use one of {', '.join(MODES)}"
        )
    if mode == "replay":
        inform(["replaying every record, as EVIDENCE=replay says"])
        return {}
    if importlib.util.find_spec("torch") is None:
        if mode == "live":
            raise ConfigError("EVIDENCE=live needs torch, which is not installed here")
        inform(["replaying every record: torch is not installed here"])
        return {}
    return _measure(folder, target, force=mode == "live")


def _measure(folder: Path, target: Path, *, force: bool) -> dict[str, Path]:
    # The one place where the site reaches the measuring; a replay never loads it.
    from evidence.measure.campaign import (
        BuilderError,
        Campaign,
        Failure,
        probe,
        visible_gpus,
    )

    try:
        builder = probe()
    except BuilderError as error:
        raise ConfigError(str(error)) from error
    gpus = visible_gpus(builder, os.environ)
    if force and not gpus:
        raise ConfigError("EVIDENCE=live needs a CUDA GPU, and torch sees none here")
    scripts = [read_script(path) for path in find_scripts(folder)]
    chosen = scripts if force else [s for s in scripts if suits(s, builder)]
    inform([_summary(chosen, scripts, builder)])
    made: dict[str, Path] = {}
    campaign = Campaign(builder, gpus, lambda line: inform([line]))
    for result in campaign.run(chosen):
        if isinstance(result, Failure):
            place = f"{folder.name}/{_relative(result.script, folder)}:1"
            warn(Kind.MEASURE, str(result), place)
            continue
        stem = result.record.stem
        made[stem] = target / f"{stem}.json"
        save(result.record, made[stem], dict(result.figures))
    return made


def suits(script: Script, builder: Builder) -> bool:
    """Whether this machine measures an example without being asked to."""
    try:
        recorded = load(record_path(script.path)).builder
    except RecordError:
        return False
    needed = script.settings.gpus
    return 0 < needed <= builder.gpus and recorded.gpu == builder.gpu


def _summary(
    chosen: Sequence[Script], scripts: Sequence[Script], builder: Builder
) -> str:
    here = f"{builder.gpus} × {builder.gpu}" if builder.gpus else "no CUDA GPU"
    replayed = len(scripts) - len(chosen)
    why = f" ({replayed} need other GPUs than this machine has)" if replayed else ""
    return f"this machine has {here}: measuring {len(chosen)} examples, replaying {replayed}{why}"


def _relative(script: Script, folder: Path) -> str:
    return script.path.relative_to(folder).as_posix()
