"""The locked packages are those that the site asks for, and each has its checksums."""

from __future__ import annotations

import re
import tomllib

from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = (ROOT / ".ci" / "site.lock").read_text("utf-8")
ENTRY = re.compile(
    r"^([\w.-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n?)+)", re.M
)


def test_every_entry_of_the_lock_has_checksums() -> None:
    lines = [line for line in LOCK.splitlines() if re.match(r"\w", line)]
    assert len(lines) > 50
    assert [match[1] for match in ENTRY.finditer(LOCK)] == [
        line.partition("==")[0] for line in lines
    ]


def test_the_lock_holds_what_the_site_asks_for() -> None:
    locked = {canonicalize_name(match[1]): match[2] for match in ENTRY.finditer(LOCK)}
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for text in [*groups["dependency-groups"]["site"], "nox"]:
        wanted = Requirement(text)
        version = locked[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version), f"{text} is locked at {version}"


def test_the_lock_names_no_place() -> None:
    assert not re.findall(r"(?m)^-|://|file:", LOCK)
