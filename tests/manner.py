"""House English: what the pages still break, and the ratchet that holds it.

``PYTHONPATH=conf python tests/manner.py`` writes manner.toml anew where numbers fell, and
raises none; with pages, such as docs/glossary.md, it shows what they break, line by line.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from evidence.judge.claim import Check
from evidence.judge.english import stems
from evidence.judge.pages import read_claims, sentences
from prose import END, NONE, ROOT, SHOWN, VALUE, IsNone, Reader, is_none

KEPT = Path(__file__).with_suffix(".toml")
HEAD = """\
# How often each page still breaks a rule of house English (tests/manner.py); gone when
# every page is rewritten. Red if a number rises or could be lower, or if a page that is
# named as rewritten has any but bold words. After an edit: python tests/manner.py
"""

#: What each rule counts.
RULES = {
    "values": "a sentence with more than two values",
    "none_of": "a sentence with 'none of' twice",
    "long": "a sentence of more than 30 words",
    "row": "a box after two others",
    "opens": "a section that begins with a box",
    "words": "a translator's word",
    "british": "a British spelling",
    "bold": "a bold word in a sentence that is no claim and links to none",
    "label": "a label made of a key's name",
    "apart": "a claim that shares no word with its labels",
}
#: Words that read like a translation, and a sentence that has each.
WORDS = {
    r"\b(?:an?|one|two|another|each|every|this|same|whole|long) training\b"
    r"(?=[.,;:)]|$| (?:in|of|on|that|which|whose|with|without|may|can|is|was|for|from"
    r"|to|and|or|by|goes|went|stays|had|has|needs)\b)": "A training in which it grows.",
    r"\btrainings\b": "Two trainings are compared.",
    r"\bbehind\b": "Record an event behind each addition.",
    r"\bbeside\b": "The copy runs beside a matmul.",
    r"\bbesides(?=[.,;:)]|$)": "The framework takes time besides.",
    r"\b(?:stands?|stood|standing)\b": "Look where backward stands.",
    r"\bdear(?:ly)?\b": "It costs some calls dear.",
    r"\balike\b": "They are rounded alike in each step.",
    r"\bas well(?=[.,;:)]|$)": "The second is right as well.",
    r"\b(?:by|in) (?:its|their|the) (?:source|documentation)\b": "By its source, it waits.",
    r"\b(?:learnt|whilst)\b": "It is learnt in one step.",
}
#: The same words where English has them.
IDIOMS = re.compile(
    r"\b(?:leav|left|fall|fell|lag|hid|link|bar|page|claim|measurements|idea|reason)\w*\b"
    r"[^.,;:]{0,25}? behind\b|\bbehind the scenes|\bstands? (?:for|out|alone)\b"
    r"|\b(?:is|are|looks?|far from) alike\b",
    re.IGNORECASE,
)

#: Words that say more than one case, and so want a claim.
BOLD = re.compile(
    r"\b(?:always|never|only|every|cannot|faster|slower|times (?:as|the|slower|faster))\b",
    re.IGNORECASE,
)
#: A range, or a count with its total.
PAIR = re.compile(
    f"(?:[Bb]etween [{VALUE}{NONE}] and|[{VALUE}{NONE}] (?:to|of|of the|out of)) ?"
    f"[{VALUE}{NONE}]|[{VALUE}{NONE}]–[{VALUE}{NONE}]"
)
#: How often each page breaks each rule.
Counts = dict[str, dict[str, int]]


class Fault(NamedTuple):
    """A place where a page breaks a rule."""

    line: int
    rule: str
    text: str = ""


@cache
def british() -> frozenset[str]:
    """The words that American English spells otherwise, as codespell lists them."""
    name = "data/dictionary_en-GB_to_en-US.txt"
    lines = files("codespell_lib").joinpath(name).read_text("utf-8").splitlines()
    return frozenset(line.partition("->")[0] for line in lines)


def faults(text: str, is_none: IsNone) -> Iterator[Fault]:
    """Where a page, or any Markdown, breaks which rule."""
    parts = [*Reader(text, is_none).read(text)]
    placed = [part for part in parts if part.kind]
    kinds = [part.kind for part in placed]
    for n, part in enumerate(placed):
        if kinds[max(n - 2, 0) : n + 1] == ["box"] * 3:
            yield Fault(part.line, "row")
        if kinds[max(n - 1, 0) : n + 1] == ["heading", "box"]:
            yield Fault(part.line, "opens")
    for part in parts:
        line = part.line
        for sentence in END.split(part.text):
            marked = " ".join(sentence.split())
            plain = marked.replace(SHOWN, "")
            shows = plain.replace(VALUE, "#").replace(NONE, "none of the #")
            yield from (Fault(line, rule, at + shows) for rule, at in broken(plain))
            if SHOWN not in marked and (word := BOLD.search(plain)):
                yield Fault(line, "bold", f"[{word[0]}] {shows}")
            line += sentence.count("\n")
    yield from _labelled(text)


def _labelled(text: str) -> Iterator[Fault]:
    """Labels that a reader would not use, and those that have nothing to do with a sentence."""
    said = sentences(text)
    for claim in read_claims(text, "")[0]:
        labels = [check.label for check in claim.checks]
        made = [check.label for check in claim.checks if _is_of_a_key(check)]
        yield from (Fault(claim.line, "label", f"{claim.id}: {text}") for text in made)
        told = stems(f"{said.get(claim.id, '')} {claim.title}")
        if told and not told & stems(" ".join({*labels} - {*made})):
            yield Fault(claim.line, "apart", claim.id)


def _is_of_a_key(check: Check) -> bool:
    """Whether a label names its row as the record does."""
    row = re.search(r" \(([^()]*)\)$", check.label)
    named = row[1].replace("_", " ") if row else ""
    return "[" in check.label or (
        bool(named) and named in str(check.value).replace("_", " ")
    )


def broken(sentence: str) -> Iterator[tuple[str, str]]:
    """The rules that a sentence breaks, each as often as it does, and at which word."""
    if len(re.findall(f"[{VALUE}{NONE}]", PAIR.sub(VALUE, sentence))) > 2:
        yield "values", ""
    if len(re.findall(rf"{NONE}|\bnone of\b", sentence, re.IGNORECASE)) > 1:
        yield "none_of", ""
    if len(re.findall(rf"\S*[\w{VALUE}{NONE}]\S*", sentence)) > 30:
        yield "long", ""
    rest = IDIOMS.sub("", sentence)
    hits = (m for p in WORDS for m in re.finditer(p, rest, re.IGNORECASE))
    yield from (("words", f"[{hit[0]}] ") for hit in hits)
    spelled = re.findall(r"[a-z]+", sentence.lower())
    yield from (("british", f"[{word}] ") for word in spelled if word in british())


def site() -> dict[str, list[Fault]]:
    """What each page breaks, README and CONTRIBUTING among them."""
    docs = (p for p in ROOT.glob("docs/**/*.md") if "gallery" not in p.parts)
    return {
        path.relative_to(ROOT).as_posix(): sorted(
            faults(path.read_text("utf-8"), is_none)
        )
        for path in sorted([*docs, *ROOT.glob("*.md")])
    }


def count(found: Mapping[str, Sequence[Fault]]) -> Counts:
    """How often each page breaks each rule; what is not broken is left out."""
    counts = {
        page: Counter(fault.rule for fault in each) for page, each in found.items()
    }
    return {
        page: {rule: each[rule] for rule in RULES if each[rule]}
        for page, each in counts.items()
        if each
    }


def rises(found: Counts, kept: Counts, rewritten: Sequence[str]) -> list[str]:
    """Where a page breaks a rule more often than is kept, or at all although rewritten."""
    return [
        f"{page}: {RULES[rule]}, {n} (at most {most}); see python tests/manner.py {page}"
        for page, each in found.items()
        for rule, n in each.items()
        if n > (most := _most(page, rule, kept, rewritten))
    ]


def _most(page: str, rule: str, kept: Counts, rewritten: Sequence[str]) -> int:
    """How often a page may break a rule; bold words are listed for those who attack a page."""
    is_done = page in rewritten and rule != "bold"
    return 0 if is_done else kept.get(page, {}).get(rule, 0)


def lowered(found: Counts, kept: Counts) -> Counts:
    """What may be kept: of each number the lower one."""
    pages = {
        page: Counter(each) & Counter(found.get(page, {}))
        for page, each in kept.items()
    }
    return {page: dict(each) for page, each in pages.items() if each}


def read_kept(text: str) -> tuple[list[str], Counts]:
    """The pages that are rewritten, and the counts of the others."""
    data = tomllib.loads(text)
    return data["rewritten"], data["broken"]


def dump(rewritten: Sequence[str], counts: Counts) -> str:
    """The file that keeps the counts."""
    named = "".join(f'    "{page}",\n' for page in sorted(rewritten))
    lines = [
        f'"{page}" = {{ {", ".join(f"{rule} = {n}" for rule, n in each.items())} }}\n'
        for page, each in sorted(counts.items())
    ]
    opened = f"rewritten = [\n{named}]" if named else "rewritten = []"
    return f"{HEAD}\n{opened}\n\n[broken]\n{''.join(lines)}"


def main(pages: Sequence[str]) -> int:
    """Show what pages break; without pages, keep what fell, and say what rose."""
    found = site()
    for page in pages:
        for line, rule, text in found[page]:
            print(f"{page}:{line}: {RULES[rule]}", text, sep="\t")
    if pages:
        return 0
    rewritten, kept = read_kept(KEPT.read_text("utf-8"))
    KEPT.write_text(dump(rewritten, lowered(count(found), kept)), "utf-8")
    rose = rises(count(found), kept, rewritten)
    for rise in rose:
        print(rise)
    return 1 if rose else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
