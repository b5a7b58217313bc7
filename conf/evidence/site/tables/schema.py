"""The schema of a record, as its published JSON Schema has it."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes

from evidence.records import wire
from evidence.site.nodes import paragraph, prose
from evidence.site.placeholder import Filler

#: Anchors of earlier sites, whose readers kept the links.
FORMER = {"Value": ("record-plain", "record-table")}


def schema(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What is published as data, and the fields of a record."""
    links = [
        part
        for name in ("claims.json", "claims.schema.json", "record.schema.json")
        for part in (filler.file(name), " ")
    ]
    parts = wire.schema()["$defs"]
    return [paragraph(*links), *(_section(name, part) for name, part in parts.items())]


def _section(name: str, part: dict[str, Any]) -> nodes.section:
    """One kind of object: what it is, and its fields with their types."""
    section = nodes.section(ids=[f"record-{name.lower()}", *FORMER.get(name, ())])
    section += nodes.title("", name)
    section += [prose(text) for text in part["description"].split("\n\n")]
    fields = json.dumps(part["properties"], indent=1)
    section += nodes.literal_block(fields, fields, language="json")
    return section
