"""Trains the models of acts and values, and prints how well they do on held-out messages.

    python3 internal/listening/training/train.py DIR internal/listening/weights.bin [EPOCHS]
    python3 internal/listening/training/train.py DIR internal/listening/readerweights.bin [EPOCHS]

DIR is what the training command wrote. The first is the model that reads without an encoder; it is
trained without states. The second reads the states of the encoder that was taught: it begins as the
first one, whose table of word parts it shares, from weights.bin beside it. Needs Debian's
python3-torch and python3-numpy, and libopenblas0 to be quick.
"""
import json, os, random, struct, sys
import numpy as np, torch
from torch import nn
import torch.nn.functional as F

ACTS = "answer fact correction confirm deny question unknown nopreference delegate skip later topic repeat examples shorter stop human lookup feeling complaint smalltalk gibberish".split()
TYPES = " person organisation place product time date duration amount count measure percentage range email phone url address identifier yesno choice list text confirm".split(" ")
BUCKETS, EMBED, HIDDEN, ASKED, QUESTION, STATE = 1 << 15, 40, 112, 16, 32, 64
TAGS = 2 * 22 + 1  # B and I of each type but none and confirm, and outside

torch.manual_seed(1); random.seed(1); np.random.seed(1)
torch.set_num_threads(1)  # more only helps on idle processors

def to_float(a):
    return torch.from_numpy((a.astype(np.uint32) << 16).view(np.float32))

