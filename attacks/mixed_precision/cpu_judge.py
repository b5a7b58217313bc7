import sys, dataclasses, msgspec
from pathlib import Path
from evidence.commands import answers
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts, read_script
from evidence.measure.campaign import Campaign, probe, Recording
if __name__ == "__main__":
    paths=find_scripts(Path("examples")); stems={p.stem for p in paths}
    claims=questions(Path("docs"),(),stems)
    builder=probe()
    amp=[p for p in paths if p.parent.name=="amp" and (len(sys.argv)<2 or p.stem in sys.argv[1:])]
    for p in amp:
        s=read_script(p)
        try: settings=dataclasses.replace(s.settings,gpus=0)
        except TypeError: settings=msgspec.structs.replace(s.settings,gpus=0)
        try: s=dataclasses.replace(s,settings=settings)
        except TypeError: s=msgspec.structs.replace(s,settings=settings)
        c=Campaign(builder,[],lambda _:None,1)
        (r,)=c.run([s])
        if not isinstance(r,Recording):
            print(p.stem,"FAILED",r.cause,(r.tail or '').strip().splitlines()[-1:] ,flush=True); continue
        mine=[k for k in claims if k.stem==p.stem and k.stems=={p.stem}]
        j=answers.answers(mine,{p.stem:r},builder)
        bad=[f"{x.claim.id}:{x.verdict.value}" for x in j if x.verdict.value!="holds"]
        print(p.stem,len(mine),f"{r.record.processes[0].seconds if hasattr(r.record.processes[0],'seconds') else 0:.1f}",bad,flush=True)
