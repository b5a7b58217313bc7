rows=[{"terms":t,"shapes":8,"fp16_changed":a,"bf16_changed":a,"batched_changed":0,"overflowed":a,"overflowed_in_full":0,"batched":1 if a else 0,"batched_in_full":1 if a else 0} for t,a in ((1024,0),(4096,1),(16384,2),(65536,3))]
tot={n:sum(r[n] for r in rows) for n in rows[0] if n!="terms"}
measured={"by_terms":{"table":rows},"unsteady":0,**tot,"bf16_error_ratio":1.31}
