"""Chinese words that deny, and those beside a ratio: what English has in its own modules.

A Chinese text is known by its characters: a page of a translation has English texts, too.
"""

from __future__ import annotations

import re

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_HAN = re.compile(f"[{HAN}]")
#: Where the characters of a denial deny nothing: infinite, whether, respectively, except.
_NO_DENIAL = re.compile(
    "无穷|无限|无论|不论|不管|不仅|不只|不但|不过|不断|不妨|是否|能否|与否|会否|否则|除非|非常|非零"
    "|未来|[区分特类级识辨差个性]别|别[的处名人]"
)
_DENIAL = re.compile("[不没无未非否别勿]")


def is_chinese(text: str) -> bool:
    """Whether a text has a Chinese character."""
    return _HAN.search(text) is not None


def denies(text: str) -> bool:
    """Whether a Chinese text has a denial."""
    return _DENIAL.search(_NO_DENIAL.sub("", text)) is not None


#: Words in the clause of a value that fit a name's end, and words that do not.
_CALLED = {
    "speedup": (
        re.compile("快(?!照)|提速|加速(?![器卡])|缩短|[更较变]短|[更较]早"),
        re.compile("慢|[更较]久|[更较变]长|延长|[更较]晚|(?<!不)用时|耗时|时长|拖"),
    ),
    "slowdown": (
        re.compile("慢|久|长|晚|(?<!不)用时|耗时|拖"),
        re.compile("快(?!照)|提速|加速(?![器卡])|缩短|[更较变]短|[更较]早|速度"),
    ),
}


def contrary(clause: str, name: str) -> str:
    """The word in a clause that makes a speedup slower, or a slowdown faster; see ``ratios``."""
    fits, contradicts = _CALLED[name]
    word = None if fits.search(clause) else contradicts.search(clause)
    return word[0] if word else ""
