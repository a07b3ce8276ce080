//! Tests of the pack: what is near by signs, and what is read back.

use super::*;

#[test]
fn signs_have_one_bit_per_positive_number() {
    let asked = signs([0.5, -0.5, 0.0, 1.0].into_iter());
    assert_eq!(asked, [0b1001]);
    assert_eq!(signs((0..65).map(|_| 1.0)), [u64::MAX, 1]);
    assert_eq!(distance(&0b0101_u64.to_le_bytes(), &asked), 2);
    assert_eq!(farthest_of(&[1, 0, 3, 9], 4), 2);
    assert_eq!(farthest_of(&[1, 0], 4), NEVER - 1);
}

#[test]
fn packed_stretch_reads_back() {
    let day = "2026-04-20".parse().ok();
    let entry = PackedStretch::new(-7, Source::Session, day, 1 << 40);
    assert_eq!(PackedStretch::read(&entry.to_bytes()), Some(entry));
    assert_eq!(entry.day(), day);
    let bare = PackedStretch::new(-7, Source::Session, None, 1 << 40);
    assert_eq!(PackedStretch::read(&bare.to_bytes()), Some(bare));
    assert_eq!(bare.day(), None);
}

/// A pack of vectors of 64 numbers, whose signs are `words`, in stretches of three pieces.
fn pack_of(words: &[u64]) -> Pack {
    let keys = 0..words.len().div_ceil(3);
    let shape = PackShape {
        dimensions: 64,
        n_pieces: words.len(),
        n_stretches: keys.len(),
    };
    let mut bytes = shape.header();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    for piece in 0..words.len() {
        bytes.extend([u8::try_from(piece % 251).unwrap(); 64]);
    }
    for number in keys {
        let key = i64::try_from(number).unwrap() * 10;
        let entry = PackedStretch::new(key, Source::Memory, None, number * 3);
        bytes.extend(entry.to_bytes());
    }
    let shape = PackShape::read(&bytes).unwrap();
    let bytes = OwnedBytes::new(bytes);
    Pack { bytes, shape }
}

/// The same result, found by comparing every piece: keys, and the bytes of the rows.
fn nearest_of_all(
    words: &[u64],
    asked: u64,
    n_max: usize,
    shown: &ShownFilter<'_>,
) -> Vec<(i64, u8)> {
    let pieces = words.iter().enumerate().map(|(piece, word)| {
        let key = i64::try_from(piece / 3).unwrap() * 10;
        let row = u8::try_from(piece % 251).unwrap();
        ((word ^ asked).count_ones(), key, row)
    });
    let may_be_shown = |key| shown(&PackedStretch::new(key, Source::Memory, None, 0));
    let pieces: Vec<_> = pieces.filter(|(_, key, _)| may_be_shown(*key)).collect();
    let mut distances: Vec<u32> = pieces.iter().map(|(distance, _, _)| *distance).collect();
    distances.sort_unstable();
    let last = distances.get(n_max - 1).or(distances.last()).copied();
    let pieces = pieces.into_iter();
    let near = pieces.filter(|(distance, _, _)| Some(*distance) <= last);
    near.map(|(_, key, row)| (key, row)).collect()
}

#[test]
fn pack_nearest_agrees_with_exhaustive_search() {
    // More than one part, so that threads look at them where there are several processors.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let words: Vec<u64> = (0..2 * PART_PIECES_MAX + 100).map(|_| random()).collect();
    let pack = pack_of(&words);
    let all = |_: &PackedStretch| true;
    let some = |it: &PackedStretch| it.key % 40 == 0;
    let none = |_: &PackedStretch| false;
    let shown: [&ShownFilter<'_>; 3] = [&all, &some, &none];
    for (asked, n_max) in [(random(), 1), (random(), 100), (random(), 5_000)] {
        for shown in shown {
            let near = pack.nearest(&[asked], n_max, shown).unwrap();
            let found: Vec<(i64, u8)> = near.iter().map(|it| (it.key, it.row[0])).collect();
            let expected = nearest_of_all(&words, asked, n_max, shown);
            assert_eq!(found, expected, "{n_max}");
        }
    }
    let near = pack.nearest(&[0], 1 << 20, &all).unwrap();
    assert_eq!(near.len(), words.len());
}

#[test]
fn pack_nearest_fails_if_thread_panics() {
    let pack = pack_of(&vec![0; 2 * PART_PIECES_MAX + 100]);
    let own = std::thread::current().id();
    // On one processor there is one part, which is looked through here.
    let has_others = std::thread::available_parallelism().is_ok_and(|n| n.get() > 1);
    let breaks = |_: &PackedStretch| {
        assert!(std::thread::current().id() == own, "a broken part");
        true
    };
    let found = pack.nearest(&[0], 10, &breaks);
    assert_eq!(found.is_err_and(|error| error.is_damage()), has_others);
}

#[test]
fn pack_rows_are_found_by_stretch_key() {
    let pack = pack_of(&[0; 10]);
    let rows = |key| pack.rows_of(key).map(|rows| (rows.len() / 64, rows[0]));
    let expected = [(3, 0), (3, 6), (1, 9)].map(Some);
    assert_eq!([0, 20, 30].map(rows), expected);
    assert_eq!([-1, 5, 40].map(rows), [None; 3]);
}

#[test]
fn pack_with_wrong_length_is_rejected() {
    let shape = PackShape {
        dimensions: 3,
        n_pieces: 2,
        n_stretches: 1,
    };
    let mut bytes = shape.header();
    bytes.resize(HEADER_BYTES + 16 + 6 + ENTRY_BYTES, 0);
    assert_eq!(PackShape::read(&bytes), Some(shape));
    bytes.pop();
    assert_eq!(PackShape::read(&bytes), None);
    let huge = PackShape {
        dimensions: usize::MAX,
        ..shape
    };
    assert_eq!(PackShape::read(&huge.header()), None);
}

#[test]
fn open_reports_unreadable_pack_as_error_and_not_as_missing() {
    let directory = tempfile::tempdir().unwrap();
    let open = |name| Pack::open(directory.path(), name).map(|pack| pack.is_some());
    assert!(!open("missing.pack").unwrap());
    std::fs::create_dir(directory.path().join("folder.pack")).unwrap();
    open("folder.pack").unwrap_err();
}
