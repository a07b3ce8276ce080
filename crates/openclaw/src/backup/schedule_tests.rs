//! When backups are due, and which old ones are removed.

use base::FixedClock;
use base::disk::{CrashDisk, MemoryDisk, Unsynced, create_dir, replace};
use cli::environment::Environment;
use encryption::Key;

use super::*;
use crate::backup::{BackupSource, check};

/// The public key for the bytes `BBB...`.
const PUBLIC: &str = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";

const SECRET: &str = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";

const PREFIX: &str = "openclaw-scheduled-0123abcd-";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A folder that holds backups of these times.
fn folder(times: &[&str]) -> FoundBackups {
    let named = |time: &&str| (at(time), PathBuf::from(format!("/kept/{time}")));
    FoundBackups {
        backups: times.iter().map(named).collect(),
        torn: vec![PathBuf::from("/kept/.torn.tmp")],
    }
}

#[test]
fn missed_backup_times_are_due_once() {
    let nightly: Schedule = "0 3 * * *".parse().unwrap();
    let due = |times: &[&str], now: &str| due((&nightly, Tz::UTC), &folder(times), at(now));
    let monday = "2026-03-02T03:00:05Z";
    let tuesday = at("2026-03-03T03:00:00Z");
    assert_eq!(due(&[], "2026-03-02T08:00:00Z"), BackupDue::Missing);
    assert_eq!(due(&[monday], "2026-03-03T02:59:59Z"), BackupDue::Later);
    assert_eq!(
        due(&[monday], "2026-03-03T03:00:00Z"),
        BackupDue::Since(tuesday)
    );
    assert_eq!(
        due(&[monday], "2026-03-09T12:00:00Z"),
        BackupDue::Since(tuesday)
    );
    let both = [monday, "2026-03-09T12:00:00Z"];
    assert_eq!(due(&both, "2026-03-09T12:01:00Z"), BackupDue::Later);
    // A clock that was wrong once keeps nothing from being made.
    let wrong = [monday, "2099-01-01T00:00:00Z"];
    assert_eq!(
        due(&wrong, "2026-03-03T03:00:00Z"),
        BackupDue::Since(tuesday)
    );
    // In the owner's time zone.
    let vienna = super::due(
        (&nightly, Tz::named("Europe/Vienna").unwrap()),
        &folder(&[monday]),
        at("2026-03-03T02:00:00Z"),
    );
    assert_eq!(vienna, BackupDue::Since(at("2026-03-03T02:00:00Z")));
}

#[test]
fn too_many_selects_oldest_backups_and_torn_files() {
    let days = [
        "2026-03-01T03:00:00Z",
        "2026-03-02T03:00:00Z",
        "2026-03-03T03:00:00Z",
    ];
    let gone = |keep| too_many(&folder(&days), keep);
    let path = |name: &str| PathBuf::from("/kept").join(name);
    let torn = path(".torn.tmp");
    assert_eq!(
        gone(1),
        [path(days[0]), path(days[1]), path(days[2]), torn.clone()]
    );
    assert_eq!(gone(3), [path(days[0]), torn.clone()]);
    assert_eq!(gone(4), gone(usize::MAX));
    assert_eq!(gone(4), [torn]);
}

#[test]
fn time_of_reads_only_names_of_its_schedule() {
    let time = Some(at("2026-03-02T03:00:05Z"));
    let named = |rest: &str| time_of(PREFIX, &format!("{PREFIX}{rest}"));
    assert_eq!(named("2026-03-02T030005Z.tar.gz"), time);
    assert_eq!(named("2026-03-02T030005Z.tar.gz.age"), time);
    for other in [
        "2026-03-02T030005Z.tar",
        "2026-03-02.tar.gz",
        "x.tar.gz",
        "",
        "2026-03-02T030005Z.tar.gz.age.age",
    ] {
        assert_eq!(named(other), None, "{other}");
    }
    for other in [
        "openclaw-2026-03-02T030005Z.tar.gz",
        "openclaw-scheduled-ffffffff-2026-03-02T030005Z.tar.gz",
    ] {
        assert_eq!(time_of(PREFIX, other), None, "{other}");
    }
    let now = at("2026-03-02T03:00:05Z");
    assert_eq!(time_of(PREFIX, &name(PREFIX, now, None)), time);
}

