#!/usr/bin/env python3
"""Makes near.bin, the words that are near to each word of static.bin, so that nobody looks for them in a question.

    python3 -m venv venv && venv/bin/pip install numpy
    venv/bin/python near.py static.bin near.bin                     # half a minute

For each token that is a whole word, the tokens that are whole words and whose rows have the greatest cosines with its
own, itself among them, at most N_MAX and none below COSINE_MIN; both are those of base's `NEAR_MAX` and `NEAR_COSINE_MIN`.

The file, all numbers little-endian: b"OCNEAR02", u32 tokens N, u32 x (N + 1) numbers of the first entry of each token,
and the entries, nearest first: u16 token, u8 cosine, of which 0 is COSINE_MIN and 255 is 1.
"""
import struct, sys
import numpy as np

N_MAX, COSINE_MIN, STEPS, AT_ONCE = 20, 0.5, 255, 512


def read(path):
    data = open(path, "rb").read()
    version, n_tokens, dimensions, n_slots = struct.unpack_from("<4I", data, 8)
    assert data[:8] == b"OCSTATIC" and version == 1
    at = 24
    offsets = np.frombuffer(data, "<u4", n_tokens + 1, at)
    at += 4 * (n_tokens + 1) + 2 * n_slots + 4 * n_tokens
    rows = np.frombuffer(data, "i1", n_tokens * dimensions, at).reshape(n_tokens, dimensions)
    names = data[at + rows.size :]
    return [names[start:end].decode() for start, end in zip(offsets, offsets[1:])], rows.astype(np.float32)


def step_of(cosine):
    return min(STEPS, round((float(cosine) - COSINE_MIN) / (1 - COSINE_MIN) * STEPS))


def make(source, target):
    names, rows = read(source)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    words = np.array([token for token, name in enumerate(names) if name.isalnum()])
    rows = rows[words]
    near = {}
    for start in range(0, len(words), AT_ONCE):
        for at, cosines in enumerate(rows[start : start + AT_ONCE] @ rows.T, start):
            best = np.argsort(-cosines, kind="stable")[:N_MAX]
            near[words[at]] = [(words[it], step_of(cosines[it])) for it in best if cosines[it] >= COSINE_MIN]
    lists = [near.get(token, []) for token in range(len(names))]
    firsts = np.concatenate([[0], np.cumsum([len(entries) for entries in lists])]).astype("<u4")
    entries = np.array([entry for entries in lists for entry in entries], dtype=[("token", "<u2"), ("cosine", "u1")])
    with open(target, "wb") as file:
        file.write(b"OCNEAR02" + struct.pack("<I", len(names)) + firsts.tobytes() + entries.tobytes())
    print(len(words), "words,", len(entries), "entries")


if __name__ == "__main__":
    make(*sys.argv[1:])
