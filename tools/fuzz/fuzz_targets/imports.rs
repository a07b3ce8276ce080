//! A conversation or a memory of another program, of any bytes.

#![no_main]

use std::path::{Path, PathBuf};

use base::disk::{MemoryDisk, replace};
use base::{Disk as _, Origin, Tz};
use import::{Holds, ImportFormat, MemoryFile};
use libfuzzer_sys::fuzz_target;

const FORMATS: [Option<ImportFormat>; 7] = [
    None,
    Some(ImportFormat::OpenClaw),
    Some(ImportFormat::ClaudeCode),
    Some(ImportFormat::Codex),
    Some(ImportFormat::ChatGpt),
    Some(ImportFormat::Claude),
    Some(ImportFormat::Lines),
];

fuzz_target!(|bytes: &[u8]| {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/in")).unwrap();
    let path = PathBuf::from("/in/file.json");
    replace(&disk, &path, bytes).unwrap();
    for format in FORMATS {
        drop(import::read_conversations(&disk, &path, format));
    }
    let file = MemoryFile {
        path,
        format: None,
        holds: Holds::Everywhere,
        modified_at: None,
    };
    if let Ok((format, text)) = import::read_memory_file(&disk, &file) {
        drop(import::memories_in((format, &text), &file, (Origin::Untrusted, Tz::UTC)));
    }
});
