"""Fits how much each feature speaks for a field as the one a value is of.

    go run ./internal/listening/training/fields -encoder DIR > fields.json
    python3 internal/listening/training/fields.py fields.json internal/listening/fieldweights.go

Needs Debian's python3-torch.
"""
import json, sys, torch

groups = [json.loads(l) for l in open(sys.argv[1])]
n = len(groups[0]["x"][0])
w = torch.zeros(n, requires_grad=True); b = torch.tensor(-2.0, requires_grad=True)
STAR, CHANGE = 11, 15
def free(g): return not any(x[STAR] for x in g["x"])
everything = groups
groups = [g for g in groups if free(g)]
train = [g for g in groups if not g["held"]]
print(len(train), "values that answer nothing asked, own field among candidates:", sum(g["own"] >= 0 for g in train))

def scores(g):
    return torch.cat([torch.tensor(g["x"]) @ w + b, torch.zeros(1)])

opt = torch.optim.Adam([w, b], lr=0.05)
K = max(len(g["x"]) for g in groups)
def pack(gs):
    X = torch.zeros(len(gs), K, n); M = torch.full((len(gs), K + 1), -1e9); Y = torch.zeros(len(gs), dtype=torch.long)
    for i, g in enumerate(gs):
        k = len(g["x"]); X[i, :k] = torch.tensor(g["x"]); M[i, :k] = 0; M[i, K] = 0
        Y[i] = K if g["own"] < 0 else g["own"]
    return X, M, Y
X, M, Y = pack(train)
for step in range(600):
    s = torch.cat([X @ w + b, torch.zeros(len(X), 1)], 1) + M
    loss = torch.nn.functional.cross_entropy(s, Y) + 1e-3 * (w * w).sum()
    opt.zero_grad(); loss.backward(); opt.step()
for lang in ("en", "de"):
    for held in (False, True):
        gs = [g for g in groups if g["lang"] == lang and g["held"] == held]
        if not gs: continue
        X, M, Y = pack(gs)
        with torch.no_grad():
            p = torch.softmax(torch.cat([X @ w + b, torch.zeros(len(X), 1)], 1) + M, 1)
        top, at = p.max(1)
        other = torch.tensor([g["other"] for g in gs])
        none = Y == K
        with torch.no_grad(): arg = (torch.cat([X @ w + b, torch.full((len(X), 1), -1e9)], 1) + M).argmax(1)
        has = Y != K
        print('   among candidates right', ((arg == Y) & has).sum().item(), 'of', has.sum().item())
        for t in (0, 0.5, 0.6, 0.7):
            said = (at != K) & (top >= t)
            right = said & (at == Y)
            print(f"{lang} held={held} t={t}: values {len(gs)} right {right.sum()/max(1,said.sum()):.3f} of {said.sum()}; of others found {(right & other).sum()/max(1,other.sum()):.3f} of {other.sum()}; nobody's taken {(said & none).sum()/max(1,none.sum()):.3f} of {none.sum()}")
print("loss", loss.item())
with open(sys.argv[2], "w") as f:
    f.write("package listening\n\n// What each feature weighs; training/fields.py fits them on the training dialogs.\nvar fieldWeights = [featCount]float64{\n")
    f.write("".join(f"\t{v:.3f},\n" for v in w.tolist()) + "}\n\n" + f"const fieldBias = {b.item():.3f}\n")
