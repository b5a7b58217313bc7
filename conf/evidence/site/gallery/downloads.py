"""The downloads of the examples' pages: the same site is the same bytes.

A notebook names the Python that ran the example, and not the one that builds; in an archive dates
and modes are fixed.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path


def fix(page: Path, python: str) -> None:
    """Write the notebook of an example anew, and its archive with the same files."""
    notebook = page.with_suffix(".ipynb")
    data = json.loads(notebook.read_text("utf-8"))
    data["metadata"]["language_info"]["version"] = python
    notebook.write_text(json.dumps(data, indent=2), encoding="utf-8")
    path = page.with_suffix(".zip")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)  # of the earliest date that a zip can hold
            info.external_attr = 0o644 << 16
            archive.writestr(info, page.with_name(name).read_bytes())
