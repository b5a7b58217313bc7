M=2**20*32
measured={"size_bytes":M,"by_graphs":{"table":[{"graphs":n,"apart_bytes":2*M*n,"shared_bytes":M*(n+1),"copied_bytes":2*M} for n in (1,2,4,8,16)]},"right":15,"captured":15,"left_bytes":0}
