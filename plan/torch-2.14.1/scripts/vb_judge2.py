exec(open('vb_judge.py').read().split("tmp=Path")[0])
from evidence.records import store
from collections import Counter
keys={e.stem:e.script.code_key for e in lib.examples.values() if e.script}
REN={'a_pool_block_cannot_empty_the_cache':'a_pool_block_empties_the_cache','the_advice_comes_although_it_is_followed':'the_advice_stops_once_it_is_followed'}
from dataclasses import replace
from msgspec.structs import replace as R
for run in ('p214','p214b','p211b'):
    recs={}
    for l in open(f'PLAN/{run}/results.jsonl'):
        d=json.loads(l)
        if d.get('record'):
            r=dict(d['record']); r.pop('checksum'); 
            rec=store.parse(store.seal(r).encode())
            s=REN.get(d['stem'],d['stem'])
            if rec.code_key==keys.get(s): recs[s]=R(rec,stem=s)
    c=Counter()
    for cl in claims:
        if not cl.stems<=recs.keys(): c['no record']+=1; continue
        b=recs[next(iter(cl.stems))].builder
        if not cl.scope.holds_on(b): c['out of scope']+=1; continue
        j,=judge_all([cl],recs)
        c[j.verdict.value]+=1
        if j.verdict is not Verdict.HOLDS and cl.page.split('/')[0] not in('amp','precision','determinism'): print(run,cl.id,cl.page,j.verdict,[(str(f.check.value),str(f.check.expect),str(f.verdict)) for f in j.findings if f.verdict is not Verdict.HOLDS][:3])
    print(run,c)
