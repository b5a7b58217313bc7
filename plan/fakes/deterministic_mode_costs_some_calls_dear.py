S={"matmul":1.0,"sum":1.0,"sort":1.0,"index_add, few":2.1,"index_add, many":12.,"index_add, rows":5.,"index_copy":11.,"scatter_add, few":2.2,"scatter_add, many":12.,"cumsum":1.3,"embedding":1.0,"gather":20.,"bilinear":9.,"replicate":8.,"conv2d":1.0,"flash attention":1.3,"efficient attention":1.1}
s=lambda x:{"samples":[x*f for f in (0.99,1,1.005,1.01,1)]}
measured={"step_slowdown":s(1.06),"filled_step_slowdown":s(1.1),"by_call":{"table":[{"call":c,"slowdown":s(v)} for c,v in S.items()]}}
