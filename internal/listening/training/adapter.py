"""Trains what the text encoder learns to listen, and the model of fit on its states: which question
of an objective something that is said answers, and which option is meant.

    go run ./internal/listening/training/asker -pieces -encoder DIR -out OUT
    go run ./internal/listening/training/choices -pieces -encoder DIR > CHOICES
    python3 internal/listening/training/adapter.py DIR OUT CHOICES internal/listening/adapterweights.bin internal/listening/fitweights.bin [EPOCHS]

Needs Debian's python3-torch and python3-numpy, and libopenblas0, without which it takes fifteen
times as long; and weights.bin beside the weights to write, whose table of word parts it shares.
A step reads two objectives: all their questions, and some of what people said about them. One file
in six is kept back. What is printed of those: how often the own question is first among all of the
objective, and how many texts that answer another open question are noticed if 5, 10 or 15 of a
hundred that answer their own may be doubted.
"""
import collections, json, math, os, random, re, sys, time, zlib
import numpy as np, torch
from torch import nn
import torch.nn.functional as F
import fit
from asker import BUCKETS, TYPES, fold, says, stems, table
from encoder import Encoder, text_of, write
from fit import Fit

torch.manual_seed(1); random.seed(1); np.random.seed(1)
torch.set_num_threads(1)
RANK, TABLE_RANK, SAID, CHOICES = 16, 16, 28, 8  # numbers between the thin matrices; messages of an objective in a step, and choices
RATE, WARM = 1e-3, 0.15
AROUND, OPENING, START, LONGEST = 6, 3, 4, 20  # as in fit.go
OPEN = ("text", "list", "product")
HELD = 6  # of so many files one is kept back

def normal(x): return F.layer_norm(x, x.shape[-1:])
def unit(x): return F.normalize(normal(x), dim=-1)

def rows_of(lists):
    """Lists of numbers as a table, and which of it are there."""
    n = max(map(len, lists)); out, there = np.zeros((len(lists), n), np.int64), np.zeros((len(lists), n), np.float32)
    for i, l in enumerate(lists): out[i, :len(l)], there[i, :len(l)] = l, 1
    return torch.from_numpy(out), torch.from_numpy(there)

def means(h, lists):
    """The normalized means of some rows of h; zeros where there are none."""
    at, there = rows_of(lists)
    n = there.sum(1, keepdim=True)
    return normal((h[at] * there[..., None]).sum(1) / n.clamp(min=1)) * (n > 0)

class Data:
    def __init__(self, dir, table):
        load = lambda name: (json.loads(l) for l in open(f"{dir}/{name}.jsonl"))
        self.table, self.dialogs = table, list(load("dialogs"))
        for d in self.dialogs:
            d["kept"], d["said"] = zlib.crc32(d["name"].encode()) % HELD == 0, []
            for f in d["fields"]: self.read(f)
            d["share"] = collections.Counter(s for f in d["fields"] for s in f["stems"])
        self.said = []
        for m in load("messages"):
            if not 0 < len(m["in"]["tok"]) <= 120: continue
            xs = list(self.told(m))
            if xs: self.dialogs[m["d"]]["said"].append((text_of(m["in"]), xs))
            self.said += xs

    def parts(self, tokens):
        h = [x for t in tokens for x in t[4]] or [BUCKETS]
        return (self.table[torch.tensor(h)].sum(0) / math.sqrt(len(h))).numpy()

    def read(self, f):
        text, tok, label = (f["label"] + ". " + f["question"]).encode(), f["name"]["tok"], len(f["label"].encode())
        first = next((i for i, t in enumerate(tok) if t[0] >= label), 0)
        words, n = [fold(text[t[0]:t[1]].decode()) for t in tok], len(tok)
        f["stems"] = {w[:5] for w in words if says(w)} | stems(" ".join(f["options"] or []))
        f["text"] = text_of(f["name"])
        f["says"] = [i for i, w in enumerate(words) if says(w)] or list(range(n))
        f["ranges"] = [range(n), range(first), range(first, n), range(first, min(first + START, n))]
        f["parts"] = np.concatenate([self.parts(tok), self.parts(tok[first:first + OPENING])])
        f["name"] = None

    def told(self, m):
        tok, by = m["in"]["tok"], collections.defaultdict(list)
        for v in m["values"]: by[v["field"]].append(v)
        if not by: return
        inside, raw = lambda t, vs: any(t[0] < v["to"] and t[1] > v["from"] for v in vs), m["text"].encode()
        words = [fold(raw[t[0]:t[1]].decode("utf8", "ignore")) for t in tok]
        for k, vs in by.items():
            own = [i for i, t in enumerate(tok) if inside(t, vs)]
            if not own: continue
            near = [i for i, t in enumerate(tok) if (i in own or not inside(t, m["values"])) and min(abs(i - j) for j in own) <= AROUND]
            yield dict(d=m["d"], k=k, own=own, near=near, says=[i for i in near if says(words[i])] or near, stems={words[i][:5] for i in near if says(words[i])},
                parts=np.concatenate([self.parts([tok[i] for i in own]), self.parts([tok[i] for i in near]), [min(len(own), LONGEST) / 10, any(re.search(r"\d", words[i]) for i in own)]]).astype(np.float32))

