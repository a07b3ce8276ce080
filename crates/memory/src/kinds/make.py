#!/usr/bin/env python3
"""Makes kinds.bin, the table of what is a kind of what, from the nouns of WordNet 3.0.

    apt-get install wordnet-base        # /usr/share/wordnet
    python3 make.py kinds.bin

Kept are nouns of one word in plain letters that mean a class of things, not a person or a place by name. Of each noun the
two commonest meanings are kept, of each meaning the two first that it is a kind of. Irregular plurals are nouns of their
own with the meanings of the singular.

The file, all numbers little-endian: b"OCKINDS1", u32 nouns N, u32 meanings M, u32 how many of them something is a kind
of, which are the first, u32 x (N + 1) offsets of the nouns' names, u16 x 2 x N meanings of each noun (0 none, else
meaning + 1), u16 x 2 x M what each meaning is a kind of (the same), and the names, sorted, one after the other.
"""
import re, sys
import array

FOLDER, MEANINGS, PARENTS = "/usr/share/wordnet/", 2, 2
PLAIN = re.compile(r"[a-z]{3,}")


def parents():
    """What each meaning is a kind of; what is one of its kind, as a city is, is left out."""
    found = {}
    for line in open(FOLDER + "data.noun", encoding="latin1"):
        if line.startswith("  "):
            continue
        fields = line.split("|")[0].split()
        n_words = int(fields[3], 16)
        rest = fields[5 + 2 * n_words :]
        links = [(rest[at], rest[at + 1], rest[at + 2]) for at in range(0, len(rest), 4)]
        if all(link != "@i" for link, _, _ in links):
            found[fields[0]] = [of for link, of, kind in links if link == "@" and kind == "n"]
    return {meaning: [of for of in above if of in found] for meaning, above in found.items()}


def nouns(known):
    """The commonest meanings of each noun."""
    found = {}
    for line in open(FOLDER + "index.noun", encoding="latin1"):
        fields = line.split()
        if line.startswith("  ") or not PLAIN.fullmatch(fields[0]):
            continue
        commonest = fields[-int(fields[2]) :][:MEANINGS]
        if any(meaning in known for meaning in commonest):
            found[fields[0]] = [meaning if meaning in known else None for meaning in commonest]
    for line in open(FOLDER + "noun.exc", encoding="latin1"):
        plural, *singular = line.split()
        if PLAIN.fullmatch(plural) and singular[0] in found:
            found.setdefault(plural, found[singular[0]])
    return found


def make(out):
    known = parents()
    of_noun = nouns(known)
    wanted = [meaning for meanings in of_noun.values() for meaning in meanings if meaning]
    used = set()
    while wanted:
        meaning = wanted.pop()
        if meaning not in used:
            used.add(meaning)
            wanted += known[meaning][:PARENTS]
    above_some = {of for meaning in used for of in known[meaning][:PARENTS]}
    order = sorted(above_some) + sorted(used - above_some)
    numbers = {meaning: number for number, meaning in enumerate(order, 1)}
    assert len(numbers) < 1 << 16
    names = sorted(of_noun)
    ends, meanings, above = [0], [], []
    for name in names:
        ends.append(ends[-1] + len(name))
        two = [numbers.get(meaning, 0) for meaning in of_noun[name]]
        meanings += (two + [0, 0])[:MEANINGS]
    for meaning in order:
        two = [numbers[of] for of in known[meaning][:PARENTS]]
        above += (two + [0, 0])[:PARENTS]
    parts = [array.array("I", [len(names), len(numbers), len(above_some)] + ends), array.array("H", meanings + above)]
    with open(out, "wb") as file:
        file.write(b"OCKINDS1")
        for part in parts:
            if sys.byteorder == "big":
                part.byteswap()
            file.write(part.tobytes())
        file.write("".join(names).encode())
    print(f"{len(names)} nouns, {len(numbers)} meanings, {len(above_some)} of them kinds")


if __name__ == "__main__":
    make(*sys.argv[1:])
