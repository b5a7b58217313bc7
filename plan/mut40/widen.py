"""Which claims scoped to the H200 hold in every pass kept of H100s; --write widens their scope."""
import re, sys, json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from evidence.judge.claim import read_claims
from evidence.judge.passes import load, judge_passes
from evidence.judge.scope import Scope
from evidence.examples.library import find_scripts
from evidence.records.code_key import code_key
from evidence.examples.script import read_script
H2, BOTH = "gpu == NVIDIA H200", "gpu == NVIDIA H200 or NVIDIA H100 80GB HBM3"
keys = {p.stem: read_script(p).code_key for p in find_scripts(Path("examples"))} if True else {}
claims, texts = {}, {}
for p in Path("docs").rglob("*.md"):
    if "gallery" in p.parts: continue
    for c in read_claims(p.read_text(), str(p))[0]:
        if H2 in c.scope.text and BOTH not in c.scope.text:
            claims[c.id] = replace(c, scope=Scope.parse(c.scope.text.replace(H2, "sm_90+"))); texts[c.id] = p
seen = defaultdict(lambda: defaultdict(list))
for f in sorted(Path("docs/evidence/passes").glob("*.json")):
    p = load(f)
    if "H100" not in p.builder.gpu: continue
    for j in judge_passes(p, claims.values(), keys):
        seen[j.claim.id][p.machine].append(j.verdict.value)
        if j.verdict.value != "holds": print("NOT", j.claim.id, p.machine, j.verdict.value, [ (x.check.value.quantity if hasattr(x.check.value,'quantity') else '', str(x.verdict)) for x in j.findings if str(x.verdict)!='Verdict.HOLDS'][:3])
good = [c for c, m in seen.items() if all(v == "holds" for x in m.values() for v in x) and max(map(len, m.values())) >= 3]
print(len(claims), "scoped;", len(seen), "judged;", len(good), "held in every pass, three times on one machine")
few = [c for c, m in seen.items() if all(v == "holds" for x in m.values() for v in x) and c not in good]
print("held, but too seldom:", len(few))
if "--write" in sys.argv:
    for c in good:
        p = texts[c]; s = p.read_text()
        i = s.index("{claim} " + c + "\n"); j = s.index(":::", i)
        s = s[:i] + s[i:j].replace(":scope: " + H2, ":scope: " + BOTH, 1) + s[j:]
        p.write_text(s)
