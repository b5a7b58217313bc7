"""What measured, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from docutils import nodes

from evidence.records.model import Builder, Record
from evidence.site.look.nodes import paragraph
from evidence.site.look.words import _, day


def builder_facts(builder: Builder) -> list[str]:
    """What a reader needs to know of the machine, most telling first."""
    facts = [builder.gpu or builder.cpu]
    if builder.pcie_generation:
        facts.append(f"PCIe {builder.pcie_generation} ×{builder.pcie_width}")
    facts += builder.versions("torch", "driver", "CUDA")
    if builder.virtualisation == "virtual machine":
        facts.append(_("virtual machine"))
    if builder.share:
        share, cores = builder.share, builder.cores
        facts.append(_("{share} of {cores} cores").format(share=share, cores=cores))
    return facts


def builders_words(records: Collection[Record], language: str) -> str:
    """What measured some records, and when last."""
    if not records:
        return ""
    gpus = sorted({record.builder.gpu for record in records if record.builder.gpu})
    versions = sorted({record.builder.torch.partition("+")[0] for record in records})
    newest = max(record.recorded for record in records)
    return _("{gpus}, torch {versions}, last run on {day}").format(
        gpus=_(" and ").join(gpus) or _("a CPU"),
        versions=_(" and ").join(versions),
        day=day(newest, language),
    )


def torch_series(records: Iterable[Record]) -> str:
    """The version of torch that was measured last, without what changes no behaviour: 2.11."""
    newest = max(((r.recorded, r.builder.torch) for r in records), default=("", ""))
    return ".".join(newest[1].split(".")[:2])


def builder_line(record: Record, link: nodes.Node, language: str) -> nodes.paragraph:
    """One line: the builder, the date, how many processes, the record itself."""
    count = processes(len(record.processes))
    facts = [*builder_facts(record.builder), day(record.recorded, language), count, ""]
    return paragraph(" · ".join(facts), link, classes=["builder"])


def processes(count: int) -> str:
    """A number of processes in words."""
    return _("{count} processes").format(count=count) if count > 1 else _("1 process")
