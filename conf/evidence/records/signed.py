"""Who answers for a record or a pass: lists of checksums, each signed by the keeper of a builder.

A list is called after its keeper, whose public key is in OpenSSH's file of allowed signers. It has
the form of ``sha256sum``, with paths from the folder of the repository.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evidence.records.store import checksum

#: From the folder of the pages: the lists, and the public keys of those who sign them.
FOLDER: Final = "evidence/signed"
KEEPERS: Final = "evidence/keepers"
PROGRAM: Final = "ssh-keygen"
#: What a signature is for: one that its owner made for something else does not count here.
NAMESPACE: Final = "measured-cuda"


@dataclass(frozen=True)
class Signed:
    """What keepers signed: each by the checksum of the file.

    ``faults`` are lists, and what is wrong with them; nothing ``is_checked`` without ssh-keygen.
    """

    keepers: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[tuple[Path, str]] = ()
    is_checked: bool = True

    def keeper(self, path: Path) -> str:
        """Who signed a file as it is; empty where nobody did."""
        if not self.keepers or not path.is_file():
            return ""
        return self.keepers.get(checksum(path.read_bytes()), "")


#: Where there is no list.
NOTHING: Final = Signed()


def read_signed(docs: Path) -> Signed:
    """Check all lists, and the files that they name.

    :param docs: the folder of the pages
    """
    lists = sorted((docs / FOLDER).glob("*.txt"))
    if lists and not shutil.which(PROGRAM):
        return Signed(is_checked=False)
    faults, entries = [], []
    for path in lists:
        if wrong := problem(path, docs):
            faults.append((path, wrong))
        else:
            entries += [(path, *entry) for entry in listed(path)]
    signed = Signed({digest: path.stem for path, digest, _ in entries}, faults)
    for path, _digest, name in entries:
        file = docs.parent / name
        # Under another name it is signed as well: it is what was measured.
        if file.is_file() and not signed.keeper(file):
            remedy = f"give it back, or have {path.stem} sign what is left"
            faults.append((path, f"{name} changed since it was signed: {remedy}"))
    return signed


def listed(path: Path) -> list[tuple[str, str]]:
    """The checksums of a list, each with the path of its file."""
    text = path.read_text("utf-8", errors="replace")
    return re.findall(r"(?m)^([0-9a-f]{64})  (\S.*)$", text)


def problem(path: Path, docs: Path) -> str:
    """Why a list does not count; empty where its keeper signed it as it is."""
    command = (PROGRAM, "-Y", "verify", "-n", NAMESPACE, "-I", path.stem)
    files = ("-f", docs / KEEPERS, "-s", f"{path}.sig")
    with path.open("rb") as content:
        done = subprocess.run(
            [*command, *files], stdin=content, capture_output=True, check=False
        )
    if done.returncode == 0:
        return ""
    return (
        f"does not carry the signature of {path.stem} by a key of docs/{KEEPERS}: give "
        "it and its .sig back as they were signed, or remove both and sign anew"
    )