/// The machine at the time of a backup, on this disk.
fn scheduled(disk: Arc<dyn Disk>, key_file: Option<&str>) -> ScheduledBackups {
    let home = Home::new("/claw");
    let settings = serde_json::json!({
        "schedule": "0 3 * * *", "folder": "/kept", "keep": 2, "recipientFile": key_file, "passphraseFile": null,
    });
    ScheduledBackups {
        host: Host {
            environment: Environment::default(),
            disk,
            clock: Arc::new(FixedClock::new(at("2026-03-03T03:00:05Z"))),
            states: session::StateCache::default(),
        },
        home,
        settings: serde_json::from_value(settings).unwrap(),
        schedule: "0 3 * * *".parse().unwrap(),
        folder: "/kept".into(),
        timezone: Tz::UTC,
        looked: Mutex::new(None),
    }
}

#[test]
fn scheduled_backup_crash_keeps_count_of_whole_backups() {
    let seen = crash_at_many_moments(None, 40);
    let before_and_after_the_name = [(2, true, false), (3, true, false), (2, false, true)];
    assert!(
        before_and_after_the_name.iter().all(|it| seen.contains(it)),
        "{seen:?}"
    );
    // How long the beginning of an encrypted file is differs from file to file.
    crash_at_many_moments(Some("/keys"), 0);
}

/// The number of backups after a crash, whether the oldest is among them, and whether the new one was reported.
type Seen = std::collections::BTreeSet<(usize, bool, bool)>;

/// Each byte is a moment; the last ones are those at which names change.
fn crash_at_many_moments(key_file: Option<&str>, n_last: u64) -> Seen {
    let start = MemoryDisk::new();
    for directory in ["/claw/workspace", "/claw/sessions", "/kept"] {
        create_dir(&start, Path::new(directory)).unwrap();
    }
    let key = key_file.map(|_| Key::identities(SECRET).unwrap());
    let recipients = key.as_ref().map(Key::recipients);
    replace(&start, Path::new("/keys"), PUBLIC.as_bytes()).unwrap();
    replace(&start, Path::new("/claw/workspace/caf\u{e9}.md"), b"tea\n").unwrap();
    let before = scheduled(Arc::new(start.clone()), key_file);
    let old = ["2026-03-01T03:00:05Z", "2026-03-02T03:00:05Z"].map(|time| {
        let file = Path::new("/kept").join(name(&before.prefix(), at(time), recipients.as_ref()));
        make(&before.host, &before.home, &file, recipients.as_ref()).unwrap();
        file
    });
    let run = |disk: &CrashDisk| scheduled(Arc::new(disk.clone()), key_file).run_if_due();
    let whole = CrashDisk::new(&start, u64::MAX);
    let told = run(&whole);
    assert!(matches!(told, Some(BackupNews::Made(_))), "{told:?}");
    let mut seen = Seen::new();
    let n_moments = whole.n_moments();
    let moments = (0..=n_moments).filter(|it| it % 37 == 0 || it + n_last >= n_moments);
    for (moment, unsynced) in moments.flat_map(|it| [(it, Unsynced::Kept), (it, Unsynced::Lost)]) {
        let disk = CrashDisk::new(&start, moment);
        let told = run(&disk);
        let after = disk.after_crash(unsynced);
        let again = scheduled(Arc::new(after.clone()), key_file);
        let found = again.found().unwrap();
        let files: Vec<&PathBuf> = found.backups.iter().map(|(_, file)| file).collect();
        for file in &files {
            let source = BackupSource {
                file,
                key: key.as_ref(),
            };
            assert_eq!(check(&after, source).unwrap().files.len(), 1, "{moment}");
        }
        assert!(
            files.len() >= 2 && files.contains(&&old[1]),
            "{moment}: {files:?}"
        );
        let is_made = matches!(told, Some(BackupNews::Made(_)));
        let has_oldest = files.contains(&&old[0]);
        seen.insert((files.len(), has_oldest, is_made));
        if has_oldest && files.len() == 2 {
            // The next one takes away what was torn.
            assert!(matches!(again.run_if_due(), Some(BackupNews::Made(_))));
            let found = again.found().unwrap();
            assert_eq!((found.torn.len(), found.backups.len()), (0, 2));
        }
    }
    seen
}
