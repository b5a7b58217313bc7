"""run_sim.py STEM...: run the example against the simulated allocator, save `measured`."""
import os,sys,subprocess,pickle
from pathlib import Path
here=Path("plan/"); tree=Path("trees/mem/examples/memory")
for stem in sys.argv[1:]:
    code=f"""
import runpy,sys
sys.path.insert(0,"plan/mem_sim")
g=runpy.run_path({str(tree/(stem+'.py'))!r})
import pprint
open({str(here/'mem'/(stem+'.py'))!r},"w").write('OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), dict(__module__="torch"))\\nmeasured = '+pprint.pformat(g["measured"],sort_dicts=False,width=110)+'\\n')
"""
    env={**os.environ,"PYTHONPATH":"plan/mem_sim"}
    p=subprocess.run(["build/ci/bin/python","-c",code],env=env,capture_output=True,text=True)
    print("=====",stem,p.returncode); print(p.stdout[-3500:]); print(p.stderr[-1500:])
