"""What the doctor knows: its findings, the claims that these cite, and short examples.

In a clone, that is ``findings.toml``, the site's ``claims.json`` and ``examples/health``; a
``doctor.pyz`` carries all three as one file of JSON.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evidence.doctor.report import Outcome, Report

#: Where a child process imports the doctor from: a folder, or ``doctor.pyz``.
HOME = Path(__file__).parents[2]
ROOT = HOME.parent
PUBLISHED = ROOT / "build" / "html" / "claims.json"
SHIPPED = "shipped.json"
NO_CLAIMS = (
    "there is no claims.json, so findings have no address and no scope: build the site"
    " (nox -s docs), or name a site's by --claims FILE"
)


def findings_and_scripts() -> dict[str, Any]:
    """What a report begins with: the findings by name, the health check's scripts by stem.

    From ``doctor.pyz``, the claims by id, too.
    """
    if HOME.is_file():
        with zipfile.ZipFile(HOME) as archive:
            shipped: dict[str, Any] = json.loads(archive.read(SHIPPED))
        return shipped
    import tomllib  # not in Python 3.10, on which PyTorch runs: there, doctor.pyz does

    text = Path(__file__).with_name("findings.toml").read_text("utf-8")
    paths = sorted(ROOT.glob("examples/health/*.py"))
    scripts = {path.stem: path.read_text("utf-8") for path in paths}
    return {"findings": tomllib.loads(text), "scripts": scripts, "claims": {}}


def claims(report: Report, named: Path | None) -> Iterator[Outcome]:
    """Read the claims into a report, where they are not there yet, or a file is named."""
    if named or not report.claims:
        source = named or PUBLISHED
        if not named and not source.exists():
            yield NO_CLAIMS
            return
        site = "" if named else f"{source.parent}/"
        for claim in json.loads(source.read_bytes())["claims"]:
            report.claims[claim["id"]] = claim | {"address": site + claim["anchor"]}