class Data:
    """The messages that the training command wrote."""
    def __init__(self, dir):
        self.messages, self.questions = json.load(open(dir + "/messages.json")), json.load(open(dir + "/questions.json"))
        self.words = np.fromfile(dir + "/words.bin", dtype="<u2").reshape(-1, 32)
        self.starts = np.cumsum([0] + [m["n"] for m in self.messages])
        assert self.starts[-1] == len(self.words)
        self.train = [i for i, m in enumerate(self.messages) if not m["held"] and m["n"]]
        self.held = {l: [i for i, m in enumerate(self.messages) if m["held"] and m["n"] and m["lang"] == l] for l in ("en", "de")}

    def batch(self, ids):
        """The inputs and outputs of messages but the encoder's states."""
        n = [self.messages[i]["n"] for i in ids]
        w = np.zeros((len(ids), max(n), 32), np.int64); w[:, :, :24] = 65535
        mask = np.zeros(w.shape[:2], bool)
        for k, i in enumerate(ids):
            w[k, :n[k]] = self.words[self.starts[i]:self.starts[i + 1]]
            mask[k, :n[k]] = True
        qh = [self.questions[self.messages[i]["q"]]["hashes"] or [BUCKETS] for i in ids]
        longest = max(map(len, qh))
        w = torch.from_numpy(w)
        flags = torch.stack([(w[..., 25 + i // 16] >> (i % 16)) & 1 for i in range(24)], -1).float()
        hashes = w[..., :24]
        return dict(hashes=torch.where(hashes == 65535, torch.tensor(BUCKETS), hashes), shape=w[..., 24], flags=flags,
            qhashes=torch.tensor([q + [BUCKETS] * (longest - len(q)) for q in qh]), asked=torch.tensor([self.messages[i]["asked"] for i in ids]),
            length=torch.tensor(n), mask=torch.from_numpy(mask), act=w[..., 27], begins=w[..., 28].float(), tag=torch.where(w[..., 29] == 0, torch.tensor(0), w[..., 29] - 1), star=w[..., 30].float(), yes=w[..., 31])

class Plain(Data):
    """Messages without an encoder."""
    def batch(self, ids):
        b = super().batch(ids)
        return b | dict(states=torch.zeros(*b["mask"].shape, 512), has=torch.zeros(len(ids)), qstate=torch.zeros(len(ids), 512))

class Encoded(Data):
    """Messages with the encoder's states of their words."""
    def __init__(self, dir):
        super().__init__(dir)
        self.states = np.memmap(dir + "/states.bin", dtype="<u2", mode="r").reshape(-1, 512)
        self.question_states = torch.tensor([q["state"] or [0.0] * 512 for q in self.questions])
        assert len(self.states) == len(self.words)

    def batch(self, ids):
        b = super().batch(ids)
        st = np.zeros((*b["mask"].shape, 512), "<u2")
        for k, i in enumerate(ids): st[k, :self.messages[i]["n"]] = self.states[self.starts[i]:self.starts[i + 1]]
        return b | dict(states=to_float(st), has=torch.ones(len(ids)), qstate=self.question_states[[self.messages[i]["q"] for i in ids]])

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(BUCKETS + 1, EMBED, padding_idx=BUCKETS)
        nn.init.normal_(self.table.weight, std=0.1)
        self.table.weight.data[BUCKETS] = 0
        self.shape = nn.Embedding(32, 8)
        self.asked = nn.Embedding(len(TYPES), ASKED)
        self.state = nn.Linear(512, STATE)
        self.question = nn.Linear(EMBED + 512, QUESTION)
        self.enter = nn.Linear(EMBED + 8 + 24 + ASKED + QUESTION + STATE, 144)
        self.one = nn.GRU(144, HIDDEN, batch_first=True, bidirectional=True)
        self.two = nn.GRU(2 * HIDDEN, HIDDEN, batch_first=True, bidirectional=True)
        self.act = nn.Linear(4 * HIDDEN, len(ACTS))
        self.begins = nn.Linear(4 * HIDDEN, 1)
        self.tag = nn.Linear(4 * HIDDEN, TAGS)
        self.star = nn.Linear(4 * HIDDEN, 1)
        self.yes = nn.Linear(4 * HIDDEN, 1)
        self.drop = nn.Dropout(0.3)

    def mean(self, ids):
        v = self.table(ids).sum(-2)
        n = (ids != BUCKETS).sum(-1, keepdim=True).clamp(min=1)
        return v / n.sqrt()  # not the mean: long words would fade

    def forward(self, b):
        e = self.mean(b["hashes"])
        if self.training:
            e = e * (torch.rand(e.shape[:2]) > 0.08).float()[..., None]
        norm = F.layer_norm(b["states"], (512,)) * b["has"][:, None, None]
        s = torch.tanh(self.state(self.drop(norm)))
        s = s * b["has"][:, None, None]
        q = torch.cat([self.mean(b["qhashes"]), F.layer_norm(b["qstate"], (512,)) * b["has"][:, None]], -1)
        q = torch.tanh(self.question(self.drop(q)))
        around = torch.cat([self.asked(b["asked"]), q], -1)[:, None].expand(-1, e.shape[1], -1)
        x = torch.cat([self.drop(e), self.shape(b["shape"]), b["flags"], s, around], -1)
        x = self.drop(torch.relu(self.enter(x)))
        lengths = b["length"]
        def run(gru, x):
            p = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            return nn.utils.rnn.pad_packed_sequence(gru(p)[0], batch_first=True)[0]
        h1 = run(self.one, x)
        h2 = run(self.two, self.drop(h1))
        h = self.drop(torch.cat([h1, h2], -1))
        return self.act(h), self.begins(h).squeeze(-1), self.tag(h), self.star(h).squeeze(-1), self.yes(h).squeeze(-1)

# A tag is 2·type for the first word of a value, +1 for the others, as written; 0 is outside. Type 0 has no values, so B of
# type t is 2t-1 after the shift above and I is 2t.

def loss_of(model, b):
    act, begins, tag, star, yes = model(b)
    m = b["mask"]
    value = b["tag"][m] > 0
    la = F.cross_entropy(act[m], b["act"][m], label_smoothing=0.02)
    lb = F.binary_cross_entropy_with_logits(begins[m], b["begins"][m])
    lt = F.cross_entropy(tag[m], b["tag"][m], label_smoothing=0.01)
    ls = F.binary_cross_entropy_with_logits(star[m][value], b["star"][m][value]) if value.any() else 0
    said = b["yes"] > 0
    ly = F.binary_cross_entropy_with_logits(yes[said], b["yes"][said].float() - 1) if said.any() else 0
    return la + lb + 1.5 * lt + 0.5 * ls + 0.3 * ly

def batches(messages, ids, size, shuffle=True):
    ids = list(ids)
    if shuffle:
        random.shuffle(ids)
        chunks = [sorted(ids[i:i + size * 40], key=lambda i: messages[i]["n"]) for i in range(0, len(ids), size * 40)]
        bs = [c[i:i + size] for c in chunks for i in range(0, len(c), size)]
        random.shuffle(bs)
        return bs
    ids.sort(key=lambda i: messages[i]["n"])
    return [ids[i:i + size] for i in range(0, len(ids), size)]

def acts_of(logp, begin):
    """The best acts of words: changing costs unless a segment seems to begin."""
    T, A = logp.shape
    begin = np.clip(begin, 1e-3, 1 - 1e-3)
    best, back = logp[0].copy(), []
    for t in range(1, T):
        stay = best + np.log(1 - begin[t] * 0.999)
        k = best.argmax(); change = best[k] + np.log(begin[t])
        frm = np.where(stay >= change, np.arange(A), k)
        best = np.maximum(stay, change) + logp[t]
        back.append(frm)
    path = [int(best.argmax())]
    for frm in reversed(back): path.append(int(frm[path[-1]]))
    return path[::-1]

def spans_of(tags, off=0):
    out, cur = [], None
    for i, t in enumerate(list(tags) + [0]):
        ty, inside = (t + 1) // 2, t % 2 == 0 and t > 0
        if cur and (t == 0 or not inside or ty != cur[0]):
            out.append((cur[0], cur[1], i)); cur = None
        if t > 0 and cur is None: cur = (ty, i)
    return out

def evaluate(model, data, ids):
    """Prints how well a model does on messages."""
    model.eval()
    c = dict(actw=0, words=0, gold=0, hit=0, over=0, pred=0, off=0, offstored=0, ansgold=0, anshit=0, ansexact=0, first=0, nmsg=0, yes=0, yesno=0)
    confusion = {}
    with torch.no_grad():
        for ids_ in batches(data.messages, ids, 64, False):
            b = data.batch(ids_)
            act, begins, tag, star, yes = model(b)
            c['yes'] += ((yes > 0) == (b['yes'] == 2))[b['yes'] > 0].sum().item(); c['yesno'] += (b['yes'] > 0).sum().item()
            act = F.log_softmax(act, -1).numpy(); begins = torch.sigmoid(begins).numpy(); tagp = tag.numpy(); star = torch.sigmoid(star).numpy()
            for k, i in enumerate(ids_):
                n = data.messages[i]["n"]
                a = acts_of(act[k, :n], begins[k, :n]); g = b["act"][k, :n].tolist()
                c["words"] += n; c["actw"] += sum(x == y for x, y in zip(a, g))
                for x in set(g):
                    d = confusion.setdefault(ACTS[x], [0, 0, 0]); d[0] += 1; d[1] += x in a
                for x in set(a): confusion.setdefault(ACTS[x], [0, 0, 0])[2] += x not in g
                p = spans_of(tagp[k, :n].argmax(-1)); q = spans_of(b["tag"][k, :n].tolist())
                gs = [s for s in q if b["star"][k, s[1]] > 0]; ps = [s for s in p if star[k, s[1]:s[2]].mean() > 0.5]
                c["gold"] += len(q); c["pred"] += len(p); c["hit"] += len(set(p) & set(q)); c["over"] += sum(any(s[1] < r[2] and r[1] < s[2] for r in p) for s in q)
                c["ansgold"] += len(gs); c["anshit"] += sum(any(s[1] < r[2] and r[1] < s[2] for r in ps) for s in gs); c["ansexact"] += sum(any(s[1:] == r[1:] for r in ps) for s in gs)
                if not gs:
                    c["off"] += 1; c["offstored"] += any(ACTS[x] == "answer" for x in a) and bool(ps)
                c["nmsg"] += 1
    r = lambda a, b: round(100 * c[a] / max(1, c[b]), 1)
    print(f"   {c['nmsg']} messages: act of words {r('actw','words')}, spans R {r('hit','gold')} P {r('hit','pred')} touched {r('over','gold')}; answers found {r('anshit','ansgold')} exact {r('ansexact','ansgold')}; off-target taken for an answer {r('offstored','off')} of {c['off']}, words of yes and no {r('yes','yesno')}", flush=True)
    return confusion

def parameters(model, table=True):
    """The matrices of a model, as listening/model.go reads them."""
    if table: yield model.table.weight
    yield from (model.shape.weight, model.asked.weight)
    for l in (model.state, model.question, model.enter): yield from (l.weight, l.bias)
    for gru in (model.one, model.two):
        for d in ("", "_reverse"):
            for part in ("ih", "hh"): yield from (getattr(gru, f"weight_{part}_l0{d}"), getattr(gru, f"bias_{part}_l0{d}"))
    for l in (model.act, model.begins, model.tag, model.star, model.yes): yield from (l.weight, l.bias)

def write(model, name, table=True):
    """Writes the weights as listening/model.go reads them: bytes, with a scale a row."""
    with open(name, "wb") as f:
        for p in parameters(model, table):
            a = p.detach().numpy()[:BUCKETS]
            a = a.reshape(len(a), -1).astype(np.float32)
            scale = np.abs(a).max(1) / 127
            scale[scale == 0] = 1e-12
            f.write(struct.pack("<II", *a.shape)); f.write(scale.astype("<f4").tobytes()); f.write(np.rint(a / scale[:, None]).astype(np.int8).tobytes())

def read(path, model):
    """Sets the numbers of a model to those that write wrote."""
    raw, at = open(path, "rb").read(), 0
    for p in parameters(model):
        rows, columns = struct.unpack_from("<II", raw, at); at += 8
        scale = np.frombuffer(raw, "<f4", rows, at); at += 4 * rows
        v = torch.tensor(scale[:, None] * np.frombuffer(raw, np.int8, rows * columns, at).reshape(rows, columns).astype(np.float32)); at += rows * columns
        p.data[:rows] = v.reshape(p[:rows].shape)
    assert at == len(raw)

def main():
    dir, out = sys.argv[1], sys.argv[2]
    plain = os.path.basename(out) == "weights.bin"
    epochs, rate = int(sys.argv[3]) if len(sys.argv) > 3 else 8 if plain else 4, 3e-3 if plain else 2e-3
    data, model = Plain(dir) if plain else Encoded(dir), Model()
    if not plain:
        read(os.path.join(os.path.dirname(os.path.abspath(out)), "weights.bin"), model)
        model.table.weight.requires_grad = False
    learned = [p for p in model.parameters() if p.requires_grad]
    print(sum(p.numel() for p in learned), "numbers;", len(data.train), "messages", flush=True)
    opt = torch.optim.AdamW(learned, lr=rate, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=rate, total_steps=len(batches(data.messages, data.train, 64)) * epochs + 10, pct_start=0.1)
    for epoch in range(epochs):
        model.train(); total = k = 0
        for ids in batches(data.messages, data.train, 64):
            loss = loss_of(model, data.batch(ids))
            opt.zero_grad(); loss.backward()
            nn.utils.clip_grad_norm_(learned, 1.0)
            opt.step(); sched.step()
            total += loss.item(); k += 1
        print(f"epoch {epoch + 1}: loss {total / k:.3f}", flush=True)
        write(model, out, plain)
        for l, ids in data.held.items():
            print(l); confusion = evaluate(model, data, ids)
    for l, ids in data.held.items():
        confusion = evaluate(model, data, ids)
        print("   " + ", ".join(f"{a} {v[1]}/{v[0]}+{v[2]}" for a, v in sorted(confusion.items())))

if __name__ == "__main__":
    main()
