import json,sys
sys.path.insert(0,'./conf')
for line in open('PLAN/p214/results.jsonl'):
    d=json.loads(line)
    if d['stem'] in sys.argv[1:]:
        if not d.get('record'):
            print(d['stem'],'NO RECORD',json.dumps(d)[:6000]); continue
        r=d['record']; print('=====',d['stem'])
        for o in r['outputs']: print(o['text'].replace('USDT','\x00')[:6000])
        for k,v in sorted(r['measured'].items()):
            if 'table' in v:
                for row in v['table']: print(k,{c['column']:(c.get('value',c.get('timing',c.get('raised')))) for c in row})
            else: print(k,v)
        if d.get('stderr'): print('STDERR',d['stderr'][:3000])
        print([k for k in d if k!='record'])
