"""Words: the engine's own, translated by catalogs of the name ``evidence``; dates; cut texts.

And what measured, in words.
"""

from __future__ import annotations

import datetime
import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import get_translation
from sphinx.util.i18n import CatalogInfo, format_date

from evidence.records.model import Builder, Record
from evidence.records.units import THIN_SPACE
from evidence.records.versions import release, series
from evidence.site.domain import Site
from evidence.site.look.nodes import paragraph, span

#: ``<language>/LC_MESSAGES/evidence.po`` below it translates what stands in ``_(...)``.
CATALOGS = Path(__file__).parents[3] / "locale"

#: The class of what is English on a page in another language, of which docutils makes ``lang``.
ENGLISH = ("language-en",)
#: Search engines and previews show about as many characters.
DESCRIPTION = 160

_ = get_translation("evidence")


def load_catalog(app: Sphinx) -> None:
    """Have ``_`` translate: it is asked before Sphinx would compile the catalogs of a site.

    What is compiled lies in a folder that goes, so that it is never old, and in no tree that may
    only be read.
    """
    language = app.config.language
    texts = CATALOGS / language / "LC_MESSAGES" / "evidence.po"
    with TemporaryDirectory() as folder:
        if texts.exists():
            target = Path(folder, language, "LC_MESSAGES")
            target.mkdir(parents=True)
            shutil.copy(texts, target)
            CatalogInfo(target, "evidence", "utf-8").write_mo(language)
        app.add_message_catalog("evidence", folder)


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


def labelled(term: str) -> str:
    """What something is, before it is told."""
    return _("{term}: ").format(term=term)


def english(text: str, language: str) -> str | nodes.inline:
    """A text that no edition translates, marked where the page is in another language."""
    return span(text, *ENGLISH) if language != "en" and text else text


def in_brackets(text: str) -> str:
    """A text in brackets, with the space before them that a language has; nothing of nothing."""
    return _(" ({text})").format(text=text) if text else ""


def builder_facts(builder: Builder) -> list[str]:
    """What a reader needs to know of the machine, most telling first."""
    facts = [builder.gpu or builder.cpu]
    if builder.pcie_generation:
        facts.append(f"PCIe {builder.pcie_generation} ×{builder.pcie_width}")
    facts += builder.versions("torch", "driver", "CUDA")
    if builder.packed:
        facts.append(_("its GPU code for {packed} alone").format(packed=builder.packed))
    if builder.virtualisation == "virtual machine":
        facts.append(_("virtual machine"))
    if builder.share:
        share, cores = builder.share, builder.cores
        facts.append(_("{share} of {cores} cores").format(share=share, cores=cores))
    return facts


def builders_words(
    records: Collection[Record], language: str, resting: Collection[Record] = ()
) -> str:
    """What measured some records, and when last.

    :param resting: the record that each claim rests on: only their versions of PyTorch are told,
        and of several each says how many do
    """
    if not records:
        return ""
    found = {record.builder.gpu for record in records if record.builder.gpu}
    gpus = sorted({*map(model, found)})
    count = Counter(map(_public, resting or records))
    # 2.9 before 2.11, and 2.11.0 before 2.11.1.
    versions = sorted(sorted(count), key=release)
    if resting and len(versions) > 1:
        text, total = _("{version} ({count} of {total} claims)"), len(resting)
        versions = [
            text.format(version=v, count=count[v], total=total) for v in versions
        ]
    newest = max(record.recorded for record in records)
    return _("{gpus}, torch {versions}, last run on {day}").format(
        gpus=_(" and ").join(gpus) or _("a CPU"),
        versions=_(" and ").join(versions),
        day=day(newest, language),
    )


def model(gpu: str) -> str:
    """The model of a GPU without its memory: NVIDIA H100 for NVIDIA H100 80GB HBM3."""
    return re.sub(r" \d+GB\b.*", "", gpu)


def short_model(gpu: str) -> str:
    """The model of a GPU without its vendor: H100 for NVIDIA H100 80GB HBM3."""
    return model(gpu).removeprefix("NVIDIA ")


def _public(record: Record) -> str:
    """The version of its PyTorch without the build's: 2.11.0."""
    return record.builder.torch.partition("+")[0]


def torch_series(records: Iterable[Record]) -> str:
    """The newest version of torch that measured, without what changes no behaviour: 2.11."""
    versions = (record.builder.torch for record in records)
    return series(max(versions, key=release, default=""))


def answered(site: Site, stems: Iterable[str]) -> str:
    """Whether a keeper answers for all that examples measured; empty where this build did it."""
    examples = (site.library.examples.get(stem) for stem in stems)
    replayed = [e.record_path for e in examples if e and e.mode == "replayed"]
    if not replayed:
        return ""
    if not site.signed.is_checked:
        return _("signature not checked")
    ours = all(map(site.signed.keeper, replayed))
    return _("signed by our builder") if ours else _("unsigned")


def builder_line(
    record: Record, link: nodes.Node, language: str, answer: str
) -> nodes.paragraph:
    """One line: the builder, the date, how many processes, the record, who answers for it."""
    count = processes(len(record.processes))
    facts = [*builder_facts(record.builder), day(record.recorded, language), count, ""]
    said = f" · {answer}" * bool(answer)
    return paragraph(" · ".join(facts), link, said, classes=["builder"])


def processes(count: int) -> str:
    """A number of processes in words."""
    return _("{count} processes").format(count=count) if count > 1 else _("1 process")
