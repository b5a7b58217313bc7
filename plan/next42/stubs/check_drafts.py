"""Reads the drafts' claims with the site's own parser and compares their checks with dry-run values.

PYTHONPATH=<checkout>/conf python stubs/check_drafts.py docs/*.md < measured.json
"""
import json, operator, re, sys
from pathlib import Path
from evidence.judge.claim import read_claims, directives
measured = json.load(sys.stdin)  # {stem: measured}

def value(address):
    text = str(address)
    stem, name, *rest = re.match(r"(\w+)\.(\w+)(?:\[case=(.*)\]\.(\w+))?$", text).groups()
    cell = measured[stem][name]
    if rest[0] is None:
        return cell
    rows = [r for r in cell["table"] if r["case"] == rest[0]]
    assert len(rows) == 1, text
    return rows[0][rest[1]]

ids = set()
bad = n = 0
for page in sys.argv[1:]:
    text = Path(page).read_text()
    claims, errors = read_claims(text, page)
    print(page, len(claims), "claims", errors)
    for claim in claims:
        ids.add(claim.id)
        for check in claim.checks:
            n += 1
            found = value(check.value)
            op, bound = check.expect.split(" ", 1)
            bound = bound.strip()
            wanted = json.loads(bound) if re.match(r'["\d]', bound) else value(f"{check.value.stem if hasattr(check.value,'stem') else str(check.value).split('.')[0]}.{bound.split('.')[-1]}")
            ok = found == wanted
            if not ok:
                bad += 1
                print("RED", claim.id, check.value, check.expect, "found", found)
    for claim in claims:
        if claim.control and claim.control not in ids: print("control elsewhere:", claim.id, claim.control)
    # what sentences show, against what claims check
    for block in re.findall(r":::\{claim\} (\S+)\n(.*?)\n:::(?!:)", text, re.S):
        name, body = block
        checked = set(re.findall(r"^:check: (\S.*?)(?: ==| true| false|$)", body, re.M))
        options, sentence = body.split("\n\n", 1)
        shown = {p for s in re.findall(r"\{measured\}`([^`]*)`", sentence) for p in re.split(r" of (?=\.)", s.split("<")[-1].rstrip(">"))}
        print(name, "| shown, not checked:", sorted(s for s in shown - checked), "| checked, not shown:", sorted(checked - shown))
print(n, "checks,", bad, "red")
