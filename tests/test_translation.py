"""A page in Chinese: dates and claims follow the translation, and nothing crashes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conftest import claim, hazard
from evidence.site.look.words import DESCRIPTION, day, shortened

if TYPE_CHECKING:
    from conftest import Site

CONF = 'language = "zh_CN"\nlocale_dirs = ["../locale"]\n'

PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "[It is faster ({measured}`copy.speedup`).]{#copy-is-faster}"
msgstr "[它更快 ({measured}`copy.speedup`)。]{#copy-is-faster}"
"""


def test_what_is_shown_of_claims_is_the_translation(site: Site) -> None:
    site.write("locale/zh_CN/LC_MESSAGES/index.po", PO)
    site.page(claim())
    site.page("```{evidence-ledger}\n```", name="ledger", title="Ledger")

    build = site.build(conf=CONF)

    assert "它更快 (5.0×)。" in build.text()
    assert "它更快 (5.0×)。" in (build.html / "ledger.md").read_text("utf-8")
    assert "它更快 (5.0×)。" in (build.html / "claims.json").read_text("utf-8")


def test_a_translation_that_shows_another_value_is_red(site: Site) -> None:
    value = " ({measured}`copy.speedup`)。"
    assert value in PO
    lost = PO.replace(value, "。")
    site.write("locale/zh_CN/LC_MESSAGES/index.po", lost)
    site.page(claim())

    warnings = site.build(conf=CONF, code=1).warnings

    message = "the translation shows other values than the page, or in another order"
    assert f"docs/index.md:1: WARNING: {message} [evidence.claim]" in warnings


HAZARD = """\
msgid "It is faster ({measured}`copy.speedup`)."
msgstr "它更快（{measured}`copy.speedup`）。"
"""


def test_the_arms_of_a_hazard_keep_their_words(site: Site) -> None:
    po = "\n".join([PO.partition("\n\n")[0] + "\n", HAZARD])
    site.write("locale/zh_CN/LC_MESSAGES/index.po", po)
    site.page(hazard())
    build = site.build(conf=CONF)
    said = ["Wrong. 它更快（5.0×）。", "Right. 它更快（5.0×）。"]
    assert said == [box.p.text for box in build.page().select(".hazard > .box")]
    claims = json.loads((build.html / "claims.json").read_text("utf-8"))["claims"]
    assert set(said) == {each["statement"] for each in claims}


def test_a_date_is_written_as_the_language_has_it() -> None:
    assert "22 November 2026" == day("2026-11-22", "en")
    assert "22 十一月 2026" == day("2026-11-22", "zh_CN")


def test_a_text_without_spaces_is_cut_where_it_must_be() -> None:
    assert len(shortened("快" * 400)) == DESCRIPTION + len(" …")
