"""Measuring for a judge: each example once, and again only while that does not tell a verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Struct

from evidence.examples.script import Script
from evidence.measure import Cause, Failure, Reason, Recording
from evidence.measure.campaign import Campaign, Report, Result, recording
from evidence.measure.values import Run
from evidence.records.model import Builder

if TYPE_CHECKING:
    from evidence.measure.hosts import Hosts

#: In how many processes an example has run after each round; after the last in all of its plan.
ROUNDS = (1, 3, 6, None)

#: The stems of the examples that have to run again, of what was measured so far.
Unclear: TypeAlias = Callable[[Mapping[str, Result]], Collection[str]]


def measure_until_clear(
    campaign: Campaign | Hosts,
    scripts: Iterable[Script],
    unclear: Unclear,
    folder: Path,
    report: Report,
) -> Iterator[Result]:
    """Measure the examples, and those of an unclear verdict in more processes; yield each result.

    Nothing that was measured is dropped: a later result of an example has the earlier processes,
    and a pass that was interrupted goes on where it ended.

    :param folder: where an example's processes are kept until the pass has ended
    :param report: told how many examples an interrupted pass has left
    """
    again = [*scripts]
    begun = Begun(folder, campaign.builder)
    done = begun.results(again)
    if done:
        report(f"going on with {len(done)} examples: remove {folder} to begin anew")
    yield from done.values()
    for processes in ROUNDS:
        left = [script for script in again if _wants(done.get(script.stem), processes)]
        before = {s: r.runs for s, r in done.items() if isinstance(r, Recording)}
        for result in campaign.run(left, processes, before):
            done[result.script.stem] = result
            begun.keep(result)
            yield result
        stems = unclear(done)
        recordings = [r for r in done.values() if isinstance(r, Recording)]
        again = [r.script for r in recordings if r.script.stem in stems]
    begun.forget(done)


def _wants(result: Result | None, processes: int | None) -> bool:
    """Whether an example has to run for a round of so many processes."""
    if isinstance(result, Recording):
        return processes is None or len(result.runs) < processes
    return result is None


class _Left(Struct, frozen=True):
    """What one example gave, as its file has it: its processes, or why it has none."""

    builder: Builder = Builder()
    runs: tuple[Run, ...] = ()
    cause: Cause | None = None
    tail: str = ""


class Begun:
    """What a pass has measured on one builder, a file an example, for when it is interrupted."""

    def __init__(self, folder: Path, builder: Builder) -> None:
        """Nothing is read yet."""
        self._folder = folder
        self._builder = builder

    def results(self, scripts: Iterable[Script]) -> dict[str, Result]:
        """What is left of an interrupted pass, of this very code on a builder like this one.

        What an older version of this code wrote, and this one cannot read, is measured anew.
        """
        results: dict[str, Result] = {}
        for script in scripts:
            with suppress(FileNotFoundError, msgspec.DecodeError):
                data = self._file(script).read_bytes()
                left = msgspec.msgpack.decode(data, type=_Left)
                results[script.stem] = (
                    Failure(script, left.cause, left.tail)
                    if left.cause
                    else recording(script, left.builder, left.runs)
                )
        return results

    def keep(self, result: Result) -> None:
        """Write what an example gave; what the end of a pass stopped gave nothing."""
        if isinstance(result, Recording):
            left = _Left(result.record.builder, tuple(result.runs))
        elif result.cause.reason is Reason.STOPPED:
            return
        else:
            left = _Left(cause=result.cause, tail=result.tail)
        file = self._file(result.script)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_bytes(msgspec.msgpack.encode(left))
        part.replace(file)

    def forget(self, results: Mapping[str, Result]) -> None:
        """Remove what a pass has left, which has ended: the next one measures anew."""
        for result in results.values():
            self._file(result.script).unlink(missing_ok=True)

    def _file(self, script: Script) -> Path:
        made = f"{script.code_key} {self._builder}".encode()
        digest = hashlib.sha256(made).hexdigest()[:16]
        return self._folder / f"{script.stem}-{digest}.msgpack"
