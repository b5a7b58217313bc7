"""
Page: docs/amp/formats.md (under "Range and precision")
Sentence: "The table gives powers of two: the first that is infinite, the first that is zero, and the
last number that one more still changes." (third column "counts to": 256 for BF16, 2048 for FP16,
16777216 for FP32)

Attack: take the numbers of the third column as the script finds them, and ask in each type whether
one more changes them; then search the integers around for the last number that one more still
changes, and the last power of two.

Refuted if the column's number is not changed by one more, or is neither the last integer nor the last
power of two that one more still changes.
"""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
TYPES = {"FP32": torch.float32, "FP16": torch.float16, "BF16": torch.bfloat16}
wrong = []
for name, dtype in TYPES.items():
    one = torch.ones((), device=device, dtype=dtype)
    value, steps = one.clone(), 0
    while value + 1 != value:  # as the page's script
        value, steps = value * 2, steps + 1
    column = 2**steps
    near = torch.arange(column - 16, column, device=device, dtype=torch.float64).to(dtype)
    changed = near[(near + one) != near]
    last_integer = int(changed.max().item())
    last_power = column // 2
    is_changed = bool((value + 1 != value).item())
    # a counter, one at a time, where that is quick
    counted = None
    if column <= 4096:
        counter = torch.zeros((), device=device, dtype=dtype)
        for _ in range(column + 20):
            counter = counter + 1
        counted = int(counter.item())
    print({"type": name, "column": column, "one_more_changes_it": is_changed, "last_integer_changed": last_integer,
           "last_power_changed": last_power, "a_counter_stops_at": counted})
    if not is_changed or column not in (last_integer, last_power):
        wrong.append(f"{name}: {column} + 1 == {column}, the last number that one more changes is {last_integer} (power of two: {last_power})")
if wrong:
    print("REFUTED: the column is the first number that one more does not change: " + "; ".join(wrong))
else:
    print("NOT REFUTED: for three types the column is the last number that one more still changes")
