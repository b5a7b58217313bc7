"""Which PyTorch the site is about stands in one file, and everything else agrees with that."""

from __future__ import annotations

import re
import tomllib

from conftest import ROOT

PUBLISHED = tomllib.loads((ROOT / "docs/evidence/versions.toml").read_text("utf-8"))
NEWEST = PUBLISHED["published"][-1]


def test_published_versions_are_in_order() -> None:
    numbers = [tuple(map(int, v.split("."))) for v in PUBLISHED["published"]]
    assert numbers == sorted(set(numbers))


def test_each_older_version_has_what_it_is_built_from() -> None:
    assert len(PUBLISHED["published"]) - 1 == len(PUBLISHED["revisions"])


def test_what_names_a_version_names_the_newest() -> None:
    inventory = (ROOT / "conf/torch.inv").read_text("utf-8")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    builder = [g for g in groups["dependency-groups"]["builder"] if isinstance(g, str)]
    lock = (ROOT / ".ci/gpu.lock").read_text("utf-8")
    named = {
        "the inventory of its names": re.findall(r"^# Version: (.+)$", inventory, re.M),
        "the group 'builder'": re.findall(r"^torch==(\d+\.\d+)\.", "\n".join(builder)),
        "the builder's lock": re.findall(r"^torch==(\d+\.\d+)\.", lock, re.M),
    }
    others = {place: told for place, told in named.items() if told != [NEWEST]}
    assert {} == others, f"versions.toml ends with {NEWEST}"


def test_no_setting_names_a_version_of_its_own() -> None:
    conf = (ROOT / "conf/conf.py").read_text("utf-8")
    assert [] == re.findall(r"docs/\d+\.\d+", conf)
