"""The fields of a record, as its schema describes them."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes

from evidence.records import wire
from evidence.site.look.nodes import Filler, file_link, paragraph, prose, section

#: Anchors of earlier sites, whose readers kept the links.
FORMER = {"Value": ("record-plain", "record-table")}


def schema(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What is published as data, and the fields of a record."""
    names = ("claims.json", "claims.schema.json", "record.schema.json")
    links = [part for n in names for part in (file_link(n, n, filler.page), " ")]
    parts = wire.schema()["$defs"]
    return [paragraph(*links), *(_section(name, part) for name, part in parts.items())]


def _section(name: str, part: dict[str, Any]) -> nodes.section:
    """One kind of object: what it is, and its fields with their types."""
    fields = json.dumps(part["properties"], indent=1)
    about = [prose(text) for text in part["description"].split("\n\n")]
    block = nodes.literal_block(fields, fields, language="json")
    made = section(name, *about, block, anchor=f"record-{name.lower()}")
    made["ids"] += FORMER.get(name, ())
    return made
