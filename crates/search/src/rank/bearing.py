#!/usr/bin/env python3
"""Fits the weights of `bearing.rs` to questions whose answers are known, and prints what each bar lets through.

    memory search --json --explain --limit 20 QUESTION    once for each question, then for each answer one line
        {"set": NAME, "fold": HOME, "answerable": BOOL, "rows": [{"bearing": {...}, "useful": 0 or 1}, ...]}
    bearing.py ROWS.jsonl [--without-vectors]

`rows` are the results in order, `bearing` the numbers that `--explain` prints. A row is useful if it holds the answer.
Besides questions with an answer there must be some without: of other homes, greetings, thanks, and tasks that have
nothing to do with the owner. Each fold is judged by weights that were fitted to all others. Needs numpy.
"""
import argparse, json
import numpy as np

INPUTS = ["held", "rarest", "cosine", "nearer", "lead", "asks", "wish", "question"]
ROWS_FITTED, PENALTY, STEPS = 10, 1e-3, 30
BARS, OTHER_PART, SHOWN_MAX = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5], 1 / 3, 6


def numbers(row):
    return [row["bearing"][name] for name in INPUTS]


def fit(questions):
    """Weights of the inputs and the constant, by Newton steps with a penalty on large weights."""
    rows = [row for question in questions for row in question["rows"][:ROWS_FITTED]]
    inputs, useful = np.array([numbers(r) for r in rows]), np.array([float(r["useful"]) for r in rows])
    mean, deviation = inputs.mean(0), inputs.std(0) + 1e-9
    scaled = np.c_[(inputs - mean) / deviation, np.ones(len(rows))]
    weights, penalty = np.zeros(scaled.shape[1]), PENALTY * len(rows)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (likely - useful) + penalty * np.r_[weights[:-1], 0]
        curve = (scaled * (likely * (1 - likely))[:, None]).T @ scaled + penalty * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    own = weights[:-1] / deviation
    return own, weights[-1] - (own * mean).sum()


def likelihood(weights, row):
    return 1 / (1 + np.exp(-(np.dot(weights[0], numbers(row)) + weights[1])))


def shown(question, bar):
    """The rows that reach a third of the bar, if the best reaches the bar."""
    likely = [row for row in question["rows"] if row["likelihood"] >= OTHER_PART * bar]
    return likely[:SHOWN_MAX] if any(row["likelihood"] >= bar for row in likely) else []


def main(arguments):
    with open(arguments.rows, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    for question in questions if arguments.without_vectors else []:
        for row in question["rows"]:
            row["bearing"].update(cosine=0.0, nearer=0.0)
    weights = fit(questions)
    print("weights", ", ".join(f"{name} {value:.3f}" for name, value in zip(INPUTS, weights[0])), f"constant {weights[1]:.3f}")
    for fold in sorted({question["fold"] for question in questions}):
        others = fit([question for question in questions if question["fold"] != fold])
        for question in questions:
            if question["fold"] == fold:
                for row in question["rows"]:
                    row["likelihood"] = likelihood(others, row)
    for name in sorted({question["set"] for question in questions}):
        for answerable in (True, False):
            own = [q for q in questions if q["set"] == name and q["answerable"] == answerable]
            for bar in BARS if own else []:
                taken = [shown(question, bar) for question in own]
                rows = [row for answer in taken for row in answer]
                useful = sum(row["useful"] for row in rows) / max(1, len(rows))
                answered = np.mean([any(row["useful"] for row in answer) for answer in taken])
                print(f"{name} {'with' if answerable else 'without'} an answer, bar {bar}: any {np.mean([bool(t) for t in taken]):.2f}, "
                      f"passages {len(rows) / len(own):.1f}, useful {useful:.2f}, answer shown {answered:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--without-vectors", action="store_true", help="fit the weights for an index without vectors")
    main(parser.parse_args())
