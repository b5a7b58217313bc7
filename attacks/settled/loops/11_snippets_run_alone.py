"""The two opening snippets run alone in a fresh interpreter and print something sensible.

Expect: four lines "cuda:0 ..." and eight lines with numbers near 150. Refutes: an exception.
"""
import json
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
for name, last in (("a_prefetched_loader_hides_its_copies", "print(x.device"), ("a_result_can_be_read_one_late", "is {product.max")):
    text = (here / f"10_{name}.py").read_text().split('"""', 2)[2].splitlines()
    end = next(n for n, line in enumerate(text) if last in line)
    snippet = "\n".join(text[: end + 1])
    run = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True, timeout=60)
    print(json.dumps({"snippet": name, "rc": run.returncode, "out": run.stdout[:600], "err": run.stderr[-600:]}), flush=True)
