"""Write the locks of CI: exactly which packages, and each file's checksum, but no host.

Run by ``nox -s lock``. What is locked stays at its version while it fits; ``--upgrade`` takes the
newest. The head of a lock says from which groups it was made, which a test compares.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Of each lock, the lowest Python that it is for and the groups in it.
LOCKS = {
    "site": ("3.11", ("site", "test", "browser", "lint")),
    "gpu": ("3.12", ("site", "builder")),
}


def digest() -> str:
    """What the dependency groups are, in short."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    text = json.dumps(groups["dependency-groups"], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def main(*options: str) -> None:
    """Resolve each lock for Linux, macOS and Windows alike."""
    for name, (python, groups) in LOCKS.items():
        command = [
            *("uv", "pip", "compile", "--universal", f"--python-version={python}"),
            *("--generate-hashes", "--no-annotate", "--quiet", *options),
            *(f"--group={group}" for group in groups),
            f"--output-file=.ci/{name}.lock",
            f"--custom-compile-command=nox -s lock  # of the groups {digest()}",
        ]
        subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