def score(encoder, head, parts, has=None, more=()):
    """The scores of all fields of each objective for what is said about it: a table each. parts are
    an objective with some messages each. Also the means of what is said and of the questions, and
    the states of more texts."""
    texts = []
    for d, said in parts: texts += [f["text"] for f in d["fields"]] + [t for t, _ in said]
    h, at, out = encoder(texts + list(more)), 0, []
    for d, said in parts:
        fs, xs, own, near, speaks = d["fields"], [], [], [], []
        ranges, asks = [], []
        for f in fs:
            ranges += [[at + i for i in r] for r in f["ranges"]]; asks.append([at + i for i in f["says"]]); at += f["text"][1]
        for (_, n), of in said:
            for x in of:
                xs.append(x); own.append([at + i for i in x["own"]]); near.append([at + i for i in x["near"]]); speaks.append([at + i for i in x["says"]])
            at += n
        X, K = len(xs), len(fs)
        there = (torch.rand(X) > 0.2).float() if has is None else torch.full((X,), float(has))
        fmeans, xmeans = means(h, ranges).reshape(K, 4, -1), torch.stack([means(h, own), means(h, near)], 1)
        (a, am), (q, qm) = rows_of(speaks), rows_of(asks)
        a0, q0 = torch.unique(a), torch.unique(q)  # words, each once
        c = unit(h[a0]) @ unit(h[q0]).t()
        c = c[torch.searchsorted(a0, a)[:, :, None, None], torch.searchsorted(q0, q)[None, None]]  # said, its words, fields, their words
        away = -2 * (1 - am[:, :, None, None] * qm[None, None])
        both = c + away
        row, best = both.amax(3), both.amax(1)  # X A K, X K Q
        pair = [both.amax((1, 3)).clamp(min=0), (best * qm).sum(2) / qm.sum(1), (row * am[..., None]).sum(1) / am.sum(1)[:, None]]
        shared = torch.tensor([[sum(1 / math.sqrt(d["share"][s]) for s in x["stems"] & f["stems"]) for f in fs] for x in xs])
        pairs = torch.stack(pair + [shared, xmeans[:, 0] @ fmeans[:, 0].t() / 512], -1)
        of = torch.arange(X)[:, None].expand(X, K).flatten()
        put = lambda l: torch.tensor(np.array(l), dtype=torch.float32)
        each = lambda v: v[None].expand(X, *v.shape).flatten(0, 1)
        b = dict(of=of, has=there, means=xmeans, parts=put([x["parts"] for x in xs]), pairs=pairs.flatten(0, 1))
        fs_ = dict(fmeans=fmeans, there=put([[len(r) > 0 for r in f["ranges"]] for f in fs]), fparts=put([f["parts"] for f in fs]), kind=torch.tensor([f["type"] for f in fs]))
        out.append((xs, head(b, fs_, X, K), xmeans, fmeans))
    return out, h[at:]

