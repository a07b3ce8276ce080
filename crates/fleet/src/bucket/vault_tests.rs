//! A vault after a crash, with concurrent processes, and after its disk was unmounted.

use std::os::unix::fs::PermissionsExt;
use std::thread;

use base::disk::{CrashDisk, DiskOperation, HookedDisk, MemoryDisk, OsDisk};
use object_store::UpdateVersion;

use super::super::requests::Requests;
use super::*;
use crate::HomesError;

fn vault(disk: impl Disk + 'static, directory: &Path) -> Vault {
    create_vault(&disk, directory).unwrap();
    Vault::new(Arc::new(disk), directory)
}

fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}

fn update(bytes: &[u8]) -> PutMode {
    PutMode::Update(UpdateVersion {
        e_tag: Some(content_hash(bytes)),
        version: None,
    })
}

fn read(vault: &Vault, at: &str) -> Option<Vec<u8>> {
    read_some(&*vault.disk, &vault.path(&key(at)), 100).unwrap()
}

#[test]
fn i1_crash_leaves_vault_object_before_or_after_write() {
    let start = MemoryDisk::new();
    let root = Path::new("/vault");
    let before = vault(start.clone(), root);
    let at = key("anna/lease");
    before.put(&at, b"one", &PutMode::Create).unwrap();
    for crash in CrashDisk::crashes(&start, |disk| {
        let own = Vault::new(Arc::new(disk), root);
        own.put(&at, b"two", &update(b"one"))?;
        own.put(&key("anna/log/1"), b"record", &PutMode::Create)
    }) {
        let crash = crash.reported();
        let found = Vault::new(Arc::new(crash.found.clone()), root);
        let (lease, record) = (read(&found, "anna/lease"), read(&found, "anna/log/1"));
        let as_before = lease.as_deref() == Some(b"one") && record.is_none();
        let as_after = lease.as_deref() == Some(b"two");
        let is_whole = record.is_none() || record.as_deref() == Some(b"record");
        assert!((as_before || as_after) && is_whole, "{}", crash.when);
        assert!(crash.done.is_err() || record.is_some(), "{}", crash.when);
        // After any crash, another record can be written.
        let next = key("anna/log/2");
        found.put(&next, b"next", &PutMode::Create).unwrap();
        let listed = found.objects(key("anna/log"), None).unwrap();
        assert_eq!(listed.len(), 1 + usize::from(record.is_some()));
    }
}

