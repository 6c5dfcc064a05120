"""The text encoder of internal/embedding in PyTorch, with what it learns to listen.

Texts are given as their pieces, as the Go program cuts them. What is learned is small beside
the encoder: to each of its matrices the product of two thin ones (Hu et al., LoRA, 2021),
to its table of pieces likewise, and its biases and scales.
"""
import json, math, struct
import numpy as np, torch
from torch import nn
import torch.nn.functional as F

HEADS, WIDTH, TOKEN, PIECES = 4, 512, 256, 8002
KERNEL, JOINED = "module/Encoder_en/KonaTransformer/Encode/", "module_apply_default/Encoder_en/KonaTransformer/Encode/"
RESHAPED, PARTS = JOINED + "TransformerStack/", "/ConcatPartitions/concat"

def tensors(dir):
    """The encoder's tensors by name."""
    raw = b"".join(open(f"{dir}/group1-shard{i}of7", "rb").read() for i in range(1, 8))
    at, out = 0, {}
    for group in json.load(open(dir + "/model.json"))["weightsManifest"]:
        for w in group["weights"]:
            n = int(np.prod(w["shape"], dtype=np.int64)) if w["shape"] else 1
            out[w["name"]] = torch.tensor(np.frombuffer(raw, "<f4", n, at).copy()).reshape(w["shape"]); at += 4 * n
    return out

class Adapted(nn.Module):
    """An affine map y = x·W + b whose W is changed by the product of two thin matrices."""
    def __init__(self, weight, bias, rank):
        super().__init__()
        self.register_buffer("weight", weight.reshape(weight.shape[-2:]).contiguous())
        self.bias = nn.Parameter(bias.flatten().clone())
        self.down = nn.Parameter(torch.randn(self.weight.shape[0], rank) / math.sqrt(self.weight.shape[0]))
        self.up = nn.Parameter(torch.zeros(rank, self.weight.shape[1]))

    def forward(self, x, drop=None): return torch.addmm(self.bias, x, self.weight) + (drop(x @ self.down) if drop else x @ self.down) @ self.up

class Norm(nn.Module):
    def __init__(self, scale, bias):
        super().__init__()
        self.scale, self.bias = nn.Parameter(scale.flatten().clone()), nn.Parameter(bias.flatten().clone())

    def forward(self, x): return F.layer_norm(x, x.shape[-1:], self.scale, self.bias, 1e-6)

