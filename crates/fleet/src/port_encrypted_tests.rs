//! The information that a bucket reveals about an encrypted home, and the keys that open the home.

use base::content_hash;
use encryption::{EncryptionError, ExposeSecret, encrypt_bytes, is_encrypted};

use super::*;
use crate::DamagedObject;

/// A text that the home contains and the bucket must not.
pub(super) const SAID: &[u8] = b"the plans of Zo\xc3\xab";

/// A home with a log, an object and a derived directory.
pub(super) fn filled(bucket: &Bucket, home: &HomeName) {
    let leased = worker(bucket, 0)
        .lease(home, &terms("worker-of-the-attic"))
        .unwrap();
    let (disk, root) = (leased.disk(), leased.root());
    for (directory, file) in [("workspace", "plans.md"), ("index", "segment")] {
        create_dir(&*disk, &root.join(directory)).unwrap();
        append(&*disk, &root.join(directory).join(file), SAID).unwrap();
    }
    leased.publish("index").unwrap();
    append(&*disk, &root.join("workspace/plans.md"), SAID).unwrap();
    // The holder dies here, so the records after the head remain.
}

pub(super) fn said(bucket: &Bucket, home: &HomeName) -> Vec<u8> {
    let view = worker(bucket, 100).read(home).unwrap();
    content(&*view.disk, &view.root.join("workspace/plans.md"))
}

/// The errors of every way to open the home. None of them may write.
fn tried(bucket: &Bucket) -> [HomesError; 3] {
    let homes = worker(bucket, 100);
    [
        homes.lease(&anna(), &terms("two")).unwrap_err(),
        homes.read(&anna()).unwrap_err(),
        homes.verify(&anna()).unwrap_err(),
    ]
}

#[test]
fn home_opens_only_with_its_key_and_other_keys_write_nothing() {
    for bucket in buckets() {
        filled(&bucket, &anna());
        let before = bucket.objects();
        let with = |owner| Bucket {
            owner,
            ..bucket.clone()
        };
        let passphrase = Key::passphrase("other").unwrap();
        for error in tried(&with(Some(Key::generate()))) {
            match (&bucket.owner, error) {
                (None, HomesError::NotEncrypted(home)) => assert_eq!(home, anna()),
                (Some(_), HomesError::WrongKey { home, source }) => {
                    assert_eq!((home, source), (anna(), EncryptionError::OtherKey));
                }
                (_, error) => panic!("{error:?}"),
            }
        }
        if bucket.owner.is_some() {
            for error in tried(&with(None)) {
                assert!(matches!(error, HomesError::Encrypted(_)), "{error:?}");
            }
            for error in tried(&with(Some(passphrase))) {
                assert!(
                    matches!(
                        error,
                        HomesError::WrongKey {
                            source: EncryptionError::NeedsKey,
                            ..
                        }
                    ),
                    "{error:?}"
                );
            }
            let told = worker(&with(None), 0).summary(&anna()).unwrap();
            assert_eq!((told.encrypted, told.files), (true, 0));
        } else {
            let told = worker(&with(Some(passphrase)), 0).summary(&anna());
            let told = told.unwrap();
            assert_eq!((told.encrypted, told.files), (false, 1));
        }
        assert_eq!(bucket.objects(), before);
        assert_eq!(said(&bucket, &anna()), SAID.repeat(2));
        let told = worker(&bucket, 0).summary(&anna()).unwrap();
        assert_eq!((told.encrypted, told.files), (bucket.owner.is_some(), 1));
    }
}

