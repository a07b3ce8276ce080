//! The guarantees of homes in every kind of storage: a folder, a bucket in memory, and a bucket on an S3 server.
//!
//! Each bucket is tested in clear text and encrypted. The S3 server is named in `OPENCLAW_TEST_S3`, as `.ci/run`
//! does; without it, that part is skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use base::HomeParts;
use base::disk::{
    Crash, CrashDisk, MemoryDisk, OsDisk, PROMISES, append, create_dir, read_all, remove, replace,
};
use base::test_kit::Words;
use base::{Disk, FixedClock, Timestamp};
use encryption::Key;
use object_store::memory::InMemory;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt, PutOptions};

use super::*;
use crate::create_vault;
use crate::test_kit::{HookedStore, RequestKind, Verdict};
use crate::{BucketAddress, BucketHomes, Cache, Changes, FolderHomes, HomePlace, Listing, copy};

#[path = "port_derived_tests.rs"]
mod derived;
#[path = "port_encrypted_tests.rs"]
mod encrypted;
#[path = "port_lease_tests.rs"]
mod leases;

const LAYOUT: HomeParts = HomeParts {
    local: &["index", "state/locks"],
    derived: &["index"],
    lock: "state/locks/@serve.lock",
    signs: &["empty", "workspace", "sessions"],
};

const MINUTE: Duration = Duration::from_mins(1);

fn terms(holder: &str) -> LeaseTerms {
    LeaseTerms {
        holder: holder.to_owned(),
        time: MINUTE,
    }
}

fn anna() -> HomeName {
    "Zo\u{eb} & \u{5c0f}\u{660e}".parse().unwrap()
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_timestamp(1_776_000_000 + seconds, 0).unwrap()
}

/// The state that workers share.
#[derive(Clone)]
struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: String,
    owner: Option<Key>,
}

impl Bucket {
    /// The same bucket, with a hook before its requests.
    fn hooked(
        &self,
        hook: impl Fn(RequestKind, &str) -> Verdict + Send + Sync + 'static,
    ) -> Bucket {
        Bucket {
            store: Arc::new(HookedStore::new(Arc::clone(&self.store), hook)),
            ..self.clone()
        }
    }

