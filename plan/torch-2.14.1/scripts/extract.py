import pathlib, zipfile, re, os, time
import pack_release as p
root=pathlib.Path("x"); t=time.time()
for wheel in p.fetch(pathlib.Path("wheels"),"3.12","2.14.1"):
    with zipfile.ZipFile(wheel) as z:
        for m in z.infolist():
            n=m.filename
            if n.startswith(p.DROP) or n.endswith(".a") or re.match(r"nvidia/\w+/include/", n): continue
            z.extract(m, root)
            if m.external_attr>>16 & 0o111: os.chmod(root/n,0o755)
print("extracted", time.time()-t, flush=True)
for lib in sorted(root.rglob("*.so*")):
    if lib.stat().st_size>10<<20 and (gone:=p.keep_only(lib,90)):
        print(f"{lib.relative_to(root)}: {gone>>20} MiB gone of {lib.stat().st_size>>20}", flush=True)
print(time.time()-t)
