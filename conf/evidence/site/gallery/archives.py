"""sphinx-gallery's zip archives with fixed dates and modes: the same site is the same bytes."""

from __future__ import annotations

import zipfile
from pathlib import Path

from sphinx.application import Sphinx

from evidence.site.domain import evidence_of

#: The earliest date that a zip can hold.
DATE = (1980, 1, 1, 0, 0, 0)


def on_builder_inited(app: Sphinx) -> None:
    """Fix the archives of the examples that were just rendered; Sphinx copies them."""
    domain = evidence_of(app.env)
    gallery = app.config.sphinx_gallery_conf["gallery_dirs"]
    for stem in domain.rendered:
        fix(Path(app.srcdir, f"{domain.library.page(stem, gallery)}.zip"))


def fix(path: Path) -> None:
    """Write an archive anew, with the same files."""
    with zipfile.ZipFile(path) as archive:
        files = [(info, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(path, "w") as archive:
        for info, content in files:
            info.date_time, info.external_attr = DATE, 0o644 << 16
            archive.writestr(info, content)
