"""Carry the boxed claims of pages over into prose: migrate.py REPOSITORY PAGE… (below docs/, without .md).

A claim becomes a span (its first sentence) in a paragraph, in a hazard a {wrong} or {right} block; its checks move
into a {checks} block at the end of the section, one for each example, under labels made of the names of keys. What
it cannot decide is printed: id, what, and what it did.
"""
import re, sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "conf"))
from evidence.judge.claim import CHECKS_OPTIONS
from evidence.judge.pages import split_options, read_claims
from evidence.judge.wording import addresses
from evidence.records.address import ADDRESS, Address

ROLE = re.compile(r"\{measured\}`([^`]+)`")
FENCE = re.compile(r"^(\s*)(:{3,}|`{3,})(\{([\w-]+)\}\s*(.*))?\s*$")
HEADING = re.compile(r"^#{1,4} |^\(([\w.-]+)\)=$")
COUNT = re.compile(rf"({ADDRESS})\s+of\s+({ADDRESS})")
CHECK = re.compile(rf"({ADDRESS})\s+(.+)")
odd = []


def label(address, used):
    """A label out of the names of keys: the quantity, and the keys of its row."""
    row = re.findall(r"=([^,\]]+)", address.name)
    words = address.quantity
    for unit in ("_bytes_per_s", "_flop_per_s", "_bytes", "_share", "_s"):
        words = words.removesuffix(unit) or words
    text = words.replace("_", " ")
    if row:
        text += f" ({', '.join(part.strip().replace('_', ' ') for part in row)})"
    text = text.replace(":", ";")
    if text in CHECKS_OPTIONS:
        text = f"number {text}"
    if text in used:
        text = f"{address.name.replace('_', ' ').replace(':', ';')}"
    while text in used:
        text += " again"
    used.add(text)
    return text


def checks_of(cid, options, body):
    """The lines of a claim in a checks block, and what its addresses share."""
    of = options.get("of", "").strip()
    lines = options.get("check", "").splitlines() or [f"{options['value']} {options['expect']}"]
    totals = {}
    for text in ROLE.findall(body):
        if match := COUNT.fullmatch(text.strip()):
            totals[Address.of(match[1], of)] = match[2]
    used, out = set(), []
    for text in lines:
        match = CHECK.fullmatch(" ".join(text.split()))
        address = Address.of(match[1], of)
        total = f" of {totals[address]}" if address in totals and match[2] != f"== {totals[address]}x" else ""
        out.append(f"  {label(address, used)}: {match[1]}{total} {match[2]}")
    for name in ("scope", "control", "shows", "documented", "contradicts", "confirms", "seed"):
        if options.get(name):
            out.append(f"  :{name}: {' '.join(options[name].split())}")
    return of, out


def blocks_of(lines):
    """Paragraphs (lists of lines) and fenced blocks, in their order."""
    found, here, fence = [], [], None
    for line in lines:
        match = FENCE.match(line)
        if fence is None and match and match[3]:
            if here: found.append(("text", here)); here = []
            fence, here = match[2], [line]
        elif fence is not None:
            here.append(line)
            if line.strip() == fence:
                found.append(("code", here)); fence, here = None, []
        elif not line.strip():
            if here: found.append(("text", here)); here = []
        else:
            here.append(line)
    if here: found.append(("text", here))
    return found


def span(cid, sentence):
    """A sentence as a span; what ends it stays behind."""
    end = re.search(r"[.:;?!]?$", sentence).start()
    return f"[{sentence[:end]}]{{#{cid}}}{sentence[end:]}"


def whole(line, of):
    """A line with the addresses of its roles in full: in a paragraph without a claim nothing shares them."""
    def full(match):
        text = match[1]
        inner = re.sub(rf"(?<![\w\]]){ADDRESS}", lambda m: f"{of}{m[0]}" if m[0][0] in ".[" else m[0], text)
        return "{measured}`" + inner + "`"
    return ROLE.sub(full, line) if of else line


def in_prose(cid, body, of):
    """Its body as paragraphs: code above, the first sentence a span."""
    blocks = blocks_of(body)
    code = [b for kind, b in blocks if kind == "code"]
    text = [b for kind, b in blocks if kind == "text"]
    if not text: odd.append((cid, "has no text")); return body
    if code: odd.append((cid, "code stands above the sentence now"))
    if len(text) > 1: odd.append((cid, "several paragraphs or a list"))
    first = text[0]
    if first[0].lstrip().startswith(("-", "|", "1.")):
        odd.append((cid, "begins with a list or table")); return body
    out = []
    for block in code: out += [*block, ""]
    out += [span(cid, first[0]), *first[1:], ""]
    for block in text[1:]: out += [*(whole(line, of) for line in block), ""]
    return out


def arm(cid, name, body):
    out = list(body)
    for n, line in enumerate(out):
        if line.strip():
            text = re.sub(r"^(?:Also )?(?:[Ww]rong|[Rr]ight)(?:, but \w+)?: ", "", line)
            out[n] = text[:1].upper() + text[1:]
            break
    return [f":::{{{name}}} {cid}", *[l for l in out], ":::"]


def migrate(text):
    lines, out, pending, n = text.splitlines(), [], {}, 0
    hazard = 0

    def flush():
        for of, entries in pending.items():
            if out and out[-1].strip(): out.append("")
            out.append(f"```{{checks}}{' ' + of if of else ''}")
            for cid, rows in entries: out.extend([f"{cid}:", *rows])
            out.extend(["```", ""])
        pending.clear()

    fence = None
    while n < len(lines):
        line = lines[n]
        match = FENCE.match(line)
        if fence is None and HEADING.match(line): flush()
        if match and match[4] == "claim":
            end = n + 1
            inner = None
            while True:
                inside = FENCE.match(lines[end])
                if inner is None and inside and inside[3]: inner = inside[2]
                elif inner is not None and lines[end].strip() == inner: inner = None
                elif inner is None and lines[end].strip() == match[2]: break
                end += 1
            cid = match[5].strip()
            options, body, _ = split_options(lines[n + 1:end])
            of, rows = checks_of(cid, options, body)
            pending.setdefault(of, []).append((cid, rows))
            content = body.strip("\n").splitlines()
            if hazard:
                out.extend(arm(cid, "wrong" if hazard == 1 else "right", content)); hazard += 1
            else:
                if out and out[-1].strip(): out.append("")
                out.extend(in_prose(cid, content, of))
            n = end + 1
            continue
        if match and match[4] == "hazard": hazard, hazard_end = 1, match[2]
        elif hazard and line.strip() == hazard_end: hazard = 0
        if match and match[3] and match[4] != "hazard" and fence is None: fence = match[2]
        elif fence is not None and line.strip() == fence: fence = None
        out.append(line)
        n += 1
    flush()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).rstrip() + "\n"


for name in sys.argv[2:]:
    path = Path(sys.argv[1], "docs", f"{name}.md")
    old = path.read_text("utf-8")
    if "{claim}" not in old: continue
    before, _ = read_claims(old, name)
    new = migrate(old)
    after, wrong = read_claims(new, name)
    key = lambda c: (c.id, sorted((str(k.value), k.expect, k.documented) for k in c.checks), c.scope.text, c.control, c.seed, c.contradicts, c.confirms, c.documented, c.shows)
    same = sorted(map(key, before)) == sorted(map(key, after))
    print(name, len(before), len(after), "same" if same else "DIFFERENT", wrong[:2])
    path.write_text(new, "utf-8")
for cid, what in odd: print("  odd", cid, what)
print(len(odd), "odd")
