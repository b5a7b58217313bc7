"""Mutation testing of the judging: of a thousand small changes, how many does a test notice?

Run by ``nox -s mutants``; mutmut's settings stand in pyproject.toml. It names a module by its
path, so the package must stand at the root of the folder in which it runs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path("build/mutants")
#: What the mutants and their tests need of the repository.
SOURCES = ("conf/evidence", "docs", "examples", "pyproject.toml", "tests")
#: Of ten mutants, tests must notice nine.
WANTED = 0.9


def main() -> int:
    """Run mutmut and print the survivors; 1 when too many survive."""
    shutil.rmtree(ROOT, ignore_errors=True)
    ROOT.mkdir(parents=True)
    for source in SOURCES:
        (ROOT / Path(source).name).symlink_to(Path(source).resolve())
    for step in ("run", "results", "export-cicd-stats"):
        subprocess.run([sys.executable, "-m", "mutmut", step], cwd=ROOT, check=True)
    found = json.loads((ROOT / "mutants/mutmut-cicd-stats.json").read_text())
    killed, total = found["killed"], found["total"]
    print(f"{killed} of {total} mutants were noticed")
    return 0 if total and killed >= WANTED * total else 1


if __name__ == "__main__":
    sys.exit(main())
