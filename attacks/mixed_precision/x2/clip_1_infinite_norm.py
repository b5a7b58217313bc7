"""
Page: docs/amp/clipping.md
Sentence: "If a gradient is infinite, `clip_grad_norm_` leaves all gradients as they are, so the
finite ones stay usable."

Attack: one element of one gradient is infinite (or NaN), and `clip_grad_norm_` runs with each
norm_type, with and without foreach, and after `unscale_` as the page recommends. The coefficient
should be max_norm / inf = 0 (or NaN), so the finite gradients should become zero (or NaN).

Refuted if any gradient that was finite differs after `clip_grad_norm_`.
"""

import torch
from torch.nn.utils import clip_grad_norm_

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rows = []
for bad in (torch.inf, -torch.inf, torch.nan):
    for norm_type in (2.0, 1.0, torch.inf):
        for foreach in (None, True, False):
            torch.manual_seed(0)
            model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            scaler = torch.amp.GradScaler(device.type)
            with torch.autocast(device.type, torch.float16):
                loss = model(torch.randn(16, 8, device=device)).float().square().mean()
            scaler.scale(loss).backward()
            model[0].weight.grad[0, 0] = bad
            scaler.unscale_(optimizer)
            parameters = [*model.parameters()]
            before = torch.cat([p.grad.flatten().clone() for p in parameters])
            norm = clip_grad_norm_(parameters, 1e6, norm_type=norm_type, foreach=foreach)
            after = torch.cat([p.grad.flatten() for p in parameters])
            finite = before.isfinite()
            rows.append({
                "bad": bad, "norm_type": norm_type, "foreach": foreach, "norm": norm.item(),
                "finite_before": finite.sum().item(),
                "changed": (after[finite] != before[finite]).sum().item(),
                "now_zero": (after[finite] == 0).sum().item(),
                "now_nan": after[finite].isnan().sum().item(),
            })
            print(rows[-1])

changed = [row for row in rows if row["changed"]]
if changed:
    print(f"REFUTED: in {len(changed)} of {len(rows)} cases finite gradients were changed, e.g. {changed[0]}")
else:
    print(f"NOT REFUTED: {len(rows)} cases (inf, -inf, NaN; three norms; foreach on and off) left finite gradients alone")
