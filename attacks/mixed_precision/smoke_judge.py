import sys, json, re, ast, dataclasses
from pathlib import Path
from evidence.commands import answers
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts, read_script
from evidence.measure.campaign import Recording
from evidence.measure.values import reduce_measured
from evidence.records.model import Record, Builder
from evidence.records.compare import spoken_cell
SM=Path('scratch')
B=Builder(gpu='NVIDIA H200', gpus=2, gpu_memory_bytes=150109880320, capability='9.0', driver='580.159.04', cuda='13.0', cudnn='9.19.0', torch='2.11.0+cu130', python='3.12.3', cpu='Intel(R) Xeon(R) Processor', cores=32, kernel='6', virtualisation='virtual machine', pcie_generation=5, pcie_width=16)
EXC=re.compile(r'^(\w*(?:Error|Warning|Exception))\((.*)\)$',re.S)
def back(v):
    if isinstance(v,str) and (m:=EXC.match(v)):
        try: a=ast.literal_eval(m[2].rstrip(',')); a=a if isinstance(a,str) else a[0]
        except Exception: a=m[2]
        return type(m[1],(Exception,),{'__module__':'builtins'})(a)
    if isinstance(v,dict): return {k:back(x) for k,x in v.items()}
    if isinstance(v,list): return [back(x) for x in v]
    return v
paths=find_scripts(Path("examples")); stems={p.stem for p in paths}
claims=questions(Path("docs"),(),stems)
found={}
for p in paths:
    j=SM/f"{p.stem}.json"
    if not j.exists(): continue
    s=read_script(p)
    try: m=reduce_measured(back(json.load(open(j))))
    except Exception as e: print("BAD",p.stem,e); continue
    r=Record(stem=p.stem,code_key=s.code_key,recorded='2026-11-23',builder=B,outputs=(),measured=m,figures=(),names={},processes=(),typical=0,schema=1)
    found[p.stem]=Recording(s,r)
only=set(sys.argv[1:])
judged=answers.answers([c for c in claims if c.stems & found.keys()],found,B)
from collections import Counter
print(Counter(j.verdict.value for j in judged), len(found))
for j in judged:
    if j.verdict.value!='holds' or j.problem:
        print(f"\n{j.claim.page} {j.claim.id} [{j.claim.stem}] {j.verdict.value} {j.problem or ''}")
        for f in j.findings:
            if f.verdict.value!='holds': print("    ",f.check.value.text if hasattr(f.check.value,'text') else f.check.value, "expected",f.check.expect,"measured", spoken_cell(f.check.value.quantity,f.cell) if f.cell else None)
