"""What the doctor knows: the texts of its findings, the claims that these cite, short examples.

In a clone, that is read from ``findings.toml``, from the site's ``claims.json`` and from
``examples/``; ``doctor.pyz`` carries all three as one file, and only the claims that are cited.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: What a child process imports the doctor from: the folder of the package, or the zipapp.
HOME = Path(__file__).parents[2]
ROOT = HOME.parent
PUBLISHED = ROOT / "build" / "html" / "claims.json"
HEALTH = "evidence/healthy_machine"
#: What ``doctor.pyz`` carries, beside this module.
SHIPPED = "shipped.json"
FIELDS = ("id", "anchor", "page", "scope", "statement", "checks", "verdict")


@dataclass(frozen=True)
class Known:
    """Findings and claims by id, the scripts of the health check by stem.

    ``site`` is the address or folder that the claims' anchors belong to; ``missing`` says what to
    do where no claims were found.
    """

    findings: Mapping[str, Mapping[str, Any]]
    claims: Mapping[str, Mapping[str, Any]]
    scripts: Mapping[str, str]
    site: str = ""
    missing: str = ""

    def address(self, claim: str) -> str:
        """Where a claim is; its id where that is not known."""
        known = self.claims.get(claim)
        return f"{self.site}{known['anchor']}" if known else claim


def load(path: Path | None) -> Known:
    """What there is here; the claims from a file, if one is named.

    :raises OSError: when that file cannot be read
    :raises ValueError: when it is no ``claims.json``
    """
    shipped = _shipped()
    if path is None and "claims" in shipped:
        return Known(**shipped)
    source = path or PUBLISHED
    if path is None and not source.exists():
        missing = (
            "no claims.json here, so findings have neither an address nor a scope:"
            " build the site (nox -s docs), or name that of a site by --claims FILE"
        )
        return Known(shipped["findings"], {}, shipped["scripts"], missing=missing)
    try:
        by_id = {
            claim["id"]: {field: claim[field] for field in FIELDS}
            for claim in json.loads(source.read_bytes())["claims"]
        }
    except (LookupError, TypeError) as error:
        raise ValueError(f"not the claims of a site: {error!r}") from None
    site = f"{source.parent}/" if path is None else ""
    return Known(shipped["findings"], by_id, shipped["scripts"], site)


def _shipped() -> dict[str, Any]:
    """What came in the zipapp, or the same from a clone, without claims."""
    # What reads a part of a zip archive is its loader.
    loader = globals()["__loader__"]
    try:
        data = loader.get_data(str(Path(__file__).with_name(SHIPPED)))
    except OSError:
        import tomllib  # not in Python 3.10, for which there is the zipapp

        text = Path(__file__).with_name("findings.toml").read_text("utf-8")
        scripts = sorted(ROOT.glob("examples/health/*.py"))
        return {
            "findings": tomllib.loads(text),
            "scripts": {path.stem: path.read_text("utf-8") for path in scripts},
        }
    shipped: dict[str, Any] = json.loads(data)
    return shipped


def cited(findings: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The ids of the claims that findings cite."""
    return {finding["claim"] for finding in findings.values()} - {""}


def pack(published: Mapping[str, Any], site: str) -> tuple[dict[str, Any], list[str]]:
    """What the zipapp carries, and the cited claims that a site does not have.

    :param published: what its ``claims.json`` holds
    """
    shipped = _shipped()
    wanted = cited(shipped["findings"])
    claims = {
        claim["id"]: {field: claim[field] for field in FIELDS}
        for claim in published["claims"]
        if claim["id"] in wanted or claim["page"] == HEALTH
    }
    return {**shipped, "claims": claims, "site": site}, sorted(wanted - claims.keys())


_CONDITION = re.compile(
    r"sm_(?P<sm>\d+)\+|gpus\s*>=\s*(?P<gpus>\d+)|gpu\s*==\s*(?P<gpu>.+)"
    r"|torch\s*>=\s*(?P<since>\S+)|torch\s*<\s*(?P<before>\S+)"
)


def fails(scope: str, machine: Mapping[str, Any]) -> str:
    """The condition of a scope that a machine does not meet; empty where none is known to fail.

    :param machine: ``gpu``, ``gpus``, ``capability`` and ``torch``, as far as they are known
    """
    for condition in map(str.strip, scope.split(",")):
        match = _CONDITION.fullmatch(condition)
        kind = (match.lastgroup if match else None) or ""
        needs = {"sm": "capability", "since": "torch", "before": "torch"}.get(kind, kind)
        if match and needs in machine and not _holds(kind, match[kind], machine[needs]):
            return condition
    return ""


def _holds(kind: str, bound: str, here: Any) -> bool:
    match kind:
        case "sm":
            return release(here) >= (int(bound[:-1]), int(bound[-1]))
        case "gpus":
            return bool(here >= int(bound))
        case "gpu":
            return here in re.split(r"\s+or\s+", bound)
        case "since":
            return release(here) >= release(bound)
    return release(here) < release(bound)


def release(version: str) -> tuple[int, int]:
    """Major and minor number of a version; one that is not known is older than any."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else (0, 0)
