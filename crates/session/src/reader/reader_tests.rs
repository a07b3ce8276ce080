//! Both readers find every line, whatever it contains, and never keep a long line in memory.
//!
//! The large files in these tests are generated while they are read.

use std::path::Path;

use base::disk::{DiskError, MemoryDisk, ReadAt};
use proptest::prelude::*;

use super::*;
use crate::format::{Damage, LINE_BYTES_MAX, LineContent};

fn memory_disk(bytes: &[u8]) -> MemoryDisk {
    MemoryDisk::from_snapshot([("/s.jsonl".into(), bytes.to_vec())].into())
}

fn open(bytes: &[u8]) -> TranscriptFile {
    TranscriptFile::open(&memory_disk(bytes), Path::new("/s.jsonl")).unwrap()
}

fn backwards(file: &TranscriptFile) -> Vec<RawLine> {
    let mut reader = BackwardReader::new(file);
    let mut lines = Vec::new();
    while let Some(line) = reader.previous().unwrap() {
        assert_eq!(reader.position(), line.offset);
        lines.push(line);
    }
    lines
}

fn raw(offset: u64, bytes: &[u8]) -> RawLine {
    RawLine {
        offset,
        len: bytes.len() as u64,
        text: RawText::Bytes(bytes.to_vec()),
    }
}

/// The lines that both readers should find, by a simple split.
fn model(bytes: &[u8]) -> Vec<RawLine> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let Some(end) = end else {
        return Vec::new();
    };
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in bytes[..end].split(|byte| *byte == b'\n') {
        lines.push(raw(offset, line));
        offset += line.len() as u64 + 1;
    }
    lines
}

#[track_caller]
fn check(bytes: &[u8]) {
    let file = open(bytes);
    let expected = model(bytes);
    let mut reversed = backwards(&file);
    reversed.reverse();
    assert_eq!(reversed, expected);
    let mut cursor = forward::LineCursor::new(0);
    let mut forwards = Vec::new();
    while let Some(line) = cursor.next(&file).unwrap() {
        forwards.push(line);
    }
    assert_eq!(forwards, expected);
    for line in &expected {
        assert_eq!(file.line_at(line.offset).unwrap().as_ref(), Some(line));
        assert_eq!(
            file.line_at(line.offset + line.len).unwrap().is_some(),
            line.len == 0
        );
    }
}

#[test]
fn readers_return_every_whole_line_in_both_directions() {
    check(b"");
    check(b"\n");
    check(b"torn");
    check(b"a\n\n\r\nbc\ntorn");
    let long = "x".repeat(CHUNK_BYTES);
    for text in [
        format!("{long}\n"),
        format!("a\n{long}\nb\n"),
        // The line end of the previous line is the last byte of its chunk.
        format!("a\n{}\n", "x".repeat(CHUNK_BYTES - 1)),
        format!("{long}{long}{long}\n\n{long}\ntail"),
        format!("{}\n", "short line\n".repeat(20_000)),
    ] {
        check(text.as_bytes());
    }
}

#[test]
fn i16_bad_lines_do_not_hide_others() {
    let good = r#"{"type":"label","id":"b","parentId":"a","timestamp":"2026-04-12T10:00:00.000Z"}"#;
    let mut bytes = b"\xff\xfe\n\0\0\0\n\n{\"type\":\n".to_vec();
    bytes.extend(format!("{good}\r\n{good}").bytes());
    let reader = ForwardReader::open(&memory_disk(&bytes), Path::new("/s.jsonl")).unwrap();
    let tail = reader.torn_tail();
    let lines: Vec<TranscriptLine> = reader.map(Result::unwrap).collect();
    let found: Vec<(u64, u64, Option<&Damage>)> = lines
        .iter()
        .map(|line| {
            let damage = match &line.content {
                LineContent::Damaged { damage, .. } => Some(damage),
                LineContent::Entry(_) | LineContent::Header(_) | LineContent::ShortMeta(_) => None,
            };
            (line.number, line.offset, damage)
        })
        .collect();
    let no_brace = Damage::NotJson("it does not begin with a brace".into());
    let broken_off = Damage::NotJson("EOF while parsing a value at line 1 column 8".into());
    assert_eq!(
        found,
        [
            (1, 0, Some(&Damage::NotUtf8)),
            (2, 3, Some(&no_brace)),
            (3, 7, Some(&Damage::Blank)),
            (4, 8, Some(&broken_off)),
            (5, 17, None),
        ]
    );
    let n_bytes = good.len() as u64;
    let offset = 17 + n_bytes + 2;
    assert_eq!(tail, Some(TornTail { offset, n_bytes }));
}

