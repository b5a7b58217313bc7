"""The short claims of the page "Is my machine healthy?", asked once of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from evidence.doctor.children import ask
from evidence.doctor.known import HEALTH
from evidence.doctor.report import Found, Reading, Unread, fails

#: What a machine computes and sends comes first, in case the time is over before the end.
FIRST = ("a_product_repeats_bit_for_bit", "every_pair_of_gpus_copies_exactly")
_EXPECT = re.compile(r"(==|>=|<=|>|<) (?:\.(\w+)|([\d.]+)( %)?)")


def health(reading: Reading, seconds: float) -> Iterator[Found | Unread]:
    """Run the examples of that page, and compare what they measure with its claims."""
    claims = [c for c in reading.known.claims.values() if c["page"] == HEALTH]
    due: dict[str, list[Mapping[str, Any]]] = {}
    for claim in claims:
        if not fails(claim["scope"], reading.machine):
            due.setdefault(claim["checks"][0]["value"].partition(".")[0], []).append(claim)
    stems = [stem for stem in (*FIRST, *sorted(due)) if stem in reading.known.scripts]
    scripts = {stem: reading.known.scripts[stem] for stem in stems if stem in due}
    told, why = ask("health", seconds, scripts)
    for result in told:
        stem = result["stem"]
        if "measured" not in result:
            reason = result.get("skipped") or result["error"]
            yield Unread(f"{stem}: {reason}")
        for claim in due[stem] if "measured" in result else ():
            yield from judged(reading, stem, claim, result["measured"])
    done = [result["stem"] for result in told]
    if missing := [stem for stem in scripts if stem not in done]:
        how = "nox -s verify -- -k healthy_machine"
        yield Unread(f"{', '.join(missing)}: {why}; '{how}' takes its time")


def judged(
    reading: Reading, stem: str, claim: Mapping[str, Any], measured: Mapping[str, Any]
) -> Iterator[Found]:
    """A claim that one run contradicts; one that it bears out is noted."""
    broken = []
    for check in claim["checks"]:
        value = measured[check["value"].partition(".")[2]]
        if not holds(check["expect"], value, measured):
            broken.append(f"{check['label']} is {value:.3g}, not {check['expect']}")
    if broken:
        words = {"script": stem, "claim": claim["id"], "checks": " and ".join(broken)}
        yield Found("not-healthy", words)
    else:
        reading.held.append(claim["id"])


def holds(expect: str, value: float, measured: Mapping[str, Any]) -> bool:
    """Whether a value is as a check of that page expects it.

    :raises ValueError: when that is not in the small grammar that the page needs
    """
    match = _EXPECT.fullmatch(expect)
    if match is None:
        raise ValueError(f"{expect!r} is more than the doctor understands")
    sign, name, number, percent = match.groups()
    bound = measured[name] if name else float(number) / (100 if percent else 1)
    lower, upper = value < bound, value > bound
    return not {
        "==": lower or upper,
        ">=": lower,
        "<=": upper,
        ">": not upper,
        "<": not lower,
    }[sign]
