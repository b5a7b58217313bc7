"""Measuring for a judge: each example once, and again only while that does not tell a verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from evidence.examples.script import Script
from evidence.measure import Failure, Recording

if TYPE_CHECKING:
    from evidence.measure.campaign import Campaign
    from evidence.measure.hosts import Hosts

#: In how many processes an example has run after each round; after the last in all of its plan.
ROUNDS = (1, 3, None)

#: The stems of the examples that have to run again, of what was measured so far.
Unclear: TypeAlias = Callable[[Mapping[str, Recording | Failure]], Collection[str]]


def measure_until_clear(
    campaign: Campaign | Hosts, scripts: Iterable[Script], unclear: Unclear
) -> Iterator[Recording | Failure]:
    """Measure the examples, and those of an unclear verdict in more processes; yield each result.

    Nothing that was measured is dropped: a later result of an example has the earlier processes.
    """
    done: dict[str, Recording | Failure] = {}
    again = [*scripts]
    for processes in ROUNDS:
        before = {s: r for s, r in done.items() if isinstance(r, Recording)}
        for result in campaign.run(again, processes, before):
            done[result.script.stem] = result
            yield result
        stems = unclear(done)
        recordings = [r for r in done.values() if isinstance(r, Recording)]
        again = [r.script for r in recordings if r.script.stem in stems]