class Choices:
    """The choices that people make in words of their own, from the training dialogs that are not kept back."""
    def __init__(self, path):
        self.all = [c for c in map(json.loads, open(path)) if not c["held"] and zlib.crc32(c["file"].encode()) % HELD and not any(c["x"][c["meant"]][k] for k in range(4))]
        for c in self.all:
            c["texts"] = [([np.array(p, np.int64).reshape(-1, 3) for p in t or [] if p], max((max(p[2::3]) for p in t or [] if p), default=0)) for t in [c["said"], c["near"]] + c["options"]]
        self.all = [c for c in self.all if all(n for _, n in c["texts"])]
        random.shuffle(self.all); self.at = 0

    def some(self, n):
        if self.at + n > len(self.all): random.shuffle(self.all); self.at = 0
        self.at += n
        return self.all[self.at - n:self.at]

def choice_loss(h, cs, scales):
    """How unlikely the options that are meant are by the cosines of mean states; h are the states of the choices' texts."""
    lists, at, loss = [], 0, 0
    for c in cs:
        for _, n in c["texts"]: lists.append(range(at, at + n)); at += n
    v, at = F.normalize(means(h, lists), dim=-1), 0
    for c in cs:
        n = len(c["texts"]); o = v[at + 2:at + n]
        loss = loss + F.cross_entropy(((o @ v[at]) * scales[1].exp() + (o @ v[at + 1]) * scales[2].exp())[None], torch.tensor([c["meant"]])); at += n
    return loss / len(cs)

def loss_of(out, scales):
    loss, n = 0, 0
    for xs, z, _, _ in out:
        y = torch.tensor([x["k"] for x in xs])
        one = F.one_hot(y, z.shape[1]).float()
        loss = loss + F.cross_entropy(z, y, reduction="sum") + 0.5 * F.binary_cross_entropy_with_logits(z, one, reduction="sum") / z.shape[1]
        n += len(xs)
    # what is said and the questions of all objectives at hand, by the cosine of their means
    f = F.normalize(torch.cat([o[3][:, 0] for o in out]), dim=-1)
    at = np.cumsum([0] + [o[3].shape[0] for o in out])
    y = torch.tensor([at[i] + x["k"] for i, o in enumerate(out) for x in o[0]])
    plain = sum(F.cross_entropy(scales[0].exp() * F.normalize(torch.cat([o[2][:, k] for o in out]), dim=-1) @ f.t(), y, reduction="sum") for k in range(2))
    return (loss + 0.2 * plain) / n

def scores_of(encoder, head, dialogs, has=True):
    """The scores of everything that is said about some objectives, by what is said."""
    encoder.eval(); head.eval(); out = {}
    with torch.no_grad():
        for d in dialogs:
            for i in range(0, len(d["said"]), 48):
                xs, z = score(encoder, head, [(d, d["said"][i:i + 48])], has)[0][0][:2]
                for x, s in zip(xs, z.numpy()): out[id(x)] = s
    return out

def tell(data, xs, scores):
    """How well what is said finds its question."""
    r, first, right, wrong, no = random.Random(3), collections.defaultdict(list), [], [], lambda s, k: s[k] - np.log(np.exp(np.delete(s, k)).sum())
    for x in xs:
        fields, s = data.dialogs[x["d"]]["fields"], scores[id(x)]
        kind = lambda k: TYPES[fields[k]["type"]]
        first[kind(x["k"])].append(s.argmax() == x["k"])
        others = [k for k in range(len(fields)) if k != x["k"] and kind(k) in OPEN]
        if kind(x["k"]) in OPEN and others:
            right.append(no(s, x["k"])); wrong.append(no(s, r.choice(others)))
    said = ", ".join(f"{k} {np.mean(first[k]):.2f} of {len(first[k])}" for k in ("text", "list", "choice", "place", "person", "count", "amount", "date") if first[k])
    noticed = "/".join(f"{np.mean(np.array(wrong) < np.quantile(right, q)):.2f}" for q in (0.05, 0.1, 0.15)) if right else ""
    return f"first {np.mean(sum(first.values(), [])):.3f} ({said}); noticed {noticed}"