class Encoder(nn.Module):
    def __init__(self, dir, rank, table_rank, drop=0.1, hide=0.05):
        super().__init__()
        t = tensors(dir)
        self.register_buffer("table", t["module/Embeddings_en"])
        self.pieces, self.turn = nn.Parameter(torch.zeros(PIECES, table_rank)), nn.Parameter(torch.randn(table_rank, TOKEN) / math.sqrt(table_rank))
        at = torch.arange(128)[:, None] * t[RESHAPED + "Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1"].flatten()
        self.register_buffer("waves", torch.cat([at.sin(), at.cos()], 1))
        self.layers = nn.ModuleList()
        for i in range(2):
            n = f"Layer_{i}/TransformerLayer/"; a = n + "MultiheadAttention/"
            norm = lambda name: Norm(t[JOINED + name + "layer_prepostprocess/layer_norm/layer_norm_scale" + PARTS], t[JOINED + name + "layer_prepostprocess/layer_norm/layer_norm_bias" + PARTS])
            single = lambda name: Adapted(t[KERNEL + a + name + "/kernel/part_0"], t[JOINED + a + name + "/bias" + PARTS], rank)
            conv = lambda name: Adapted(t[RESHAPED + n + f"FFN/{name}/Tensordot/Reshape_1"], t[JOINED + n + f"FFN/{name}/bias" + PARTS], rank)
            l = nn.ModuleDict(dict(attend=norm(n), qkv=single("qkv_transform_single"), out=single("output_transform_single"), feed=norm(n + "FFN/"), up=conv("conv1"), down=conv("conv2")))
            if i == 0: l["widen"] = Adapted(t[JOINED + n + "dense/kernel" + PARTS], t[JOINED + n + "dense/bias" + PARTS], rank)
            self.layers.append(l)
        self.drop, self.hide = nn.Dropout(drop), hide

    def forward(self, texts):
        """The states of all words of texts, one below the other. A text is its pieces, an array of
        three columns (id, first word, word behind the last), of each window, and how many words it has."""
        seqs, base = [], 0
        pairs, rows = [], []
        at = 0
        for windows, n in texts:
            for p in windows:
                seqs.append(p); pairs.append(p[:, 1:] + base)
            base += n
        lengths = np.array([len(p) for p in seqs])
        ids = torch.from_numpy(np.concatenate([p[:, 0] for p in seqs]))
        pos = torch.from_numpy(np.concatenate([np.arange(n) for n in lengths]))
        which = torch.from_numpy(np.repeat(np.arange(len(seqs)), lengths))
        if self.training and self.hide: ids = torch.where(torch.rand(len(ids)) < self.hide, torch.zeros_like(ids), ids)
        x = 2 * (self.table[ids] + F.embedding(ids, self.pieces) @ self.turn) + self.waves[pos]
        B, T = len(seqs), int(lengths.max())
        slot = which * T + pos
        mask = torch.zeros(B * T, dtype=torch.bool); mask[slot] = True; mask = torch.where(mask, 0.0, -1e9).reshape(B, 1, 1, T)
        drop = self.drop if self.training else None
        for l in self.layers:
            h = l["qkv"](l["attend"](x), drop); w = h.shape[1] // 3
            wide = torch.zeros(B * T, 3 * w).index_copy(0, slot, h).reshape(B, T, 3, HEADS, w // HEADS).permute(2, 0, 3, 1, 4)
            q, k, v = wide[0], wide[1], wide[2]
            att = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(w // HEADS) + mask, -1) @ v
            y = l["out"](att.permute(0, 2, 1, 3).reshape(B * T, w)[slot], drop)
            x = y + (l["widen"](x, drop) if "widen" in l else x)
            x = x + l["down"](torch.relu(l["up"](l["feed"](x), drop)), drop)
        cover = np.concatenate(pairs); spans = cover[:, 1] - cover[:, 0]
        piece = np.repeat(np.arange(len(cover)), spans)
        word = np.repeat(cover[:, 0], spans) + np.arange(spans.sum()) - np.repeat(np.cumsum(spans) - spans, spans)
        share = 1 / np.maximum(1, np.bincount(word, minlength=base))
        weight = torch.from_numpy(share[word].astype(np.float32))[:, None]
        return torch.zeros(base, WIDTH).index_add(0, torch.from_numpy(word), x[torch.from_numpy(piece)] * weight)

def write(encoder, path):
    """Writes what is learned, as internal/embedding/adapter.go reads it: for each matrix its rows and columns, a scale a row, and its numbers as bytes. The encoder's are rounded likewise."""
    with open(path, "wb") as f:
        def put(p):
            w = p.detach().numpy(); w = w[:, None] if w.ndim == 1 else w
            scale = (np.abs(w).max(1) / 127).astype("<f4"); scale[scale == 0] = 1
            v = np.clip(np.rint(w / scale[:, None]), -127, 127).astype(np.int8)
            f.write(struct.pack("<II", *w.shape) + scale.tobytes() + v.tobytes())
            p.data = torch.tensor(scale[:, None] * v.astype(np.float32)).reshape(p.shape)
        for l in encoder.layers:
            for n in ("attend", "feed"): put(l[n].scale); put(l[n].bias)
            for n in ("qkv", "out", "up", "down", "widen"):
                if n in l: put(l[n].down); put(l[n].up); put(l[n].bias)
        put(encoder.pieces); put(encoder.turn)

def text_of(t):
    """A text as the Go program writes it, for Encoder."""
    return [np.array(p, np.int64).reshape(-1, 3) for p in t["pieces"] or [] if p], len(t["tok"])
