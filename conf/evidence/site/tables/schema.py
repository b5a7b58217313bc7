"""The schema of a record, as its published JSON Schema has it."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes

from evidence.records import wire
from evidence.site.nodes import paragraph, table
from evidence.site.placeholder import Filler
from evidence.site.words import _

#: Anchors of earlier sites, whose readers kept the links.
FORMER = {"Value": ("record-plain", "record-table")}


def schema(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What is published as data, and the fields of a record."""
    about = paragraph(
        _("The claims with their verdicts, and what each example measured, are in"),
        " ",
        filler.file("claims.json"),
        f" ({_('schema:')} ",
        filler.file("claims.schema.json"),
        f"). {_('A record is described here, and for programs in')} ",
        filler.file("record.schema.json"),
        ".",
    )
    parts = wire.schema()["$defs"]
    return [about, *(_section(name, part) for name, part in parts.items())]


def _section(name: str, part: dict[str, Any]) -> nodes.section:
    """One kind of object: what it is, and its fields with their types."""
    section = nodes.section(ids=[f"record-{name.lower()}", *FORMER.get(name, ())])
    section += nodes.title("", name)
    section += [prose(text) for text in part["description"].split("\n\n")]
    fields = part["properties"].items()
    rows = [(nodes.literal("", field), type_words(kind)) for field, kind in fields]
    section += table((_("Field"), _("Type")), rows, "schema")
    return section


def prose(text: str) -> nodes.paragraph:
    """A paragraph of a docstring or of Markdown, with its literals."""
    pieces = re.split("``?", " ".join(text.split()))
    return paragraph(
        *(
            nodes.literal("", piece) if number % 2 else piece
            for number, piece in enumerate(pieces)
        )
    )


def type_words(kind: dict[str, Any]) -> str:
    """A type of JSON Schema in words: ``list of number``."""
    match kind:
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2]
        case {"anyOf": kinds}:
            return " or ".join(map(type_words, kinds))
        case {"enum": values}:
            return " or ".join(map(str, values))
        case {"items": items}:
            return f"list of {type_words(items)}"
        case {"additionalProperties": values}:
            return f"{type_words(values)} by name"
    return str(kind["type"])