#[test]
fn i1_concurrent_swaps_of_vault_object_lose_none() {
    const N_THREADS: u64 = 8;
    const N_SWAPS: u64 = 10;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    let first = vault(OsDisk, &root);
    let at = key("anna/head");
    first.put(&at, b"0", &PutMode::Create).unwrap();
    let count = || {
        // Each thread has its own open lock file, as a process would.
        let own = Vault::new(Arc::new(OsDisk), &root);
        let mut n_done = 0;
        while n_done < N_SWAPS {
            let found = read(&own, "anna/head").unwrap();
            let number: u64 = String::from_utf8_lossy(&found).parse().unwrap();
            let next = (number + 1).to_string();
            match own.put(&at, next.as_bytes(), &update(&found)) {
                Ok(_) => n_done += 1,
                Err(Error::Precondition { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..N_THREADS {
            scope.spawn(count);
        }
    });
    let total = (N_THREADS * N_SWAPS).to_string().into_bytes();
    assert_eq!(read(&first, "anna/head"), Some(total));
}

#[test]
fn i1_concurrent_creation_of_vault_object_succeeds_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    let create = || {
        create_vault(&OsDisk, &root).unwrap();
        let own = Vault::new(Arc::new(OsDisk), &root);
        match own.put(&key("anna/key"), b"own", &PutMode::Create) {
            Ok(_) => true,
            Err(Error::AlreadyExists { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    };
    let created = thread::scope(|scope| {
        let threads = [(); 8].map(|()| scope.spawn(create));
        threads.map(|it| it.join().unwrap())
    });
    assert_eq!(created.iter().filter(|it| **it).count(), 1);
}

#[test]
fn i1_vanished_vault_or_home_is_not_recreated() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    let own = vault(OsDisk, &root);
    let (lease, record) = (key("anna/lease"), key("anna/log/1"));
    own.put(&lease, b"one", &PutMode::Create).unwrap();
    OsDisk.remove_tree(&root.join("anna")).unwrap();
    own.put(&record, b"lost", &PutMode::Create).unwrap_err();
    own.put(&lease, b"two", &update(b"one")).unwrap_err();
    assert!(own.objects(Key::default(), None).unwrap().is_empty());
    // An empty mount point replaces the vault.
    OsDisk.remove_tree(&root).unwrap();
    OsDisk.create_dir(&root).unwrap();
    own.put(&lease, b"two", &PutMode::Create).unwrap_err();
    let read = own.get(&lease, &GetOptions::default()).unwrap_err();
    assert!(matches!(read, Error::Generic { .. }), "{read}");
    own.objects(Key::default(), None).unwrap_err();
    assert_eq!(OsDisk.list(&root).unwrap(), Vec::<PathBuf>::new());
    // Another vault replaces this one.
    create_vault(&OsDisk, &root).unwrap();
    own.put(&lease, b"two", &PutMode::Create).unwrap_err();
    own.objects(Key::default(), None).unwrap_err();
}

#[test]
fn vault_is_private_and_requires_empty_directory() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    OsDisk.create_dir(&root.join("letters")).unwrap();
    let refused = create_vault(&OsDisk, &root).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::DirectoryNotEmpty);
    OsDisk.remove_tree(&root.join("letters")).unwrap();
    // A file that a killed process left behind.
    OsDisk
        .append(&temporary_of(&root.join(VAULT_MARKER)), b"{")
        .unwrap();
    let mut open = root.metadata().unwrap().permissions();
    open.set_mode(0o755);
    std::fs::set_permissions(&root, open).unwrap();
    let own = vault(OsDisk, &root);
    own.put(&key("anna/key"), b"own", &PutMode::Create).unwrap();
    own.put(&key("anna/log/1"), b"1", &PutMode::Create).unwrap();
    let mode = |below: &str| root.join(below).metadata().unwrap().permissions().mode() & 0o777;
    let modes = [
        "",
        VAULT_MARKER,
        "anna",
        "anna/key",
        "anna/log",
        "anna/log/1",
    ]
    .map(mode);
    assert_eq!(modes, [0o700, 0o600, 0o700, 0o600, 0o700, 0o600]);
}

#[test]
fn vault_write_that_cannot_be_synced_is_not_acknowledged() {
    let disk = MemoryDisk::new();
    let root = Path::new("/vault");
    create_vault(&disk, root).unwrap();
    let failing = HookedDisk::before(disk, |operation| {
        if let DiskOperation::SyncDir(path) = operation {
            let failure = io::Error::other("an error of the device");
            return Err(DiskError::on("sync", path)(failure));
        }
        Ok(())
    });
    let store = Arc::new(Vault::new(Arc::new(failing), root));
    let requests = Requests::new(store, "").unwrap();
    // The file exists by now, so a retry would treat it as durable.
    let told = requests.swap("anna/key", b"own".to_vec(), None);
    assert!(matches!(told, Err(HomesError::Disk(_))), "{told:?}");
}

#[test]
fn i14_vault_neither_writes_nor_deletes_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    let own = vault(OsDisk, &root);
    let (at, record) = (key("anna/key"), key("anna/log/1"));
    own.put(&at, b"own", &PutMode::Create).unwrap();
    let outside = folder.path().join("outside");
    for name in ["anna/.lock", "anna/.tmp", "anna/log"] {
        OsDisk.create_dir(&outside).unwrap();
        replace(&OsDisk, &outside.join("1"), b"mine").unwrap();
        let (link, target) = (root.join(name), outside.join("1"));
        let target = if name.ends_with("log") {
            &outside
        } else {
            &target
        };
        if OsDisk.stat(&link).unwrap().is_some() {
            OsDisk.remove(&link).unwrap();
        }
        std::os::unix::fs::symlink(target, &link).unwrap();
        own.put(&record, b"record", &PutMode::Overwrite)
            .unwrap_err();
        if name.ends_with("log") {
            own.delete(&record).unwrap_err();
        }
        assert_eq!(
            read_some(&OsDisk, &outside.join("1"), 9).unwrap(),
            Some(b"mine".to_vec())
        );
        OsDisk.remove(&link).unwrap();
    }
}

#[test]
fn vault_of_later_format_is_left_unchanged() {
    let disk = MemoryDisk::new();
    let root = Path::new("/vault");
    let own = vault(disk.clone(), root);
    replace(&disk, &root.join(VAULT_MARKER), b"{\"format\":2}\n").unwrap();
    let before = disk.snapshot();
    own.put(&key("anna/key"), b"own", &PutMode::Create)
        .unwrap_err();
    own.delete(&key("anna/key")).unwrap_err();
    let refused = create_vault(&disk, root).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    assert_eq!(disk.snapshot(), before);
}
