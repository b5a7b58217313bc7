"""docs/execution/late_errors.md: "Which mistakes are found late? Those in values that lie on the GPU. The host sees shapes, dtypes and sizes, but not the numbers in a tensor."
Attack: mistakes in values on the GPU that raise at their own line and leave the GPU usable: a singular matrix, one that is not positive definite,
a negative standard deviation, a wrong probability of a distribution, negative counts; behind a held stream.
Refuted if such a mistake raises at its own line and the GPU can be used afterwards."""
import torch

eye = torch.eye(3, device="cuda")
zero, minus = torch.zeros(3, 3, device="cuda"), -torch.ones(4, device="cuda")
print(torch.linalg.inv(eye).sum().item(), torch.linalg.cholesky(eye).sum().item())
CASES = {
    "linalg.inv, singular": lambda: torch.linalg.inv(zero),
    "linalg.solve, singular": lambda: torch.linalg.solve(zero, eye),
    "linalg.cholesky, not positive": lambda: torch.linalg.cholesky(-eye),
    "normal, negative deviation": lambda: torch.normal(0.0, minus),
    "Normal(0, -1)": lambda: torch.distributions.Normal(minus, minus),
    "Categorical(-1)": lambda: torch.distributions.Categorical(probs=minus),
    "bincount(-1)": lambda: torch.bincount(minus.long()),
    "one_hot(-1)": lambda: torch.nn.functional.one_hot(minus.long()),
}
at_once = []
for name, call in CASES.items():
    torch.cuda._sleep(20_000_000)
    raised = ""
    try:
        call()
    except Exception as error:
        raised = f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"
    try:
        usable = (eye + 1).sum().item() == 12
    except Exception as error:
        print(f"{name:32} {raised or 'silent'}; then the GPU failed: {str(error).splitlines()[0][:80]}")
        break
    print(f"{name:32} {raised or 'silent'}; usable {usable}")
    if raised and usable and "device-side" not in raised:
        at_once.append(name)
print(f"REFUTED: mistakes in values on the GPU that raise at their own line: {at_once}" if at_once else "NOT REFUTED: no value on the GPU was found at its own line")
