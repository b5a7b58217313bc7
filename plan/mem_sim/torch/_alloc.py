"""A simulation of CUDACachingAllocator, one device, from its source."""
import bisect, os, threading
MIB=2**20; TOTAL=150_110_011_392
INF=float("inf")
class OutOfMemoryError(RuntimeError): pass
OutOfMemoryError.__module__="torch"
def parse(text):
    cfg=dict(max_split=INF,rounding=20*MIB,gc=0.0,div=[0]*16,exp=False,large=20*MIB,fraction=None,backend="native")
    import re
    for k,v in re.findall(r"(\w+):(\[[^\]]*\]|[^,]*)",text):
        if k=="max_split_size_mb": cfg["max_split"]=int(v)*MIB
        elif k=="max_non_split_rounding_mb": cfg["rounding"]=int(v)*MIB
        elif k=="garbage_collection_threshold":
            if not 0<float(v)<1: raise ValueError("garbage_collect_threshold is invalid, set it in (0.0, 1.0)")
            cfg["gc"]=float(v)
        elif k=="expandable_segments": cfg["exp"]=v=="True"
        elif k=="large_segment_size_mb": cfg["large"]=int(v)*MIB
        elif k=="per_process_memory_fraction": cfg["fraction"]=float(v)
        elif k=="backend": cfg["backend"]=v
        elif k=="roundup_power2_divisions":
            if v[0]=="[":
                first=True;last=0
                for pair in v[1:-1].split(","):
                    a,b=pair.split(":")
                    if a==">":
                        for i in range(last,16): cfg["div"][i]=int(b)
                    else:
                        i=min(int(a).bit_length()-1,15)
                        if first: cfg["div"][:i]=[int(b)]*i; first=False
                        cfg["div"][i]=int(b); last=i
            else: cfg["div"]=[int(v)]*16
    return cfg
class Block:
    def __init__(s,ptr,size,pool,stream,es=None,mapped=True):
        s.ptr,s.size,s.pool,s.stream,s.es,s.mapped=ptr,size,pool,stream,es,mapped
        s.prev=s.next=None; s.allocated=False; s.requested=0; s.gc_base=0
    def split(s): return s.prev is not None or s.next is not None
class Pool:
    def __init__(s,small,owner=None): s.small,s.owner,s.blocks,s.unmapped,s.calls=small,owner,[],[],0
    def free(s,stream): return sorted([b for b in s.blocks if b.stream==stream],key=lambda b:(b.size,b.ptr))
class Private:
    def __init__(s): s.small,s.large=Pool(True,s),Pool(False,s); s.uses=1; s.mallocs=0
