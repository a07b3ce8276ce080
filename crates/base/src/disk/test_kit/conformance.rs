//! A conformance suite for all implementations of the disk port.
//!
//! Never used by the program itself.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a suite of tests, which other crates run over their disks"
)]

use std::io;
use std::path::Path;

use crate::disk::{Disk, LockError, append, read_all, replace};

/// A test of a promise of the port, in an existing empty directory of a disk.
pub type Promise = fn(&dyn Disk, &Path);

/// All promises that hold for every kind of disk.
pub const PROMISES: [Promise; 8] = [
    appending_makes_the_file_and_adds_at_its_end,
    replacing_leaves_one_file_and_open_readers_keep_theirs,
    reading_stops_at_the_end,
    cutting_removing_and_listing,
    missing_file_is_reported_as_not_found,
    directories_are_made_with_those_above_them,
    a_lock_is_held_by_one_and_freed_by_dropping,
    a_path_without_links_resolves_to_itself,
];

fn content(disk: &dyn Disk, path: &Path) -> String {
    String::from_utf8(read_all(disk, path, 1_000).unwrap()).unwrap()
}

fn appending_makes_the_file_and_adds_at_its_end(disk: &dyn Disk, root: &Path) {
    let path = root.join("a");
    append(disk, &path, "ab".as_bytes()).unwrap();
    append(disk, &path, "çd".as_bytes()).unwrap();
    assert_eq!(content(disk, &path), "abçd");
    let stat = disk.stat(&path).unwrap().unwrap();
    assert_eq!((stat.len, stat.is_dir), (5, false));
}

fn replacing_leaves_one_file_and_open_readers_keep_theirs(disk: &dyn Disk, root: &Path) {
    let path = root.join("a");
    replace(disk, &path, b"old").unwrap();
    let reader = disk.open(&path).unwrap();
    replace(disk, &path, b"new and longer").unwrap();
    let mut old = [0; 8];
    assert_eq!(reader.read_at(0, &mut old).unwrap(), 3);
    assert_eq!(&old[..3], b"old");
    assert_eq!(content(disk, &path), "new and longer");
    assert_eq!(disk.list(root).unwrap(), [Path::new("a")]);
}

fn reading_stops_at_the_end(disk: &dyn Disk, root: &Path) {
    let path = root.join("a");
    disk.append(&path, b"abcdef").unwrap();
    let file = disk.open(&path).unwrap();
    let mut buffer = [0; 4];
    let reads = [0, 4, 6, 99].map(|offset| file.read_at(offset, &mut buffer).unwrap());
    assert_eq!((reads, file.len().unwrap()), ([4, 2, 0, 0], 6));
}

fn cutting_removing_and_listing(disk: &dyn Disk, root: &Path) {
    let (a, b) = (root.join("a"), root.join("b"));
    disk.append(&b, b"b").unwrap();
    disk.append(&a, b"abc").unwrap();
    disk.truncate(&a, 1).unwrap();
    assert_eq!(content(disk, &a), "a");
    assert_eq!(disk.list(root).unwrap(), [Path::new("a"), Path::new("b")]);
    disk.remove(&a).unwrap();
    assert_eq!(disk.list(root).unwrap(), [Path::new("b")]);
    assert_eq!(disk.stat(&a).unwrap(), None);
    assert!(disk.list(&root.join("none")).unwrap().is_empty());
}

fn missing_file_is_reported_as_not_found(disk: &dyn Disk, root: &Path) {
    let path = root.join("none");
    let kinds = [
        disk.open(&path).map(drop),
        disk.truncate(&path, 0),
        disk.sync(&path),
        disk.remove(&path),
        disk.rename(&path, &root.join("other")),
        disk.append(&path.join("inside"), b"x"),
    ]
    .map(|result| result.unwrap_err().kind());
    assert_eq!(kinds, [io::ErrorKind::NotFound; 6]);
}

fn directories_are_made_with_those_above_them(disk: &dyn Disk, root: &Path) {
    let deep = root.join("x/y/z");
    disk.create_dir(&deep).unwrap();
    disk.create_dir(&deep).unwrap();
    assert!(disk.stat(&root.join("x/y")).unwrap().unwrap().is_dir);
    assert_eq!(disk.list(root).unwrap(), [Path::new("x")]);
}

fn a_lock_is_held_by_one_and_freed_by_dropping(disk: &dyn Disk, root: &Path) {
    let path = root.join("lock");
    disk.check_lock(&path).unwrap();
    assert_eq!(disk.stat(&path).unwrap(), None);
    let lock = disk.try_lock(&path).unwrap();
    for refused in [disk.try_lock(&path).map(drop), disk.check_lock(&path)] {
        match refused {
            Err(LockError::Held { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
            other => panic!("{other:?}"),
        }
    }
    drop(lock);
    disk.check_lock(&path).unwrap();
    drop(disk.try_lock(&path).unwrap());
}

fn a_path_without_links_resolves_to_itself(disk: &dyn Disk, root: &Path) {
    let root = disk.resolve(root).unwrap();
    append(disk, &root.join("a"), b"x").unwrap();
    for name in ["a", "none", "none/deep"] {
        assert_eq!(disk.resolve(&root.join(name)).unwrap(), root.join(name));
    }
}
