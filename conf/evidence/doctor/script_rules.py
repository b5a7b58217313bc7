"""The hazards of the site that a script's text shows, one function each, by its finding's name.

Each gives the lines where it is sure; what it is not sure of, it leaves alone. The script is
parsed, and never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from evidence.doctor.report import Found, Unread
from evidence.doctor.script_tree import (
    Tree,
    argument,
    calls,
    last,
    name,
    names,
    says,
    targets,
    without_waiting,
)

#: The rules by the name of their finding.
RULES: dict[str, Callable[[Tree], Iterator[int]]] = {}
_ON_GPU = re.compile(r"cuda(:0)?")
_MATMULS = ("mm", "matmul", "bmm", "addmm", "linear", "conv2d")
_FACTORIES = ("randn", "rand", "zeros", "ones", "empty", "tensor", "randint", "full", "arange")
_READS = ("item", "tolist", "numpy", "sum", "mean", "max", "min", "allclose", "equal")
_PRINTS = ("print", "float", "int", "list")


def rule(finding: str) -> Callable[[Callable[[Tree], Iterator[int]]], None]:
    """Register a rule."""
    return lambda function: RULES.__setitem__(finding, function)


def read(path: Path) -> list[Found | Unread]:
    """What the rules find in a script."""
    try:
        return find(path.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError, RecursionError) as error:
        return [Unread(f"{path} cannot be read: {error}", essential=True)]


def find(source: str) -> list[Found | Unread]:
    """What the rules find in the text of a script.

    :raises SyntaxError: when it is no Python
    """
    tree = Tree(source)
    if not tree.uses_cuda:
        return []
    lines = {finding: sorted(set(rule(tree))) for finding, rule in RULES.items()}
    return [Found(finding, {}, where) for finding, where in lines.items() if where]


@rule("read-in-a-loop")
def _(tree: Tree) -> Iterator[int]:
    for call in calls(tree.root):
        loop = tree.step(call)
        if loop is None or without_waiting(call):
            continue
        losses = {n for c in calls(loop, "backward") for n in _losses(c.func)}
        method, root = last(call), name(call).partition(".")[0]
        if (method == "item" and root not in ("np", "numpy")) or (
            method in ("cpu", "tolist") and tree.trains(loop) and isinstance(call.func, ast.Attribute)
        ):
            yield call.lineno
        elif name(call) in ("print", "float") and any(
            losses & {name(n)}
            for given in call.args
            for n in (given, *(v.value for v in ast.walk(given) if isinstance(v, ast.FormattedValue)))
        ):
            yield call.lineno


def _losses(method: ast.expr) -> set[str]:
    """The names of what ``backward`` is called on: a loss, or those that a scaler scales."""
    owner = method.value if isinstance(method, ast.Attribute) else method
    within = owner.args if isinstance(owner, ast.Call) else [owner]
    return set(map(name, within)) - {""}


@rule("pinned-buffer-is-reused")
def _(tree: Tree) -> Iterator[int]:
    pinned = tree.made_by("pin_memory")
    for node in tree.assigned:
        if isinstance(node.value, ast.Call) and says(node.value, "pin_memory", True):
            pinned |= targets(node) if last(node.value) in _FACTORIES else set()
    for loop in tree.loops:
        if tree.waits(loop) or any(isinstance(n, (ast.If, ast.Break)) for n in ast.walk(loop)):
            continue
        sent = {
            n
            for call in calls(loop, "copy_", "to", "cuda")
            if without_waiting(call)
            for n in (name(call).rpartition(".")[0], *map(name, call.args[:1]))
        }
        made = {t for n in ast.walk(loop) for t in targets(n)}
        for buffer in (pinned & sent) - made:
            yield from (s.lineno for s in ast.walk(loop) if _writes(s, buffer))


def _writes(node: ast.AST, buffer: str) -> bool:
    """Whether a statement of the host fills a buffer."""
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Subscript) and name(t.value) == buffer for t in node.targets)
    if not isinstance(node, ast.Call) or without_waiting(node):
        return False
    owner, _, method = name(node).rpartition(".")
    return owner == buffer and method.endswith("_") and not method.startswith("_")


@rule("read-before-it-arrives")
def _(tree: Tree) -> Iterator[int]:
    pinned = tree.made_by("pin_memory")
    for body in tree.bodies():
        early: set[str] = set()
        for statement in body:
            host = {
                t
                for t in targets(statement)
                for call in calls(statement, "to")
                if without_waiting(call) and any(_is(a, "cpu") for a in call.args)
            }
            copies = [c for c in calls(statement, "copy_") if without_waiting(c)]
            host |= {name(c).rpartition(".")[0] for c in copies} & pinned
            reads = [c for c in calls(statement) if _reads(c, early)]
            if reads:
                yield reads[0].lineno
            if reads or tree.waits(statement):
                early = set()
            early |= host


def _reads(call: ast.Call, host: set[str]) -> bool:
    """Whether a call reads one of these tensors on the host."""
    owner, _, method = name(call).rpartition(".")
    given = {name(a) for a in call.args}
    return (owner in host and method in _READS) or (
        bool(given & host) and (method in _PRINTS or owner in ("np", "numpy"))
    )


def _is(node: ast.AST | None, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text


def scalers(tree: Tree) -> list[ast.Call]:
    """The scalers that are made, and are on for all that the text shows."""
    return [c for c in calls(tree.root, "GradScaler") if argument(c, "enabled") is None]


@rule("scaler-for-bf16")
def _(tree: Tree) -> Iterator[int]:
    types = {argument(c, "dtype") for c in calls(tree.root, "autocast")}
    in_bf16 = bool(types) and all(name(dtype) == "torch.bfloat16" for dtype in types)
    recurrent = calls(tree.root, "LSTM", "GRU", "RNN", "LSTMCell", "GRUCell")
    if in_bf16 and not recurrent and not re.search(r"float16|half\(", tree.source.replace("bfloat16", "")):
        yield from (call.lineno for call in scalers(tree))


@rule("clipped-while-scaled")
def _(tree: Tree) -> Iterator[int]:
    if not scalers(tree):
        return
    for scope in tree.scopes():
        own = tree.own(scope)
        scaled = [c for c in own if re.search(r"scaler\.scale$", name(c))]
        whole = [c.lineno for c in calls(tree.root, "unscale_")]
        for clip in (c for c in own if last(c) in ("clip_grad_norm_", "clip_grad_value_")):
            in_time = [line for line in whole if line < clip.lineno]
            if scaled and not in_time and not re.search("scale", ast.unparse(clip)):
                yield clip.lineno


@rule("cache-is-emptied-in-a-loop")
def _(tree: Tree) -> Iterator[int]:
    yield from (c.lineno for c in calls(tree.root, "empty_cache") if tree.step(c))


@rule("device-is-set-late")
def _(tree: Tree) -> Iterator[int]:
    for scope in tree.scopes():
        own = tree.own(scope)
        late = [c for c in own if name(c) in ("torch.cuda.set_device", "cuda.set_device")]
        early = [c for c in own if _opens_the_first(c)]
        for call in late:
            sets_first = any(isinstance(a, ast.Constant) and a.value == 0 for a in call.args)
            if not sets_first and any(e.end_lineno < call.lineno for e in early):  # type: ignore[operator]
                yield call.lineno


def _opens_the_first(call: ast.Call) -> bool:
    """Whether a call works on the current GPU, which is the first until another is set."""
    given = [*call.args[:1], argument(call, "device")]
    texts = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    on_gpu = last(call) in ("to", "cuda", *_FACTORIES) and any(map(_ON_GPU.fullmatch, texts))
    bare = isinstance(call.func, ast.Attribute) and last(call) in ("cuda", "pin_memory")
    return on_gpu or (bare and not call.args and not call.keywords)


@rule("old-names-of-amp")
def _(tree: Tree) -> Iterator[int]:
    for node in ast.walk(tree.root):
        if isinstance(node, ast.ImportFrom) and node.module == "torch.cuda.amp":
            yield node.lineno
        if isinstance(node, ast.Call) and name(node).startswith("torch.cuda.amp."):
            yield node.lineno


@rule("backward-in-the-block")
def _(tree: Tree) -> Iterator[int]:
    blocks = [c for b in tree.blocks for i in b.items for c in calls(i, "autocast")]
    if not any(says(c, "enabled", False) for c in blocks):
        return
    for call in calls(tree.root, "backward"):
        around = [n for n in tree.above(call) if n in tree.blocks]
        casts = [c for b in around for i in b.items for c in calls(i, "autocast")]  # type: ignore[attr-defined]
        if casts and not says(casts[0], "enabled", False):
            yield call.lineno


@rule("timed-without-a-wait")
def _(tree: Tree) -> Iterator[int]:
    models = tree.made_by("to", "cuda", "compile")
    for body in tree.bodies():
        begun: dict[str, int] = {}
        for index, statement in enumerate(body):
            clock = isinstance(statement, ast.Assign) and _reads_clock(statement.value)
            stops = [
                n.right.id
                for n in ast.walk(statement)
                if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub)
                and _reads_clock(n.left) and isinstance(n.right, ast.Name)
            ]
            for start in stops:
                timed = body[begun.get(start, index) + 1 : index]
                works = any(_launches(part, models) for part in timed)
                if works and not any(map(tree.waits, timed)):
                    yield statement.lineno
            begun |= dict.fromkeys(targets(statement) if clock else (), index)


def _reads_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(
        re.fullmatch(r"(time\.)?(time|perf_counter|monotonic)", name(node))
    )


def _launches(node: ast.AST, models: set[str]) -> bool:
    """Whether a statement surely runs work on the GPU: a matmul, a model that was moved."""
    products = (isinstance(n, ast.BinOp) and isinstance(n.op, ast.MatMult) for n in ast.walk(node))
    return any(products) or any(
        name(c) in models or last(c) == "backward" or name(c) in {f"torch.{m}" for m in _MATMULS}
        for c in calls(node)
    )


@rule("copy-is-not-kept")
def _(tree: Tree) -> Iterator[int]:
    tensors = {t for f in tree.assigned if isinstance(f.value, ast.Call)
               and name(f.value) in {f"torch.{m}" for m in _FACTORIES} for t in targets(f)}
    for loop in tree.loops:
        if isinstance(loop, ast.For) and re.search("load|batch", ast.unparse(loop.iter)):
            tensors |= names(loop.target)
    for node in ast.walk(tree.root):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            owner, _, method = name(node.value).rpartition(".")
            if owner in tensors and method in ("to", "cuda"):
                yield node.lineno


@rule("same-order-in-each-epoch")
def _(tree: Tree) -> Iterator[int]:
    epochs = any(isinstance(loop, ast.For) and "epoch" in names(loop.target) for loop in tree.loops)
    if epochs and "set_epoch" not in tree.source:
        for call in calls(tree.root, "DistributedSampler"):
            if not says(call, "shuffle", False):
                yield call.lineno


@rule("optimizer-before-sharding")
def _(tree: Tree) -> Iterator[int]:
    for scope in tree.scopes():
        own = tree.own(scope)
        for call in own:
            model = re.fullmatch(r"(\w+)\.parameters", name(call))
            made = tree.parents[call]
            sharded = [s for s in own if last(s) == "fully_shard" and s.lineno > call.lineno]
            is_optimizer = isinstance(made, ast.Call) and "optim" in name(made)
            if model and is_optimizer and any(model[1] == name(s.args[0]) for s in sharded if s.args):
                yield call.lineno


@rule("variable-is-set-late")
def _(tree: Tree) -> Iterator[int]:
    asks = ("is_available", "device_count", "get_device_name", "current_device", "init", "cuda")
    for body in tree.bodies():
        asked = False
        for statement in body:
            texts = [n for n in ast.walk(statement) if _is(n, "CUDA_VISIBLE_DEVICES")]
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            sets = isinstance(target, ast.Subscript) and name(target.value).endswith("environ")
            if asked and texts and sets:
                yield statement.lineno
            plain = isinstance(statement, (ast.Assign, ast.Expr, ast.Assert))
            found = [c for c in calls(statement, *asks) if plain]
            asked |= any(name(c).startswith("torch.cuda.") for c in found) or any(map(_opens_the_first, calls(statement) if plain else ()))
