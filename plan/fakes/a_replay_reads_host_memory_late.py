measured={"tries":30,"by_case":{"table":[dict(case=f"{n}, {w}",batches=b,results=b) for n in ("held","natural") for w,b in (("at once",30),("waits",0))]}}