#[test]
fn file_that_shrinks_during_reading_fails_and_ends_reader() {
    let disk = memory_disk("line\n".repeat(CHUNK_BYTES).as_bytes());
    let mut reader = ForwardReader::open(&disk, Path::new("/s.jsonl")).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().number, 1);
    base::Disk::truncate(&disk, Path::new("/s.jsonl"), 10).unwrap();
    let error = reader.find_map(Result::err).unwrap();
    assert_eq!(error.to_string(), "cannot read /s.jsonl");
    assert!(reader.next().is_none());
}

/// A line of this many equal bytes between two short lines.
#[derive(Debug)]
struct Sparse(u64);

const GIGABYTE: u64 = 1 << 30;
const SHORT: &[u8] = b"short\n";

impl ReadAt for Sparse {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(self.0 + 1 + 2 * SHORT.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let long_from = SHORT.len() as u64;
        let long_to = long_from + self.0;
        buffer.fill(b'x');
        let specials = SHORT
            .iter()
            .enumerate()
            .map(|(idx, byte)| (idx as u64, *byte));
        let after = SHORT.iter().enumerate();
        let after = after.map(|(idx, byte)| (long_to + 1 + idx as u64, *byte));
        for (position, byte) in specials.chain([(long_to, b'\n')]).chain(after) {
            let inside = position
                .checked_sub(offset)
                .and_then(|at| usize::try_from(at).ok());
            if let Some(place) = inside.and_then(|at| buffer.get_mut(at)) {
                *place = byte;
            }
        }
        let available = self.len()?.saturating_sub(offset);
        Ok(buffer.len().min(usize::try_from(available).unwrap()))
    }
}

#[test]
fn i16_line_of_gigabyte_is_skipped_in_bounded_memory() {
    let n_bytes = GIGABYTE;
    let file = TranscriptFile::new(Box::new(Sparse(n_bytes)), Path::new("/s.jsonl")).unwrap();
    let long = RawLine {
        offset: 6,
        len: n_bytes,
        text: RawText::TooLong,
    };
    let last = 6 + n_bytes + 1;
    let capacity_max = usize::try_from(3 * LINE_BYTES_MAX).unwrap();

    let mut cursor = forward::LineCursor::new(0);
    assert_eq!(cursor.next(&file).unwrap(), Some(raw(0, b"short")));
    assert_eq!(cursor.next(&file).unwrap(), Some(long.clone()));
    assert!(cursor.data.capacity() <= capacity_max);
    assert_eq!(cursor.next(&file).unwrap(), Some(raw(last, b"short")));
    assert_eq!(cursor.next(&file).unwrap(), None);

    let mut back = BackwardReader::new(&file);
    assert_eq!(back.previous().unwrap(), Some(raw(last, b"short")));
    assert_eq!(back.previous().unwrap(), Some(long.clone()));
    assert!(back.data.capacity() <= capacity_max);
    assert_eq!(back.previous().unwrap(), Some(raw(0, b"short")));
    assert_eq!(back.previous().unwrap(), None);

    let expected = LineContent::Damaged {
        damage: Damage::TooLong(n_bytes),
        place: None,
    };
    assert_eq!(long.parse(), expected);
}

proptest! {
    #[test]
    fn i16_readers_agree_with_simple_reading(
        lines in proptest::collection::vec((0_usize..5, 0_usize..90_000), 0..12),
        tail in 0_usize..3,
    ) {
        let mut bytes = Vec::new();
        for (kind, long) in lines {
            let n_bytes = if kind == 0 { long } else { kind - 1 };
            bytes.extend(vec![b'a'; n_bytes]);
            bytes.push(b'\n');
        }
        bytes.extend(vec![b't'; tail]);
        check(&bytes);
    }

    #[test]
    fn i16_lines_other_than_messages_are_those_of_reading_all_lines(
        lines in proptest::collection::vec((any::<bool>(), 0_usize..90_000), 0..12),
    ) {
        let mut bytes = Vec::new();
        for (is_message, n_bytes) in lines {
            bytes.extend(if is_message { &br#"{"type":"message","#[..] } else { b"{" });
            bytes.extend(vec![b'a'; n_bytes]);
            bytes.push(b'\n');
        }
        let file = open(&bytes);
        let (mut all, mut others) = (BackwardReader::new(&file), BackwardReader::new(&file));
        while let Some(line) = all.previous().unwrap() {
            if !line.is_plain_message() {
                prop_assert_eq!(others.previous_other().unwrap(), Some(line));
            }
        }
        prop_assert_eq!(others.previous_other().unwrap(), None);
    }
}
