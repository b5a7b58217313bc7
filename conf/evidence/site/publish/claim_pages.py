"""Each claim at an address of its own, light enough to be shared, embedded, cited and fetched.

What previews a link asks for it without its fragment, so that a claim needs an address. Its page
leads to the one that explains it, and names that as canonical: it is in no table of contents, in no
search and in no sitemap. It is written with that page, and so by as many processes.

The card of a page is the picture that a preview shows, with a number, a sentence and a machine. It
is drawn from texts alone, in matplotlib's own font, and so alike everywhere.
"""

from __future__ import annotations

import textwrap
import zlib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image, ImageDraw, ImageFont
from sphinx.application import Sphinx

from evidence.judge.verdict import Judgement
from evidence.records.model import Plain, Timing
from evidence.records.units import THIN_SPACE, format_cell
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.judging.data import as_json
from evidence.site.look.evidence import marked, verdict_words
from evidence.site.look.panel import told
from evidence.site.look.words import (
    _,
    answered,
    builder_facts,
    day,
    in_brackets,
    shortened,
)
from evidence.site.publish import editions
from evidence.site.publish.programs import full_entry
from evidence.site.publish.site_files import SCHEMA, TEMPLATES

FOLDER, CARDS = "claims", "cards"

#: What previews show whole, in pixels.
CARD_SIZE = 1200, 630
#: White, the colour of the site, that of its text, and a lighter one.
PALETTE = [255, 255, 255, 11, 83, 148, 27, 31, 36, 92, 99, 112]
BRAND, TEXT, QUIET = 1, 2, 3


def write_claims(app: Sphinx, page: str) -> None:
    """Write the claims of a page, for people, as badges, text and data; and its card once released.

    A preview of a link asks for its picture by the full address, which only a released site knows.
    """
    domain = evidence_of(app.env)
    judgements = domain.judged.by_page.get(page, ())
    target = Path(app.outdir, FOLDER)
    target.mkdir(exist_ok=True)
    for judgement in judgements:
        data = alone(domain, judgement)
        context = {**data, **words(domain, judgement), "image": card(app, page)}
        own = f"{target}/{judgement.claim.id}"
        Path(f"{own}.json").write_text(as_json(data) + "\n", "utf-8")
        for kind in ("html", "svg", "txt"):
            text = TEMPLATES.render(f"claim.{kind}", context).strip()
            Path(f"{own}.{kind}").write_text(text + "\n", "utf-8")
    # No other letters are in the font of the cards.
    is_drawn = app.config.html_baseurl and app.config.language == "en"
    if is_drawn and (judgements or page == app.config.root_doc):
        texts = app.config.project, *card_texts(app, page)
        write_card(Path(app.outdir, CARDS, f"{page}.png"), *texts)


def alone(domain: EvidenceDomain, judgement: Judgement) -> dict[str, Any]:
    """A claim as ``claims.json`` has it, with its schema, its machine and the day of its record."""
    record = judgement.record
    return {
        "$schema": f"../{SCHEMA.name}#/$defs/claim",
        **full_entry(domain, judgement),
        "machine": msgspec.to_builtins(record.builder) if record else None,
        "signed": answered(domain.site, judgement.claim.stems),
        "recorded": record.recorded if record else None,
    }


def words(domain: EvidenceDomain, judgement: Judgement) -> dict[str, Any]:
    """What the templates say of a claim beside its data, and with what."""
    record, claim = judgement.record, judgement.claim
    machine, checks, of_control = [""], [], ("", "")
    if record is not None:
        today = day(record.recorded, domain.env.config.language)
        machine = [*builder_facts(record.builder), today]
        for check, value, more in told(judgement, domain.site):
            checks.append((check.value, f"{check.label} {value}" + in_brackets(more)))
    control = domain.judged.by_id.get(claim.control)
    if control is not None:
        of_control = domain.sentence(control.claim), control.claim.scope.text
    return {
        "ran_on": record and record.builder,
        "controlled": of_control,
        "number": number(judgement),
        "checks": checks,
        "machine": " · ".join(machine),
        "answered": answered(domain.site, claim.stems),
        "line": " · ".join([marked(judgement.verdict), machine[0], machine[-1]]),
        "title": domain.env.titles[claim.page].astext(),
        "places": places(domain, claim.page),
        "config": domain.env.config,
        "stable": domain.stable,
        "say": _,
        "shortened": shortened,
    }


def width(text: str) -> int:
    """So many pixels of a badge a text gets; Chinese letters are wide ones."""
    return sum(11 if letter > "\u2e80" else 7 for letter in text)


TEMPLATES.env.filters["width"] = width


def places(domain: EvidenceDomain, page: str) -> list[tuple[str, str]]:
    """What a page stands in: its chapter's landing page, if it has one, and itself, with titles."""
    titles = domain.env.titles
    found = dict.fromkeys((f"{page.rpartition('/')[0]}/index", page))
    return [(titles[name].astext(), f"{name}.html") for name in found if name in titles]


def number(judgement: Judgement) -> str:
    """The first number that was measured for a claim, or else its verdict."""
    for finding in judgement.findings:
        match finding.cell:
            case Plain(bool()):
                continue
            case Plain(int() | float()) | Timing() as cell:
                text = format_cell(finding.check.value.quantity, cell)
                return text.replace(THIN_SPACE, "\u00a0")
    return str(_(judgement.verdict.value))


def card_texts(app: Sphinx, page: str) -> tuple[str, str, str]:
    """What a card says: of a page's first claim, and on the front page of the whole site."""
    domain = evidence_of(app.env)
    if page == app.config.root_doc:
        counted = verdict_words(domain.judged.judgements)
        return counted, domain.pages[page].lead, domain.site.builders
    first = domain.judged.by_page[page][0]
    line = words(domain, first)["line"]
    return number(first), domain.sentence(first.claim), line


def card(app: Sphinx, page: str) -> str:
    """The address of a page's English card, or of the site's; empty where that is not known."""
    base = editions.english_address(app)
    has_claims = page in evidence_of(app.env).judged.by_page
    name = page if has_claims else app.config.root_doc
    return base and f"{base}{CARDS}/{name}.png"


def font(size: int, weight: str = "") -> ImageFont.FreeTypeFont:
    """A font that matplotlib brings, laid out alike everywhere."""
    # To load matplotlib for its folder takes as long as a hundred cards.
    path = f"matplotlib/mpl-data/fonts/ttf/DejaVuSans{weight}.ttf"
    file = str(distribution("matplotlib").locate_file(path))
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


def draw_card(site: str, number: str, sentence: str, line: str) -> Image.Image:
    """A card."""
    image = Image.new("P", CARD_SIZE)
    image.putpalette(PALETTE)
    pen = ImageDraw.Draw(image)
    # Letters without grey edges, which would quadruple the file.
    pen.fontmode = "1"
    pen.rectangle((0, 0, 24, CARD_SIZE[1]), BRAND)
    pen.text((80, 48), site, BRAND, font(32, "-Bold"))
    pen.text((80, 100), number, TEXT, font(104 if len(number) < 16 else 56, "-Bold"))
    lines = textwrap.wrap(sentence, 46, max_lines=6, placeholder=" …")
    for row, words in enumerate(lines):
        pen.text((80, 240 + 46 * row), words, TEXT, font(40))
    pen.text((80, 560), line, QUIET, font(28))
    return image


def write_card(target: Path, *texts: str) -> None:
    """Write the card with these texts."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # Letters are runs of one colour: other ways take longer, and make larger files.
    draw_card(*texts).save(target, "PNG", compress_type=zlib.Z_RLE)
