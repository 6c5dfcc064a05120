"""Trains the asker: which words of a message tell which field, whatever was asked.

    go run ./internal/listening/training/asker -encoder DIR -out OUT
    python3 internal/listening/training/asker.py OUT internal/listening/askerweights.bin [EPOCHS]

Needs Debian's python3-torch and python3-numpy, and weights.bin beside the weights to write,
whose table of word parts it shares. One dialog in six is kept back, as fields.py fits the
linker on those; how well it does on them is printed after each epoch: AP is the average
precision of "this message tells that field, here", over fields that were not asked for.
"""
import collections, json, os, random, re, struct, sys, unicodedata, zlib
import numpy as np, torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1); random.seed(1); np.random.seed(1)
torch.set_num_threads(1)
TYPES = " person organisation place product time date duration amount count measure percentage range email phone url address identifier yesno choice list text confirm".split(" ")
FAMILY = dict(person=1, organisation=1, place=2, address=2, amount=3, count=3, measure=3, range=3, percentage=3, duration=3, date=4, time=5, product=6, list=6, choice=6, text=6, yesno=7, email=8, phone=9, url=10, identifier=11)
BUCKETS, EMBED, FLAGS, PAIR = 1 << 15, 40, 23, 5
HIDDEN, FIELD, MEET, MATCH, CONV = 64, 48, 64, 32, 48
HERE = os.path.dirname(os.path.abspath(__file__))
PLAIN = set(open(HERE + "/../field.go").read().split("wordSet(`")[1].split("`")[0].split())

def fold(s):
    s = s.lower().replace("ß", "ss").replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return "".join(c for c in unicodedata.normalize("NFD", s) if not unicodedata.combining(c)).replace("’", "'")

def says(w): return len(w) > 2 and w not in PLAIN
def stems(s): return {w[:5] for w in re.findall(r"[a-z0-9']+", fold(s)) if says(w)}

def table(path):
    raw = open(path, "rb").read()
    rows, columns = struct.unpack("<II", raw[:8])
    scale = np.frombuffer(raw[8:8 + 4 * rows], "<f4")
    v = np.frombuffer(raw[8 + 4 * rows:8 + 4 * rows + rows * columns], np.int8).reshape(rows, columns)
    return torch.tensor(np.vstack([scale[:, None] * v.astype(np.float32), np.zeros((1, columns), np.float32)]))

class Data:
    def __init__(self, dir):
        load = lambda name: [json.loads(l) for l in open(f"{dir}/{name}.jsonl")]
        self.rows = np.memmap(dir + "/states.bin", dtype="<u2", mode="r").reshape(-1, 512)
        self.dialogs = load("dialogs")  # those that are questions and answers only are left out below
        for d in self.dialogs:
            for f in d["fields"]: self.read(f)
            d["share"] = collections.Counter(s for f in d["fields"] for s in f["all"])
        self.messages = [m for m in load("messages") if 0 < len(m["in"]["tok"]) <= 120 and not self.dialogs[m["d"]]["answers"]]
        for m in self.messages:
            raw, tok = m["text"].encode(), m["in"]["tok"]
            m["n"], m["words"], m["tells"], m["pairs"] = len(tok), [fold(raw[t[0]:t[1]].decode("utf8", "ignore")) for t in tok], collections.defaultdict(set), {}
            for v in m["values"]:
                m["tells"][v["field"]] |= {i for i, t in enumerate(tok) if t[0] < v["to"] and t[1] > v["from"]}

    def read(self, f):
        text, tok = (f["label"] + ". " + f["question"]).encode(), f["name"]["tok"]
        words = [fold(text[t[0]:t[1]].decode()) for t in tok]
        states = self.states(f["name"]["state"], len(tok))
        kept = states[[i for i, w in enumerate(words) if says(w)]]
        f["states"] = kept / (np.linalg.norm(kept, axis=1, keepdims=True) + 1e-9)
        f["mean"], f["hashes"] = states.mean(0), [h for t in tok for h in t[4]] or [BUCKETS]
        f["called"] = stems(f["label"] + " " + f["key"].replace("_", " "))
        f["all"], f["options_"] = {w[:5] for w in words if says(w)} | f["called"], stems(" ".join(f["options"] or []))
        f["long"] = [w for w in words if says(w) and len(w) > 4]

    def states(self, at, n): return (np.array(self.rows[at:at + n]).astype(np.uint32) << 16).view(np.float32).reshape(n, 512)

    def pair(self, m, k, units):
        """What each word and field k have in common: pairInputs of asker.go."""
        if k not in m["pairs"]:
            d = self.dialogs[m["d"]]; f = d["fields"][k]
            x = m["pairs"][k] = np.zeros((m["n"], PAIR), np.float32)
            for i, w in enumerate(m["words"]):
                if not says(w): continue
                s = w[:5]
                if s in f["all"]: x[i, 0] = 1 / np.sqrt(d["share"][s])
                x[i, 1], x[i, 2] = s in f["called"], s in f["options_"]
                x[i, 3] = not x[i, 0] and len(w) > 4 and any(w[:6] in o or o[:6] in w for o in f["long"])
                if len(f["states"]): x[i, 4] = max(0, 2 * (float((f["states"] @ units[i]).max()) - 0.2))
        return m["pairs"][k]