    /// Every object by key.
    fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        let runtime = runtime();
        let at = object_store::path::Path::parse(&self.prefix).unwrap();
        let listed = futures_util::TryStreamExt::try_collect::<Vec<_>>(self.store.list(Some(&at)));
        let listed = runtime.block_on(listed).unwrap().into_iter();
        let objects = listed.map(|object| {
            let got = self.store.get_opts(&object.location, GetOptions::default());
            let bytes = async { got.await.unwrap().bytes().await.unwrap().to_vec() };
            (object.location.to_string(), runtime.block_on(bytes))
        });
        objects.collect()
    }

    /// Replaces the bytes of an object.
    fn put(&self, key: &str, bytes: &[u8]) {
        let at = object_store::path::Path::parse(key).unwrap();
        let put = self
            .store
            .put_opts(&at, bytes.to_vec().into(), PutOptions::default());
        runtime().block_on(put).unwrap();
    }

    fn delete(&self, key: &str) {
        let at = object_store::path::Path::parse(key).unwrap();
        runtime().block_on(self.store.delete(&at)).unwrap();
    }

    /// The full key of an object whose key is relative to the prefix.
    fn key(&self, below: &str) -> String {
        let prefix = self.prefix.as_str();
        let whole = Path::new(prefix).join(below);
        whole.display().to_string()
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// A worker with its own cache and clock on the shared bucket.
fn worker(bucket: &Bucket, seconds: i64) -> BucketHomes {
    let address = BucketAddress::of(Arc::clone(&bucket.store), &bucket.prefix);
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let cache = Cache::new(disk, "/cache".into(), 64 * 1024 * 1024).unwrap();
    let clock = Arc::new(FixedClock::new(at(seconds)));
    let homes = BucketHomes::new(&address, Arc::new(cache), clock, LAYOUT).unwrap();
    homes.encrypted_with(bucket.owner.clone())
}

fn in_memory() -> Bucket {
    Bucket {
        store: Arc::new(InMemory::new()),
        prefix: String::new(),
        owner: None,
    }
}

fn encrypted() -> Bucket {
    Bucket {
        owner: Some(Key::generate()),
        ..in_memory()
    }
}

/// A bucket on the S3 server, with a prefix that no other test uses.
fn s3() -> Option<Bucket> {
    static USED: AtomicU64 = AtomicU64::new(0);
    #[expect(clippy::disallowed_methods, reason = "set by whoever runs the tests")]
    let endpoint = std::env::var("OPENCLAW_TEST_S3").ok()?;
    let variables = [
        ("AWS_ENDPOINT_URL", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test-secret"),
        ("AWS_REGION", "us-east-1"),
    ];
    let variables: BTreeMap<String, String> = variables
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let address = BucketAddress::parse("s3://openclaw-test", &variables).unwrap();
    let n_used = USED.fetch_add(1, Ordering::Relaxed);
    Some(Bucket {
        store: address.store,
        prefix: format!("run-{}-{n_used}", std::process::id()),
        owner: None,
    })
}

/// Runs a test on homes in every kind of storage, each empty.
fn check(test: fn(&dyn Homes)) {
    let folder = tempfile::tempdir().unwrap();
    test(&FolderHomes::new(
        Arc::new(OsDisk),
        folder.path().to_owned(),
        LAYOUT,
    ));
    for bucket in buckets() {
        test(&worker(&bucket, 0));
    }
}

/// A vault on a disk in memory.
fn in_vault() -> Bucket {
    let disk = Arc::new(MemoryDisk::new());
    let directory = Path::new("/vault");
    create_vault(&*disk, directory).unwrap();
    Bucket {
        store: BucketAddress::vault(disk, directory).store,
        owner: Some(Key::generate()),
        ..in_memory()
    }
}

/// Empty buckets of every kind.
fn buckets() -> Vec<Bucket> {
    let of_server = [
        s3(),
        s3().map(|it| Bucket {
            owner: Some(Key::generate()),
            ..it
        }),
    ];
    let in_memory = [in_memory(), encrypted(), in_vault()].into_iter();
    in_memory.chain(of_server.into_iter().flatten()).collect()
}

/// Runs a test on every kind of bucket.
fn check_buckets(test: fn(&Bucket)) {
    for bucket in buckets() {
        test(&bucket);
    }
}

fn content(disk: &dyn Disk, path: &Path) -> Vec<u8> {
    read_all(disk, path, u64::MAX).unwrap()
}

/// Every file of a home, with its content.
fn snapshot(home: &dyn LeasedHome) -> BTreeMap<PathBuf, Vec<u8>> {
    let (disk, mut found) = (home.disk(), BTreeMap::new());
    let mut waiting = vec![home.root().to_owned()];
    while let Some(directory) = waiting.pop() {
        for name in disk.list(&directory).unwrap() {
            let path = directory.join(name);
            if disk.stat(&path).unwrap().unwrap().is_dir {
                waiting.push(path);
            } else {
                let below = path.strip_prefix(home.root()).unwrap().to_owned();
                found.insert(below, content(&*disk, &path));
            }
        }
    }
    found.retain(|path, _| path != Path::new(LAYOUT.lock));
    found
}

#[test]
fn leased_disk_fulfils_contract_of_disk_port() {
    check(|homes| {
        for (n, promise) in PROMISES.into_iter().enumerate() {
            let name = format!("home {n}").parse().unwrap();
            let home = homes.lease(&name, &terms("one")).unwrap();
            let root = home.root().join("empty");
            create_dir(&*home.disk(), &root).unwrap();
            promise(&*home.disk(), &root);
        }
        assert_eq!(homes.names().unwrap().len(), PROMISES.len());
    });
}

#[test]
fn i1_acknowledged_writes_reach_next_holder() {
    check(|homes| {
        let home = homes.lease(&anna(), &terms("one")).unwrap();
        let (disk, root) = (home.disk(), home.root().to_owned());
        let [notes, sessions] = ["workspace/\u{5c0f}", "sessions"].map(|it| root.join(it));
        create_dir(&*disk, &notes).unwrap();
        create_dir(&*disk, &sessions).unwrap();
        let mut said = Vec::new();
        for n in 0..300 {
            let line = format!("{{\"n\":{n},\"text\":\"caf\u{e9}\"}}\n");
            append(&*disk, &sessions.join("main.jsonl"), line.as_bytes()).unwrap();
            said.extend(line.into_bytes());
        }
        replace(&*disk, &notes.join("a.md"), b"old").unwrap();
        replace(&*disk, &notes.join("a.md"), b"new").unwrap();
        replace(&*disk, &notes.join("b.md"), b"b").unwrap();
        remove(&*disk, &notes.join("b.md")).unwrap();
        let before = snapshot(&*home);
        home.release().unwrap();

        let home = homes.lease(&anna(), &terms("two")).unwrap();
        assert_eq!(snapshot(&*home), before);
        let expected = [
            (PathBuf::from("sessions/main.jsonl"), said),
            (PathBuf::from("workspace/\u{5c0f}/a.md"), b"new".to_vec()),
        ];
        assert_eq!(before, BTreeMap::from(expected));
        assert_eq!(homes.names().unwrap(), [anna()]);
    });
}

#[test]
fn home_has_one_lease_holder_at_a_time() {
    check(|homes| {
        let home = homes.lease(&anna(), &terms("one")).unwrap();
        match homes.lease(&anna(), &terms("two")) {
            Err(HomesError::Held { home, .. }) => assert_eq!(home, anna()),
            other => panic!("{other:?}"),
        }
        home.release().unwrap();
        homes.lease(&anna(), &terms("two")).unwrap();
    });
}

#[test]
fn i1_holder_that_lost_its_lease_cannot_write() {
    check_buckets(|bucket| {
        let first = worker(bucket, 0);
        let old = first.lease(&anna(), &terms("one")).unwrap();
        let path = old.root().join("a");
        append(&*old.disk(), &path, b"one;").unwrap();
        assert!(matches!(
            worker(bucket, 59).lease(&anna(), &terms("two")),
            Err(HomesError::Held { .. })
        ));
        let second = worker(bucket, 61);
        let new = second.lease(&anna(), &terms("two")).unwrap();
        append(&*new.disk(), &path, b"two;").unwrap();

        let told = append(&*old.disk(), &path, b"late;").unwrap_err();
        told.source.to_string().holds("two has taken it over");
        replace(&*old.disk(), &path, b"late").unwrap_err();
        for lost in [
            old.commit(),
            old.renew(),
            old.publish("index"),
            old.release(),
        ] {
            assert!(matches!(lost, Err(HomesError::Lost { .. })), "{lost:?}");
        }
        append(&*new.disk(), &path, b"three;").unwrap();
        new.release().unwrap();
        let third = worker(bucket, 61);
        let home = third.lease(&anna(), &terms("three")).unwrap();
        assert_eq!(content(&*home.disk(), &path), b"one;two;three;");
        assert_eq!(home.epoch(), 3);
    });
}

#[test]
fn i1_holder_asleep_through_later_leases_cannot_write() {
    check_buckets(|bucket| {
        let asleep = worker(bucket, 0);
        let asleep = asleep.lease(&anna(), &terms("asleep")).unwrap();
        let path = asleep.root().join("a");
        append(&*asleep.disk(), &path, b"one;").unwrap();
        // This holder changes nothing and dies.
        let idle = worker(bucket, 61);
        drop(idle.lease(&anna(), &terms("idle")).unwrap());
        let busy = worker(bucket, 130);
        let home = busy.lease(&anna(), &terms("busy")).unwrap();
        append(&*home.disk(), &path, b"two;").unwrap();
        home.commit().unwrap();

        append(&*asleep.disk(), &path, b"late;").unwrap_err();
        assert_eq!(content(&*home.disk(), &path), b"one;two;");
    });
}

/// Suspends a holder before its `n`th request of these kinds. Meanwhile another holder takes the home over, writes so
/// much that the log is folded, and releases the home. Then the first holder continues. Returns whether it lost the
/// lease.
fn suspended_before(n_writes: u64, kinds: &'static [RequestKind], bucket: &Bucket) -> bool {
    let (calls, other) = (AtomicU64::new(0), bucket.clone());
    let hooked = bucket.hooked(move |kind, _| {
        if kinds.contains(&kind) && calls.fetch_add(1, Ordering::Relaxed) == n_writes {
            let second = worker(&other, 61);
            let home = second.lease(&anna(), &terms("two")).unwrap();
            for n in 0..10 {
                let line = format!("two {n};");
                append(&*home.disk(), &home.root().join("a"), line.as_bytes()).unwrap();
            }
            home.release().unwrap();
        }
        Verdict::Go
    });
    let first = worker(&hooked, 0);
    let mut acknowledged = Vec::new();
    let mut is_lost = false;
    match first.lease(&anna(), &terms("one")) {
        Ok(home) => {
            let path = home.root().join("a");
            for n in 0..140 {
                let line = format!("one {n};");
                match append(&*home.disk(), &path, line.as_bytes()) {
                    Ok(()) if !is_lost => acknowledged.push(line),
                    Ok(()) => panic!("{line} was acknowledged after the lease was lost"),
                    Err(_) => is_lost = true,
                }
            }
            is_lost |= home.release().is_err();
        }
        Err(_) => is_lost = true,
    }
    let third = worker(bucket, 122);
    let home = third.lease(&anna(), &terms("three")).unwrap();
    let found = String::from_utf8(content(&*home.disk(), &home.root().join("a"))).unwrap();
    let told: Vec<&str> = found.split_inclusive(';').collect();
    let own: Vec<&str> = told
        .iter()
        .filter(|it| it.starts_with("one"))
        .copied()
        .collect();
    assert_eq!(own, acknowledged, "before write {n_writes}");
    assert_eq!(told.iter().collect::<BTreeSet<_>>().len(), told.len());
    is_lost
}

#[test]
fn i1_holder_suspended_between_check_and_write_cannot_write() {
    let mut n_lost = 0;
    let puts = &[RequestKind::Put];
    for n_writes in (1..12).chain(126..136) {
        n_lost += u32::from(suspended_before(n_writes, puts, &in_memory()));
    }
    assert_eq!(n_lost, 21);
    // A request number that is never reached.
    assert!(!suspended_before(10_000, puts, &in_memory()));
    // An encrypted home needs one more write, for its key, which comes before the lease.
    let n_lost = (2..13).map(|n_writes| suspended_before(n_writes, puts, &encrypted()));
    assert_eq!(n_lost.filter(|it| *it).count(), 11);
}

/// The content of `/a` after an interruption.
type Found = Option<Vec<u8>>;

/// Runs `act` on a home, once for each request that changes the bucket, and stops it at that request. Returns every
/// outcome that the next holder finds.
fn at_every_request(
    prepare: fn(&dyn LeasedHome),
    act: fn(&dyn LeasedHome) -> Acknowledged,
) -> BTreeSet<(Acknowledged, Found)> {
    let mut seen = BTreeSet::new();
    let kinds = [in_memory, encrypted];
    let verdicts = [Verdict::Lost, Verdict::AnswerLost];
    for (kind, verdict) in kinds
        .into_iter()
        .flat_map(|kind| verdicts.map(|it| (kind, it)))
    {
        for moment in 0.. {
            let bucket = kind();
            prepare(&*worker(&bucket, 0).lease(&anna(), &terms("zero")).unwrap());
            let (calls, has_crashed) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
            let crashed = Arc::clone(&has_crashed);
            let hooked = bucket.hooked(move |kind, _| {
                if kind == RequestKind::Get {
                    return if crashed.load(Ordering::Relaxed) == 0 {
                        Verdict::Go
                    } else {
                        Verdict::Lost
                    };
                }
                match calls.fetch_add(1, Ordering::Relaxed) {
                    n if n < moment => Verdict::Go,
                    n => {
                        crashed.store(1, Ordering::Relaxed);
                        if n == moment { verdict } else { Verdict::Lost }
                    }
                }
            });
            let dying = worker(&hooked, 61);
            let done = match dying.lease(&anna(), &terms("one")) {
                Ok(home) => act(&*home),
                Err(_) => 0,
            };
            let home = worker(&bucket, 122).lease(&anna(), &terms("two")).unwrap();
            let path = home.root().join("a");
            let found = home
                .disk()
                .stat(&path)
                .unwrap()
                .map(|_| content(&*home.disk(), &path));
            seen.insert((done, found));
            if has_crashed.load(Ordering::Relaxed) == 0 {
                break;
            }
        }
    }
    seen
}

/// The number of acknowledged steps.
type Acknowledged = usize;

#[test]
fn i1_replaced_file_is_old_or_new_at_every_request() {
    let seen = at_every_request(
        |home| replace(&*home.disk(), &home.root().join("a"), b"old").unwrap(),
        |home| usize::from(replace(&*home.disk(), &home.root().join("a"), b"brand new").is_ok()),
    );
    let [old, new] = ["old", "brand new"].map(|it| Some(it.as_bytes().to_vec()));
    assert_eq!(seen, BTreeSet::from([(0, old), (0, new.clone()), (1, new)]));
}

#[test]
fn i1_appends_survive_crash_at_every_request_without_duplicates() {
    let seen = at_every_request(
        |home| append(&*home.disk(), &home.root().join("a"), b"0;").unwrap(),
        |home| {
            let path = home.root().join("a");
            let mut n_done = 0;
            for step in ["1;", "2;", "3;"] {
                if append(&*home.disk(), &path, step.as_bytes()).is_err() {
                    return n_done;
                }
                n_done += 1;
                if home.commit().is_err() {
                    return n_done;
                }
            }
            n_done
        },
    );
    for (n_done, found) in &seen {
        let found = String::from_utf8(found.clone().unwrap()).unwrap();
        let n_found = found.split_terminator(';').count() - 1;
        assert!("0;1;2;3;".starts_with(&found), "{found}");
        assert!(
            n_found == *n_done || n_found == n_done + 1,
            "{n_done} {found}"
        );
    }
    assert!(seen.len() >= 6, "{seen:?}");
}

#[test]
fn i1_folder_home_survives_crash_at_every_byte() {
    let start = MemoryDisk::new();
    start.create_dir(Path::new("/homes")).unwrap();
    let run = |disk: CrashDisk| -> Acknowledged {
        let homes = FolderHomes::new(Arc::new(disk), "/homes".into(), LAYOUT);
        let Ok(home) = homes.lease(&anna(), &terms("one")) else {
            return 0;
        };
        let path = home.root().join("a");
        let steps = ["1;", "2;", "3;"].iter();
        steps
            .take_while(|step| append(&*home.disk(), &path, step.as_bytes()).is_ok())
            .count()
    };
    assert_eq!(run(CrashDisk::new(&start, u64::MAX)), 3);
    let path = Path::new("/homes").join(anna().as_str()).join("a");
    for Crash {
        done, found, when, ..
    } in CrashDisk::crashes(&start, run)
    {
        let found = found.snapshot().remove(&path).unwrap_or_default();
        let found = String::from_utf8(found).unwrap();
        assert!("1;2;3;".starts_with(&found), "{when} {found}");
        assert!(found.len() >= 2 * done, "{when} {found}");
    }
}

#[test]
fn i1_lost_responses_do_not_duplicate_bytes() {
    for bucket in [in_memory(), encrypted()] {
        answers_are_lost(&bucket);
    }
}

fn answers_are_lost(bucket: &Bucket) {
    let calls = AtomicU64::new(0);
    // Every write takes effect, but every second response is lost.
    let hooked = bucket.hooked(move |kind, _| match kind {
        RequestKind::Put if calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) => {
            Verdict::AnswerLost
        }
        RequestKind::Put | RequestKind::Get | RequestKind::Delete => Verdict::Go,
    });
    let first = worker(&hooked, 0);
    let home = first.lease(&anna(), &terms("one")).unwrap();
    let path = home.root().join("a");
    for step in ["1;", "2;", "3;", "4;"] {
        append(&*home.disk(), &path, step.as_bytes()).unwrap();
        home.commit().unwrap();
        home.renew().unwrap();
    }
    home.release().unwrap();
    let home = worker(bucket, 1).lease(&anna(), &terms("two")).unwrap();
    assert_eq!(content(&*home.disk(), &path), b"1;2;3;4;");
}

#[test]
fn push_makes_homes_equal_and_repairs_damaged_object() {
    check_buckets(|bucket| {
        let folder = MemoryDisk::new();
        let root = Path::new("/home");
        create_dir(&folder, &root.join("sessions")).unwrap();
        create_dir(&folder, &root.join("workspace/empty")).unwrap();
        create_dir(&folder, &root.join("index")).unwrap();
        append(&folder, &root.join("index/derived"), b"x").unwrap();
        let long: Vec<u8> = (0..9 * 1024 * 1024_u32).map(|n| (n % 251) as u8).collect();
        append(&folder, &root.join("sessions/z\u{f6}e.jsonl"), &long).unwrap();
        append(&folder, &root.join("workspace/a.md"), b"a").unwrap();
        let here = HomePlace {
            disk: &folder,
            root,
        };
        let own = Listing::read(here, &LAYOUT).unwrap();
        assert_eq!(own.files.len(), 2);

        let homes = worker(bucket, 0);
        let push = |homes: &BucketHomes| {
            let home = homes.lease(&anna(), &terms("push")).unwrap();
            let disk = home.disk();
            let there = HomePlace {
                disk: &*disk,
                root: home.root(),
            };
            let changes = Changes::between(
                &own,
                &Listing::read_beside(there, &LAYOUT, &[&own]).unwrap(),
            );
            copy((here, &own), (there, None), &changes, &mut |_| Ok(())).unwrap();
            home.release().unwrap();
            changes
        };
        assert_eq!(push(&homes).write.len(), 2);
        assert_eq!(push(&homes), Changes::default());
        let whole = homes.verify(&anna()).unwrap();
        assert_eq!((whole.damaged, whole.unused), (vec![], vec![]));

        // The bytes of an object are replaced.
        let prefix = format!("{}/objects/", anna().key());
        let objects = bucket.objects();
        let of_home = objects.iter().filter(|(key, _)| key.contains(&prefix));
        let (small, _) = of_home.min_by_key(|(_, bytes)| bytes.len()).unwrap();
        bucket.put(small, b"damaged");
        let other = worker(bucket, 0);
        let damaged = other.verify(&anna()).unwrap().damaged;
        assert_eq!(damaged.len(), 1);
        assert_eq!(damaged[0].files.last().unwrap(), "workspace/a.md");
        assert_eq!(push(&other).write, damaged[0].files);
        assert_eq!(worker(bucket, 0).verify(&anna()).unwrap().damaged, vec![]);

        let view = worker(bucket, 0).read(&anna()).unwrap();
        let there = HomePlace {
            disk: &*view.disk,
            root: &view.root,
        };
        assert_eq!(Listing::read(there, &LAYOUT).unwrap(), own);
        append(&*view.disk, &view.root.join("workspace/a.md"), b"x").unwrap_err();
    });
}

#[test]
fn operations_make_expected_numbers_of_bucket_requests() {
    let worker = worker(&in_memory(), 0);
    let mut told = String::new();
    let mut last = worker.counts();
    let mut tell = |what: &str, told: &mut String| {
        let now = worker.counts();
        let line = format!(
            "{what}: {} PUT, {} GET, {} LIST, {} DELETE\n",
            now.puts - last.puts,
            now.gets - last.gets,
            now.lists - last.lists,
            now.deletes - last.deletes,
        );
        told.push_str(&line);
        last = now;
    };
    let home = worker.lease(&anna(), &terms("one")).unwrap();
    tell("a new home", &mut told);
    let path = home.root().join("a");
    append(&*home.disk(), &path, b"said\n").unwrap();
    tell("a file begins", &mut told);
    append(&*home.disk(), &path, b"said\n").unwrap();
    tell("an append", &mut told);
    replace(&*home.disk(), &path, b"new").unwrap();
    tell("a file is replaced", &mut told);
    content(&*home.disk(), &path);
    tell("a read of what was written here", &mut told);
    home.renew().unwrap();
    tell("a renewal", &mut told);
    home.release().unwrap();
    tell("a release after changes", &mut told);
    let home = worker.lease(&anna(), &terms("one")).unwrap();
    tell("an opening", &mut told);
    content(&*home.disk(), &path);
    tell("a read from the cache", &mut told);
    home.release().unwrap();
    tell("a release without changes", &mut told);
    assert_eq!(told, EXPECTED_REQUESTS);
}

/// The request counts in the table of `docs/fleet.md`.
const EXPECTED_REQUESTS: &str = "\
a new home: 3 PUT, 3 GET, 2 LIST, 0 DELETE
a file begins: 1 PUT, 0 GET, 0 LIST, 0 DELETE
an append: 1 PUT, 0 GET, 0 LIST, 0 DELETE
a file is replaced: 1 PUT, 0 GET, 0 LIST, 0 DELETE
a read of what was written here: 0 PUT, 0 GET, 0 LIST, 0 DELETE
a renewal: 1 PUT, 0 GET, 0 LIST, 0 DELETE
a release after changes: 3 PUT, 0 GET, 0 LIST, 3 DELETE
an opening: 2 PUT, 2 GET, 1 LIST, 0 DELETE
a read from the cache: 0 PUT, 0 GET, 0 LIST, 0 DELETE
a release without changes: 1 PUT, 0 GET, 0 LIST, 0 DELETE
";

/// A pseudo-random number, the same in every run.
fn next_random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Runs this many workers one after the other. Each dies at a random request, which may still take effect but gets no
/// response.
fn kill_workers(bucket: &Bucket, n_workers: u64) {
    let mut random = 0x9e37_79b9_7f4a_7c15;
    let mut acknowledged: Vec<String> = Vec::new();
    for n in 0..n_workers {
        let dies_at = next_random(&mut random) % 40;
        let verdict = [Verdict::Lost, Verdict::AnswerLost][(next_random(&mut random) % 2) as usize];
        let calls = AtomicU64::new(0);
        let hooked = bucket.hooked(move |kind, _| {
            let n_writes = u64::from(kind != RequestKind::Get);
            match calls.fetch_add(n_writes, Ordering::Relaxed) {
                call if call < dies_at || call == dies_at && n_writes == 0 => Verdict::Go,
                call if call == dies_at => verdict,
                _ => Verdict::Lost,
            }
        });
        // Each worker starts when the previous lease has just expired.
        let seconds = 61 * i64::try_from(n).unwrap();
        let Ok(home) = worker(&hooked, seconds).lease(&anna(), &terms("dying")) else {
            continue;
        };
        let path = home.root().join("sessions/main.jsonl");
        if create_dir(&*home.disk(), path.parent().unwrap()).is_err() {
            continue;
        }
        for line in 0.. {
            let line = format!("{n}.{line}\n");
            if append(&*home.disk(), &path, line.as_bytes()).is_err() {
                break;
            }
            acknowledged.push(line);
        }
    }
    let seconds = 61 * i64::try_from(n_workers).unwrap();
    let home = worker(bucket, seconds)
        .lease(&anna(), &terms("last"))
        .unwrap();
    let found = content(&*home.disk(), &home.root().join("sessions/main.jsonl"));
    let found = String::from_utf8(found).unwrap();
    let found: Vec<&str> = found.split_inclusive('\n').collect();
    let distinct: BTreeSet<&str> = found.iter().copied().collect();
    assert_eq!(distinct.len(), found.len(), "something is doubled");
    let told: BTreeSet<&str> = acknowledged.iter().map(String::as_str).collect();
    let kept: Vec<&str> = found
        .iter()
        .copied()
        .filter(|line| told.contains(line))
        .collect();
    assert_eq!(kept, acknowledged, "something is lost");
    assert!(acknowledged.len() as u64 > 5 * n_workers);
}

#[test]
fn i1_home_stopped_by_failure_is_released_and_leased_again() {
    let bucket = in_memory();
    let is_away = Arc::new(AtomicBool::new(false));
    let away = Arc::clone(&is_away);
    let hooked = bucket.hooked(move |_, _| {
        if away.load(Ordering::SeqCst) {
            Verdict::Lost
        } else {
            Verdict::Go
        }
    });
    let homes = worker(&hooked, 0);
    let home = homes.lease(&anna(), &terms("one")).unwrap();
    let path = home.root().join("a");
    append(&*home.disk(), &path, b"one;").unwrap();
    assert!(home.is_usable());
    is_away.store(true, Ordering::SeqCst);
    let error = append(&*home.disk(), &path, b"unknown;").unwrap_err();
    assert_eq!(error.path, Path::new(anna().as_str()).join("a"));
    assert!(!home.is_usable());
    is_away.store(false, Ordering::SeqCst);
    append(&*home.disk(), &path, b"refused;").unwrap_err();
    // The changes that could not be folded are in the log, and the lease was released all the same.
    home.release().unwrap_err();
    let again = worker(&bucket, 1).lease(&anna(), &terms("two")).unwrap();
    let found = content(&*again.disk(), &again.root().join("a"));
    assert_eq!(String::from_utf8(found).unwrap(), "one;");
    // A holder may take the lease over from itself.
    let own = worker(&bucket, 2).lease(&anna(), &terms("two")).unwrap();
    assert!(own.epoch() > again.epoch());
    append(&*again.disk(), &again.root().join("a"), b"late;").unwrap_err();
}

#[test]
fn i1_killed_workers_neither_lose_nor_duplicate_appends() {
    kill_workers(&in_memory(), 1_000);
    kill_workers(&encrypted(), 50);
    kill_workers(&in_vault(), 50);
    if let Some(bucket) = s3() {
        kill_workers(&bucket, 50);
    }
}
