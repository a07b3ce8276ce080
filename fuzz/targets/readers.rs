//! One function for each reader of bytes that other programs or people write: it takes any bytes and checks
//! what must hold for all of them. The fuzz targets call these, and so does the test that replays the corpora.
//!
//! Never checks what a particular input means.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base::Disk;
use base::disk::MemoryDisk;
use session::ForwardReader;

const FILE: &str = "/input";

/// Takes any bytes and panics where something does not hold.
pub(crate) type Reader = fn(&[u8]);

/// The readers by the names of their targets.
pub(crate) const READERS: &[(&str, Reader)] = &[
    ("transcript", transcript),
    ("daily_log", daily_log),
    ("dreams_file", dreams_file),
    ("import", import_file),
    ("recording", recording),
    ("words", words),
];

/// Reading a damaged transcript reports the damage, and the same damage each time.
pub(crate) fn transcript(bytes: &[u8]) {
    let disk = disk_with(bytes);
    let verify = || {
        let lines = ForwardReader::open(&*disk, Path::new(FILE)).unwrap();
        session::verify(lines).unwrap()
    };
    assert_eq!(verify(), verify());
}

/// Every line that a note reports exists, and hiding what is known about its lines adds no text.
pub(crate) fn daily_log(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let home = base::HomeLayout::new("/home");
    let workspace = memory::Workspace::new(disk_with(bytes), home);
    let note = workspace.read_note("memory/2026-04-20.md", &text);
    let n_lines = text.lines().count();
    for line in memory::curated::memory_lines(&note) {
        assert!(1 <= line.number && line.number <= n_lines);
    }
    assert!(note.readable().len() <= text.len());
}

/// A candidate is reported only where its id stands in the file.
pub(crate) fn dreams_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let dreams = memory::dreams_file::parse(&text);
    let text = text.to_ascii_lowercase();
    for block in dreams.blocks() {
        assert!(text.contains(block.id.as_str()));
    }
}

/// An import either reads conversations or says what the file is not, and does so again.
pub(crate) fn import_file(bytes: &[u8]) {
    let disk = disk_with(bytes);
    let read = || import::read_conversations(&*disk, Path::new(FILE), None).ok();
    assert_eq!(read(), read());
}

/// A recording that opens holds as many messages as it says.
pub(crate) fn recording(bytes: &[u8]) {
    let Ok(recording) = import::Recording::open(disk_with(bytes), Path::new(FILE)) else {
        return;
    };
    let messages = recording.messages().unwrap();
    assert_eq!(messages.count() as u64, recording.n_messages());
}

/// What was redacted once stays as it is, and own words are a part of the text.
pub(crate) fn words(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let redacted = base::redact(&text);
    assert_eq!(base::redact(&redacted), redacted);
    let n_letters = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).count();
    for own in [base::own_words(&text), base::own_lines(&text)] {
        assert!(n_letters(&own) <= n_letters(&text));
    }
    let said_on: base::Day = "2026-03-02".parse().unwrap();
    let read = || {
        (
            base::dates::with_dates(&text, said_on, None),
            base::dates::named_days(&text, said_on),
            base::dates::days_ahead(&text, said_on, None),
            base::dates::figures_said(&text, said_on),
            base::dates::time_named(&text),
        )
    };
    assert_eq!(read(), read());
}

fn disk_with(bytes: &[u8]) -> Arc<dyn Disk> {
    let files = BTreeMap::from([(FILE.into(), bytes.to_vec())]);
    Arc::new(MemoryDisk::from_snapshot(files))
}
