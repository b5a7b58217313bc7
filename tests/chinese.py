"""What is wrong with Chinese catalogs, before anything is built.

``PYTHONPATH=conf:tests python tests/chinese.py conf/locale/zh_CN/LC_MESSAGES/rules.po`` shows one
fault in a line, and exits with 1 if there are some; without a catalog it reads all. A message
that is fuzzy is read, too, and one without a translation is not. Where a rule of words is wrong,
a comment above the message says so, with the words of the fault: ``# lint: nothing says 'each'``.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import chinese_style
import chinese_words
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from chinese_directions import contrary
from chinese_text import COUNT, Said, read
from evidence.judge.chinese import is_chinese
from evidence.judge.choices import TOTAL_FIRST, is_reversed, labelled
from evidence.site.reading import chinese as quantities
from evidence.site.reading.quantities import FORGED_MARK, invisible
from prose import ROOT, VALUE

CATALOGS = ROOT / "conf/locale/zh_CN/LC_MESSAGES"
#: The engine's own words: no Markdown, but with places for values.
ENGINE = "evidence"


#: Rules that a right sentence may break.
OF_WORDS = {"words", "glossary", "style", "names"}


class Fault(NamedTuple):
    """What is wrong with a translation, and where in it."""

    rule: str
    words: str


def faults(english: str, chinese: str, *, is_engine: bool = False) -> Iterator[Fault]:
    """What is wrong with a translation of a text.

    :param is_engine: whether it is the engine's word, which is no Markdown
    """
    if is_engine:
        yield from _places(english, chinese)
        ours, theirs = _plain(english), _plain(chinese)
    else:
        ours, theirs = read(english), read(chinese)
        yield from markup(ours, theirs)
        yield from (Fault("choices", words) for words in choices(ours, theirs))
    yield from (Fault("numbers", words) for words in numbers(ours, theirs))
    marks = "".join({*FORGED_MARK.findall(chinese)} - {*english}) + invisible(chinese)
    if marks:
        yield Fault(
            "markup", f"a mark of the build's own, or an invisible one: {marks!r}"
        )
    if is_chinese(theirs.words):
        for rule, words in (
            *chinese_style.faults(theirs, chinese),
            *chinese_words.faults(ours, theirs),
        ):
            yield Fault(rule, words)
    elif chinese == english and re.search(r"(?:[a-z]{2,} ){2,}[a-z]+\.$", ours.text):
        yield Fault("untranslated", chinese)


def markup(english: Said, chinese: Said) -> Iterator[Fault]:
    """Roles, links, spans and code that differ, and what is no part of a paragraph."""
    if chinese.odd != english.odd:
        yield Fault("markup", " ".join(sorted({*chinese.odd} - {"inline"})))
    for lost in (english.parts - chinese.parts).elements():
        yield Fault("lost", lost)
    for added in (chinese.parts - english.parts).elements():
        # 在…之内 is set off in two parts.
        if added not in ("em", "strong") or added not in english.parts:
            yield Fault("added", added)
    for lost in (english.codes - chinese.codes).elements():
        yield Fault("lost", f"`{lost}`")
    for added in sorted({*chinese.codes} - {*english.codes}):
        yield Fault("added", f"`{added}`")


def choices(english: Said, chinese: Said) -> Iterator[str]:
    """Wordings that a value chooses, which lack a label, or say the opposite."""
    known = dict(english.choices)
    for address, words in chinese.choices:
        if address not in known:
            continue  # lost, and told
        ours, shown = known[address], " | ".join(words)
        if is_reversed(ours, words):
            yield f"{shown}: label both, true: … | false: …, and deny what the English denies"
        if [text.count("#") for text in ours] != [text.count("#") for text in words]:
            yield f"{shown}: other places for counts (#) than the English"
        if any(TOTAL_FIRST.search(text) for text in words):
            yield f"{shown}: the first # is the count, not the total"
        said, translated = labelled(ours), labelled(words)
        for label, text in translated.items():
            own = said.get(label, ours[label == "false"])
            yield from (f"{text}: {wrong}" for wrong in contrary(own, text))


def numbers(english: Said, chinese: Said) -> Iterator[str]:
    """Numbers that are typed in the translation alone."""
    ours, theirs = (s.words.replace(COUNT, VALUE) for s in (english, chinese))
    found = r"(?<![A-Za-z_.])\d+(?:[.,]\d+)*"
    typed = {*re.findall(found, theirs)} - {*re.findall(found, ours)}
    # What the English says in words may be in digits: two GPUs.
    known = quantities.values(ours)
    yield from sorted(each for each in typed if quantities.amount(each) not in known)
    yield from quantities.typed(theirs, ours)


def _places(english: str, chinese: str) -> Iterator[Fault]:
    """Places for values that differ."""
    ours, theirs = (
        Counter(f"{{{name}{':' * bool(form)}{form}}}" for _, name, form, _ in parsed)
        for parsed in (
            [part for part in Formatter().parse(text) if part[1] is not None]
            for text in (english, chinese)
        )
    )
    for lost in (ours - theirs).elements():
        yield Fault("lost", lost)
    for added in (theirs - ours).elements():
        yield Fault("added", added)


def _plain(text: str) -> Said:
    """The engine's words, with values in their places."""
    bare = re.sub(r"\{[^{}]*\}", COUNT, text)
    return Said((), Counter(), Counter(), (), bare)


def catalog(path: Path) -> Iterator[tuple[int, Fault]]:
    """The faults of a catalog, with the lines of their messages.

    What has a former text beside it is a translation of that, and not shown.
    """
    lines = path.read_text("utf-8").splitlines()
    with path.open("rb") as file:
        messages = list(read_po(file, "zh_CN"))
    is_engine = path.name == f"{ENGINE}.po" and (path.parent / "index.po").exists()
    # Nobody types a number into the engine's words: "none" is a 0.
    left = OF_WORDS | ({"numbers"} if is_engine else set())
    for message in messages:
        is_former = lines[(message.lineno or 1) - 2].startswith("#|")
        if message.id and message.string and not is_former:
            for fault in faults(message.id, message.string, is_engine=is_engine):
                if not (fault.rule in left and is_let(fault, message)):
                    yield message.lineno or 1, fault


def is_let(fault: Fault, message: Message) -> bool:
    """Whether a comment of a message lets a fault be, in its words."""
    notes = (note.partition("lint: ")[2] for note in message.user_comments)
    return any(note and note in fault.words for note in notes)


def main(names: Sequence[str]) -> int:
    """Show the faults of some catalogs, or of all."""
    paths = [Path(name) for name in names] or sorted(CATALOGS.rglob("*.po"))
    count = 0
    for path in paths:
        for line, (rule, words) in catalog(path):
            count += 1
            print(f"{path}:{line}: {rule}: {words}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