#[test]
fn passphrase_opens_home() {
    let bucket = Bucket {
        owner: Some(Key::passphrase("caf\u{e9}\n").unwrap()),
        ..in_memory()
    };
    filled(&bucket, &anna());
    assert_eq!(said(&bucket, &anna()), SAID.repeat(2));
    let other = Bucket {
        owner: Some(Key::passphrase("cafe").unwrap()),
        ..bucket
    };
    match worker(&other, 100).read(&anna()) {
        Err(HomesError::WrongKey { source, .. }) => {
            assert_eq!(source, EncryptionError::OtherPassphrase);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn encrypted_home_reveals_only_names_and_sizes_to_bucket() {
    let bucket = encrypted();
    filled(&bucket, &anna());
    let objects = bucket.objects();
    let parts: BTreeSet<&str> = objects
        .keys()
        .filter_map(|key| key.split('/').nth(1))
        .collect();
    assert_eq!(
        parts,
        BTreeSet::from(["head", "key", "lease", "log", "objects"])
    );
    let hash = content_hash(SAID);
    for (key, bytes) in &objects {
        assert!(is_encrypted(bytes), "{key}");
        for secret in [
            SAID,
            b"plans.md",
            b"workspace",
            hash.as_bytes(),
            b"worker-of-the-attic",
        ] {
            let shows = |text: &[u8]| text.windows(secret.len()).any(|it| it == secret);
            assert!(!shows(bytes) && !shows(key.as_bytes()), "{key}");
        }
    }
    // The same words in another home of the same owner must have another object name.
    let ben: HomeName = "ben".parse().unwrap();
    filled(&bucket, &ben);
    let names: Vec<String> = bucket
        .objects()
        .into_keys()
        .filter_map(|key| Some(key.split_once("/objects/")?.1.to_owned()))
        .collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert!(
        names.len() >= 2 && distinct.len() == names.len(),
        "{names:?}"
    );
}

#[test]
fn changed_objects_of_encrypted_home_are_reported() {
    let bucket = encrypted();
    filled(&bucket, &anna());
    let ben: HomeName = "ben".parse().unwrap();
    filled(&bucket, &ben);
    let whole = bucket.objects();
    for (key, bytes) in &whole {
        let Some(of_ben) = key.strip_prefix(&anna().key()) else {
            continue;
        };
        if of_ben.ends_with("/log/00000000000000000001") {
            // This record is a bar and already folded, so nobody reads it.
            continue;
        }
        let of_ben = format!("ben{of_ben}");
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 1;
        let mut others = vec![
            changed,
            bytes[..bytes.len() - 1].to_vec(),
            b"clear".to_vec(),
        ];
        others.extend(whole.get(&of_ben).cloned());
        for other in others {
            bucket.put(key, &other);
            let homes = worker(&bucket, 100);
            let found = homes.verify(&anna()).map(|it| it.damaged.len());
            match found {
                Ok(n_damaged) => assert_eq!(n_damaged, 1, "{key}"),
                Err(HomesError::WrongKey { .. }) => {}
                Err(error) => panic!("{key}: {error:?}"),
            }
            bucket.put(key, bytes);
        }
    }
    assert_eq!(worker(&bucket, 100).verify(&anna()).unwrap().damaged, []);
}

#[test]
fn home_key_not_made_with_owners_key_is_rejected() {
    let bucket = encrypted();
    filled(&bucket, &anna());
    let owner = bucket.owner.clone().unwrap();
    let key = format!("{}/key", anna().key());
    // An attacker who knows the owner's public key plants a key, to read later pushes.
    let secret = Key::generate().secrets().pop().unwrap();
    let secret = secret.expose_secret();
    let hash = content_hash(secret.as_bytes());
    let forged = encrypt_bytes(
        &owner.recipients(),
        format!("{secret}\n{hash}\n").as_bytes(),
    );
    bucket.put(&key, &forged.unwrap());
    let homes = worker(&bucket, 100);
    let reason = "it was not made with the owner's key".to_owned();
    let errors = [
        homes.lease(&anna(), &terms("two")).unwrap_err(),
        homes.read(&anna()).unwrap_err(),
    ];
    for error in errors {
        let expected = format!("object {key} of home {} is damaged: {reason}", anna());
        assert_eq!(error.to_string(), expected);
    }
    let damaged = DamagedObject {
        key,
        reason,
        files: Vec::new(),
    };
    assert_eq!(homes.verify(&anna()).unwrap().damaged, [damaged]);
}

#[test]
fn missing_home_key_is_damage_instead_of_clear_text() {
    let bucket = encrypted();
    filled(&bucket, &anna());
    let key = format!("{}/key", anna().key());
    bucket.delete(&key);
    let error = worker(&bucket, 100).read(&anna()).unwrap_err();
    assert!(
        error.to_string().ends_with("damaged: it is missing"),
        "{error}"
    );
}

/// Whether the key can decrypt the home.
fn opens(bucket: &Bucket, key: &Key) -> bool {
    let owner = Some(key.clone());
    let bucket = Bucket {
        owner,
        ..bucket.clone()
    };
    worker(&bucket, 100).read(&anna()).is_ok()
}

#[test]
fn rekey_replaces_key_of_released_home() {
    for bucket in buckets() {
        filled(&bucket, &anna());
        let before = bucket.objects();
        let new = Key::generate();
        // The first holder still has its lease.
        let held = worker(&bucket, 0).rekey(&anna(), &new, &terms("two"));
        let Some(old) = &bucket.owner else {
            let refused = worker(&bucket, 100).rekey(&anna(), &new, &terms("two"));
            assert!(matches!(refused, Err(HomesError::NotEncrypted(_))));
            assert_eq!(bucket.objects(), before);
            continue;
        };
        assert!(matches!(held, Err(HomesError::Held { .. })), "{held:?}");
        assert_eq!(bucket.objects(), before);

        let homes = worker(&bucket, 100);
        homes.rekey(&anna(), &new, &terms("two")).unwrap();
        let after = bucket.objects();
        let changed = after
            .iter()
            .filter(|(key, bytes)| before.get(*key) != Some(*bytes));
        let changed: Vec<&str> = changed
            .filter_map(|(key, _)| key.split('/').next_back())
            .collect();
        assert_eq!(changed, ["key", "lease"]);
        for error in tried(&bucket) {
            assert!(matches!(error, HomesError::WrongKey { .. }), "{error:?}");
        }
        homes.rekey(&anna(), old, &terms("two")).unwrap_err();
        let renewed = Bucket {
            owner: Some(new),
            ..bucket.clone()
        };
        assert_eq!(said(&renewed, &anna()), SAID.repeat(2));
        // The lease was released at once.
        let leased = worker(&renewed, 100)
            .lease(&anna(), &terms("three"))
            .unwrap();
        leased.release().unwrap();
        assert_eq!(worker(&renewed, 200).verify(&anna()).unwrap().damaged, []);
    }
}

#[test]
fn i1_crash_during_rekey_leaves_exactly_one_key_that_opens() {
    let new = Key::generate();
    for verdict in [Verdict::Lost, Verdict::AnswerLost] {
        for n_before in 0.. {
            let bucket = encrypted();
            let old = bucket.owner.clone().unwrap();
            filled(&bucket, &anna());
            let n_puts = AtomicU64::new(0);
            let hooked = bucket.hooked(move |kind, _| {
                let is_put = kind == RequestKind::Put;
                match n_puts.fetch_add(u64::from(is_put), Ordering::SeqCst) {
                    n if is_put && n >= n_before => verdict,
                    _ => Verdict::Go,
                }
            });
            let done = worker(&hooked, 100).rekey(&anna(), &new, &terms("two"));
            let opened = (opens(&bucket, &old), opens(&bucket, &new));
            assert_ne!(opened.0, opened.1, "{verdict:?} {n_before}");
            assert!(opened.1 || done.is_err(), "{verdict:?} {n_before}");
            if done.is_ok() && n_before > 3 {
                break;
            }
        }
    }
}
