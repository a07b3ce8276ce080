//! One test suite for every disk: each implementation must fulfil the contract of the port.

use std::io;
use std::path::Path;

use super::*;

/// Runs a test on each disk, in an empty directory.
#[track_caller]
fn check(test: fn(&dyn Disk, &Path)) {
    let real = tempfile::tempdir().unwrap();
    test(&OsDisk, real.path());
    let root = Path::new("/home");
    let memory = MemoryDisk::new();
    memory.create_dir(root).unwrap();
    test(&memory, root);
    let overlay = MemoryDisk::above(std::sync::Arc::new(MemoryDisk::new()));
    overlay.create_dir(root).unwrap();
    test(&overlay, root);
    let crash = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    crash.create_dir(root).unwrap();
    test(&crash, root);
}

#[test]
fn disks_fulfil_contract_of_port() {
    PROMISES.into_iter().for_each(check);
}

fn content(disk: &dyn Disk, path: &Path) -> String {
    String::from_utf8(read_all(disk, path, 1_000).unwrap()).unwrap()
}

/// The number of processes and threads that wait for the lock of a file, according to the system.
#[cfg(target_os = "linux")]
#[expect(
    clippy::disallowed_methods,
    reason = "a file of the system has no length"
)]
fn n_waiting(path: &Path) -> usize {
    use std::os::unix::fs::MetadataExt;
    let file = format!(":{} ", std::fs::metadata(path).unwrap().ino());
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    let of_file = locks.lines().filter(|line| line.contains(&file));
    of_file.filter(|line| line.contains("->")).count()
}

