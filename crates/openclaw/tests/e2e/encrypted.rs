//! Backups that only the owner reads.
//!
//! Compares whole homes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::disk::{Disk, OsDisk, read_all};
use insta::assert_snapshot;
use testkit::{OTHER_SECRET, ProgramRun, SECRET, TestHome, Words};

use crate::keeping_home::{files, home};

/// The public key of the first key file.
const PUBLIC: &str = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";

/// A home with a note in another script, and the files of the keys next to it.
fn with_keys() -> TestHome {
    let home = home();
    home.write("workspace/notes/\u{5c0f}\u{660e}.md", "caf\u{e9}\n");
    keys(&home);
    home
}

fn keys(home: &TestHome) {
    home.input("key.txt", format!("# created: today\n{SECRET}\n"));
    home.input("other.txt", OTHER_SECRET);
    home.input("recipients.txt", format!("{PUBLIC}\n"));
    home.input("passphrase", "caf\u{e9} \u{5c0f}\u{660e}\n");
    home.input("wrong", "tea\n");
}

/// Another machine with the keys and this backup.
fn machine_with(backup: &[u8]) -> TestHome {
    let other = TestHome::new();
    keys(&other);
    other.input("kept.age", backup);
    other
}

fn content(path: &Path) -> Vec<u8> {
    read_all(&OsDisk, path, u64::MAX).unwrap()
}

/// Nothing that is printed contains a secret.
#[track_caller]
fn shows_no_secret(run: &ProgramRun) {
    for secret in [SECRET, OTHER_SECRET, "caf\u{e9} \u{5c0f}\u{660e}"] {
        let shown = [&run.stdout, &run.stderr].map(|it| it.contains(secret));
        assert_eq!(shown, [false, false], "{}", run.stderr);
    }
}

#[test]
fn backup_named_age_without_key_is_rejected() {
    let home = TestHome::init();
    let run = home.run("backup home.tar.gz.age").with_code(2);
    run.stderr.holds("no key is given");
    assert!(!home.folder().join("home.tar.gz.age").exists());
}

#[test]
fn encrypted_backup_restores_only_with_its_key() {
    let home = with_keys();
    let before = files(&home);
    let (key, passphrase) = (
        ["--identity", "key.txt"],
        ["--passphrase-file", "passphrase"],
    );
    for (to, from, wrong) in [
        (["--recipient", PUBLIC], key, ["--identity", "other.txt"]),
        (key, key, passphrase),
        (passphrase, passphrase, ["--passphrase-file", "wrong"]),
    ] {
        let name = format!("for{}.age", to[0]);
        let run = home.run(&["-v", "backup", &name, to[0], to[1], "--json"]);
        shows_no_secret(&run);
        assert_eq!(run.with_code(0).json_lines()[0]["encrypted"], true);
        let path = home.folder().join(&name);
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let packed = content(&path);
        assert!(packed.starts_with(b"age-encryption.org/v1\n"));

        let other = machine_with(&packed);
        for refused in [&wrong[..], &[]] {
            let run = other.run(&[&["-v", "restore", "kept.age"], refused].concat());
            shows_no_secret(&run);
            run.with_code(1);
            assert_eq!(other.list(""), [""; 0]);
        }
        let checked = ["restore", "kept.age", from[0], from[1], "--dry-run"];
        other.ok(&checked);
        assert_eq!(other.list(""), [""; 0]);
        other.ok(&checked[..4]);
        assert_eq!(files(&other), before);
        other.ok("session verify");
    }
}

#[test]
fn encryption_messages_show_no_secret() {
    let home = with_keys();
    let mut all = String::new();
    for arguments in [
        &["backup", "kept.age", "--identity", "key.txt"][..],
        &["backup", "clear.tar.gz"],
        &["restore", "kept.age"],
        &["restore", "kept.age", "--identity", "other.txt"],
        &["restore", "kept.age", "--passphrase-file", "passphrase"],
        &["restore", "clear.tar.gz", "--identity", "key.txt"],
        &["restore", "kept.age", "--identity", "passphrase"],
        &["restore", "kept.age", "--identity", "gone.txt"],
        &["backup", "x.age", "--recipient", SECRET],
        &[
            "backup",
            "x.age",
            "--recipient",
            PUBLIC,
            "--identity",
            "key.txt",
        ],
    ] {
        let run = home.run(arguments);
        let told = run.transcript();
        // What was typed is shown again by the shell alone.
        let (_, told_only) = told.split_once('\n').unwrap();
        assert!(!told_only.contains(SECRET), "{told}");
        all += &told;
    }
    assert_snapshot!(all.replace(SECRET, "AGE-SECRET-KEY-1..."));
}

