"""Copy what a pass needs to a folder and break the examples there: apply.py OUTDIR.

``--root`` is the checkout (default: the one this file stands in). ``--skip-stale`` leaves out a
mutant whose text is not there any more, instead of refusing; the others are then applied.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
COPIED = ("conf", "docs", "examples", "pyproject.toml", "noxfile.py")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "gallery", "*.pyc")


def main() -> int:
    """Copy, then edit; nothing is left half-applied in the checkout, which is only read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--root", type=Path, default=HERE.parent)
    parser.add_argument("--skip-stale", action="store_true")
    given = parser.parse_args()
    if given.outdir.exists() and any(given.outdir.iterdir()):
        sys.exit(f"{given.outdir} is not empty")
    given.outdir.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        source, target = given.root / name, given.outdir / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=LEFT_OUT)
        else:
            shutil.copy2(source, target)
    for name in ("mutants.toml", "measure_mutants.py", "judge_mutants.py", "run.sh"):
        shutil.copy2(HERE / name, given.outdir / name)
    mutants = tomllib.loads((HERE / "mutants.toml").read_text("utf-8"))["mutant"]
    paths = {path.stem: path for path in (given.outdir / "examples").rglob("*.py")}
    problems, applied, seen = [], [], set()
    for mutant in mutants:
        stem = mutant["stem"]
        if stem in seen:
            problems.append(f"{stem}: two mutants of one example")
            continue
        seen.add(stem)
        if stem not in paths:
            problems.append(f"{stem}: no such example")
            continue
        text = paths[stem].read_text("utf-8")
        count = text.count(mutant["old"])
        if count != 1:
            problems.append(f"{stem}: the old text stands there {count} times")
            continue
        changed = text.replace(mutant["old"], mutant["new"])
        head, _, rest = text.partition("measured = {")
        changed_head, _, changed_rest = changed.partition("measured = {")
        if changed_rest != rest or changed_head == head:
            problems.append(f"{stem}: the edit reaches into measured")
            continue
        compile(changed, str(paths[stem]), "exec")
        paths[stem].write_text(changed, "utf-8")
        applied.append(stem)
    (given.outdir / "applied.txt").write_text("\n".join(applied), "utf-8")
    print(f"{len(applied)} of {len(mutants)} mutants applied in {given.outdir}")
    print("\n".join(problems))
    return 1 if problems and not given.skip_stale else 0


if __name__ == "__main__":
    sys.exit(main())
