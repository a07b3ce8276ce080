//! Any text as the pages that the owner edits: `MEMORY.md`, a daily log, `DREAMS.md` and `PROMISES.md`.

#![no_main]

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::{Day, Disk, HomeLayout, Timestamp, Tz};
use libfuzzer_sys::fuzz_target;
use memory::candidates::{Access, MemoryTxn};
use memory::{NoteText, Workspace};

fuzz_target!(|bytes: &[u8]| {
    let day: Day = "2026-03-02".parse().unwrap();
    let now: Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop(memory::dreams_file::parse(text));
        drop(memory::curated::memory_lines(&NoteText::alone(text)));
    }
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::new("/home"));
    workspace.init().unwrap();
    for path in ["MEMORY.md", "DREAMS.md", "PROMISES.md", "memory/2026-03-02.md"] {
        replace(&*disk, &Path::new("/home/workspace").join(path), bytes).unwrap();
    }
    drop(workspace.log_items(day));
    drop(memory::promises::promises(&workspace, now, Tz::UTC));
    if let Ok(desk) = MemoryTxn::open(&workspace, now, Access::Write) {
        drop(desk.state().clone());
    }
});