def report(encoder, head, data, dev, plain=True):
    at = {x["d"] for x in dev}
    dialogs = [data.dialogs[i] for i in sorted(at)]
    scores = scores_of(encoder, head, dialogs)
    without = scores_of(encoder, head, dialogs, False) if plain else None
    for lang in ("en", "de"):
        for answers in (False, True):
            xs = [x for x in dev if data.dialogs[x["d"]]["lang"] == lang and data.dialogs[x["d"]]["answers"] == answers]
            if xs: print("  ", lang, "answers" if answers else "dialogs", tell(data, xs, scores), ("| without encoder " + tell(data, xs, without).split(" (")[0]) if plain else "", flush=True)

def groups(data, dialogs):
    """What is read in a step: parts of two objectives."""
    parts = []
    for d in dialogs:
        said = d["said"][:]; random.shuffle(said)
        n = max(1, round(len(said) / SAID))
        parts += [(d, said[i::n]) for i in range(n) if said[i::n]]
    random.shuffle(parts)
    return [parts[i:i + 2] for i in range(0, len(parts), 2)]

def examples(encoder, data, path):
    """Writes the beginning of the states of the words of some questions, for the Go program to be compared with."""
    out = []
    with torch.no_grad():
        for lang in ("en", "de"):
            for f in [d["fields"][0] for d in data.dialogs if d["lang"] == lang][:3]:
                out.append(dict(language=lang, text=f["label"] + ". " + f["question"], states=[[round(v, 5) for v in row[:8].tolist()] for row in encoder([f["text"]])]))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    json.dump(out, open(path, "w"), ensure_ascii=False, indent=1)

def main():
    weights, dir, choices, out, fitted = sys.argv[1:6]; epochs = float(sys.argv[6]) if len(sys.argv) > 6 else 5
    data, choices = Data(dir, table(os.path.dirname(os.path.abspath(fitted)) + "/weights.bin")), Choices(choices)
    dev = [x for x in data.said if data.dialogs[x["d"]]["kept"]]
    random.Random(2).shuffle(dev); dev = dev[:4000]
    train = [d for d in data.dialogs if not d["kept"] and d["said"]]
    encoder, head, scales = Encoder(weights, RANK, TABLE_RANK), Fit(), nn.Parameter(torch.tensor([2.5, 2.0, 2.0]))
    thin, rest = [], []
    for n, p in encoder.named_parameters(): (rest if "bias" in n or "scale" in n else thin).append(p)
    opt = torch.optim.AdamW([dict(params=thin, lr=RATE, weight_decay=0.01), dict(params=rest, lr=RATE / 2, weight_decay=0), dict(params=[*head.parameters()], lr=2 * RATE, weight_decay=0.02), dict(params=[scales], lr=RATE, weight_decay=0)])
    steps, each = int(epochs * len(groups(data, train))), len(groups(data, train))
    print(sum(len(d["said"]) for d in train), "messages,", len(choices.all), "choices,", sum(p.numel() for p in encoder.parameters()), "numbers learned by the encoder;", steps, "steps", flush=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, [g["lr"] for g in opt.param_groups], total_steps=steps + 2, pct_start=WARM)
    start, gs, sums = time.time(), [], np.zeros(2)
    for step in range(1, steps + 1):
        gs = gs or groups(data, train)
        encoder.train(); head.train()
        cs = choices.some(CHOICES)
        o, h = score(encoder, head, gs.pop(), more=[t for c in cs for t in c["texts"]])
        fits, chosen = loss_of(o, scales), choice_loss(h, cs, scales)
        opt.zero_grad(); (fits + 0.3 * chosen).backward(); nn.utils.clip_grad_norm_([*encoder.parameters(), *head.parameters()], 1.0); opt.step(); sched.step()
        sums += fits.item(), chosen.item()
        if step % 100 == 0: print(f"step {step}, loss of fit {sums[0] / 100:.3f}, of choices {sums[1] / 100:.3f}, {time.time() - start:.0f} s", flush=True); sums[:] = 0
        if step % each == 0 and step < steps: report(encoder, head, data, dev, False)
    write(encoder, out); fit.write(head, fitted)
    report(encoder, head, data, dev)
    examples(encoder.eval(), data, os.path.dirname(os.path.abspath(out)) + "/testdata/taught.json")

if __name__ == "__main__":
    main()