#[test]
fn damaged_encrypted_backup_is_rejected_and_writes_nothing() {
    let home = with_keys();
    home.ok("backup kept.age --identity key.txt");
    let whole = content(&home.folder().join("kept.age"));
    let other = machine_with(&whole);
    let refused = |bytes: &[u8], code| {
        other.input("kept.age", bytes);
        let run = other.run("restore kept.age --identity key.txt");
        run.with_code(code);
        assert_eq!(other.list(""), [""; 0]);
    };
    for cut in [100, whole.len() / 2, whole.len() - 1] {
        refused(&whole[..cut], 5);
    }
    for at in [whole.len() / 2, whole.len() - 1] {
        let mut bent = whole.clone();
        bent[at] ^= 1;
        refused(&bent, 5);
    }
    let mut longer = whole.clone();
    longer.push(0);
    refused(&longer, 5);
    // Cut within the word by which it is known, it is no backup of any kind.
    refused(&whole[..10], 1);
}

#[test]
fn backup_uses_key_files_named_in_settings() {
    let home = with_keys();
    home.write(
        "config.yaml",
        "backup: {recipientFile: ../recipients.txt}\n",
    );
    home.ok("backup kept.age");
    let other = machine_with(&content(&home.folder().join("kept.age")));
    other.ok("restore kept.age --identity key.txt");
    assert_eq!(files(&other), files(&home));
    home.write("config.yaml", "backup: {recipientFile: ../gone.txt}\n");
    // Never in clear text because of a key that is missing.
    home.run("backup other.age").with_code(1);
    assert!(!home.folder().join("other.age").exists());
}

/// The names in the folder of backups, with the times removed.
fn kept(folder: &Path) -> Vec<String> {
    let names = OsDisk.list(folder).unwrap().into_iter();
    let mut names: Vec<String> = names.map(|it| it.display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn service_makes_scheduled_backups_and_keeps_configured_count() {
    let home = with_keys();
    let folder = home.folder().join("kept");
    let settings = "backup: {schedule: \"* * * * *\", folder: ../kept, keep: 2, recipientFile: ../recipients.txt}\ndreaming: {triggers: []}\n";
    home.write("config.yaml", settings);
    // A disk that is not mounted: nothing is made in its place, and both say so.
    let mut service = crate::serving::Service::begin(&home, "");
    let told = service.until("a backup failed");
    assert!(told.contains("there is no folder"), "{told}");
    service.end("-TERM");
    let ill = home.run("doctor --json").with_code(1);
    ill.stdout.holds("there is no folder");

    OsDisk.create_dir(&folder).unwrap();
    let ill = home.run("doctor --json").with_code(1);
    ill.stdout.holds("has no backup");
    let root = OsDisk.resolve(&home.path()).unwrap();
    let own = format!(
        "openclaw-scheduled-{}-",
        base::short_hash(&root.to_string_lossy())
    );
    let backup = content(&backup_in_clear(&home));
    let put = |name: &str, bytes: &[u8]| {
        base::disk::replace(&OsDisk, &folder.join(name), bytes).unwrap();
    };
    // Older ones of this schedule, two of which go; one that is no backup, one made by hand, one of another home.
    for day in 1..=3 {
        put(&format!("{own}2026-03-0{day}T030000Z.tar.gz"), &backup);
    }
    put(&format!("{own}2026-02-01T030000Z.tar.gz"), b"my letters");
    put(&format!(".{own}2026-02-01T030000Z.tar.gz.tmp"), b"torn");
    put("openclaw-2026-03-01T030000Z.tar.gz", &backup);
    put(
        "openclaw-scheduled-ffffffff-2026-03-01T030000Z.tar.gz",
        &backup,
    );
    let mut service = crate::serving::Service::begin(&home, "");
    service.until("Backed up");
    service.until("ones.");
    service.end("-TERM");

    let names = kept(&folder);
    let (new, old): (Vec<String>, Vec<String>) = names
        .into_iter()
        .partition(|name| Path::new(name).extension() == Some("age".as_ref()));
    let expected = [
        "openclaw-2026-03-01T030000Z.tar.gz".to_owned(),
        format!("{own}2026-02-01T030000Z.tar.gz"),
        format!("{own}2026-03-03T030000Z.tar.gz"),
        "openclaw-scheduled-ffffffff-2026-03-01T030000Z.tar.gz".to_owned(),
    ];
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(old, expected);
    assert_eq!(new.len(), 1, "{new:?}");
    let newest = folder.join(&new[0]);
    let mode = newest.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let other = machine_with(&content(&newest));
    other.ok("restore kept.age --identity key.txt");
    assert_eq!(
        other.read("workspace/notes/\u{5c0f}\u{660e}.md"),
        "caf\u{e9}\n"
    );
    let well = home.run("doctor --json");
    well.stdout.lacks("\"backup\"");
}

fn backup_in_clear(home: &TestHome) -> PathBuf {
    home.ok("backup clear.tar.gz --set backup.recipientFile=null");
    home.folder().join("clear.tar.gz")
}

#[test]
fn backup_schedule_without_folder_fails_at_startup() {
    let home = with_keys();
    home.write("config.yaml", "backup: {schedule: \"0 3 * * *\"}\n");
    let refused = home.run("serve --listen 127.0.0.1:0").with_code(1);
    refused.stderr.holds("backup.folder");
    let ill = home.run("doctor --json").with_code(1);
    ill.stdout.holds("backup.folder");
}
