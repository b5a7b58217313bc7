"""``doctor.pyz``: the doctor as one file, with the claims that it cites, for who has no clone.

Its bytes depend on nothing but its content: no times, no compression.
"""

from __future__ import annotations

import io
import json
import zipapp
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import evidence
from evidence.doctor.known import SHIPPED, findings_and_scripts
from evidence.doctor.pytorch import HEALTH

NAME = "doctor.pyz"
MAIN = "import sys\n\nfrom evidence.doctor import main\n\nsys.exit(main())\n"
#: What the doctor imports of ours.
MODULES = (
    *("__init__.py", "doctor/*.py", "judge/__init__.py", "judge/scope.py"),
    *("records/__init__.py", "records/versions.py"),
)


def cited(findings: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The claims that findings cite."""
    return {finding["claim"] for finding in findings.values()} - {""}


def write_app(target: Path, published: Mapping[str, Any], site: str) -> list[str]:
    """Write it into a folder; the claims that it cites and the site does not have.

    :param published: what ``claims.json`` holds
    :param site: the address of the site, where that is known
    """
    shipped = findings_and_scripts()
    wanted = cited(shipped["findings"])
    claims = {
        claim["id"]: claim | {"address": site + claim["anchor"]}
        for claim in published["claims"]
        if claim["id"] in wanted or claim["page"] == HEALTH
    }
    content = json.dumps(shipped | {"claims": claims}, sort_keys=True)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as into:
        for name, text in (*modules(), ("__main__.py", MAIN), (SHIPPED, content)):
            into.writestr(zipfile.ZipInfo(name), text)
    archive.seek(0)
    zipapp.create_archive(archive, target / NAME, "/usr/bin/env python3")
    # Only a site of the tests has none.
    return sorted(wanted - claims.keys()) if claims else []


def modules() -> Iterator[tuple[str, str]]:
    """The modules that it needs, by their names in the archive."""
    home = Path(evidence.__file__).parent
    for pattern in MODULES:
        for path in sorted(home.glob(pattern)):
            name = f"evidence/{path.relative_to(home).as_posix()}"
            yield name, path.read_text("utf-8")
