"""Bring the catalogs of translations up to date with the pages: ``nox -s catalogs``.

A message is a paragraph, heading, item or cell of a page, or what stands for a figure unseen, and
its catalog is named like the page. What is drawn in figures is in ``figures``, with ``{0}`` for its
first number.
What a person has not read against its evidence is marked *fuzzy*, and not shown: the page has the
English there. A text that changed is fuzzy again, with its former text beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

#: Where Sphinx wrote the texts of the pages, and where their translations stand.
TEXTS, CATALOGS = Path("build/pot"), Path("conf/locale")
#: What stays English: the examples, which every edition shares.
SHARED = ("gallery",)
#: The engine's own words, and how they are marked.
ENGINE, MARKS = Path("conf"), {"_": None, "say": None, "N_": None}
HEADER = """\
msgid ""
msgstr ""
"Language: {}\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

"""
METHODS = [("**.py", "python"), ("**.html", "jinja2")]


def main(languages: list[str]) -> None:
    """Update the catalogs of some languages, or of all that there are."""
    found = languages or sorted(path.name for path in CATALOGS.iterdir())
    texts = dict(extracted())
    for language in found:
        folder = CATALOGS / language / "LC_MESSAGES"
        for name, catalog in texts.items():
            update(folder / f"{name}.po", catalog, language)
        kept = {folder / f"{name}.po" for name in texts}
        for path in sorted({*folder.rglob("*.po")} - kept):
            print(f"{path}: no page has this name; move or delete it")


def extracted() -> Iterator[tuple[str, Catalog]]:
    """The texts of each page that has some, and the engine's."""
    for path in sorted(TEXTS.rglob("*.pot")):
        name = path.relative_to(TEXTS).with_suffix("")
        if name.parts[0] not in SHARED:
            with path.open("rb") as file:
                yield name.as_posix(), read_po(file)
    engine = Catalog()
    for _file, _line, message, _comments, _context in extract_from_dir(
        str(ENGINE), METHODS, keywords=MARKS
    ):
        engine.add(message)
    yield "evidence", engine


def update(path: Path, texts: Catalog, language: str) -> None:
    """Write a catalog that has the texts of a page, with the translations that it had."""
    catalog = Catalog(language)
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, language)
    former = {message.id for message in catalog if message.id and message.string}
    catalog.update(texts)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        # Babel's own header changes every day.
        file.write(HEADER.format(language).encode())
        options = {"omit_header": True, "no_location": True, "ignore_obsolete": True}
        write_po(file, catalog, width=0, include_previous=True, **options)
    if gone := former - {message.id for message in catalog}:
        print(f"{path}: {len(gone)} translated texts changed or went")


if __name__ == "__main__":
    main(sys.argv[1:])
