"""Words: the engine's own, translated by catalogs of the name ``evidence``; dates; cut texts."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.locale import get_translation
from sphinx.util.i18n import format_date

from evidence.records.units import THIN_SPACE

#: ``<language>/LC_MESSAGES/evidence.mo`` below it translates what stands in ``_(...)``.
CATALOGS = Path(__file__).parents[2] / "locale"

#: Search engines and previews show about as many characters.
DESCRIPTION = 160

_ = get_translation("evidence")


def day(date: str, language: str) -> str:
    """An ISO date as a reader of a language writes it: 21 November 2026."""
    parsed = datetime.datetime.fromisoformat(date)
    # Without an application it is not yet a text.
    return format_date(str(_("%-d %B %Y")), date=parsed, language=language)


def shortened(text: str, limit: int = DESCRIPTION) -> str:
    """As many whole sentences of a text as fit; the first one, where it is longer."""
    ends = [end.end() for end in re.finditer(r"[.?!](?=\s|$)|[。？！]", text)]
    if not ends and len(text) > limit:
        return f"{(text[:limit].rpartition(' ')[0] or text[:limit]).rstrip(',;')} …"
    return text[: ([end for end in ends if end <= limit] or ends[:1] or [limit])[-1]]


def one_line(text: str) -> str:
    """A text in one line; a number and its unit stay together."""
    # Not str.split: it also splits at spaces that hold a number and its unit together.
    return re.sub(r"[ \n]+", " ", text.replace(THIN_SPACE, "\u00a0")).strip()


def setup(app: Sphinx) -> None:
    """Let Sphinx find the catalogs."""
    app.add_message_catalog("evidence", str(CATALOGS))
