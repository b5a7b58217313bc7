"""What is linked on the pages: names of PyTorch in sentences and in the code of examples.

A name in a sentence is a link to PyTorch's documentation where a page says it first, with or
without a role. In code, sphinx-gallery finds what a script calls by name, such as ``torch.empty``,
and links what an inventory knows. What a variable is, it would ask the variable; a replay has none.
The record says: ``names`` holds the type of each. So the names of methods are added to what
sphinx-gallery found, and the links drawn where code is highlighted. The downloads of a page are
fixed beside.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.intersphinx import InventoryAdapter
from sphinx.transforms.post_transforms import SphinxPostTransform

from evidence.examples.script import Script
from evidence.site.domain import evidence_of

#: The ending of the file beside an example's page that holds the links of its code.
LINKS = ".links.json"

#: Names as Pygments writes them, and such names with dots between them, from their beginning.
DOT = '<span class="o">.</span>'
NAME = re.compile(r'<span class="n\w*">([\w.]+)</span>')
CHAIN = re.compile(
    rf"(?<!{re.escape(DOT)}){NAME.pattern}(?:{re.escape(DOT)}{NAME.pattern})*"
)

#: Only what stands in code becomes a link, so that text and comments may match as well.
ATTRIBUTE = re.compile(r"\b([A-Za-z_]\w*)\.(\w+)")

#: Where the methods of classes are documented that have their own page without them.
BASES = {"torch.nn.": "torch.nn.Module", "torch.optim.": "torch.optim.Optimizer"}

#: Where a name is exported, and where it is defined, as sphinx-gallery has them.
MODULES = ("module_short", "module")

#: The addresses of what is documented, by full name.
Known: TypeAlias = "Mapping[str, str]"


class Link(NamedTuple):
    """Where a name is documented, and its full name."""

    uri: str
    title: str


def candidates(kind: str, attribute: str) -> Iterator[str]:
    """Names under which an attribute of a type may be documented, most likely first.

    A class is documented where it is exported, not where it is defined: torch.cuda.Event and not
    torch.cuda.streams.Event.
    """
    *modules, name = kind.split(".")
    for depth in range(len(modules), 0, -1):
        yield ".".join((*modules[:depth], name, attribute))
    for start, base in BASES.items():
        if kind.startswith(start):
            yield f"{base}.{attribute}"


def links_of_code(
    script: Script, names: Mapping[str, str], called: Mapping[str, Any], known: Known
) -> dict[str, Link]:
    """The links of the names in a script's code that PyTorch documents.

    :param names: the types of its variables
    :param called: what sphinx-gallery found that each name may be
    :param known: addresses by full name
    """
    titles = {}
    for name, meanings in called.items():
        modules = ((m[module], m["name"]) for m in meanings for module in MODULES)
        titles[name] = [".".join(title) for title in modules]
    for cell in script.cells:
        for variable, attribute in ATTRIBUTE.findall(cell.source):
            if kind := names.get(variable):
                name = f"{variable}.{attribute}"
                titles[name] = [*candidates(kind, attribute)]
    links = {}
    for name, several in titles.items():
        if title := next(filter(known.__contains__, several), ""):
            links[name] = Link(known[title], title)
    return links


def on_builder_inited(app: Sphinx) -> None:
    """Note the links of each example's page that was rendered, and fix its downloads."""
    known = documented(app.env)
    for page, example in evidence_of(app.env).site.rendered.items():
        script, record = example.script, example.record
        path = page.with_suffix(".codeobj.json")
        if script is not None and record is not None and path.exists():
            called = json.loads(path.read_text("utf-8"))
            links = links_of_code(script, record.names, called, known)
            text = json.dumps(links, sort_keys=True)
            page.with_suffix(LINKS).write_text(text, encoding="utf-8")
            # Where it finds this file, sphinx-gallery makes a node of each word of code, and all
            # that walks the page's nodes takes thrice the time.
            path.unlink()
        fix_downloads(page, record.builder.python if record is not None else "")
        # As old as the script: what goes on from an earlier build need not read it again.
        written = example.path.stat().st_mtime_ns
        for path in page.parent.glob(f"{page.name}.*"):
            os.utime(path, ns=(written, written))


def fix_downloads(page: Path, python: str) -> None:
    """Write the notebook of an example anew, and its archive: the same site is the same bytes.

    A notebook names the Python that ran the example, and not the one that builds; in an archive
    dates and modes are fixed.
    """
    notebook = page.with_suffix(".ipynb")
    data = json.loads(notebook.read_text("utf-8"))
    data["metadata"]["language_info"]["version"] = python
    notebook.write_text(json.dumps(data, indent=2), encoding="utf-8")
    path = page.with_suffix(".zip")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)  # of the earliest date that a zip can hold
            info.external_attr = 0o644 << 16
            archive.writestr(info, page.with_name(name).read_bytes())


def documented(env: BuildEnvironment) -> Known:
    """The addresses of what PyTorch documents, by full name."""
    inventory = InventoryAdapter(env).main_inventory
    kinds = (items for kind, items in inventory.items() if kind.startswith("py:"))
    return {name: item.uri for items in kinds for name, item in items.items()}


def links_of(source: Path) -> dict[str, Link]:
    """What to link in the code of a page; nothing where it is no example's.

    :param source: the page's file
    """
    path = source.with_suffix(LINKS)
    if not path.exists():
        return {}
    return {name: Link(*link) for name, link in json.loads(path.read_text()).items()}


def with_links(code: str, links: Mapping[str, Link]) -> str:
    """Highlighted code whose names are links, each as far as it is documented."""

    def link(match: re.Match[str]) -> str:
        parts = match[0].split(DOT)
        names = [NAME.fullmatch(part) for part in parts]
        for count in range(len(parts), 0, -1):
            name = ".".join(found[1] for found in names[:count] if found)
            if name in links:
                uri, title = map(escape, links[name])
                inside = DOT.join(parts[:count])
                whole = f'<a href="{uri}" title="{title}">{inside}</a>'
                return DOT.join([whole, *parts[count:]])
        return match[0]

    return CHAIN.sub(link, code) if links else code


class LinkNames(SphinxPostTransform):
    """Makes a link of each name that the inventory knows, where the page says it first."""

    default_priority = 9

    def run(self, **_: object) -> None:
        """Wrap the literals that are nothing but such a name."""
        known = documented(self.env)
        linked = {""}
        for literal in list(self.document.findall(nodes.literal)):
            uri = known.get(literal.astext().removesuffix("()"), "")
            box: Any = literal.parent
            if "claim-text" in box["classes"]:
                box = box.parent
            if uri not in linked and isinstance(box, nodes.paragraph):
                link = nodes.reference("", "", internal=False, refuri=uri)
                literal.replace_self(link)
                link += literal
                linked.add(uri)
