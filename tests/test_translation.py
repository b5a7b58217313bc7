"""A page in Chinese: dates and claims follow the translation, and nothing crashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import claim
from evidence.site.look.words import DESCRIPTION, day, shortened

if TYPE_CHECKING:
    from conftest import Site

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

    build = site.build(conf='language = "zh_CN"\nlocale_dirs = ["../locale"]\n')

    assert "它更快 (5.0×)。" in build.text()
    assert "它更快 (5.0×)。" in (build.html / "ledger.md").read_text("utf-8")
    assert "它更快 (5.0×)。" in (build.html / "claims.json").read_text("utf-8")


def test_a_translation_that_shows_another_value_is_red(site: Site) -> None:
    value = " ({measured}`copy.speedup`)。"
    assert value in PO
    lost = PO.replace(value, "。")
    site.write("locale/zh_CN/LC_MESSAGES/index.po", lost)
    site.page(claim())

    conf = 'language = "zh_CN"\nlocale_dirs = ["../locale"]\n'
    warnings = site.build(conf=conf, code=1).warnings

    message = "the translation shows other values than the page, or in another order"
    assert f"docs/index.md:1: WARNING: {message} [evidence.claim]" in warnings


def test_a_date_is_written_as_the_language_has_it() -> None:
    assert "22 November 2026" == day("2026-11-22", "en")
    assert "22 十一月 2026" == day("2026-11-22", "zh_CN")


def test_a_text_without_spaces_is_cut_where_it_must_be() -> None:
    assert len(shortened("快" * 400)) == DESCRIPTION + len(" …")
