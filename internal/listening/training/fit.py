"""Trains the model of fit: which question of an objective something that is said answers.

    go run ./internal/listening/training/asker -meanings -encoder DIR -out OUT
    python3 internal/listening/training/fit.py OUT internal/listening/fitweights.bin [EPOCHS]

Needs Debian's python3-torch and python3-numpy, and weights.bin beside the weights to write,
whose table of word parts it shares. One file in six is kept back. What is printed of those:
how often the own question is first among all of the objective, and how many texts that
answer another open question are noticed if 5, 10 or 15 of a hundred that answer their own
may be doubted.
"""
import collections, json, math, os, random, re, struct, sys, zlib
import numpy as np, torch
from torch import nn
import torch.nn.functional as F
from asker import BUCKETS, EMBED, FAMILY, TYPES, fold, says, stems, table

torch.manual_seed(1); random.seed(1); np.random.seed(1)
torch.set_num_threads(1)
STATE, TOWER, KIND, PAIR, HIDDEN = 64, 96, 12, 5, 64
AROUND, OPENING, START, LONGEST = 6, 3, 4, 20
OPEN = ("text", "list", "product")
HELD = 6  # of so many files one is kept back

def normal(x): return ((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)).astype(np.float32)
def units(x): x = normal(x); return x / np.linalg.norm(x, axis=-1, keepdims=True)

class Data:
    def __init__(self, dir, table):
        load = lambda name: (json.loads(l) for l in open(f"{dir}/{name}.jsonl"))
        self.rows, self.table = np.memmap(dir + "/states.bin", dtype="<u2", mode="r").reshape(-1, 512), table
        self.dialogs = list(load("dialogs"))
        for d in self.dialogs:
            d["kept"] = zlib.crc32(d["name"].encode()) % HELD == 0
            for f in d["fields"]: self.read(f)
            d["share"] = collections.Counter(s for f in d["fields"] for s in f["stems"])
        self.said = [x for m in load("messages") if 0 < len(m["in"]["tok"]) <= 120 for x in self.told(m)]

    def states(self, at, n): return (np.array(self.rows[at:at + n]).astype(np.uint32) << 16).view(np.float32).reshape(n, 512)

    def parts(self, tokens):
        h = [x for t in tokens for x in t[4]] or [BUCKETS]
        return (self.table[torch.tensor(h)].sum(0) / math.sqrt(len(h))).numpy()

    def read(self, f):
        text, tok = (f["label"] + ". " + f["question"]).encode(), f["name"]["tok"]
        states, label = self.states(f["name"]["state"], len(tok)), len(f["label"].encode())
        first = next((i for i, t in enumerate(tok) if t[0] >= label), 0)
        words = [fold(text[t[0]:t[1]].decode()) for t in tok]
        f["stems"] = {w[:5] for w in words if says(w)} | stems(" ".join(f["options"] or []))
        f["units"] = units(states[[i for i, w in enumerate(words) if says(w)] or list(range(len(tok)))])
        mean = lambda a, b: normal(states[a:b].mean(0)) if a < b else np.zeros(512, np.float32)
        f["means"] = np.stack([mean(0, len(tok)), mean(0, first), mean(first, len(tok)), mean(first, min(first + START, len(tok)))])
        f["there"] = np.array([1, first > 0, 1, 1], np.float32)
        f["parts"] = np.concatenate([self.parts(tok), self.parts(tok[first:first + OPENING])])

    def told(self, m):
        """What a message tells, a field each."""
        tok, by = m["in"]["tok"], collections.defaultdict(list)
        for v in m["values"]: by[v["field"]].append(v)
        if not by: return
        inside = lambda t, vs: any(t[0] < v["to"] and t[1] > v["from"] for v in vs)
        states, raw = self.states(m["in"]["state"], len(tok)), m["text"].encode()
        words = [fold(raw[t[0]:t[1]].decode("utf8", "ignore")) for t in tok]
        for k, vs in by.items():
            own = [i for i, t in enumerate(tok) if inside(t, vs)]
            if not own: continue
            near = [i for i, t in enumerate(tok) if (i in own or not inside(t, m["values"])) and min(abs(i - j) for j in own) <= AROUND]
            yield dict(d=m["d"], k=k, asked=m["asked"] == k, text=raw[tok[own[0]][0]:tok[own[-1]][1]].decode("utf8", "ignore"),
                means=np.stack([normal(states[own].mean(0)), normal(states[near].mean(0))]), units=units(states[[i for i in near if says(words[i])] or near]),
                parts=np.concatenate([self.parts([tok[i] for i in own]), self.parts([tok[i] for i in near]), [min(len(own), LONGEST) / 10, any(re.search(r"\d", words[i]) for i in own)]]),
                stems={words[i][:5] for i in near if says(words[i])}, pairs={})

    def pair(self, x, k):
        """What is said and question k have in common: with of fit.go."""
        if k not in x["pairs"]:
            d = self.dialogs[x["d"]]; f = d["fields"][k]
            c = x["units"] @ f["units"].T
            x["pairs"][k] = [max(0, c.max()), c.max(0).mean(), c.max(1).mean(), sum(1 / math.sqrt(d["share"][s]) for s in x["stems"] & f["stems"]), float(x["means"][0] @ f["means"][0]) / 512]
        return x["pairs"][k]

