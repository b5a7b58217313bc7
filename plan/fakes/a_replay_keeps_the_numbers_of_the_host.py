F=("a copy of a pinned tensor","a tensor on the GPU","torch.where")
W=("a number","a tensor on the host","a pinned tensor","a copy of a pinned tensor","a tensor on the GPU","random.random()","a branch","torch.where")
measured={"tries":10,"by_way":{"table":[{"way":w,"followed":10*(w in F),"kept":10*(w not in F)} for w in W]},"chosen":10}
