//! A session of any bytes: each reader returns an answer or an error.

#![no_main]

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::{Disk, FixedClock, HomeLayout, TokenCount};
use libfuzzer_sys::fuzz_target;
use session::{LineStart, ResumeLimit, SessionName, SessionStore};

fuzz_target!(|bytes: &[u8]| {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    disk.create_dir(Path::new("/home/sessions")).unwrap();
    replace(&*disk, Path::new("/home/sessions/main.jsonl"), bytes).unwrap();
    let now = "2026-03-02T08:00:00Z".parse().unwrap();
    let clock = Arc::new(FixedClock::new(now));
    let store = SessionStore::new(disk, clock, HomeLayout::new("/home"));
    let name: SessionName = "main".parse().unwrap();
    let limit = ResumeLimit {
        tokens: TokenCount(10_000),
    };
    drop(store.read(&name, limit));
    drop(store.part(&name));
    drop(store.part_at(&name, now));
    drop(store.lineage(&name));
    drop(store.scoped_lines(&name));
    drop(store.live_branch(&name, None));
    if let Ok(lines) = store.lines(&name) {
        lines.for_each(drop);
    }
    if let Ok(lines) = store.live_lines(&name, LineStart::FIRST) {
        lines.for_each(drop);
    }
    // Also truncates a torn tail.
    drop(store.begin_turn(&name, limit));
});
