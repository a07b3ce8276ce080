//! Which hooks answer an event: the first, until its time is over.

use base::disk::{MemoryDisk, append, create_dir, read_all};

use super::*;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_timestamp_millis(1_767_000_000_000 + millis).unwrap()
}

#[test]
fn event_is_answered_once_within_its_time() {
    let (disk, locks) = (MemoryDisk::new(), Path::new("/home/state/locks"));
    let claim = |event: &str, millis| claimed(&disk, locks, event, at(millis)).unwrap();
    let answered = [
        claim("aa", 0),
        claim("aa", 10),
        claim("bb", 20),
        claim("aa", 2_999),
        claim("aa", 3_000),
        claim("bb", 3_019),
        // The clock was set back.
        claim("aa", 500),
    ];
    assert_eq!(answered, [true, false, true, false, true, false, true]);
}

#[test]
fn past_events_are_removed_from_the_file() {
    let (disk, locks) = (MemoryDisk::new(), Path::new("/home/state/locks"));
    for n in 0..100 {
        assert!(claimed(&disk, locks, &format!("{n:08x}"), at(n * 1_000)).unwrap());
    }
    let file = read_all(&disk, &locks.join(FILE), BYTES_MAX).unwrap();
    assert_eq!(String::from_utf8(file).unwrap().lines().count(), 3);
}

#[test]
fn damaged_file_of_events_hides_nothing() {
    let (disk, locks) = (MemoryDisk::new(), Path::new("/home/state/locks"));
    create_dir(&disk, locks).unwrap();
    append(&disk, &locks.join(FILE), b"aa\xff\naa x\n\n9 9\naa").unwrap();
    assert!(claimed(&disk, locks, "aa", at(0)).unwrap());
    assert!(!claimed(&disk, locks, "aa", at(1)).unwrap());
}
