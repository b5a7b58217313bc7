"""Judge today's claims by the whole passes on both versions: both.py REPOSITORY, with its conf on PYTHONPATH."""
import sys
from pathlib import Path
from evidence.examples.script import read_scripts, find_scripts
from evidence.commands.answers import questions
from evidence.judge.passes import read_passes
root=Path(sys.argv[1])
scripts,broken=read_scripts(find_scripts(root/"examples"))
keys={s.stem:s.code_key for s in scripts}
claims=questions(root/"docs",(),set(keys))
e=read_passes(Path(__file__).parents[1]/"kept",claims,keys)
print("unusable",dict(e.unusable))
judged=set(); 
from collections import Counter
c=Counter()
for p in e.sent:
    print(p.name, len(p.examples))
for path,j in e.failed:
    values="; ".join(f"{f.check.value.name} {f.check.expect}: {f.cell}"[:120] for f in j.findings if f.verdict.value!="holds")
    print(path.name[:15], j.claim.page, j.claim.id, j.verdict.value, values)
print(len(e.failed), "fail;", len(e.outcomes), "claims judged;", len(e.others), "of another version")
