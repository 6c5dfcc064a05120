"""The model of fit: which question of an objective something that is said answers. It is trained with the encoder it reads by: see adapter.py."""
import struct
import numpy as np, torch
from torch import nn
from asker import EMBED

STATE, TOWER, KIND, PAIR, HIDDEN = 64, 96, 12, 5, 64

class Fit(nn.Module):
    """As internal/listening/fit.go has it."""
    def __init__(self):
        super().__init__()
        self.kind = nn.Embedding(23, KIND)
        self.asks, self.answers = nn.Linear(512, STATE), nn.Linear(512, STATE)
        self.said, self.field = nn.Linear(2 * STATE + 2 * EMBED + 2, TOWER), nn.Linear(4 * STATE + 2 * EMBED + KIND, TOWER)
        self.both, self.out, self.drop = nn.Linear(3 * TOWER + KIND + PAIR, HIDDEN), nn.Linear(HIDDEN, 1), nn.Dropout(0.3)

    def forward(self, b, f, X, K):
        """The scores of K questions f for each of X things that are said b, whether they have the encoder's states or not."""
        drop, has = self.drop, b["has"]
        a = torch.tanh(self.answers(drop(b["means"]))) * has[:, None, None]
        a = torch.tanh(self.said(drop(torch.cat([a.flatten(1), b["parts"]], -1))))[:, None].expand(X, K, -1)
        kind = self.kind(f["kind"])
        q0 = torch.tanh(self.asks(drop(f["fmeans"]))) * f["there"][..., None]
        tower = lambda q: torch.tanh(self.field(drop(torch.cat([q.flatten(1), f["fparts"], kind], -1))))
        q = torch.where(has[:, None, None] > 0, tower(q0)[None], tower(q0 * 0)[None])
        pairs = b["pairs"].reshape(X, K, -1) * torch.where(torch.arange(PAIR) == 3, 1.0, has[:, None, None])
        return self.out(drop(torch.relu(self.both(drop(torch.cat([a * q, a, q, kind[None].expand(X, K, -1), pairs], -1)))))).squeeze(-1)

def write(model, path):
    with open(path, "wb") as f:
        def put(w):
            w = w.detach().numpy(); w = w[:, None] if w.ndim == 1 else w
            scale = np.abs(w).max(1) / 127; scale[scale == 0] = 1
            f.write(struct.pack("<II", *w.shape) + scale.astype("<f4").tobytes() + np.clip(np.round(w / scale[:, None]), -127, 127).astype(np.int8).tobytes())
        put(model.kind.weight)
        for l in (model.asks, model.answers, model.said, model.field, model.both, model.out): put(l.weight); put(l.bias)
