//! Files of the disk below are readable, can seemingly be changed, and stay unchanged.

use super::*;
use crate::disk::{MemoryDisk, OsDisk, append, read_all, replace};

fn content(disk: &dyn Disk, path: &str) -> String {
    String::from_utf8(read_all(disk, Path::new(path), 1_000).unwrap()).unwrap()
}

#[test]
fn i13_overlay_shows_changes_and_leaves_lower_disk_unchanged() {
    let below = MemoryDisk::new();
    let home = Path::new("/home");
    below.create_dir(home).unwrap();
    for (name, bytes) in [("a", "one\ntwo\n"), ("b", "b"), ("c", "c")] {
        append(&below, &home.join(name), bytes.as_bytes()).unwrap();
    }
    let overlay = MemoryDisk::above(Arc::new(below.clone()));
    append(&overlay, Path::new("/home/a"), b"three\n").unwrap();
    assert_eq!(content(&overlay, "/home/a"), "one\ntwo\nthree\n");
    overlay.truncate(Path::new("/home/a"), 4).unwrap();
    append(&overlay, Path::new("/home/a"), b"2\n").unwrap();
    replace(&overlay, Path::new("/home/b"), "çd".as_bytes()).unwrap();
    overlay.remove(Path::new("/home/c")).unwrap();
    append(&overlay, Path::new("/home/d"), b"d").unwrap();
    let lock = overlay.try_lock(Path::new("/home/lock")).unwrap();
    assert!(overlay.try_lock(Path::new("/home/lock")).is_err());
    drop(lock);
    overlay.try_lock(Path::new("/home/lock")).unwrap();

    assert_eq!(content(&overlay, "/home/a"), "one\n2\n");
    assert_eq!(content(&overlay, "/home/b"), "çd");
    assert_eq!(overlay.stat(Path::new("/home/c")).unwrap(), None);
    let names: Vec<PathBuf> = ["a", "b", "d", "lock"].map(PathBuf::from).into();
    assert_eq!(overlay.list(home).unwrap(), names);

    assert_eq!(content(&below, "/home/a"), "one\ntwo\n");
    assert_eq!(content(&below, "/home/b"), "b");
    assert_eq!(content(&below, "/home/c"), "c");
    let names: Vec<PathBuf> = ["a", "b", "c"].map(PathBuf::from).into();
    assert_eq!(below.list(home).unwrap(), names);
}

#[cfg(unix)]
#[test]
fn overlay_treats_linked_paths_as_same_file() {
    let home = tempfile::tempdir().unwrap();
    let (real, link) = (home.path().join("real"), home.path().join("link"));
    std::fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let overlay = MemoryDisk::above(Arc::new(OsDisk));
    overlay.create_dir(&link.join("logs")).unwrap();
    append(&overlay, &real.join("logs/a"), b"one").unwrap();
    assert_eq!(overlay.list(&link.join("logs")).unwrap(), [Path::new("a")]);
    let linked = link.join("logs/a");
    assert_eq!(content(&overlay, linked.to_str().unwrap()), "one");
    overlay.remove(&linked).unwrap();
    assert_eq!(overlay.stat(&real.join("logs/a")).unwrap(), None);
    let lock = overlay.try_lock(&link.join("lock")).unwrap();
    overlay.try_lock(&real.join("lock")).unwrap_err();
    drop(lock);
    overlay.try_lock(&real.join("lock")).unwrap();
}
