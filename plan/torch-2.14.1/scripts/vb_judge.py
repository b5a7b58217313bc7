import shutil,lzma,json,sys
from pathlib import Path
from evidence.judge.claim import read_claims
from evidence.judge.verdict import judge_all, Verdict
from evidence.judge import passes
from evidence.examples.library import open_library
lib=open_library(Path("examples").resolve())
claims=[]
for p in sorted(Path("docs").rglob("*.md")):
    if "gallery" in p.parts: continue
    c,w=read_claims(p.read_text(),str(p.relative_to('docs').with_suffix(''))); claims+=c; assert not w,w
print(len(claims))
from collections import Counter
cnt=Counter()
for j in judge_all(claims, lib.records):
    cnt[j.verdict]+=1
    if j.verdict is not Verdict.HOLDS: print(j.claim.id,j.claim.page,j.verdict, [ (str(f.check.value),f.verdict) for f in j.findings if f.verdict is not Verdict.HOLDS][:3])
print(cnt)
tmp=Path('passes-to-try/passes'); shutil.rmtree(tmp,ignore_errors=True); shutil.copytree('docs/evidence/passes',tmp)
(tmp/'dce4785b-2.14.1+cu130.json').write_bytes(lzma.open('PLAN/dce4785b-2026-11-28.json.xz').read())
keys={e.stem:e.script.code_key for e in lib.examples.values() if e.script}
e=passes.read_passes(tmp,claims,keys)
print('unusable',e.unusable)
for path,j in e.failed:
    print(path.name[:8],'NEW' if '2.14' in path.name else 'kept', j.claim.id,j.claim.page,j.verdict,[(str(f.check.value),str(f.check.expect)) for f in j.findings if f.verdict is not Verdict.HOLDS][:2])
print('doubted',[(p.name,o.claim) for p,o in e.doubted][:20])
mine=('devices','execution','graphs','memory','several_gpus','transfer')
new={}
for k,os in e.outcomes.items():
    for o in os:
        if o.torch.startswith('2.14'): new[k]=o.held
print('claims with a 2.14 verdict',len(new),'held',sum(new.values()))
