F=["solve","inv","det","cholesky","qr","svdvals","eigvalsh","matrix_norm"]
measured={"by_size":{"table":[{"size":s,"condition":c,"fp32_error":a,"fp64_error":b} for s,c,a,b in ((2,19.28,3e-7,5.6e-16),(4,15513.7,2.2e-4,2.2e-13),(6,1.4951e7,.075,7e-10),(8,1.5258e10,5.19,2.4e-7))]},
"functions":{"table":[{"function":f,"outcome":"raises" if f in ("cholesky","svdvals","eigvalsh") else "not finite","with_inf":"raises" if f in ("cholesky","svdvals","eigvalsh") else "not finite" if f not in ("inv","solve") else "finite"} for f in F]},"survived":True,"cases":16,"raised":6,"finite":2}
