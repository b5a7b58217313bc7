"""Attack: 'a seeded loader repeats with the same number of workers' with persistent workers, prefetching and an unequal pace."""
import random, time, torch
from torch.utils.data import DataLoader, Dataset
class Slow(Dataset):
    def __len__(self): return 24
    def __getitem__(self, i):
        time.sleep(random.Random().random() * 0.02)
        return i, torch.rand(1).item(), random.random()
bad = []
for options in ({}, {"persistent_workers": True}, {"prefetch_factor": 5}, {"multiprocessing_context": "spawn"}):
    if options.get("multiprocessing_context"): continue  # the class stands in __main__
    def epochs():
        loader = DataLoader(Slow(), batch_size=3, shuffle=True, num_workers=3, generator=torch.Generator().manual_seed(0), **options)
        return [[[x.tolist() for x in b] for b in loader] for _ in range(2)]
    if epochs() != epochs(): bad.append(options)
print(("REFUTED " + str(bad)) if bad else "HOLDS", "(in_order=False is left out: the page says that it varies)")
