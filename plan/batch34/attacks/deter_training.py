"""Attack: 'seed and switch repeat a training' with other layers, layouts and a busy second stream."""
import torch
from torch import nn
torch.use_deterministic_algorithms(True)
def lstm(): return nn.LSTM(64, 64, 2, batch_first=True, dropout=0.1).cuda(), torch.randn(16, 128, 64, device="cuda")
def conv(): return nn.Sequential(nn.Conv2d(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.ConvTranspose2d(32, 8, 3, 2)).cuda().to(memory_format=torch.channels_last), torch.randn(8, 3, 64, 64, device="cuda").to(memory_format=torch.channels_last)
def former(): return nn.TransformerEncoder(nn.TransformerEncoderLayer(128, 4, 512, batch_first=True), 2).cuda(), torch.randn(8, 512, 128, device="cuda")
def embed(): return nn.Sequential(nn.Embedding(50, 64), nn.Linear(64, 64)).cuda(), torch.randint(50, (64, 512), device="cuda")
def group(): return nn.Sequential(nn.Conv3d(4, 8, 3), nn.GroupNorm(2, 8), nn.Conv3d(8, 8, 3, groups=8)).cuda(), torch.randn(2, 4, 16, 32, 32, device="cuda")
side = torch.cuda.Stream(); noise = torch.randn(2048, 2048, device="cuda")
def run(make, busy, half):
    torch.manual_seed(0)
    model, x = make()
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(5):
        if busy:
            with torch.cuda.stream(side):
                for _ in range(4): noise @ noise
        with torch.autocast("cuda", torch.bfloat16, enabled=half):
            y = model(x)
        y = y[0] if isinstance(y, tuple) else y
        optimizer.zero_grad(); y.float().square().mean().backward(); optimizer.step()
    return [p.detach().clone() for p in model.parameters()]
bad = []
for make in (lstm, conv, former, embed, group):
    for half in (False, True):
        try:
            first = run(make, False, half)
            for busy in (False, True, True):
                if not all(map(torch.equal, first, run(make, busy, half))): bad.append((make.__name__, half, busy))
        except RuntimeError as error:
            print(make.__name__, half, "raises", str(error)[:120])
print(("REFUTED " + str(bad)) if bad else "HOLDS")
