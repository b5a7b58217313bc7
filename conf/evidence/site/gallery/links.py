"""What is linked on the pages: names of PyTorch in sentences and in the code of examples.

A name in a sentence is a link to PyTorch's documentation where a page says it first, with or
without a role. In code, sphinx-gallery finds what a script calls by name, such as ``torch.empty``,
and links what an inventory knows. What a variable is, it would ask the variable; a replay has none.
The record says: ``names`` holds the type of each. So the names of methods are added to the file in
which sphinx-gallery keeps what it found, before it draws the links.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.ext.intersphinx import InventoryAdapter
from sphinx.transforms.post_transforms import SphinxPostTransform

from evidence.examples.script import Script
from evidence.site.domain import evidence_of
from evidence.site.gallery import downloads

#: Only what stands in code becomes a link, so that text and comments may match as well.
ATTRIBUTE = re.compile(r"\b([A-Za-z_]\w*)\.(\w+)")

#: Where the methods of classes are documented that have their own page without them.
BASES = {"torch.nn.": "torch.nn.Module", "torch.optim.": "torch.optim.Optimizer"}


def candidates(kind: str, attribute: str) -> Iterator[dict[str, Any]]:
    """Names under which an attribute of a type may be documented, most likely first.

    A class is documented where it is exported, not where it is defined: torch.cuda.Event and not
    torch.cuda.streams.Event.
    """
    *modules, name = kind.split(".")
    depths = range(len(modules), 0, -1)
    owners = [".".join((*modules[:depth], name)) for depth in depths]
    owners += [base for start, base in BASES.items() if kind.startswith(start)]
    for owner in owners:
        module, _dot, parent = owner.rpartition(".")
        place = {"module": module, "module_short": module}
        kind_of = {"is_class": False, "is_explicit": False}
        yield {"name": f"{parent}.{attribute}", **place, **kind_of}


def methods(
    script: Script, names: Mapping[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """What the attributes of a script's variables may be, in sphinx-gallery's form."""
    found = {pair for cell in script.cells for pair in ATTRIBUTE.findall(cell.source)}
    return {
        f"{variable}.{attribute}": list(candidates(names[variable], attribute))
        for variable, attribute in found
        if variable in names
    }


def on_builder_inited(app: Sphinx) -> None:
    """Add methods to the names that sphinx-gallery has found, and fix the downloads."""
    for page, example in evidence_of(app.env).site.rendered.items():
        script, record = example.script, example.record
        path = page.with_suffix(".codeobj.json")
        if script is not None and record is not None and path.exists():
            known = json.loads(path.read_text("utf-8"))
            known |= methods(script, record.names)
            text = json.dumps(known, sort_keys=True, indent=1)
            path.write_text(text, encoding="utf-8")
        downloads.fix(page, record.builder.python if record is not None else "")


class LinkNames(SphinxPostTransform):
    """Makes a link of each name that the inventory knows, where the page says it first."""

    default_priority = 9

    def run(self, **_: object) -> None:
        """Wrap the literals that are nothing but such a name."""
        inventory = InventoryAdapter(self.env).main_inventory
        named = (items for kind, items in inventory.items() if kind.startswith("py:"))
        known = {name: item.uri for items in named for name, item in items.items()}
        linked = {""}
        for literal in list(self.document.findall(nodes.literal)):
            uri = known.get(literal.astext().removesuffix("()"), "")
            if uri not in linked and isinstance(literal.parent, nodes.paragraph):
                link = nodes.reference("", "", internal=False, refuri=uri)
                literal.replace_self(link)
                link += literal
                linked.add(uri)


def setup(app: Sphinx) -> None:
    """Register the transform, and the listener behind sphinx-gallery's own."""
    app.setup_extension("sphinx.ext.intersphinx")
    app.add_post_transform(LinkNames)
    app.connect("builder-inited", on_builder_inited, priority=900)
