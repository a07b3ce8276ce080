//! Copies of one second, and too many of them.

use std::path::Path;

use base::disk::{MemoryDisk, read_all};

use super::super::kit::at;
use super::*;

fn names(disk: &MemoryDisk) -> Vec<String> {
    let mut names: Vec<String> = disk
        .list(Path::new("/w"))
        .unwrap()
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.sort();
    names
}

fn disk() -> MemoryDisk {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/w")).unwrap();
    disk
}

#[test]
fn copies_of_same_second_are_numbered_and_equal_ones_kept_once() {
    let disk = disk();
    let keep = |text: &str| keep(&disk, Path::new("/w"), text.as_bytes(), at("07:00:00")).unwrap();
    let kept = ["one", "one", "two", "three"].map(keep);
    assert_eq!(
        kept,
        [
            "DREAMS.md.found-20260420T070000",
            "DREAMS.md.found-20260420T070000",
            "DREAMS.md.found-20260420T070000-2",
            "DREAMS.md.found-20260420T070000-3",
        ]
    );
    let texts = kept.map(|name| read_all(&disk, &Path::new("/w").join(name), 100).unwrap());
    let expected: [&[u8]; 4] = [b"one", b"one", b"two", b"three"];
    assert_eq!(texts, expected);
}

#[test]
fn copies_beyond_limit_drop_oldest_and_keep_other_files() {
    let disk = disk();
    let others = ["DREAMS.md", "DREAMS.md.found-mine", "DREAMS.md.found-1-x"];
    for name in others {
        replace(&disk, &Path::new("/w").join(name), b"mine").unwrap();
    }
    for number in 0..15 {
        let text = format!("{number}");
        keep(&disk, Path::new("/w"), text.as_bytes(), at("07:00:00")).unwrap();
    }
    let mut expected: Vec<String> = (6..=15)
        .map(|number| format!("DREAMS.md.found-20260420T070000-{number}"))
        .chain(others.map(str::to_owned))
        .collect();
    expected.sort();
    assert_eq!(names(&disk), expected);
}
