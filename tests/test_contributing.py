"""CONTRIBUTING.md's steps for a new example, followed on a small site."""

from __future__ import annotations

from pathlib import Path

from conftest import ROOT, Site
from evidence.examples.script import read_script
from evidence.records.model import Output, Plain, Process
from evidence.records.store import record_path, save
from factories import builder, record, timing

TEMPLATE = ROOT / "examples/_template.py"

CLAIM = """
[A single copy of {measured}`.size_bytes` takes as long either way]{#as-long-either-way}.

```{checks} copy_takes_as_long
as-long-either-way:
  blocking against not: .copy_ratio about 1 +- 10 %
```
"""


def add_record(script: Path) -> None:
    """What ``nox -s record -- copy_takes_as_long`` writes on a machine with a GPU."""
    measured = {"size_bytes": Plain(2**24), "copy_ratio": timing(0.99, 1.01)}
    made = record(
        script.stem,
        measured,
        processes=(Process(1.0),) * 6,
        builder=builder(),
        code_key=read_script(script).code_key,
        outputs=tuple(Output() for _ in read_script(script).cells),
    )
    save(made, record_path(script), {})


def test_the_steps_for_a_new_example_give_a_green_site(site: Site) -> None:
    add_record(site.script("copy_takes_as_long", TEMPLATE.read_text()))
    site.page(CLAIM, name="new")

    done = site.build()

    assert "takes as long either way" in (done.html / "claims.json").read_text()


def test_a_step_that_was_forgotten_is_named(site: Site) -> None:
    add_record(site.script("copy_takes_as_long", TEMPLATE.read_text()))
    site.script("copy_takes_longer", TEMPLATE.read_text())

    done = site.build(code=1)

    assert "copy_takes_as_long.copy_ratio was measured, but no" in done.errors
    assert "record it with 'nox -s record -- copy_takes_longer'" in done.errors
