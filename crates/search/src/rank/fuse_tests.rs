//! Tests of how the kinds of evidence count for a piece.

use base::{LineRange, Origin};

use super::*;
use crate::index::StretchRecord;

#[test]
fn telling_of_grows_with_number_of_words() {
    let found = [0, 1, 9, 26, 99].map(|n_words| (100.0 * telling_of(n_words)).round());
    let expected = [0.0, 13.0, 67.0, 100.0, 123.0];
    let differs = |(left, right): (&f64, &f64)| (left - right).abs() > 1e-9;
    assert!(!found.iter().zip(&expected).any(differs), "{found:?}");
}

/// A note in which people, named by numbers, say one line each.
fn talk(lines: &[(Option<usize>, &str)]) -> StretchRow {
    let mut row = StretchRow {
        key: 0,
        source: Source::Memory,
        path: "memory/2024-05-01.md".into(),
        ordinal: 0,
        day: None,
        record: StretchRecord::default(),
    };
    let record = &mut row.record;
    for (idx, (speaker, text)) in lines.iter().enumerate() {
        record.passages.push(PassageRecord {
            kind: PassageKind::Bullet,
            origin: Origin::Owner,
            lines: LineRange { start: 1, end: 1 },
            speaker: *speaker,
            pieces: idx..idx + 1,
            text: 0..0,
        });
        record.pieces.push(PieceRecord {
            passage: idx,
            text: 0..0,
            n_words: 5,
            asks: text.ends_with('?'),
            wish: false,
        });
    }
    row
}

#[test]
fn consecutive_messages_by_one_speaker_all_count_as_answer() {
    let row = talk(&[
        (Some(0), "Who keeps bees?"),
        (Some(1), "Oh."),
        (Some(1), "My aunt."),
        (Some(1), "In Vejle."),
        (Some(1), "Since spring."),
        (Some(0), "Nice."),
        (Some(1), "Yes."),
        (None, "Bees?"),
        (Some(1), "No."),
    ]);
    let words = [0.5; 9];
    let passages = row.record.pieces.iter().zip(&row.record.passages);
    let met: Vec<f64> = passages
        .map(|(piece, passage)| 10.0 * answered(&row, piece, passage, &words))
        .map(f64::round)
        .collect();
    let expected = [0.0, 5.0, 5.0, 5.0, 5.0, 0.0, 0.0, 0.0, 0.0];
    let differs = |(left, right): (&f64, &f64)| (left - right).abs() > 1e-9;
    assert!(!met.iter().zip(&expected).any(differs), "{met:?}");
}

#[test]
fn message_has_similarity_of_its_best_part() {
    let passage = PassageRecord {
        kind: PassageKind::Message,
        origin: Origin::Owner,
        lines: LineRange { start: 1, end: 1 },
        speaker: None,
        pieces: 1..3,
        text: 0..0,
    };
    let whole = of_message(&passage, &[0.9, 0.5, 0.25, 0.8], &[0.9, -0.5, 0.125, 0.8]);
    assert!((whole - 0.625).abs() < 1e-9, "{whole}");
    assert!(of_message(&passage, &[0.9], &[]).abs() < 1e-9);
}
