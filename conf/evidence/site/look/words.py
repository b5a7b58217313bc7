"""The engine's own words on the site: translated by catalogs of the name ``evidence``."""

from __future__ import annotations

import datetime
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.locale import get_translation
from sphinx.util.i18n import format_date

#: ``<language>/LC_MESSAGES/evidence.mo`` below it translates what stands in ``_(...)``.
CATALOGS = Path(__file__).parents[2] / "locale"

_ = get_translation("evidence")


def day(date: str, language: str) -> str:
    """An ISO date as a reader of a language writes it: 21 November 2026."""
    parsed = datetime.datetime.fromisoformat(date)
    # Without an application it is not yet a text.
    return format_date(str(_("%-d %B %Y")), date=parsed, language=language)


def setup(app: Sphinx) -> None:
    """Let Sphinx find the catalogs."""
    app.add_message_catalog("evidence", str(CATALOGS))