class Alloc:
    def __init__(s,text):
        s.text=text; s.c=parse(text); s.small,s.large=Pool(True),Pool(False)
        s.allowed=None; s.total=s.allocated=s.inactive=s.peak=s.requested=0
        s.calls=s.frees=s.retries=s.ooms=0
        s.bump=0x7F0000000000; s.segments=set(); s.live={}; s.captures=[]; s.freeable=[]; s.oom_pools=[]; s.privates=[]
        s.by_ptr={}
        if s.c["fraction"] is not None: s.set_fraction(s.c["fraction"])
    def set_fraction(s,f): s.allowed=int(f*TOTAL); s.fraction=f
    def round(s,n):
        if n<512: return 512
        i=min(max(0,n.bit_length()-1-20),15); d=s.c["div"][i]
        if d>1 and n>512*d:
            if n&(n-1)==0: return n
            p=1<<(n.bit_length()-1); step=p//d
            return -(-n//step)*step
        return -(-n//512)*512
    def seg_size(s,n):
        if n<=MIB: return 2*MIB
        if n<10*MIB: return s.c["large"]
        return -(-n//(2*MIB))*2*MIB
    def pool_for(s,size):
        for owner,tid in s.captures:
            if threading.get_ident()==tid: return owner.small if size<=MIB else owner.large
        return s.small if size<=MIB else s.large
    def get_free(s,pool,size,stream):
        if s.allowed is not None and s.c["gc"]>0: pool.calls+=1
        free=pool.free(stream); at=[i for i,b in enumerate(free) if b.size>=size]
        if not at: return None
        i=at[0]; b=free[i]
        if b.es:
            if s.c["exp"]:
                ex=lambda b:b.size+(b.next.size if b.next and not b.next.mapped else 0)
                j=i+1
                while free[i].es and j<len(free) and ex(free[j])<ex(free[i]): i=j; j+=1
                b=free[i]
        if size<s.c["max_split"] and b.size>=s.c["max_split"]: return None
        if size>=s.c["max_split"] and b.size>=size+s.c["rounding"]: return None
        pool.blocks.remove(b); return b
    def gc(s):
        limit=int(s.c["gc"]*s.allowed)
        if s.total<=limit: return
        target=s.total-limit; got=0
        ages=lambda b:s.large.calls-b.gc_base
        cand=[b for b in s.large.blocks if not b.split()]
        age=sum(map(ages,cand)); n=len(cand)
        if not n: return
        freed=True
        while got<target and freed and n>0:
            th=age/n; freed=False
            for b in sorted(s.large.blocks,key=lambda b:(b.size,b.ptr)):
                if not b.split() and ages(b)>=th:
                    freed=True; got+=b.size; age-=ages(b); n-=1; s.release(b)
    def release(s,b):
        s.frees+=1; s.total-=b.size; b.pool.blocks.remove(b); s.segments.discard(b)
        if b.pool.owner: b.pool.owner.mallocs-=1
    def insert(s,b): b.gc_base=b.pool.calls; b.pool.blocks.append(b)
    def merge(s,dst,src):
        if not src or src.allocated or dst.mapped!=src.mapped: return 0
        if dst.prev is src:
            dst.ptr=src.ptr; dst.prev=src.prev
            if dst.prev: dst.prev.next=dst
        else:
            dst.next=src.next
            if dst.next: dst.next.prev=dst
        dst.size+=src.size
        (src.pool.blocks if src.mapped else src.pool.unmapped).remove(src)
        return src.size
    def page(s,pool): return 2*MIB if pool.small else s.c["large"]
    def map(s,b,size):
        page=s.page(b.pool); size=-(-size//page)*page
        b.pool.unmapped.remove(b); b.mapped=True
        if size<b.size:
            r=Block(b.ptr+size,b.size-size,b.pool,b.stream,b.es,False)
            r.prev,r.next=b,b.next
            if b.next: b.next.prev=r
            b.next=r; b.pool.unmapped.append(r); b.size=size
        s.merge(b,b.prev); s.merge(b,b.next)
        s.insert(b); s.total+=size; s.calls+=1
    def expand(s,pool,size,stream):
        def ok(b): return b is not None and not b.allocated
        def room(b):
            n=0
            while n<size and ok(b): n+=b.size; b=b.next
            return n>=size
        cand=None
        for c in sorted([b for b in pool.unmapped if b.stream==stream],key=lambda b:b.ptr):
            if ok(c.prev): c=c.prev
            if room(c): cand=c; break
        if cand is None:
            page=s.page(pool); n=(TOTAL+TOTAL//8)//page*page+page
            cand=Block(s.bump,n,pool,stream,object(),False); s.bump+=n; pool.unmapped.append(cand); s.segments.add(cand)
        if not cand.mapped: s.map(cand,min(cand.size,size))
        while cand.size<size:
            n=cand.next; s.map(n,min(size-cand.size,n.size)); cand=n
        pool.blocks.remove(cand)
        return cand
    def device_alloc(s,pool,size,stream,retry):
        n=s.seg_size(size)
        if retry: s.retries+=1
        if s.allowed is not None and s.total+n>s.allowed: return None
        if s.total+n>TOTAL-600*MIB: return None
        if s.c["exp"]:
            b=s.expand(pool,size,stream)
        else:
            b=Block(s.bump,n,pool,stream); s.bump+=n; s.total+=n; s.calls+=1; s.segments.add(b)
        if pool.owner: pool.owner.mallocs+=1
        return b
    def release_available(s,pool,size,stream):
        m=s.c["max_split"]
        if m==INF: return False
        key=max(size,m); free=pool.free(stream); big=[b for b in free if b.size>=key]
        if big: s.release(big[0]); return True
        got=0
        for b in reversed(free):
            if got>=key or b.size<m: break
            got+=b.size; s.release(b)
        return got>=key
    def release_pool(s,pool):
        todo=[]
        for b in sorted(pool.blocks,key=lambda b:(b.stream,b.size,b.ptr)):
            if b.es: todo.append(b)
            elif not b.prev and not b.next: s.release(b)
        for b in todo: s.unmap(b)
    def unmap(s,b):
        page=s.page(b.pool); base=b
        while base.prev: base=base.prev
        lo=-(-(b.ptr-base.ptr)//page)*page+base.ptr; hi=(b.ptr+b.size-base.ptr)//page*page+base.ptr
        if hi<=lo: return
        b.pool.blocks.remove(b)
        if lo>b.ptr:
            r=Block(b.ptr,lo-b.ptr,b.pool,b.stream,b.es); r.prev,r.next=b.prev,b
            if b.prev: b.prev.next=r
            b.prev=r; s.insert(r)
        if b.ptr+b.size>hi:
            r=Block(hi,b.ptr+b.size-hi,b.pool,b.stream,b.es); r.prev,r.next=b,b.next
            if b.next: b.next.prev=r
            b.next=r; s.insert(r)
        b.ptr,b.size,b.mapped=lo,hi-lo,False
        s.total-=hi-lo; s.frees+=1
        if b.pool.owner: b.pool.owner.mallocs-=1
        b.pool.unmapped.append(b)
        s.merge(b,b.prev) ; s.merge(b,b.next)
    def release_cached(s):
        if not s.captures:
            s.release_pool(s.large); s.release_pool(s.small)
        for p in list(s.freeable):
            s.release_pool(p.small); s.release_pool(p.large)
            if p.mallocs==0: s.freeable.remove(p)
        return True
    def stat_inactive(s):
        n=0
        for p in [s.small,s.large]+[q for o in s.privates for q in (o.small,o.large)]:
            n+=sum(b.size for b in p.blocks if b.split() and not b.es)
        return n
    def malloc(s,orig,stream=0):
        size=s.round(orig); pool=s.pool_for(size)
        b=s.get_free(pool,size,stream)
        if b is None:
            if s.allowed is not None and s.c["gc"]>0: s.gc()
            b=s.device_alloc(pool,size,stream,False)
            if b is None and s.release_available(pool,size,stream): b=s.device_alloc(pool,size,stream,False)
            if b is None and not s.captures:
                s.release_cached(); b=s.device_alloc(pool,size,stream,True)
            if b is None and not pool.owner:
                for p in s.oom_pools:
                    q=p.small if size<=MIB else p.large
                    b=s.get_free(q,size,stream)
                    if b: pool=q; break
        if b is None: s.fail(size)
        rest=b.size-size
        if pool.small or s.c["exp"]: cut=rest>=512
        else: cut=size<s.c["max_split"] and rest>MIB
        if cut:
            n=Block(b.ptr,size,pool,stream,b.es); n.prev,n.next=b.prev,b
            if b.prev: b.prev.next=n
            b.prev=n; b.ptr+=size; b.size-=size; s.insert(b)
            if b in s.segments: s.segments.discard(b); s.segments.add(n)
            b=n
        b.allocated=True; b.requested=orig; b.pool=pool
        s.allocated+=b.size; s.requested+=orig; s.peak=max(s.peak,s.allocated); s.by_ptr[b.ptr]=b
        return b
    def free(s,b):
        b.allocated=False; s.allocated-=b.size; s.requested-=b.requested; s.by_ptr.pop(b.ptr,None)
        for other in (b.prev,b.next): s.merge(b,other)
        s.insert(b)
    def fmt(s,n):
        if n<=1024: return f"{n} bytes"
        if n<=MIB: return f"{n/1024:.2f} KiB"
        if n<=2**30: return f"{n/MIB:.2f} MiB"
        return f"{n/2**30:.2f} GiB"
    def fail(s,size):
        s.ooms+=1
        free=TOTAL-s.total-560*MIB
        priv=sum(b.size for o in s.privates for q in (o.small,o.large) for b in q.blocks)
        allowed=s.fmt(s.allowed)+" allowed; " if s.allowed is not None else ""
        raise OutOfMemoryError(f"CUDA out of memory. Tried to allocate {s.fmt(s.seg_size(size))}. GPU 0 has a total capacity of {s.fmt(TOTAL)} of which {s.fmt(free)} is free. Process 4242 has {s.fmt(s.total+540*MIB)} memory in use. {allowed}Of the allocated memory {s.fmt(s.allocated+priv)} is allocated by PyTorch, "
          +(f"with {s.fmt(priv)} allocated in private pools (e.g., CUDA Graphs), " if priv else "")
          +f"and {s.fmt(s.total-s.allocated-priv)} is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)")
