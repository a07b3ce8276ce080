//! Derived directories are fetched when a file in them is read, and passed on to the next holder.

use super::*;

/// A cache in a real directory, because the disk in memory cannot rename directories.
fn cached(directory: &Path) -> Arc<Cache> {
    let cache = Cache::new(Arc::new(OsDisk), directory.to_owned(), 5 * 1024 * 1024);
    Arc::new(cache.unwrap())
}

fn machine(bucket: &Bucket, cache: &Arc<Cache>, second: i64) -> BucketHomes {
    let address = BucketAddress::of(Arc::clone(&bucket.store), "");
    let clock = Arc::new(FixedClock::new(at(second)));
    BucketHomes::new(&address, Arc::clone(cache), clock, LAYOUT).unwrap()
}

#[test]
fn derived_directory_is_hydrated_and_cache_stays_within_bound() {
    let bucket = in_memory();
    let home = worker(&bucket, 0).lease(&anna(), &terms("one")).unwrap();
    let index = home.root().join("index/deep");
    create_dir(&*home.disk(), &index).unwrap();
    let bytes: Vec<u8> = (0..6_000_000_u32).map(|n| (n % 241) as u8).collect();
    append(&*home.disk(), &index.join("segment"), &bytes).unwrap();
    home.publish("index").unwrap();
    home.release().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let cache = cached(folder.path());
    let second = machine(&bucket, &cache, 1);
    let home = second.lease(&anna(), &terms("two")).unwrap();
    let before = second.counts();
    assert_eq!(
        content(&*home.disk(), &home.root().join("index/deep/segment")),
        bytes
    );
    // The cache is smaller than the index, so evicted objects are fetched again.
    assert_eq!(second.counts().gets, before.gets + 4);
    assert!(cache.n_bytes() <= 5 * 1024 * 1024);
}

#[test]
fn unread_derived_directory_is_neither_fetched_nor_lost() {
    let bucket = in_memory();
    let folder = tempfile::tempdir().unwrap();
    let cache = cached(folder.path());
    let leased = |second| {
        let machine = machine(&bucket, &cache, second);
        let home = machine.lease(&anna(), &terms("one")).unwrap();
        let segment = home.root().join("index/segment");
        (home, segment)
    };
    let (home, segment) = leased(0);
    create_dir(&*home.disk(), segment.parent().unwrap()).unwrap();
    append(&*home.disk(), &segment, b"terms").unwrap();
    home.publish("index").unwrap();
    home.release().unwrap();

    let (home, _) = leased(1);
    append(&*home.disk(), &home.root().join("a"), b"said").unwrap();
    home.publish("index").unwrap();
    home.release().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let machine = machine(&bucket, &cached(elsewhere.path()), 2);
    let home = machine.lease(&anna(), &terms("one")).unwrap();
    let before = machine.counts().gets;
    home.disk().list(home.root()).unwrap();
    assert_eq!(machine.counts().gets, before);
    let segment = home.root().join("index/segment");
    assert_eq!(content(&*home.disk(), &segment), b"terms");
    assert_eq!(machine.counts().gets, before + 1);
    home.release().unwrap();

    // A directory that is removed unread is also gone for the next holder.
    let (home, segment) = leased(3);
    home.disk().remove_tree(segment.parent().unwrap()).unwrap();
    home.publish("index").unwrap();
    home.release().unwrap();
    let (home, segment) = leased(4);
    assert_eq!(home.disk().stat(&segment).unwrap(), None);
}

#[test]
fn damaged_derived_directory_counts_as_missing_until_published() {
    let bucket = in_memory();
    let folder = tempfile::tempdir().unwrap();
    let cache = cached(folder.path());
    let publish = |home: &dyn LeasedHome| {
        let segment = home.root().join("index/segment");
        create_dir(&*home.disk(), segment.parent().unwrap()).unwrap();
        append(&*home.disk(), &segment, b"terms").unwrap();
        home.publish("index").unwrap();
        home.release().unwrap();
    };
    let home = worker(&bucket, 0).lease(&anna(), &terms("one")).unwrap();
    publish(&*home);
    for (key, _) in bucket.objects() {
        if key.contains("/objects/") {
            bucket.put(&key, b"damaged");
        }
    }
    let home = machine(&bucket, &cache, 1)
        .lease(&anna(), &terms("two"))
        .unwrap();
    let segment = home.root().join("index/segment");
    assert_eq!(home.disk().stat(&segment).unwrap(), None);
    publish(&*home);
    let home = machine(&bucket, &cache, 2)
        .lease(&anna(), &terms("two"))
        .unwrap();
    assert_eq!(content(&*home.disk(), &segment), b"terms");
}

#[test]
fn derived_directory_is_fetched_only_under_lease() {
    let bucket = in_memory();
    let folder = tempfile::tempdir().unwrap();
    let cache = cached(folder.path());
    let home = machine(&bucket, &cache, 0)
        .lease(&anna(), &terms("one"))
        .unwrap();
    let segment = home.root().join("index/segment");
    create_dir(&*home.disk(), segment.parent().unwrap()).unwrap();
    append(&*home.disk(), &segment, b"terms").unwrap();
    home.publish("index").unwrap();
    home.release().unwrap();

    let view = machine(&bucket, &cache, 1).read(&anna()).unwrap();
    assert_eq!(view.disk.stat(&segment).unwrap(), None);
    let home = machine(&bucket, &cache, 1)
        .lease(&anna(), &terms("one"))
        .unwrap();
    home.release().unwrap();
    home.disk().stat(&segment).unwrap_err();
    assert!(!segment.parent().unwrap().exists());
}