#[test]
#[cfg(target_os = "linux")]
fn lock_is_granted_in_order_of_arrival() {
    use std::sync::Mutex;
    use std::time::Duration;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    let held = OsDisk.try_lock(&path).unwrap();
    let served = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for number in 0..5 {
            let (path, served) = (&path, &served);
            scope.spawn(move || {
                let _lock = OsDisk.lock(path, Duration::from_mins(1)).unwrap();
                served.lock().unwrap().push(number);
            });
            while n_waiting(path) <= number {
                OsDisk.wait(Duration::from_millis(1));
            }
        }
        let gone = OsDisk.lock(&path, Duration::from_millis(1));
        assert!(matches!(gone, Err(LockError::Held { pid: Some(_), .. })));
        drop(held);
    });
    assert_eq!(served.into_inner().unwrap(), [0, 1, 2, 3, 4]);
    // The waiter that gave up does not hold the lock.
    drop(OsDisk.lock(&path, Duration::from_mins(1)).unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn lock_without_room_for_its_pid_still_holds() {
    // A device that accepts no bytes and cannot be truncated.
    let full = Path::new("/dev/full");
    // The device is shared by the whole machine, and the same test may be running in another process.
    let patience = std::time::Duration::from_secs(2);
    let lock = OsDisk.lock(full, patience).unwrap();
    assert!(matches!(OsDisk.try_lock(full), Err(LockError::Held { .. })));
    drop(lock);
}

#[test]
fn check_lock_leaves_lock_unchanged_and_free() {
    use std::time::Duration;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    append(&OsDisk, &path, b"1").unwrap();
    OsDisk.check_lock(&path).unwrap();
    assert_eq!(content(&OsDisk, &path), "1");
    // A lock check that takes longer than usual.
    let file = std::fs::OpenOptions::new().read(true).open(&path).unwrap();
    file.lock_shared().unwrap();
    std::thread::scope(|scope| {
        let taking = scope.spawn(|| OsDisk.try_lock(&path).map(drop));
        OsDisk.wait(Duration::from_millis(10));
        file.unlock().unwrap();
        taking.join().unwrap().unwrap();
    });
    // A process that shares the lock for longer does not make anyone wait forever.
    file.lock_shared().unwrap();
    let refused = OsDisk.try_lock(&path);
    assert!(matches!(refused, Err(LockError::Held { pid: None, .. })));
}

#[test]
fn files_and_directories_are_private_to_owner() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("private");
    OsDisk.create_dir(&directory).unwrap();
    let path = directory.join("a");
    append(&OsDisk, &path, b"x").unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&directory), mode(&path)), (0o700, 0o600));
    replace(&OsDisk, &path, b"y").unwrap();
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn special_files_are_neither_opened_nor_locked() {
    use std::os::unix::{fs::symlink, net::UnixListener};
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let (pipe, socket, link) = (at("pipe"), at("socket"), at("link"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    drop(UnixListener::bind(&socket).unwrap());
    symlink(&pipe, &link).unwrap();
    for (path, reason) in [
        (&pipe, "it is a named pipe, not a file"),
        (&socket, "it is a socket, not a file"),
        (&link, "it is a named pipe, not a file"),
    ] {
        let of_lock = |error: LockError| match error {
            LockError::Disk(error) => error,
            LockError::Held { .. } => panic!("{error}"),
        };
        let zero = std::time::Duration::ZERO;
        let refused = [
            OsDisk.open(path).map(drop),
            OsDisk.append(path, b"x"),
            OsDisk.truncate(path, 0),
            OsDisk.try_lock(path).map(drop).map_err(of_lock),
            OsDisk.lock(path, zero).map(drop).map_err(of_lock),
            OsDisk.check_lock(path).map_err(of_lock),
        ]
        .map(|result| result.unwrap_err())
        .map(|error| (error.kind(), error.source.to_string()));
        let expected = (io::ErrorKind::NotSeekable, reason.to_owned());
        assert_eq!(refused, [(); 6].map(|()| expected.clone()));
        assert!(OsDisk.stat(path).unwrap().is_some());
    }
}

#[test]
fn open_accepts_files_links_and_directories_but_not_devices() {
    let home = tempfile::tempdir().unwrap();
    let (file, link) = (home.path().join("file"), home.path().join("link"));
    append(&OsDisk, &file, b"said").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    append(&OsDisk, &link, b" more").unwrap();
    assert_eq!(content(&OsDisk, &file), "said more");
    for device in ["/dev/null", "/dev/zero"] {
        let refused = OsDisk.open(Path::new(device)).map(drop).unwrap_err();
        assert_eq!(refused.source.to_string(), "it is a device, not a file");
    }
    drop(OsDisk.open(home.path()).unwrap());
    let above = OsDisk.open(&home.path().join("none")).map(drop);
    assert_eq!(above.unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn replace_does_not_overwrite_socket() {
    use std::os::unix::fs::FileTypeExt;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("socket");
    let _listens = std::os::unix::net::UnixListener::bind(&path).unwrap();
    replace(&OsDisk, &path, b"x").unwrap_err();
    let kind = std::fs::symlink_metadata(&path).unwrap().file_type();
    assert!(kind.is_socket(), "{kind:?}");
}

#[test]
fn make_private_changes_files_and_directories_but_not_through_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = tempfile::tempdir().unwrap();
    let (file, link) = (home.path().join("file"), home.path().join("link"));
    let directory = home.path().join("directory");
    append(&OsDisk, &file, b"x").unwrap();
    OsDisk.create_dir(&directory).unwrap();
    symlink(&file, &link).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for path in [&file, &directory] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    OsDisk.make_private(&link).unwrap_err();
    assert_eq!(mode(&file), 0o755);
    for path in [&file, &directory] {
        OsDisk.make_private(path).unwrap();
        assert_eq!(mode(path), 0o700);
    }
}

/// Runs a test on the real disk and on a memory disk above it. The directory contains the file `file`, and `link`
/// leads to it.
fn check_with_link(test: fn(&dyn Disk, &Path)) {
    let overlay = MemoryDisk::above(std::sync::Arc::new(OsDisk));
    for disk in [&OsDisk as &dyn Disk, &overlay] {
        let home = tempfile::tempdir().unwrap();
        append(&OsDisk, &home.path().join("file"), b"said").unwrap();
        std::os::unix::fs::symlink("file", home.path().join("link")).unwrap();
        std::os::unix::fs::symlink("none", home.path().join("dangling")).unwrap();
        test(disk, home.path());
    }
}

#[test]
fn remove_of_link_keeps_its_target() {
    check_with_link(|disk, root| {
        let (file, link) = (root.join("file"), root.join("link"));
        disk.remove(&link).unwrap();
        disk.remove(&root.join("dangling")).unwrap();
        assert_eq!(disk.list(root).unwrap(), [Path::new("file")]);
        assert_eq!(disk.stat(&link).unwrap(), None);
        let gone = disk.remove(&link).unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
        assert_eq!(content(disk, &file), "said");
        // A new file can be created under the name of the removed link.
        append(disk, &link, b"new").unwrap();
        assert_eq!(content(disk, &link), "new");
        assert_eq!(content(disk, &file), "said");
    });
}

#[test]
fn replace_of_link_keeps_its_target() {
    check_with_link(|disk, root| {
        let (file, link) = (root.join("file"), root.join("link"));
        replace(disk, &link, b"new").unwrap();
        append(disk, &link, b"er").unwrap();
        assert_eq!(content(disk, &link), "newer");
        assert_eq!(content(disk, &file), "said");
    });
}

#[test]
fn renamed_link_still_leads_to_target() {
    check_with_link(|disk, root| {
        let (file, link, new) = (root.join("file"), root.join("link"), root.join("new"));
        disk.rename(&link, &new).unwrap();
        assert_eq!(disk.stat(&link).unwrap(), None);
        append(disk, &new, b" more").unwrap();
        assert_eq!(content(disk, &file), "said more");
        let names = ["dangling", "file", "new"].map(std::path::PathBuf::from);
        assert_eq!(disk.list(root).unwrap(), names);
    });
}

#[test]
fn append_through_link_writes_to_target() {
    check_with_link(|disk, root| {
        append(disk, &root.join("link"), b" more").unwrap();
        assert_eq!(content(disk, &root.join("file")), "said more");
        disk.remove(&root.join("file")).unwrap();
        assert_eq!(disk.stat(&root.join("link")).unwrap(), None);
    });
}

#[test]
fn full_disk_error_says_that_disk_is_full() {
    let told = |kind: io::ErrorKind| {
        let error = DiskError::on("append to", Path::new("/a"))(kind.into());
        assert_eq!(error.kind(), kind);
        error.source.to_string()
    };
    assert_eq!(told(io::ErrorKind::StorageFull), "the disk is full");
    let others = [io::ErrorKind::QuotaExceeded, io::ErrorKind::NotFound];
    for other in others {
        assert_eq!(told(other), io::Error::from(other).to_string());
    }
}

#[test]
fn resolve_follows_links_to_missing_targets() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().canonicalize().unwrap();
    let link = |name: &str, target: &str| {
        std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        OsDisk.resolve(&root.join(name))
    };
    OsDisk.create_dir(&root.join("inside")).unwrap();
    assert_eq!(link("a", "inside").unwrap(), root.join("inside"));
    assert_eq!(link("b", "inside/none").unwrap(), root.join("inside/none"));
    assert_eq!(link("c", "b").unwrap(), root.join("inside/none"));
    let new = OsDisk.resolve(&root.join("a/new")).unwrap();
    assert_eq!(new, root.join("inside/new"));
    assert!(link("circle", "circle").is_err());
}

/// Runs `act` once for every moment at which the power can fail, and passes the file found afterwards to `found`.
fn at_every_moment(start: &MemoryDisk, act: fn(&dyn Disk), mut found: impl FnMut(Option<&[u8]>)) {
    for crash in CrashDisk::crashes(start, |disk| act(&disk)) {
        let after = crash.found.snapshot();
        found(after.get(Path::new("/a")).map(Vec::as_slice));
    }
}

#[test]
fn replace_leaves_old_or_new_content_at_every_crash() {
    let start = MemoryDisk::new();
    start.create_dir(Path::new("/")).unwrap();
    replace(&start, Path::new("/a"), b"old").unwrap();
    let mut seen = std::collections::BTreeSet::new();
    at_every_moment(
        &start,
        |disk| drop(replace(disk, Path::new("/a"), b"brand new")),
        |found| {
            seen.insert(found.map(<[u8]>::to_vec));
        },
    );
    let expected = [Some(b"brand new".to_vec()), Some(b"old".to_vec())];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
    let disk = CrashDisk::new(&start, u64::MAX);
    replace(&disk, Path::new("/a"), b"brand new").unwrap();
    let after = disk.after_crash(Unsynced::Lost).snapshot();
    assert_eq!(after.get(Path::new("/a")).unwrap(), b"brand new");
}

#[test]
fn append_leaves_prefix_at_every_crash_and_whole_when_acknowledged() {
    let start = MemoryDisk::new();
    start.create_dir(Path::new("/")).unwrap();
    append(&start, Path::new("/a"), b"one;").unwrap();
    at_every_moment(
        &start,
        |disk| drop(append(disk, Path::new("/a"), b"two;")),
        |found| {
            let prefix = found.unwrap().strip_prefix(b"one;").unwrap();
            assert!(b"two;".starts_with(prefix), "{prefix:?}");
        },
    );
    let disk = CrashDisk::new(&start, u64::MAX);
    append(&disk, Path::new("/a"), b"two;").unwrap();
    let after = disk.after_crash(Unsynced::Lost).snapshot();
    assert_eq!(after.get(Path::new("/a")).unwrap(), b"one;two;");
}

#[test]
fn create_dir_is_durable_with_its_files() {
    let disk = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    let path = Path::new("/home/sessions/a");
    create_dir(&disk, Path::new("/home/sessions")).unwrap();
    append(&disk, path, b"said").unwrap();
    let after = disk.after_crash(Unsynced::Lost).snapshot();
    assert_eq!(after.get(path).map(Vec::as_slice), Some(b"said".as_slice()));
}

#[test]
fn crash_disk_loses_unsynced_directory_with_its_files() {
    let disk = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    disk.create_dir(Path::new("/home/sessions")).unwrap();
    append(&disk, Path::new("/home/sessions/a"), b"said").unwrap();
    assert_eq!(disk.after_crash(Unsynced::Lost).snapshot().len(), 0);
}