class Fit(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = nn.Embedding(23, KIND)
        self.asks, self.answers = nn.Linear(512, STATE), nn.Linear(512, STATE)
        self.said, self.field = nn.Linear(2 * STATE + 2 * EMBED + 2, TOWER), nn.Linear(4 * STATE + 2 * EMBED + KIND, TOWER)
        self.both, self.out, self.drop = nn.Linear(3 * TOWER + KIND + PAIR, HIDDEN), nn.Linear(HIDDEN, 1), nn.Dropout(0.3)

    def forward(self, b):
        of, has, drop = b["of"], b["has"], self.drop
        a = torch.tanh(self.answers(drop(b["means"]))) * has[:, None, None]
        a = torch.tanh(self.said(drop(torch.cat([a.flatten(1), b["parts"]], -1))))[of]
        kind = self.kind(b["kind"])
        q = torch.tanh(self.asks(drop(b["fmeans"]))) * (b["there"] * has[of][:, None])[..., None]
        q = torch.tanh(self.field(drop(torch.cat([q.flatten(1), b["fparts"], kind], -1))))
        pairs = b["pairs"] * torch.where(torch.arange(PAIR) == 3, 1.0, has[of][:, None])
        return self.out(drop(torch.relu(self.both(drop(torch.cat([a * q, a, q, kind, pairs], -1)))))).squeeze(-1)

def batch(data, xs, train, encoder=True):
    of, ks = [], []
    for i, x in enumerate(xs):
        fields = data.dialogs[x["d"]]["fields"]
        family = lambda k: FAMILY.get(TYPES[fields[k]["type"]])
        rest = [k for k in range(len(fields)) if k != x["k"]]
        if train:
            random.shuffle(rest)
            like = [k for k in rest if family(k) == family(x["k"])]
            rest = list(dict.fromkeys(like[:6] + rest[:3]))
        of += [i] * (len(rest) + 1); ks += [x["k"]] + rest
    fs = [data.dialogs[xs[i]["d"]]["fields"][k] for i, k in zip(of, ks)]
    put = lambda l: torch.tensor(np.array(l), dtype=torch.float32)
    has = (torch.rand(len(xs)) > 0.2).float() if train else torch.full((len(xs),), float(encoder))
    return dict(of=torch.tensor(of), ks=ks, has=has, means=put([x["means"] for x in xs]), parts=put([x["parts"] for x in xs]), kind=torch.tensor([f["type"] for f in fs]),
        fmeans=put([f["means"] for f in fs]), there=put([f["there"] for f in fs]), fparts=put([f["parts"] for f in fs]), pairs=put([data.pair(xs[i], k) for i, k in zip(of, ks)]), own=torch.tensor([k == xs[i]["k"] for i, k in zip(of, ks)]))

def loss_of(model, b):
    z, n = model(b), len(b["has"])
    top = torch.full((n,), -1e9).scatter_reduce(0, b["of"], z.detach(), "amax")
    whole = torch.zeros(n).scatter_add(0, b["of"], torch.exp(z - top[b["of"]])).log() + top
    return (whole - z[b["own"]]).mean() + 0.5 * F.binary_cross_entropy_with_logits(z, b["own"].float())

def evaluate(model, data, xs, encoder=True):
    model.eval()
    r, first, right, wrong, no = random.Random(3), collections.defaultdict(list), [], [], lambda s, k: s[k] - np.log(np.exp(np.delete(s, k)).sum())
    with torch.no_grad():
        for i in range(0, len(xs), 32):
            b = batch(data, xs[i:i + 32], False, encoder); z, of, ks = model(b).numpy(), b["of"].numpy(), np.array(b["ks"])
            for j, x in enumerate(xs[i:i + 32]):
                fields = data.dialogs[x["d"]]["fields"]
                s = np.zeros(len(fields)); s[ks[of == j]] = z[of == j]
                kind = lambda k: TYPES[fields[k]["type"]]
                first[kind(x["k"])].append(s.argmax() == x["k"])
                others = [k for k in range(len(fields)) if k != x["k"] and kind(k) in OPEN]
                if kind(x["k"]) in OPEN and others:
                    right.append(no(s, x["k"])); wrong.append(no(s, r.choice(others)))
    said = ", ".join(f"{k} {np.mean(first[k]):.2f} of {len(first[k])}" for k in ("text", "list", "choice", "place", "person", "count", "amount", "date") if first[k])
    noticed = "/".join(f"{np.mean(np.array(wrong) < np.quantile(right, q)):.2f}" for q in (0.05, 0.1, 0.15)) if right else ""
    return f"first {np.mean(sum(first.values(), [])):.3f} ({said}); noticed {noticed}"

def write(model, path):
    with open(path, "wb") as f:
        def put(w):
            w = w.detach().numpy(); w = w[:, None] if w.ndim == 1 else w
            scale = np.abs(w).max(1) / 127; scale[scale == 0] = 1
            f.write(struct.pack("<II", *w.shape) + scale.astype("<f4").tobytes() + np.clip(np.round(w / scale[:, None]), -127, 127).astype(np.int8).tobytes())
        put(model.kind.weight)
        for l in (model.asks, model.answers, model.said, model.field, model.both, model.out): put(l.weight); put(l.bias)

def main():
    out, epochs = sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 8
    data = Data(sys.argv[1], table(os.path.dirname(os.path.abspath(out)) + "/weights.bin"))
    kept = lambda x: data.dialogs[x["d"]]["kept"]
    train, dev = [x for x in data.said if not kept(x)], [x for x in data.said if kept(x)]
    random.Random(2).shuffle(dev); dev = dev[:4000]
    model = Fit()
    print(len(train), "to train on,", sum(p.numel() for p in model.parameters()), "numbers", flush=True)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=epochs * (len(train) // 48 + 1) + 5)
    for epoch in range(epochs):
        model.train(); random.shuffle(train); total = 0
        for i in range(0, len(train), 48):
            loss = loss_of(model, batch(data, train[i:i + 48], True))
            opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(model.parameters(), 1.0); opt.step(); sched.step()
            total += loss.item()
        print(f"epoch {epoch + 1}, loss {total / len(train) * 48:.3f}", flush=True)
        if epoch % 2 == 1 or epoch == epochs - 1:
            for lang in ("en", "de"):
                for answers in (False, True):
                    xs = [x for x in dev if data.dialogs[x["d"]]["lang"] == lang and data.dialogs[x["d"]]["answers"] == answers]
                    if xs: print("  ", lang, "answers" if answers else "dialogs", evaluate(model, data, xs), "| without encoder", evaluate(model, data, xs, False).split(" (")[0], flush=True)
        write(model, out)

if __name__ == "__main__":
    main()
