"""The sync debug mode on operations that the page does not list: false alarms and misses.

Expect: no false alarm (a warning, but no wait behind a held stream); misses only inside CUDA or on purpose.
Refutes 'gives no false alarms' / 'the mode sees only where PyTorch itself waits': warnings > 0 with waited 0, or an
operation of PyTorch's that waits and is not seen.
"""
import json, warnings
import torch
import torch.nn.functional as F

x = torch.rand(64, 64, device="cuda") + 64 * torch.eye(64, device="cuda")
v = torch.randint(0, 9, (1000,), device="cuda")
mask = x > 0.5
cpu_mask = mask.cpu()
param = torch.nn.Parameter(x.clone()); param.grad = x.clone()
adam = torch.optim.Adam([param]); sgd = torch.optim.SGD([param], 0.1)
scaler = torch.amp.GradScaler("cuda")
scaler.scale(x.sum())
event = torch.cuda.Event()
conv = torch.nn.Conv2d(3, 8, 3).cuda(); image = torch.rand(2, 3, 32, 32, device="cuda")
lengths = torch.tensor([3, 2], device="cuda"); counts = torch.randint(1, 3, (1000,), device="cuda")
big = torch.rand(2**22, device="cuda"); pinned = torch.empty(2**22, pin_memory=True); pageable = torch.empty(2**22)
ops = {
    "unique": v.unique, "where1": lambda: torch.where(mask), "tolist": v[:4].tolist, "float()": lambda: float(x[0, 0]), "int index": lambda: [1, 2, 3, 4, 5, 6, 7, 8, 9][v[0]],
    "equal": lambda: torch.equal(x, x), "allclose": lambda: torch.allclose(x, x), "isnan.any": lambda: x.isnan().any().item(), "len": lambda: len(x), "shape": lambda: x.shape,
    "linalg.solve": lambda: torch.linalg.solve(x, x), "linalg.inv": lambda: torch.linalg.inv(x), "inv_ex": lambda: torch.linalg.inv_ex(x), "cholesky": lambda: torch.linalg.cholesky(x @ x.T + 64 * torch.eye(64, device="cuda")), "eigh": lambda: torch.linalg.eigh(x + x.T), "svd": lambda: torch.linalg.svd(x), "det": lambda: torch.linalg.det(x), "lstsq": lambda: torch.linalg.lstsq(x, x), "matrix_rank": lambda: torch.linalg.matrix_rank(x),
    "sort": v.sort, "topk": lambda: x.topk(3), "multinomial": lambda: torch.multinomial(x[0], 4), "multinomial_rep": lambda: torch.multinomial(x[0], 4, replacement=True), "randperm": lambda: torch.randperm(1000, device="cuda"), "bincount": lambda: torch.bincount(v), "bincount_min": lambda: torch.bincount(v, minlength=10),
    "histc": lambda: torch.histc(x), "repeat_interleave": lambda: torch.repeat_interleave(v, counts), "repeat_interleave_size": lambda: torch.repeat_interleave(v, counts, output_size=5000),
    "mask_assign": lambda: x.__setitem__(mask, 0.5), "mask_assign_tensor": lambda: x.__setitem__(mask, x[0, 0]), "cpu_mask_index": lambda: x[cpu_mask], "masked_select": lambda: x.masked_select(mask), "masked_scatter": lambda: x.masked_scatter(mask, x), "int slice": lambda: x[1:3], "tensor slice": lambda: x[: lengths[0]], "range": lambda: range(lengths[0]),
    "pad_packed": lambda: torch.nn.utils.rnn.pack_padded_sequence(x[:2, :3, None], lengths.cpu(), batch_first=True), "clip_grad_norm": lambda: torch.nn.utils.clip_grad_norm_([param], 1.0), "clip_grad_norm_error": lambda: torch.nn.utils.clip_grad_norm_([param], 1.0, error_if_nonfinite=True),
    "adam.step": adam.step, "sgd.step": sgd.step, "scaler.step": lambda: (scaler.step(sgd), scaler.update()), "cross_entropy": lambda: F.cross_entropy(x, v[:64]), "dropout": lambda: F.dropout(x), "conv": lambda: conv(image), "matmul": lambda: x @ x, "backward": lambda: conv(image).sum().backward(),
    "arange_tensor": lambda: torch.arange(lengths[0], device="cuda"), "full_tensor": lambda: torch.full((2,), 3.0, device="cuda"), "tensor_scalar": lambda: torch.tensor(1.0, device="cuda"), "add cpu scalar": lambda: x + torch.tensor(1.0), "x[0]=python": lambda: x.__setitem__((0, 0), 1.0), "assert_async": lambda: torch._assert_async(x.sum() > 0), "manual_seed": lambda: torch.manual_seed(0), "get_rng_state": torch.cuda.get_rng_state, "mem_get_info": torch.cuda.mem_get_info, "memory_stats": torch.cuda.memory_stats,
    "to sparse": lambda: x.to_sparse(), "sparse mm": lambda: torch.sparse.mm(S, x), "embedding_bag": lambda: F.embedding_bag(v[:6].view(2, 3), x), "nll": lambda: F.nll_loss(x, v[:64]), "ctc": lambda: F.ctc_loss(x[:10, None, :].expand(10, 2, 64).log_softmax(2), v[:4].view(2, 2), torch.tensor([10, 10]), torch.tensor([2, 2])), "pin_memory": lambda: pageable.pin_memory(), "event.wait": lambda: event.wait(), "wait_stream": lambda: torch.cuda.current_stream().wait_stream(torch.cuda.Stream()), "numpy": lambda: v[:3].cpu().numpy(), "deepcopy": lambda: __import__("copy").deepcopy(x), "print shape": lambda: f"{x.shape} {x.device}", "str": lambda: str(x[0, 0]), "big alloc": lambda: torch.empty(2**30, device="cuda", dtype=torch.uint8), "copy_ 2 streams": lambda: x.clone(), "nanmedian": lambda: x.nanmedian(), "quantile": lambda: x.quantile(0.5), "combinations": lambda: torch.combinations(v[:5]), "cdist": lambda: torch.cdist(x, x), "searchsorted": lambda: torch.searchsorted(v.sort()[0], v), "isin": lambda: torch.isin(v, v[:3]), "block_diag": lambda: torch.block_diag(x, x), "tril_indices": lambda: torch.tril_indices(4, 4, device="cuda"), "stack cpu": lambda: torch.tensor([x[0, 0], x[0, 1]]),
}
S = (x * mask).to_sparse()


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            call()
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return sum("called a synchronizing" in str(w.message) for w in caught)


def waited(call):
    torch.cuda.synchronize()
    torch.cuda._sleep(20_000_000)
    event.record()
    call()
    return event.query()


rows, agree = [], []
for name, call in ops.items():
    try:
        call(); call()
        w, n = warned(call), sum(waited(call) for _ in range(3))
        (agree if (w > 0) == (n == 3) and n in (0, 3) else rows).append([name, w, n])
    except Exception as e:
        torch.cuda.set_sync_debug_mode("default")
        rows.append([name, repr(e)[:160]])
print(json.dumps({"case": "debug_mode_disagree_name_warnings_waited_of_3", "rows": rows}))
print(json.dumps({"case": "debug_mode_agree", "rows": agree}))
