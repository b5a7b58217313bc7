import json
d=json.load(open('PLAN/differences.json'))
mine=[x for x in d if x['page'].split('/')[0] not in ('amp','precision','determinism')]
for x in mine[23:]:
    print('##',x['claim'],x['page'],x['line'],x['example'],'|',x['scope'],'|',x['kind'],x['verdict_2.14.1'],x['reason_kind'])
    print('   R:',x['reason'][:300])
    for c in x['checks']:
        print('    ',c['value'].split(':',1)[1],c['expect'],'| rec',c['record'],'| 214',c['2.14.1'],'| again',c['2.14.1 again'],'| C',c['2.14.1 cuBLAS 13.1.1.3'],'| 211',c['2.11 this host'],c['2.11 0869dd2a'])
