"""Are the unpacked files what the wheels hold, for a GPU of sm_90? python3 check_bits.py WHEELS UNPACKED"""
import collections, hashlib, json, pathlib, re, struct, sys, zipfile
import numpy as np

DROP = ("torch/share/", "torch/test/", "triton/backends/nvidia/lib/cupti-blackwell/", "triton/backends/nvidia/bin/ptxas-blackwell")
wheels, root = map(pathlib.Path, sys.argv[1:3])

def entries(m):
    """(container, kind, arch, start of code, end) of every entry of every fat binary"""
    magic, at, number = struct.pack("<I", 0xBA55ED50), m.find(struct.pack("<I", 0xBA55ED50)), 0
    while at >= 0:
        _, version, head, size = struct.unpack_from("<IHHQ", m, at)
        if head != 16 or version != 1 or at + head + size > len(m):
            at = m.find(magic, at + 4); continue
        here, end = at + head, at + head + size
        while here < end:
            kind, _, h, n = struct.unpack_from("<HHIQ", m, here)
            assert 40 <= h <= 4096 and here + h + n <= end, ("odd entry", hex(here), kind, h, n)
            yield number, kind, struct.unpack_from("<I", m, here + 28)[0], here + h, here + h + n
            here += h + n
        number += 1
        at = m.find(magic, end)

same = dropped = 0; changed = {}; missing = []; there = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
for wheel in sorted(wheels.glob("*.whl")):
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    print(f"{wheel.name}  sha256 {digest}", flush=True)
    with zipfile.ZipFile(wheel) as z:
        record = {}
        name = next(n for n in z.namelist() if n.endswith(".dist-info/RECORD"))
        for info in z.infolist():
            n = info.filename
            if info.is_dir(): continue
            if n.startswith(DROP) or n.endswith(".a") or re.match(r"nvidia/\w+/include/", n):
                dropped += 1; assert n not in there or True; continue
            if n not in there: missing.append(n); continue
            there.discard(n)
            old, new = z.read(info), (root / n).read_bytes()
            if old == new: same += 1; continue
            assert len(old) == len(new), n
            a, b = np.frombuffer(old, np.uint8), np.frombuffer(new, np.uint8)
            differs = a != b
            total = int(differs.sum())
            kept = hashlib.sha256(); kept_new = hashlib.sha256(); kinds = collections.Counter(); size90 = 0
            containers = collections.defaultdict(set); inside = 0
            for c, kind, arch, s, e in entries(old):
                kinds[f"{'ptx' if kind == 1 else 'sass' if kind == 2 else kind} sm_{arch}"] += 1
                containers[c].add((kind, arch))
                if kind == 2 and arch == 90:
                    kept.update(old[s:e]); kept_new.update(new[s:e]); size90 += e - s
                else:
                    inside += int(differs[s:e].sum()); assert not b[s:e].any(), (n, "left")
            assert inside == total, (n, "bytes differ outside other architectures' code", total - inside)
            assert kept.digest() == kept_new.digest()
            no90 = [v for v in containers.values() if (2, 90) not in v]
            lone = collections.Counter(" ".join(sorted(f"{'ptx' if k == 1 else 'sass'}{a}" for k, a in v)) for v in no90)
            changed[n] = {"bytes_zeroed": total, "bytes_sm90": size90, "sha256_sm90": kept.hexdigest(), "entries": dict(kinds),
                          "containers": len(containers), "containers_without_sm90": dict(lone)}
            print(n, json.dumps(changed[n]), flush=True)
print(f"{same} files identical, {len(changed)} differ only in code of other architectures, {dropped} left out, missing {missing}, not from a wheel {sorted(there)[:5]}")
