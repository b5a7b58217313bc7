"""Zip archives with fixed dates, those of sphinx-gallery too: the same site is the same bytes."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx.application import Sphinx

#: The earliest date that a zip can hold.
DATE = (1980, 1, 1, 0, 0, 0)


def on_builder_inited(app: Sphinx) -> None:
    """Fix the archives that sphinx-gallery has just written; Sphinx copies them."""
    gallery = Path(app.srcdir) / app.config.sphinx_gallery_conf["gallery_dirs"]
    for path in sorted(gallery.rglob("*.zip")):
        fix_dates(path)


def fix_dates(path: Path) -> None:
    """Write an archive anew, with the same contents."""
    with zipfile.ZipFile(path) as archive:
        if all(info.date_time == DATE for info in archive.infolist()):
            return
        contents = {info.filename: archive.read(info) for info in archive.infolist()}
    write_archive(path, contents)


def write_archive(path: Path, contents: Mapping[str, bytes]) -> None:
    """Write an archive: its files sorted by name, with one date and the same modes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
