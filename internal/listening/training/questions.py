"""Fits the classifier of questions to the interviewer, and prints how well it does.

    go run ./internal/listening/training/questions > questions.json
    python3 internal/listening/training/questions.py questions.json questionweights.bin

Needs Debian's python3-torch and python3-numpy.
"""
import json, struct, sys
import numpy as np, torch

BUCKETS = 1 << 13
KINDS = "why meaning which examples repeat progress agenda memory who human reader result rules choose beyond social lookup".split()
torch.manual_seed(1)
torch.set_num_threads(1)
rows = [json.loads(line) for line in open(sys.argv[1])]


def batch(list):
    """Returns the inputs of list as a matrix whose rows have length 1, and the kinds."""
    x = torch.zeros(len(list), BUCKETS)
    for i, r in enumerate(list):
        x[i, r["x"]] = 1 / max(len(r["x"]), 1) ** 0.5
    return x, torch.tensor([r["kind"] for r in list])


x, y = batch([r for r in rows if not r["held"]])
layer = torch.nn.Linear(BUCKETS, len(KINDS))
torch.nn.init.zeros_(layer.weight)
optimizer = torch.optim.AdamW(layer.parameters(), lr=0.05, weight_decay=0.02)
for step in range(120):
    kept = torch.nn.functional.dropout(x, 0.3)
    loss = torch.nn.functional.cross_entropy(layer(kept), y, label_smoothing=0.05)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weight = layer.weight.detach().T.contiguous()
scale = float(weight.abs().max()) / 127
small = torch.round(weight / scale).clamp(-127, 127)
for lang in ("en", "de"):
    held = [r for r in rows if r["held"] and r["lang"] == lang]
    hx, hy = batch(held)
    p = torch.softmax(hx @ (small * scale) + layer.bias.detach(), 1)
    sure, kind = p.max(1)
    right = (kind == hy).float()
    print(f"{lang}: {right.mean():.3f} of {len(held)} right; of the {(sure > 0.5).sum()} surest {right[sure > 0.5].mean():.3f}")
    for k, name in enumerate(KINDS):
        print(f"  {name} {right[hy == k].mean():.2f}", end="")
    print()
with open(sys.argv[2], "wb") as out:
    out.write(struct.pack("<f", scale))
    out.write(layer.bias.detach().numpy().astype("<f4").tobytes())
    out.write(small.numpy().astype(np.int8).tobytes())
