"""Write temporary 2.14.1 records beside scripts. usage: vb_tmprec.py write|restore stem..."""
import json,sys,subprocess,glob,os
sys.path.insert(0,'./conf')
from evidence.records import store
from pathlib import Path
ROOT=Path('.')
recs={}
for line in open('PLAN/p214/results.jsonl'):
    d=json.loads(line)
    if d.get('record'): recs[d['stem']]=d
def write(stem, edit=None):
    d=recs[stem]; r=dict(d['record']); r.pop('checksum',None)
    p=next(ROOT.glob(f'examples/*/{stem}.json'))
    old=json.loads(p.read_text())
    r['figures']=old['figures']
    if edit: edit(r)
    # code key of today's script
    p.write_text(store.seal(r))
    try: store.load(p); s='ok'
    except Exception as e: s=str(e)
    print(stem,s,'key same' if old['code_key']==r['code_key'] else 'KEY DIFFERS')
if __name__=='__main__':
    for s in sys.argv[2:]:
        write(s)
