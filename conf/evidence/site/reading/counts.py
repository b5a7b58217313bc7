"""What must be as many, is: scripts, records, pages; claims in the text, read and judged.

The expected sets come from parsing files, never from the run that they check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.site.diagnostics import Kind
from evidence.site.reading.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from evidence.examples.library import Library
    from evidence.records.address import Address
    from evidence.site.domain import Page


def of_nothing(library: Library, claims: Collection[object]) -> Iterator[Fault]:
    """Nothing of anything is no success."""
    if not library.examples:
        yield Fault(Kind.COUNT, f"there is no example in {library.folder.name}/")
    if not claims:
        yield Fault(Kind.COUNT, "no page makes a claim")


def of_gallery(library: Library, gallery: str, pages: Iterable[str]) -> Iterator[Fault]:
    """Every script has a page, and every page of the gallery a script."""
    expected = {library.page(stem, gallery) for stem in library.examples}
    found = {page for page in pages if page.startswith(f"{gallery}/")}
    shown = {page for page in found if not page.endswith("/index")}
    for page in sorted(expected - shown):
        script = page.partition("/")[2]
        yield Fault(Kind.COUNT, f"the example {script}.py has no page")
    for page in sorted(shown - expected):
        message = f"{page} is the page of no example; remove the folder {gallery}/"
        yield Fault(Kind.COUNT, message, page)


def of_texts(pages: Mapping[str, Page]) -> Iterator[Fault]:
    """The claims in the text of the pages are those that the build read, and verify reads."""
    for name, page in sorted(pages.items()):
        if page.problems:
            continue  # a claim that cannot be understood is not built, and reported
        built = {claim.id for claim in page.claims}
        for claim in sorted(page.in_text ^ built):
            in_text = claim in page.in_text
            seen = (
                "in the text, but was not built"
                if in_text
                else "built, not in the text"
            )
            yield Fault(Kind.COUNT, f"claim {claim!r} stands {seen}", (name, 1))


def of_uses(library: Library, uses: Iterable[Address]) -> Iterator[Fault]:
    """Evidence that nobody cites is a mistake as well: a claim went, its measurement stayed."""
    used = {(address.stem, address.top) for address in uses}
    for stem, record in library.records.items():
        for name in record.measured:
            if (stem, name) not in used:
                message = (
                    f"{stem}.{name} was measured, but no claim, text or figure uses it"
                )
                place = library.place(library.examples[stem])
                yield Fault(Kind.UNUSED, message, place)
