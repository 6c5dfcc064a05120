"""Fits how much each feature speaks for a field as the one a value is of.

    go run ./internal/listening/training/fields -encoder DIR > fields.json
    python3 internal/listening/training/fields.py fields.json internal/listening/fieldweights.go

Needs Debian's python3-torch. It fits on the training dialogs that the asker was not trained
on: of the others it is surer than it may be. Prints how many values find their field there
and in the held-out dialogs.
"""
import json, sys, zlib, torch

torch.set_num_threads(1)
groups = [json.loads(l) for l in open(sys.argv[1])]
n = len(groups[0]["x"][0])
STAR = 11
asked = lambda g: any(x[STAR] for x in g["x"])
kept = lambda g: zlib.crc32(g["file"].encode()) % 6 == 0  # as in asker.py
groups = [g for g in groups if not asked(g)]
train = [g for g in groups if not g["held"] and kept(g)]
print(len(train), "values that answer nothing asked, own field among candidates:", sum(g["own"] >= 0 for g in train))
K = max(len(g["x"]) for g in groups)

def pack(gs):
    X = torch.zeros(len(gs), K, n); M = torch.full((len(gs), K + 1), -1e9); Y = torch.zeros(len(gs), dtype=torch.long)
    for i, g in enumerate(gs):
        k = len(g["x"]); X[i, :k] = torch.tensor(g["x"]); M[i, :k] = 0; M[i, K] = 0
        Y[i] = K if g["own"] < 0 else g["own"]
    return X, M, Y

def fit(gs):
    X, M, Y = pack(gs)
    w = torch.zeros(n, requires_grad=True); b = torch.tensor(-2.0, requires_grad=True)
    opt = torch.optim.LBFGS([w, b], max_iter=300)
    def step():
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(torch.cat([X @ w + b, torch.zeros(len(X), 1)], 1) + M, Y) + 1e-3 * (w * w).sum()
        loss.backward(); return loss
    opt.step(step)
    return w.detach(), b.detach()

def tell(name, gs, P, top):
    Y = torch.tensor([K if g["own"] < 0 else g["own"] for g in gs]); other = torch.tensor([g["other"] for g in gs]); none = Y == K
    changes = torch.tensor([g["changes"] for g in gs])
    print(f"{name}: among candidates right {((top == Y) & ~none).sum()} of {(~none).sum()}, of those that correct {((top == Y) & ~none & changes).sum()} of {(~none & changes).sum()}")
    sure, at = P.max(1)
    for t in (0.35, 0.5, 0.6, 0.7, 0.8):
        said = (at != K) & (sure >= t); right = said & (at == Y)
        print(f"   from {t}: right {right.sum() / max(1, said.sum()):.3f} of {said.sum()}; of others found {(right & other).sum() / max(1, other.sum()):.3f} of {other.sum()}; nobody's taken {(said & none).sum() / max(1, none.sum()):.3f} of {none.sum()}")

def apply(gs, w, b):
    X, M, _ = pack(gs)
    s = X @ w + b
    return torch.softmax(torch.cat([s, torch.zeros(len(X), 1)], 1) + M, 1), (s + M[:, :K]).argmax(1)

fold = torch.tensor([zlib.crc32(g["file"].encode()) // 6 % 5 for g in train])
P = torch.zeros(len(train), K + 1); top = torch.zeros(len(train), dtype=torch.long)
for k in range(5):
    w, b = fit([g for g, f in zip(train, fold) if f != k])
    P[fold == k], top[fold == k] = apply([g for g, f in zip(train, fold) if f == k], w, b)
for lang in ("en", "de"):
    at = [i for i, g in enumerate(train) if g["lang"] == lang]
    tell(f"{lang} by fives", [train[i] for i in at], P[at], top[at])
w, b = fit(train)
for lang in ("en", "de"):
    held = [g for g in groups if g["held"] and g["lang"] == lang]
    if held: tell(f"{lang} held out", held, *apply(held, w, b))
with open(sys.argv[2], "w") as f:
    f.write("package listening\n\n// What each feature weighs; training/fields.py fits them on the training dialogs.\nvar fieldWeights = [featCount]float64{\n")
    f.write("".join(f"\t{v:.3f},\n" for v in w.tolist()) + "}\n\n" + f"const fieldBias = {b.item():.3f}\n")
