"""Evidence: claims on pages, records of what a GPU measured, and the build that compares the two.

Rooms, named for what happens to the data, each using only those above it:

- ``records``: what a record is, how it is stored and compared, and when it is stale;
- ``examples``: the scripts, each with its record;
- ``figures``: the style of the site's figures;
- ``measure``: running the examples on a GPU and making records of it;
- ``judge``: what a claim is and whether a record bears it out;
- ``doctor``: what of the site applies to a stranger's machine and script; it needs the standard
  library alone, and of the rooms above only ``judge.scope``;
- ``commands``: ``python -m evidence``, where measuring meets judging;
- ``site``: the Sphinx side, cut by when it runs: ``gallery`` makes the examples' pages, ``reading``
  reads all, ``judging`` judges what they say, ``look`` and ``tables`` fill in what depends on that,
  ``publish`` writes what stands around and beside a page.

``records``, ``figures`` and ``judge`` know neither Sphinx nor torch. ``locks`` is for all: how one
process waits for another; ``words``: how words are marked that a reader sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__version__ = "0.1"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension; imported late, so that the other rooms work without Sphinx."""
    from evidence.site import setup_site

    setup_site(app)
    return {
        "version": __version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