class Asker(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.register_buffer("table", table)
        self.shape, self.kind = nn.Embedding(32, 6), nn.Embedding(23, 12)
        self.state, self.enter = nn.Linear(512, 48), nn.Linear(EMBED + 6 + FLAGS + 48, 96)
        self.gru = nn.GRU(96, HIDDEN, batch_first=True, bidirectional=True)
        self.field = nn.Linear(EMBED + 12 + 512, FIELD)
        self.word, self.question, self.pair = nn.Linear(2 * HIDDEN, MEET), nn.Linear(FIELD + 12, MEET), nn.Linear(PAIR + 3, MEET, bias=False)
        self.left, self.right = nn.Linear(2 * HIDDEN, MATCH), nn.Linear(FIELD + 12, MATCH)
        self.first, self.second, self.out = nn.Conv1d(MEET + MATCH, CONV, 7, padding=3), nn.Conv1d(2 * CONV, CONV, 5, padding=2), nn.Linear(CONV, 1)
        self.drop = nn.Dropout(0.25)

    def embed(self, ids):
        return self.table[ids].sum(-2) / (ids != BUCKETS).sum(-1, keepdim=True).clamp(min=1).sqrt()

    def words(self, b):
        e = self.embed(b["hashes"])
        if self.training: e = e * (torch.rand(e.shape[:2]) > 0.1).float()[..., None]
        s = torch.tanh(self.state(self.drop(F.layer_norm(b["states"], (512,))))) * b["has"][:, None, None]
        x = torch.relu(self.enter(self.drop(torch.cat([e, self.shape(b["shape"]), b["flags"], s], -1))))
        p = nn.utils.rnn.pack_padded_sequence(self.drop(x), b["n"], batch_first=True, enforce_sorted=False)
        return self.drop(nn.utils.rnn.pad_packed_sequence(self.gru(p)[0], batch_first=True)[0])

    def forward(self, b):
        u, of, kind = self.words(b), b["of"], self.kind(b["kind"])
        has, mask = b["has"][of], b["mask"][of].float()[..., None]
        q = torch.tanh(self.field(self.drop(torch.cat([self.embed(b["fhashes"]), kind, F.layer_norm(b["fmean"], (512,)) * has[:, None]], -1))))
        q = torch.cat([q, kind], -1)
        pairs = torch.cat([b["pairs"][..., :4], b["pairs"][..., 4:] * has[:, None, None], b["known"][:, None].expand(-1, u.shape[1], -1)], -1)
        z = torch.relu(self.word(u)[of] + self.question(q)[:, None] + self.pair(pairs))
        z = self.drop(torch.cat([z, self.left(u)[of] * torch.tanh(self.right(q))[:, None]], -1) * mask)
        h = torch.relu(self.first(z.transpose(1, 2))) * mask.transpose(1, 2)
        h = self.drop(torch.cat([h, h.max(-1, keepdim=True)[0].expand(-1, -1, h.shape[-1])], 1)) * mask.transpose(1, 2)
        return self.out(self.drop(torch.relu(self.second(h)).transpose(1, 2))).squeeze(-1)

def fields_of(data, m, train):
    """The fields whose questions are put to a message: in training those it tells, what was asked, and some it does not tell, of like types first."""
    fields = data.dialogs[m["d"]]["fields"]
    if not train: return range(len(fields))
    family = lambda k: FAMILY.get(TYPES[fields[k]["type"]])
    told = {family(k) for k in m["tells"]}
    rest = [k for k in range(len(fields)) if k not in m["tells"]]
    random.shuffle(rest)
    rest.sort(key=lambda k: family(k) not in told)
    return list(dict.fromkeys(list(m["tells"]) + rest[:3] + random.sample(rest[3:], min(2, len(rest[3:]))) + [m["asked"]]))

def batch(data, ms, train):
    T, n = max(m["n"] for m in ms), len(ms)
    hashes, shape, flags = np.full((n, T, 24), BUCKETS), np.zeros((n, T), np.int64), np.zeros((n, T, FLAGS), np.float32)
    states, mask = np.zeros((n, T, 512), np.float32), np.zeros((n, T), bool)
    of, kind, fhashes, fmean, pairs, known, y, which = [], [], [], [], [], [], [], []
    for i, m in enumerate(ms):
        s = states[i, :m["n"]] = data.states(m["in"]["state"], m["n"])
        units = s / (np.linalg.norm(s, axis=1, keepdims=True) + 1e-9)
        mask[i, :m["n"]] = True
        for j, t in enumerate(m["in"]["tok"]):
            hashes[i, j, :len(t[4])], shape[i, j], flags[i, j] = t[4], t[2], [t[3] >> k & 1 for k in range(FLAGS)]
        hide = train and random.random() < 0.5  # as though something else had been asked
        for k in fields_of(data, m, train):
            f = data.dialogs[m["d"]]["fields"][k]
            of.append(i); kind.append(f["type"]); fhashes.append(f["hashes"]); fmean.append(f["mean"]); which.append(k)
            p = np.zeros((T, PAIR), np.float32); p[:m["n"]] = data.pair(m, k, units); pairs.append(p)
            known.append([float(m["open"][k]), float(k == m["asked"] and not hide), float(k == m["last"])])
            y.append([float(j in m["tells"].get(k, ())) for j in range(T)])
    longest = max(map(len, fhashes))
    has = torch.tensor((np.random.rand(n) > 0.2).astype(np.float32)) if train else torch.ones(n)
    return dict(hashes=torch.tensor(hashes), shape=torch.tensor(shape), flags=torch.tensor(flags), states=torch.tensor(states), mask=torch.tensor(mask), n=torch.tensor([m["n"] for m in ms]), has=has,
        of=torch.tensor(of), kind=torch.tensor(kind), fhashes=torch.tensor([h + [BUCKETS] * (longest - len(h)) for h in fhashes]), fmean=torch.tensor(np.array(fmean)),
        pairs=torch.tensor(np.array(pairs)), known=torch.tensor(known), y=torch.tensor(y), which=which)

def evaluate(model, data, ms):
    model.eval()
    other = lambda m: any(k != m["asked"] for k in m["tells"])
    ms = sorted([m for m in ms if other(m)][:750] + [m for m in ms if not other(m)][:750], key=lambda m: m["n"])
    found = []
    with torch.no_grad():
        for i in range(0, len(ms), 32):
            b = batch(data, ms[i:i + 32], False)
            p = torch.sigmoid(model(b)).numpy()
            for row, of, k in zip(p, b["of"].tolist(), b["which"]):
                m = ms[i + of]
                if k != m["asked"]: found.append((row[:m["n"]].max(), int(row[:m["n"]].argmax()) in m["tells"].get(k, ()), k in m["tells"]))
    found.sort(reverse=True)
    hits = np.cumsum([h for _, h, _ in found]); values = sum(t for _, _, t in found)
    ap = sum(hits[i] / (i + 1) for i, (_, h, _) in enumerate(found) if h) / max(1, values)
    parts = [f"{values} values, AP {ap:.3f}"]
    for t in (0.8, 0.65, 0.5, 0.35):
        said = [h for p, h, _ in found if p >= t]
        parts.append(f"from {t}: right {sum(said) / max(1, len(said)):.2f}, found {sum(said) / max(1, values):.2f}")
    return "; ".join(parts)

def loss_of(model, b):
    logits, mask = model(b), b["mask"][b["of"]]
    words = (F.binary_cross_entropy_with_logits(logits, b["y"], reduction="none") * (1 + b["y"]))[mask].mean()
    whole = F.binary_cross_entropy_with_logits(logits.masked_fill(~mask, -1e4).max(-1)[0], b["y"].max(-1)[0])
    return 4 * words + 0.3 * whole

def write(model, path):
    """Writes the weights as train.py does: for each matrix its rows and columns, a scale a row, and its numbers as bytes."""
    with open(path, "wb") as f:
        def put(w):
            w = w.detach().numpy(); w = w[:, None] if w.ndim == 1 else w
            scale = np.abs(w).max(1) / 127; scale[scale == 0] = 1
            f.write(struct.pack("<II", *w.shape) + scale.astype("<f4").tobytes() + np.clip(np.round(w / scale[:, None]), -127, 127).astype(np.int8).tobytes())
        def layer(l):
            w = l.weight if l.weight.dim() == 2 else l.weight.permute(0, 2, 1).reshape(l.weight.shape[0], -1)
            put(w); put(torch.zeros(len(w)) if l.bias is None else l.bias)
        put(model.shape.weight); put(model.kind.weight)
        layer(model.state); layer(model.enter)
        for way in ("", "_reverse"):
            for part in ("ih", "hh"):
                put(getattr(model.gru, f"weight_{part}_l0{way}")); put(getattr(model.gru, f"bias_{part}_l0{way}"))
        for l in (model.field, model.word, model.question, model.pair, model.left, model.right, model.first, model.second, model.out): layer(l)

def main():
    data, out = Data(sys.argv[1]), sys.argv[2]
    epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    kept = lambda m: zlib.crc32(data.dialogs[m["d"]]["name"].encode()) % 6 == 0
    train, dev = [m for m in data.messages if not kept(m)], [m for m in data.messages if kept(m)]
    ids = train + [m for m in train if any(k != m["asked"] for k in m["tells"])]  # what tells something unasked counts twice
    model = Asker(table(os.path.dirname(os.path.abspath(out)) + "/weights.bin"))
    opt = torch.optim.Adam(model.parameters())
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 3e-3, total_steps=epochs * (len(ids) // 48 + 60))
    for epoch in range(epochs):
        random.shuffle(ids)
        chunks = [sorted(ids[i:i + 48 * 30], key=lambda m: m["n"]) for i in range(0, len(ids), 48 * 30)]
        batches = [c[i:i + 48] for c in chunks for i in range(0, len(c), 48)]
        random.shuffle(batches); model.train(); total = 0
        for ms in batches:
            loss = loss_of(model, batch(data, ms, True))
            opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(model.parameters(), 1.0); opt.step(); sched.step()
            total += loss.item()
        for lang in ("en", "de"):
            print(f"epoch {epoch + 1}, loss {total / len(batches):.4f}, {lang}:", evaluate(model, data, [m for m in dev if data.dialogs[m["d"]]["lang"] == lang]), flush=True)
        write(model, out)

if __name__ == "__main__":
    main()
