//! Tests of `score`.

use super::*;

#[track_caller]
fn check(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn idf_and_saturation_match_bm25() {
    // ln(1 + (10 - 3 + 0.5) / (3 + 0.5)) and 2 * 1.8 / (2 + 0.8 * (0.85 + 0.15 * 1.5)), by hand.
    check(idf(3, 10), 1.145_132_304_303_002_6);
    check(saturated(2.0, 1.5), 1.258_741_258_741_258_8);
    check(saturated(0.0, 1.0), 0.0);
    check(length_ratio(30, 200, 10), 1.5);
}

#[test]
fn term_counts_spread_to_neighbours_in_part() {
    let mut counts = [0.0; 6];
    count_in_context(
        [
            TermPlace::Piece(0),
            TermPlace::Piece(0),
            TermPlace::Piece(3),
        ]
        .into_iter(),
        &mut counts,
    );
    for (count, expected) in counts.iter().zip([2.0, 0.75, 0.6, 1.0, 0.3, 0.15]) {
        check(*count, expected);
    }
    count_in_context(
        [TermPlace::Heading, TermPlace::Heading].into_iter(),
        &mut counts,
    );
    for count in counts {
        check(count, 1.0);
    }
}

#[test]
fn evidence_weights_raise_meaning_if_words_are_missing() {
    let meaning = |weights: EvidenceWeights| {
        let weights = weights.iter().copied();
        let (meaning, others): (Vec<_>, Vec<_>) =
            weights.partition(|weight| weight.evidence == EvidenceKind::Meaning);
        (
            meaning.into_iter().map(|it| it.in_notes).sum::<f64>(),
            others,
        )
    };
    let (full, others) = meaning(EvidenceWeights::default());
    for (share, factor) in [(0.0, 2.0), (0.25, 1.75), (1.0, 1.0), (1.7, 1.0)] {
        let found = meaning(EvidenceWeights::default().adapted_to(share));
        check(found.0, full * factor);
        assert_eq!(found.1, others);
    }
}
