"""Fits the classifier of questions to the interviewer, and prints how well it does.

    go run ./internal/listening/training/questions -encoder FOLDER > questions.json
    python3 internal/listening/training/questions.py questions.json questionweights.bin

First the words are fitted, which is all there is without the text encoder and in German, then what
an English question's vector adds to them. Needs Debian's python3-torch and python3-numpy.
"""
import json, struct, sys
import numpy as np, torch

BUCKETS = 1 << 13
KINDS = "why meaning which examples repeat progress agenda memory who human reader result rules choose beyond social lookup".split()
WORD_STEPS, MEANING_STEPS = 120, 80
LOUD = 4.0  # what vectors of length 1 are multiplied by, beside inputs that are few
torch.manual_seed(1)
torch.set_num_threads(1)
rows = [json.loads(line) for line in open(sys.argv[1])]
dimension = len(rows[0]["v"])


class Batch:
    """Inputs of questions: the row and bucket of each, their weights, and the vectors of meaning."""

    def __init__(self, rows):
        self.bucket = torch.tensor([i for r in rows for i in r["x"]])
        self.row = torch.tensor([n for n, r in enumerate(rows) for _ in r["x"]])
        self.weight = torch.tensor([len(r["x"]) ** -0.5 for r in rows for _ in r["x"]])
        v = torch.tensor([r["v"] for r in rows])
        self.meaning = LOUD * v / v.norm(dim=1, keepdim=True)
        self.english = torch.tensor([float(r["lang"] == "en") for r in rows])[:, None]
        self.kind = torch.tensor([r["kind"] for r in rows])

    def words(self, weights, constant, drop=0.0):
        kept = torch.rand(len(self.bucket)) >= drop
        values = weights[self.bucket[kept]] * self.weight[kept][:, None] / (1 - drop)
        return constant + torch.zeros(len(self.kind), len(KINDS)).index_add(0, self.row[kept], values)


train = Batch([r for r in rows if not r["held"]])
weights = torch.zeros(BUCKETS, len(KINDS), requires_grad=True)
constant = torch.zeros(len(KINDS), requires_grad=True)
meaning = torch.nn.Linear(dimension, len(KINDS))
optimizer = torch.optim.AdamW([weights, constant], lr=0.05, weight_decay=0.02)
for step in range(WORD_STEPS):
    loss = torch.nn.functional.cross_entropy(train.words(weights, constant, 0.3), train.kind, label_smoothing=0.05)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
optimizer = torch.optim.AdamW(meaning.parameters(), lr=0.02, weight_decay=0.1)
english = Batch([r for r in rows if not r["held"] and r["lang"] == "en"])
for step in range(MEANING_STEPS):
    words = english.words(weights.detach(), constant.detach(), 0.5)  # they know these questions too well
    loss = torch.nn.functional.cross_entropy(words + meaning(english.meaning), english.kind, label_smoothing=0.05)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def small(matrix):
    """Returns a matrix in bytes, and what a byte is worth."""
    matrix = matrix.detach()
    scale = float(matrix.abs().max()) / 127
    return torch.round(matrix / scale).clamp(-127, 127), scale


words, worth = small(weights)
vectors, vector_worth = small(meaning.weight.T * LOUD)
for lang in ("en", "de"):
    held = Batch([r for r in rows if r["held"] and r["lang"] == lang])
    alone = held.words(words * worth, constant.detach())
    encoded = alone + held.english * (held.meaning / LOUD @ (vectors * vector_worth) + meaning.bias.detach())
    for name, out in (("without", alone), ("with the encoder", encoded)):
        sure, kind = torch.softmax(out, 1).max(1)
        right = (kind == held.kind).float()
        print(f"{lang} {name}: {right.mean():.3f} of {len(held.kind)} right", end="")
        for least in (0.4, 0.5):
            print(f"; of the {(sure > least).sum()} above {least} {right[sure > least].mean():.3f}", end="")
        print()
with open(sys.argv[2], "wb") as f:
    f.write(struct.pack("<f", worth))
    f.write(constant.detach().numpy().astype("<f4").tobytes())
    f.write(words.numpy().astype(np.int8).tobytes())
    f.write(struct.pack("<f", vector_worth))
    f.write(meaning.bias.detach().numpy().astype("<f4").tobytes())
    f.write(vectors.numpy().astype(np.int8).tobytes())
