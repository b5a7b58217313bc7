"""The words by which a sentence claims more than a fact: none, all, faster, not.

Patterns over plain English text, and the stems of its words. What they mean for a claim is in
:mod:`evidence.judge.direction`.
"""

from __future__ import annotations

import re
from functools import cache


def _words(*pairs: tuple[str, str]) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Patterns of whole words, in pairs of opposites."""
    return tuple(tuple(re.compile(rf"\b(?:{w})\b") for w in pair) for pair in pairs)


_FAST = "faster|fastest|quicker|sooner|shorter|shortest"
_SLOW = "slower|slowest|longer|longest"
_MORE = "more|most|larger|largest|bigger|higher|highest|greater|greatest"
_LESS = "less|least|fewer|fewest|smaller|smallest|lower|lowest"
OPPOSITES = _words(
    (f"{_FAST}|speeds up|times as fast", f"{_SLOW}|slows?|times as long"),
    (f"{_MORE}|extra|adds?|over", f"{_LESS}|under"),
    (
        "side by side|at the same time|at once|together|overlaps?|concurrently",
        "one after the other|one after another|in turn|take turns",
    ),
    ("keeps?|stays?|leaves?", "changes?|loses?|drops?"),
    ("raises?|grows?|rises?|doubles?", "lowers?|shrinks?|falls?|halves"),
)
_N = r"\d[\d,]*"
_QUOTED = r"[“\"][^”\"]*[”\"]|\b\w*(?:Error|Warning): .*"
_IDIOMS = r"more or less|(?<!×\s)(?<!times )as long as|not only|no matter|more than one"
#: What belongs to no sentence: messages say what they like, idioms mean another thing.
APART = re.compile(rf"{_QUOTED}|\b(?:{_IDIOMS})\b", re.DOTALL)
CLAUSE = re.compile(r"[.;:,](?=\s|$)|[()]")
#: A clause inside of another, whose negation is none of the sentence.
INNER = re.compile(
    r"\b(?:that|which|who|whose|if|when|although|though|even|because|where|whether|unless|while"
    r"|until|since|as|so|what|with|and|but)\b.*",
    re.IGNORECASE,
)
_AUXILIARY = "does|do|did|is|are|was|were|has|have|had|will|may|must|can"
NOT = re.compile(rf"\b(?:(?:{_AUXILIARY}) not|cannot|never)\b")
NONE = re.compile(r"\b[Nn]one of (?!these|them)|\bin none\b|\bnone (?:did|were|was)\b")
ALL = re.compile(
    rf"\ball (?:of )?(?:the |its |these )?({_N})\b(?! in all)", re.IGNORECASE
)
ALWAYS = re.compile(r"\b(?:both (?:of|did|were|are)|in both|always)\b", re.IGNORECASE)
SOME = re.compile(
    r"\b(?:(?:some|most|many|few|not all|not every one) of|sometimes|(?<!as )often|rarely)\b",
    re.IGNORECASE,
)
#: Between what is said of one thing and of another.
PART = re.compile(r"[.;:](?=\s|$)|, (?:although|but|while|whereas)\b")
#: A word that takes back what its part of a sentence would say.
DENYING = re.compile(
    r"\b(?:not|no|none|never|neither|nor|nothing|nobody|cannot|fail\w*|refus\w*"
    r"|ignor\w*|forbid\w*|lacks?|lost|off|false|instead|only"
    r"|un[a-z]{4,}|[a-z]+less|except)\b|(?:^|(?<=[\s(]))0(?![.,]?\d)",
    re.IGNORECASE,
)
#: Of a label; "none" may be a setting's name.
LABEL_DENIAL = re.compile(r"\b(?:not|no|never|neither|nothing|cannot|without)\b")
#: A denial in so many words.
PLAIN_DENIAL = re.compile(
    r"\b(?:not|no|none|never|neither|nor|nothing|nobody|cannot|without)\b|(?:^|(?<=[\s(]))0(?![.,]?\d)",
    re.IGNORECASE,
)
#: A clause right before what it takes back, and the begin of one right behind that.
TAKING_BACK = re.compile(
    rf"(?:^|[.!?:;,)]\s+)[^.!?:;,()]*(?:{PLAIN_DENIAL.pattern}|\b(?:false|untrue|wrong|myth)\b)"
    r"[^.!?:;,()]*$",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"\s+(?:is|are|was|were)\s+(?:not|never|false|untrue|wrong|a myth)\b"
)
DENIED = re.compile(r"\b(?:not|never|cannot)((?: [\w'’-]+\b){1,2})")
DENIED_VALUE = re.compile(
    r"\b(?:not|never)(?: (?:at|in|to|by|of|about|only|already|as))*\s\d[\d.,]*"
    r"\s?(?:×|%|[KMGT]iB|bytes|[mµn]?s\b|[TG]FLOP|GB)"
)
#: In an id, "none" is a setting's name, and "uncached" a kind.
ID_DENIAL = re.compile(
    r"\b(?:not|no|never|neither|nor|nothing|cannot|without|only|wrong|[a-z]+less)\b"
)
#: In the name of what is measured.
NEGATIVE_NAME = re.compile(
    r"un[a-z]{4}|same|miss|equal|(?<![a-z])no|fail|refus|alone|differ|stale|wrong|lost|silent|alike"
)
COMPARED = re.compile(
    rf"\b(?:{_FAST}|{_SLOW}|{_MORE}|{_LESS})\b(?! than (?:half|one|a)\b)(?=[^.;:,()]* than\b)"
)
AS_FAST = f"as fast|as quick|the speed|the rate|{_FAST}"
TIMES = re.compile(rf"(\d[\d.,]*)×\s({AS_FAST}|as long|as slow|the time|{_SLOW})\b")
SPEED = re.compile(
    rf"(?<!no )(?<!not )(?<!a )(?<!the )\b(?:({_FAST}|speeds up)|({_SLOW}))\b"
)

#: Words of labels, and of what is measured, that cannot stand for each other.
NAMES = _words(
    ("wrong|stale|lost", "right|correct|fresh"),
    ("faster|speedup", "slower|slowdown"),
    ("early", "late"),
    ("first", "last"),
    ("with", "without"),
    ("pinned", "pageable"),
    ("most|largest|highest|max", "least|smallest|lowest|min"),
    ("small", "large"),
    ("same|equal", "different|differ|differs"),
)

#: All or none of something, by the word before it.
EVERY = re.compile(r"\b(?:every|all|both|each)(?: of)?(?: the| its)? (\w+)")
NO = re.compile(r"\b(?:no|none of|neither of)(?: the| its)? (\w+)")
#: Each of several that differ.
UNIVERSAL = re.compile(r"\b(?:every|everything|everywhere|always)\b", re.IGNORECASE)

#: What a text that stands for a sentence may say only where the sentence does.
SWEEPING = re.compile(
    r"\b(?:always|never|every|everything|everywhere|all|none|nothing)\b"
)
#: What keeps a sentence from being about each of several.
LIMITED = re.compile(
    r"\b(?:only|but|except|not|no|none|never|nothing|while|unless|without|instead|other"
    r"|cannot)\b",
    re.IGNORECASE,
)

_WORD = re.compile(r"[a-z][a-z0-9]*|\d[\d,.]*\d|\d")
_ENDINGS = "ingly ing ied ies iest est ed es er ly s e y"
_FILLERS = (
    "in by a an the of to at as is are was were be been it its and or per from over for one each"
    " own that this these those then than there do does did has have had so also which they too"
    " with all right wrong"
)
_NO_STEMS = frozenset(_FILLERS.split())


@cache
def _stem(word: str) -> str:
    """A word without the ending that grammar gives it: "waits" and "waiting" are one."""
    for ending in _ENDINGS.split():
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


@cache
def stems(text: str) -> frozenset[str]:
    """The stems of a text's words, and its numbers; without the words of grammar."""
    words = _WORD.findall(text.lower().replace("_", " ").replace("-", " "))
    return frozenset(_stem(word) for word in words if word not in _NO_STEMS)
