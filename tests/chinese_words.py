"""Words that a Chinese translation must have, and must not: terms, directions, names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache

from chinese_text import Said, pairs
from prose import ROOT

GLOSSARY = ROOT / "conf/locale/zh_CN/glossary.toml"

#: What the English says, and what a translation of it has at least one of.
DIRECTIONS = {
    r"at least": "至少|不少于|起码|最少|不低于|不小于|不短于|不亚于|以上|或更多|哪怕|总有|≥",
    r"at most": "至多|最多|不超过|不多于|顶多|以内|以下|不大于|不高于|上限|≤",
    r"no more than|not more than": "至多|最多|不超过|不多于|顶多|以内|只|仅|不比|并不|没有",
    r"never": (
        "从不|从没|从未|从来|绝不|决不|绝无|永不|永远|始终|一直|总|都不|都没|均不|均未|也不|也没"
        "|不会|没有|不能|不可|不必|不得|再也|不再|无一|毫不|任何|未|无|不曾|一次也|不要|切勿|别"
    ),
    r"always": "总|始终|一直|一律|必|都|每|永远|从来|均|向来|任何|一定|无论|不论|皆|全|照样|仍",
    r"only|alone|solely": "只|仅|才|唯|单|光|就|独|惟|不过|除|专|刚|自己|本身|足以|足够|已|一个",
    r"not|no|none|nothing|nobody|cannot|neither|nor": (
        "[不没无未非勿否免别莫难缺少才零空]|拒绝|禁止|至多|最多|以外|之外|除|直到|相同|一样|一致"
        "|务必|停止|只|反而|而是|失败|另"
    ),
    r"without": "[不没无未非免缺去除省少]|脱离|离开|关闭|关掉|代替|零",
    r"faster|quicker|sooner": "快|早|加速|提速|短|省|先|高|提高|好",
    r"slower": "慢|久|长|拖|低|迟|晚|差|多花|耗时|降",
    r"earlier": "早|先|前|以往|过去|上|旧|提前|此前|原",
    r"later": "后|晚|迟|再|稍|以后|将来|随后|新|下|日后|接着|推迟|延|较高|之上",
    r"less|fewer": "少|小|低|短|轻|不到|不足|没那么|减|弱|省|不如|窄|差|浅|以内|以下|未|不及|快|不|慢",
    r"before": "前|先|再|才|未|没|早|事先|预|以往|原|曾|上|旧|已|尚|然后|此|照旧|过|于",
    r"after(?! [\0\1\3])": "后|再|完|起|才|接|随|毕|依次|逐|轮|先|经|以来|一旦|过|新|就|等|毕竟|时|自",
    r"unless": "除非|否则|不然|若不|不|没|未|只要|只有|除",
    r"until": "直到|到|才|为止|之前|前|后|等|直至|在此",
    r"every": "每|各|所有|全|都|任何|逐|凡|一切|均|皆|任一|一律|无一|处处|到处|整|无论|不论|总|次次",
    r"both": "两|二|都|双|均|各|既|同时|与|和|同",
    r"usually|normally|mostly": "通常|一般|往往|多半|大多|常|平时|多数|大抵|大都|大部分|主要|几乎|默认",
    r"often": "常|往往|多次|频|多半|屡|总|多少次|几次|多数|多|次数|次",
    r"rarely|seldom": "很少|极少|少|罕|难得|偶|鲜",
    r"may|might|perhaps|probably": (
        "可|能|或|也许|说不定|未必|不一定|允许|难免|有时|不妨|恐|大概|兴许|会|多半|估计|应该|猜"
        "|不许|不得|禁|准"
    ),
    r"must|has to|have to|had to": (
        "必|须|需|得|要|应|一定|只能|不能|非|才|务|不可|不许|不得|勿|别|请|禁|只好|不会|都|该"
    ),
    r"almost|nearly|about|roughly": (
        "几乎|近|约|差不多|大致|大概|左右|上下|接近|将近|基本|关于|有关|对|就|每隔|的|讲|谈|说|问"
    ),
    r"instead": "而|代替|改|取代|换|反|替|不|另|则|却|转",
    r"first": "第一|首|最初|先|起初|头|初|一|开头|前|最早|原|起始",
    r"last": "最后|末|上次|上一|最近|前|最新|持续|终|尾|后|上|撑|维持|久|去年|用时",
}
#: What a translation says, and the English one of which it needs for that.
AGAINST = {
    "慢(?!慢)": r"slow\w*|longer|long|late\w*|costs?|delay\w*|wait\w*|behind|time|lag\w*|expensive|hurt\w*|loses?",
    "更快|较快|快于|快[得一]|加快|加速|提速": (
        r"fast\w*|quick\w*|soon\w*|speed\w*|short\w*|rapid\w*|accelerat\w*|earl\w*|less|gains?|better|saves?"
    ),
    "更少|较少|减少|少于": (
        r"less|fewer|few|small\w*|sav\w*|reduc\w*|lower\w*|cut\w*|short\w*|shrink\w*|shrank|fall\w*|fell"
        r"|drop\w*|below|under|spar\w*|narrow\w*|wins?|gain\w*|decreas\w*|little|halv\w*|free\w*|minus|without"
        r"|minimi[sz]\w*|least|no more|cost\w*"
    ),
    "更多|较多|增加|多于": (
        r"more|most|many|much|larg\w*|add\w*|extra|further|increas\w*|another|other\w*|long\w*|great\w*"
        r"|grow\w*|grew|high\w*|rise\w*|rose|exceed\w*|raise\w*|deep\w*|wid\w*|big\w*|above|over|beyond|than"
        r"|cost\w*|also|else|gain\w*|double\w*|worse|twice|rest|again|up|full\w*"
    ),
    "[之以]前|事先|先于|早于|提前": (
        r"before\w*|until|earlier|first|ahead|former\w*|previous\w*|prior|last|already|yet|ago|since|then"
        r"|unless|preced\w*|advance|early|old\w*|up to|once|by|has|had|still|now|not|when|prefetch\w*|pre\w*"
        r"|past|begin\w*|start\w*|to"
    ),
    "[之以]后|此后|晚于": (
        r"after\w*|then|later|once|when|behind|until|since|next|follow\w*|from|and|before|by|beyond|on|onwards?"
        r"|if|as soon|past|end|last|as|with|while|has|have|had|having|so|late|left|afterwards|in|at|second|where"
        r"|once|again|second|goes on|still|to"
    ),
    "至少|起码": r"at least|no fewer|or more|not less|one|any|some|minim\w*|enough|least",
    "至多|最多|顶多": r"at most|most|no more|up to|maxim\w*|at best|not more|only|limit\w*|largest|or less|or fewer|within",
    "从不|绝不|决不|永不|永远不": r"never|no|not|none|nothing|cannot|nobody|neither|nor|without",
    "总是|始终|一律|一直": (
        r"always|each|every|all|ever|never|keep\w*|kept|still|any|stay\w*|remain\w*|constant\w*|throughout|again"
        r"|both|as long|until|forever|whole|through\w*|goes on|go on|\w*ever|same|none|no|not|while|on|all\w*"
    ),
    "唯一": r"only|sole|single|unique|alone|one|except|just",
    "很少|极少|偶尔|难得": r"rare\w*|seldom|few|little|hardly|sometimes|occasional\w*|barely|almost never|once|small|now and then|scarce\w*|less",
    "通常|一般来说|往往": r"usual\w*|normal\w*|often|typical\w*|general\w*|most\w*|common\w*|tend\w*|ordinar\w*|likely|many|as a rule|regular\w*|mainly|may",
    "不总是|并非总|不一定|未必": r"not|may|might|need|without|no|neither|whether|sometimes|depend\w*|cannot|nor",
}

_RULES = {re.compile(rf"\b(?:{e})\b", re.I): re.compile(z) for e, z in DIRECTIONS.items()}
_AGAINST = {re.compile(z): re.compile(rf"\b(?:{e})\b", re.I) for z, e in AGAINST.items()}
#: English where the words of a rule have another meaning.
_IDIOMS = re.compile(
    r"\bnot only\b|\bno matter\b|\bno longer\b|\bnothing but\b|\bnot? (?=more than\b)|\bafter all\b"
    r"|\bno\. |\bat first\b|\bfirst of all\b|\bneed not only\b|\bbefore and after\b|\bwhat follows\b"
    r"|\bMay \d|\bdo not forget\b|\bno doubt\b|\bnone the less\b|\bnonetheless\b|\bup-to-date\b"
    r"|\babout (?:it|them|this|that|what|which|whether|how)\b|\bearlier than\b(?= the \w+ ends)",
    re.I,
)
#: A name: of capitals or with one inside, or of letters and digits.
_NAME = re.compile(
    r"(?<![\w.])(?=\w*(?:[A-Z]\w*[A-Z]|[a-z][A-Z]|[A-Za-z]\d))[A-Za-z]\w*|(?<![\w.])[a-z]+(?:[_.]\w+)+"
)
#: They may be in a word of their own: 显存, 主机.
_OWN_WORDS = {"GPU", "CPU", "PC", "OK", "FAQ", "ID"}
_HALF = re.compile(
    r"[A-Za-z]\w*(?:\.|_)[\u4e00-\u9fff]+|[\u4e00-\u9fff]+_\w+|[\u4e00-\u9fff]\.[a-z_]+"
)
#: Words that were left in English, outside of quotes.
_QUOTED = re.compile("“[^”]*”")
_LEFT = re.compile(r"(?:\b[a-z]+ ){6}[a-z]+\b")


def faults(english: Said, chinese: Said) -> Iterator[tuple[str, str]]:
    """The words that a translation lacks, or has against its English."""
    yield from (("glossary", words) for words in terms(english, chinese))
    for ours, theirs in pairs(english, chinese):
        yield from (("words", words) for words in lacking(ours, theirs))
        yield from (("words", words) for words in against(ours, theirs))
    yield from (("names", words) for words in names(english, chinese))


def lacking(english: str, chinese: str) -> Iterator[str]:
    """Words of direction without a counterpart."""
    bare = _IDIOMS.sub(" ", english)
    for said, counterparts in _RULES.items():
        if (found := said.search(bare)) and not counterparts.search(chinese):
            yield f"nothing says {found[0]!r}: {shown(chinese)}"


def against(english: str, chinese: str) -> Iterator[str]:
    """Words of direction that the English does not say."""
    for said, counterparts in _AGAINST.items():
        if (found := said.search(chinese)) and not counterparts.search(english):
            yield f"{found[0]}"


@cache
def glossary() -> dict[str, dict[str, list[str] | str]]:
    """The terms, as they are kept."""
    return tomllib.loads(GLOSSARY.read_text("utf-8"))


def terms(english: Said, chinese: Said) -> Iterator[str]:
    """Terms of the glossary that are called something else."""
    said = chinese.words
    for term in glossary().values():
        for never in term.get("never", ()):
            if never in said:
                yield f"never {never}" + (f", but {term['use'][0]}" if "use" in term else "")
        use = term.get("use", [])
        pattern = rf"\b(?:{term['en']})\b"
        found = re.search(pattern, english.words, re.I) if use else None
        if found and not any(word in said for word in use):
            kept = " ".join(re.findall(r"(?:[A-Za-z']+[ ,]+){2,}[A-Za-z']+", said))
            if not re.search(pattern, kept, re.I):
                yield f"{found[0]!r} is {' or '.join(use)}"


def names(english: Said, chinese: Said) -> Iterator[str]:
    """Names that were lost, or half translated, and sentences that were left in English."""
    if half := _HALF.search(chinese.words):
        yield f"half-translated: {half[0]}"
    theirs = {*map(singular, _NAME.findall(chinese.words))}
    for name in sorted({*map(singular, _NAME.findall(english.words))} - theirs - _OWN_WORDS):
        yield f"lost: {name}"
    if left := _LEFT.search(_QUOTED.sub("", chinese.text)):
        yield f"left in English: {left[0]}"


def singular(name: str) -> str:
    """A name without the s of several."""
    return re.sub(r"(?<=[A-Z0-9])s$", "", name)


def shown(text: str) -> str:
    """A text for a message."""
    return re.sub(r"[\0-\3]", "#", text).strip()
