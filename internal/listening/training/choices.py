"""Fits how much each feature speaks for an option as the one that is meant.

    go run ./internal/listening/training/choices -encoder DIR > choices.json
    python3 internal/listening/training/choices.py choices.json internal/listening/choiceweights.go

Needs Debian's python3-torch. With meaning it fits on the dialogs that adapter.py keeps back: of
the others the encoder is surer than it may be. Prints how often the likeliest option is the one that is meant,
by fives of the training dialogs and on held-out ones: of all choices, and of those of which
no word is said.
"""
import json, sys, zlib, torch

torch.set_num_threads(1)
choices = [json.loads(l) for l in open(sys.argv[1])]
N = len(choices[0]["x"][0]); half = N // 2
MEANING = [k for k in range(N) if k % half >= 7]
own = lambda c: not any(c["x"][c["meant"]][k] for k in range(4))

def pack(cs, plain):
    K = max(len(c["x"]) for c in cs)
    X = torch.zeros(len(cs), K, N); M = torch.full((len(cs), K), -1e9)
    for i, c in enumerate(cs):
        X[i, :len(c["x"])] = torch.tensor(c["x"]); M[i, :len(c["x"])] = 0
    if plain: X[:, :, MEANING] = 0
    return X, M, torch.tensor([c["meant"] for c in cs])

def fit(cs, plain):
    X, M, Y = pack(cs, plain)
    w = torch.zeros(N, requires_grad=True)
    opt = torch.optim.LBFGS([w], max_iter=300)
    def step():
        opt.zero_grad(); loss = torch.nn.functional.cross_entropy(X @ w + M, Y) + 3e-3 * (w * w).sum(); loss.backward(); return loss
    opt.step(step)
    return w.detach()

def tell(name, cs, p):
    Y = torch.tensor([c["meant"] for c in cs]); right = p.argmax(1) == Y; top = p.max(1)[0]
    new = torch.tensor([own(c) for c in cs])
    line = f"{name}: right {right.float().mean():.3f} of {len(cs)}; not said {right[new].float().mean():.3f} of {new.sum()};"
    for t in (0.4, 0.45, 0.5, 0.6, 0.7):
        line += f" from {t}: {right[top >= t].float().mean():.2f} of {(top >= t).sum()} ({right[new & (top >= t)].float().mean():.2f} of {(new & (top >= t)).sum()});"
    print(line)

out = {}
langs = ("en", "de")
for name, plain in (("choiceWeights", False), ("choiceWeightsPlain", True)):
    train = [c for c in choices if not c["held"] and (plain or zlib.crc32(c["file"].encode()) % 6 == 0)]  # as in adapter.py
    fold = torch.tensor([zlib.crc32(c["file"].encode()) // 6 % 5 for c in train])
    X, M, Y = pack(train, plain); P = torch.zeros(M.shape)
    for k in range(5):
        w = fit([c for c, f in zip(train, fold) if f != k], plain)
        P[fold == k] = torch.softmax(X[fold == k] @ w + M[fold == k], 1)
    for lang in langs:
        at = [i for i, c in enumerate(train) if c["lang"] == lang]
        tell(f"{name} {lang}", [train[i] for i in at], P[at])
    w = out[name] = fit(train, plain)
    for lang in langs:
        held = [c for c in choices if c["held"] and c["lang"] == lang]
        if held:
            X, M, _ = pack(held, plain); tell(f"{name} {lang} held out", held, torch.softmax(X @ w + M, 1))

rows = lambda w: "".join(f"\t{v:.3f},\n" for v in w.tolist())
with open(sys.argv[2], "w") as f:
    f.write("package listening\n\n// What each feature of an option weighs; training/choices.py fits them on training dialogs.\nvar choiceWeights = [2 * choiceCount]float64{\n" + rows(out["choiceWeights"]) + "}\n\n")
    f.write("// The same without the encoder.\nvar choiceWeightsPlain = [2 * choiceCount]float64{\n" + rows(out["choiceWeightsPlain"]) + "}\n")
