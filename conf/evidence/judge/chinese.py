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


#: Words in the clause of a value, by the end of the names that they fit.
CALLED = {
    "speedup": re.compile("更?快(?!照)|提速|加速|缩短|更短|更早|速度"),
    "slowdown": re.compile("慢|更?久|更长|变长|延长|更晚|用时|耗时|时长|时间|拖"),
}
