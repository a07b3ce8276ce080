//! The holders that may write after a lease was lost, damaged or released.

use super::encrypted::{SAID, filled, said};
use super::*;

#[test]
fn i1_suspended_taker_cannot_write_after_takeover() {
    let prepare: [fn(&Bucket); 3] = [
        |_| {},
        // The home was released, so the next holder needs no bar.
        |bucket| {
            let before = worker(bucket, -61).lease(&anna(), &terms("zero")).unwrap();
            before.release().unwrap();
        },
        |bucket| drop(worker(bucket, -61).lease(&anna(), &terms("zero")).unwrap()),
    ];
    for prepare in prepare {
        for n_requests in 2..12 {
            let bucket = in_memory();
            prepare(&bucket);
            let _is_lost =
                suspended_before(n_requests, &[RequestKind::Put, RequestKind::Get], &bucket);
        }
    }
}

#[test]
fn i1_home_without_head_is_damaged_and_not_recreated() {
    for bucket in buckets() {
        filled(&bucket, &anna());
        let key = bucket.key(&format!("{}/head", anna().key()));
        let head = bucket.objects().remove(&key).unwrap();
        bucket.delete(&key);
        let homes = worker(&bucket, 100);
        let errors = [
            homes.lease(&anna(), &terms("two")).unwrap_err(),
            homes.read(&anna()).unwrap_err(),
            homes.summary(&anna()).unwrap_err(),
        ];
        for error in errors {
            assert!(
                error.to_string().ends_with("damaged: it is missing"),
                "{error}"
            );
        }
        assert_eq!(homes.verify(&anna()).unwrap().damaged.len(), 1);
        // The lease that could not be used was released.
        bucket.put(&key, &head);
        assert_eq!(said(&bucket, &anna()), SAID.repeat(2));
        let leased = homes.lease(&anna(), &terms("three")).unwrap();
        leased.release().unwrap();
    }
}

/// Edits a stored line of JSON and updates its hash.
fn edit(bucket: &Bucket, key: &str, change: impl Fn(&mut serde_json::Value)) {
    let whole = bucket.objects().remove(key).unwrap();
    let text = String::from_utf8(whole).unwrap();
    let mut lines = text.splitn(3, '\n').skip(1);
    let mut value = serde_json::from_str(lines.next().unwrap()).unwrap();
    change(&mut value);
    let content = format!("{value}\n{}", lines.next().unwrap());
    let hash = base::content_hash(content.as_bytes());
    bucket.put(key, format!("{hash}\n{content}").as_bytes());
}

#[test]
fn verify_reports_head_part_beyond_its_object() {
    let bucket = in_memory();
    let leased = worker(&bucket, 0).lease(&anna(), &terms("one")).unwrap();
    append(&*leased.disk(), &leased.root().join("plans.md"), SAID).unwrap();
    leased.commit().unwrap();
    leased.release().unwrap();
    assert_eq!(worker(&bucket, 100).verify(&anna()).unwrap().damaged, []);
    edit(
        &bucket,
        &bucket.key(&format!("{}/head", anna().key())),
        |head| {
            let part = &mut head["files"]["plans.md"]["parts"][0];
            part["len"] = (part["len"].as_u64().unwrap() + 1).into();
        },
    );
    let damaged = worker(&bucket, 100).verify(&anna()).unwrap().damaged;
    assert_eq!(damaged[0].files, ["plans.md"]);
    assert_eq!(damaged[0].reason, "it is shorter than the head says");
}

#[test]
fn i1_dead_holder_from_before_rekey_cannot_write_after_next_lease() {
    let bucket = encrypted();
    let dead = worker(&bucket, 0);
    let dead = dead.lease(&anna(), &terms("dead")).unwrap();
    let plans = dead.root().join("plans.md");
    append(&*dead.disk(), &plans, SAID).unwrap();
    let new = Key::generate();
    let rekeyed = worker(&bucket, 100).rekey(&anna(), &new, &terms("two"));
    rekeyed.unwrap();
    let renewed = Bucket {
        owner: Some(new),
        ..bucket
    };
    let next = worker(&renewed, 100);
    let next = next.lease(&anna(), &terms("three")).unwrap();
    append(&*dead.disk(), &plans, b"late").unwrap_err();
    let plans = next.root().join("plans.md");
    append(&*next.disk(), &plans, SAID).unwrap();
    assert_eq!(content(&*next.disk(), &plans), SAID.repeat(2));
}

#[test]
fn opening_and_releasing_home_adds_no_objects() {
    for bucket in buckets() {
        filled(&bucket, &anna());
        let n_objects = || {
            let leased = worker(&bucket, 100).lease(&anna(), &terms("two")).unwrap();
            leased.release().unwrap();
            assert_eq!(said(&bucket, &anna()), SAID.repeat(2));
            bucket.objects().len()
        };
        let first = n_objects();
        assert_eq!([(); 20].map(|()| n_objects()), [first; 20]);
    }
}

#[test]
fn i1_damaged_or_missing_lease_is_taken_and_bars_its_holder() {
    let damage: [fn(&Bucket, &str); 2] = [|it, key| it.put(key, b"junk"), Bucket::delete];
    for damage in damage {
        for bucket in buckets() {
            let workers = [worker(&bucket, 0), worker(&bucket, 1)];
            let first = workers[0].lease(&anna(), &terms("one")).unwrap();
            let plans = first.root().join("plans.md");
            append(&*first.disk(), &plans, SAID).unwrap();
            let key = format!("{}/lease", anna().key());
            damage(&bucket, &bucket.key(&key));
            let second = workers[1].lease(&anna(), &terms("two")).unwrap();
            append(&*first.disk(), &plans, b"late").unwrap_err();
            first.renew().unwrap_err();
            let plans = second.root().join("plans.md");
            assert_eq!(content(&*second.disk(), &plans), SAID);
            append(&*second.disk(), &plans, SAID).unwrap();
            second.release().unwrap();
        }
    }
}

#[test]
fn renewal_after_release_does_not_take_lease() {
    for bucket in buckets() {
        let first = worker(&bucket, 0);
        let first = first.lease(&anna(), &terms("one")).unwrap();
        first.release().unwrap();
        first.renew().unwrap();
        let _second = worker(&bucket, 0).lease(&anna(), &terms("two")).unwrap();
    }
}

#[test]
fn renewal_succeeds_after_earlier_answer_was_lost() {
    let bucket = in_memory();
    let is_broken = Arc::new(AtomicBool::new(false));
    let broken = Arc::clone(&is_broken);
    let hooked = bucket.hooked(
        move |kind, _| match (broken.load(Ordering::Relaxed), kind) {
            (false, _) => Verdict::Go,
            (true, RequestKind::Put) => Verdict::AnswerLost,
            (true, RequestKind::Get | RequestKind::Delete) => Verdict::Lost,
        },
    );
    let home = worker(&hooked, 0);
    let home = home.lease(&anna(), &terms("one")).unwrap();
    is_broken.store(true, Ordering::Relaxed);
    home.renew().unwrap_err();
    is_broken.store(false, Ordering::Relaxed);
    home.renew().unwrap();
    append(&*home.disk(), &home.root().join("a"), SAID).unwrap();
    home.release().unwrap();
}
