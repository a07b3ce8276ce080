//! Backup and restore of a home, and the problems that `doctor` finds in one.
//!
//! Compares whole homes.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use base::disk::{Disk, OsDisk, read_all};
use insta::assert_snapshot;
use testkit::{ProgramRun, TestHome, Words, conversation, each, to_jsonl};

/// A home with messages, notes and an index.
pub(crate) fn home() -> TestHome {
    let home = TestHome::new();
    home.ok("init");
    home.replay("talk", to_jsonl(&conversation(12, 40)));
    home.ok("memory index");
    home
}

/// The files of a home by their paths in it, except the index and the key of the service, which backups leave out.
pub(crate) fn files(home: &TestHome) -> Vec<(String, Vec<u8>)> {
    let root = home.path();
    let named = home.files().into_iter().map(|(path, bytes)| {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        (name, bytes)
    });
    named
        .filter(|(name, _)| !name.starts_with("index/") && name != "state/token")
        .collect()
}

/// Another machine with the backup of a home, and the bytes of the backup.
fn machine_with_backup(home: &TestHome) -> (TestHome, Vec<u8>) {
    let packed = read_all(&OsDisk, &home.folder().join("kept.tar.gz"), u64::MAX).unwrap();
    let other = TestHome::new();
    other.input("kept.tar.gz", &packed);
    (other, packed)
}

#[test]
fn backup_and_restore_reproduce_home() {
    let home = home();
    let before = files(&home);
    let run = home.ok("backup kept.tar.gz --json");
    let report = &run.json_lines()[0];
    assert_eq!(report["files"], before.len());
    assert_eq!(report["leftOut"], serde_json::json!([]));
    assert_eq!(files(&home), before);
    let again = home.run("backup kept.tar.gz");
    assert_snapshot!("backup_twice", again.with_code(1).transcript());
    let inside = home.run("backup home/kept.tar.gz");
    assert_snapshot!("backup_inside", inside.with_code(1).transcript());

    let (other, _) = machine_with_backup(&home);
    other.ok("restore kept.tar.gz --dry-run");
    assert_eq!(other.list(""), [""; 0]);
    other.ok("restore kept.tar.gz");
    assert_eq!(files(&other), before);
    other.ok("session verify");
    let refused = other.run("restore kept.tar.gz");
    assert_snapshot!("restore_refused", refused.with_code(1).transcript());
    assert_eq!(files(&other), before);
}

#[test]
fn damaged_backup_is_rejected_and_writes_nothing() {
    let home = home();
    home.ok("backup kept.tar.gz");
    let (other, whole) = machine_with_backup(&home);
    for cut in [0, 10, whole.len() / 2, whole.len() - 9] {
        other.input("cut.tar.gz", &whole[..cut]);
        other.run("restore cut.tar.gz").with_code(5);
        assert_eq!(other.list(""), [""; 0], "cut at {cut}");
    }
    let mut bent = whole.clone();
    bent[whole.len() / 3] ^= 1;
    other.input("bent.tar.gz", bent);
    other.run("restore bent.tar.gz").with_code(5);
    other.input("other.tar.gz", "hello");
    let run = other.run("restore other.tar.gz");
    assert_snapshot!("restore_no_backup", run.with_code(5).transcript());
    assert_eq!(other.list(""), [""; 0]);
}

/// A gzipped archive of these files, which may be incomplete.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(packed);
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        archive.append_data(&mut header, path, *bytes).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

#[test]
fn restore_removes_leftovers_of_killed_restore() {
    let home = home();
    home.ok("backup kept.tar.gz");
    let (other, _) = machine_with_backup(&home);
    let input = |name: &str| {
        let path = other.folder().join(".home.restoring").join(name);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        base::disk::replace(&OsDisk, &path, b"half of a note").unwrap();
        path
    };
    let _ = input("workspace/half.md");
    // A directory in the place of a file, which only a directory that was emptied takes.
    let _ = input("config.yaml/x");
    other.ok("restore kept.tar.gz");
    assert_eq!(files(&other), files(&home));
    assert!(!other.folder().join(".home.restoring").exists());
}

#[test]
fn restore_during_another_exits_4_and_leaves_its_files() {
    let home = home();
    home.ok("backup kept.tar.gz");
    let (other, _) = machine_with_backup(&home);
    let lock = other
        .folder()
        .join(".home.restoring/state/locks/restore.lock");
    OsDisk.create_dir(lock.parent().unwrap()).unwrap();
    let held = OsDisk.try_lock(&lock).unwrap();
    other.run("restore kept.tar.gz").with_code(4);
    assert!(lock.exists());
    drop(held);
    other.ok("restore kept.tar.gz");
}

#[test]
fn backup_and_restore_leave_out_keys_of_the_service() {
    let home = home();
    let before = files(&home);
    for key in ["state/token", "state/feed-token"] {
        home.write(key, "0123456789abcdef\n");
    }
    home.ok("backup kept.tar.gz").stderr.lacks("token");
    let (other, _) = machine_with_backup(&home);
    other.ok("restore kept.tar.gz");
    assert_eq!(files(&other), before);
    let has_key = |home: &TestHome| {
        let paths = home.files().into_iter().map(|(path, _)| path);
        let mut names = paths.map(|path| path.display().to_string().to_lowercase());
        names.any(|name| name.ends_with("token"))
    };
    assert!(has_key(&home) && !has_key(&other));

    // An earlier version, or somebody else, has packed the keys.
    let key = b"0123456789abcdef\n";
    let hash = base::content_hash(key);
    let listed = ["state/token", "state/Feed-Token", "workspace/MEMORY.md"]
        .map(|path| serde_json::json!({ "path": path, "bytes": key.len(), "sha256": hash }));
    let list = serde_json::json!({ "version": 1, "createdAt": "", "program": "", "files": listed });
    let stranger = TestHome::new();
    stranger.input(
        "kept.tar.gz",
        archive(&[
            ("home/state/token", key),
            ("home/state/Feed-Token", key),
            ("home/workspace/MEMORY.md", key),
            ("manifest.json", list.to_string().as_bytes()),
        ]),
    );
    stranger.ok("restore kept.tar.gz");
    assert!(!has_key(&stranger));
    assert_eq!(stranger.list("workspace"), ["MEMORY.md"]);
}

#[test]
fn list_of_backup_is_bounded_by_its_files() {
    let other = TestHome::new();
    let mut list = b"{\"version\":1,\"createdAt\":\"\",\"program\":\"\",\"files\":[".to_vec();
    let line = b"{\"path\":\"a\",\"bytes\":1,\"sha256\":\"\"},";
    for _ in 0..10_000 {
        list.extend_from_slice(line);
    }
    other.input(
        "long.tar.gz",
        archive(&[("home/a.md", b"a"), ("manifest.json", &list)]),
    );
    let run = other.run("restore long.tar.gz");
    assert_snapshot!("restore_long_list", run.with_code(5).transcript());
    assert_eq!(other.list(""), [""; 0]);
}

#[test]
fn doctor_fix_makes_index_files_private() {
    let home = home();
    let index = home.path().join("index");
    let below = |path: &Path| path.starts_with(&index);
    let inside: Vec<_> = home.all_files().into_iter().map(|(path, _)| path).collect();
    let inside: Vec<_> = inside.into_iter().filter(|path| below(path)).collect();
    assert!(!inside.is_empty());
    set_mode(&index, 0o755);
    for path in &inside {
        set_mode(path, 0o644);
    }
    home.ok("doctor --fix");
    for path in [&index].into_iter().chain(&inside) {
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn doctor_hint_quotes_odd_file_name() {
    let home = home();
    let link = home.path().join("workspace/a b; touch c.md");
    std::os::unix::fs::symlink("/nowhere/x", link).unwrap();
    let report = home.run("doctor --json").with_code(1).json_lines();
    let hint = report[0]["findings"][0]["hint"]
        .as_str()
        .unwrap()
        .to_owned();
    let command = hint.split('`').nth(1).unwrap();
    assert_eq!(
        shlex::split(command).map(|words| words.len()),
        Some(2),
        "{hint}"
    );
}

#[test]
fn backup_reports_skipped_link_out_of_home() {
    let home = home();
    let outside = home.input("outside.md", "not yours\n");
    std::os::unix::fs::symlink(outside, home.path().join("workspace/link.md")).unwrap();
    let run = home.ok("backup kept.tar.gz");
    run.stderr.holds("skipped workspace/link.md: it is a link");
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn doctor_reports_healthy_home() {
    let home = home();
    assert_snapshot!("doctor_well", home.ok("doctor").transcript());
}

#[test]
fn doctor_reports_all_problems_and_fix_repairs_some() {
    let home = home();
    let transcript = home.read("sessions/talk.jsonl");
    home.write(
        "sessions/talk.jsonl",
        format!("{transcript}{{\"type\":\"mess"),
    );
    home.write("sessions/broken.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"x\",\"timestamp\":\"2026-03-02T08:00:00Z\"}\nnothing\n");
    let key = ["sk-", "ant-api03-", &"a1B2c3D4e5".repeat(4)].concat();
    home.write_memory(format!("# Memory\n\n- the key is {key}\n- I prefer tea <!-- n:c7f3 e:sessions/gone.jsonl#e1@4:81ab03ff h:{} o:owner d:2026-04-20 -->\n", base::short_hash("I prefer tea")),
    );
    home.write("workspace/DREAMS.md", "## Candidate Memory Items (Pending Review)\n\n### [2026-04-20 Daily Log] c7f3\nStatus: perhaps\n");
    home.write("config.yaml", "timezone: Europe/Lissabon\n");
    home.write("index/store.sqlite", "no database");
    set_mode(&home.path().join("config.yaml"), 0o644);
    let before = home.files();
    let run = home.run("doctor").with_code(1);
    run.stdout.lacks(&key);
    assert_snapshot!("doctor_ill", run.transcript());
    assert_eq!(home.files(), before);

    home.write("config.yaml", "timezone: UTC\n");
    set_mode(&home.path().join("config.yaml"), 0o644);
    let fixed = home.run("doctor --fix --json").with_code(1);
    let report = &fixed.json_lines()[0];
    let codes = |fixed: bool| {
        let findings = report["findings"].as_array().unwrap().iter();
        let found = findings.filter(|it| it["fixed"] == fixed && it["weight"] != "note");
        found
            .map(|it| it["code"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(true), ["index", "notPrivate", "tornEnd"]);
    assert_eq!(
        codes(false),
        ["transcript", "secret", "evidenceGone", "reviewPage"]
    );
    assert_eq!(home.read("sessions/talk.jsonl"), transcript);
    let mode = home
        .path()
        .join("config.yaml")
        .metadata()
        .unwrap()
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
}

#[test]
fn lost_and_damaged_note_records_are_reported_without_losing_lines() {
    let home = home();
    let note = "- The hall has forty chairs ^0a0a0a0a\n";
    home.write(
        "workspace/memory/2026-04-20.md",
        format!("# 2026-04-20\n\n{note}"),
    );
    let records = home.read("state/notes.jsonl");
    home.write("state/notes.jsonl", format!("{records}{{\"id\":\"0b0b\n"));
    let run = home.run("doctor").with_code(1);
    run.stdout.holds("1 record about notes cannot be read");
    run.stdout.holds("1 line of a note has no record");
    assert!(home.notes().contains(note));
    let found = home.ok("memory search --json 'how many chairs?'").stdout;
    found.holds("\"origin\":\"agent\"");
    found.lacks("0a0a0a0a");
}

#[test]
fn doctor_reports_outside_links_without_following_them() {
    let home = home();
    let outside = home.input("outside.md", "not yours\n");
    let directory = outside.with_file_name("outside");
    base::Disk::create_dir(&base::disk::OsDisk, &directory).unwrap();
    let _ = home.input("outside/in.md", "nor this\n");
    let modes = [
        (outside.clone(), 0o644),
        (directory.clone(), 0o755),
        (directory.join("in.md"), 0o664),
    ];
    for (path, mode) in &modes {
        set_mode(path, *mode);
    }
    let workspace = home.path().join("workspace");
    let link = |target: &Path, name: &str| {
        std::os::unix::fs::symlink(target, workspace.join(name)).unwrap();
    };
    link(&outside, "out.md");
    link(&directory, "out");
    link(Path::new("../sessions"), "said");
    for arguments in ["doctor --json", "doctor --fix --json"] {
        let report = home.ok(arguments).json();
        let findings = report["findings"].as_array().unwrap().iter();
        let found = findings.map(|it| format!("{} {}", it["code"], it["place"]));
        let expected = [
            r#""linkOut" "workspace/out""#,
            r#""linkOut" "workspace/out.md""#,
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected, "{arguments:?}");
    }
    let kept = modes.each_ref().map(|(path, _)| {
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        (path.clone(), mode)
    });
    assert_eq!(kept, modes);
}

#[test]
fn doctor_reports_unwritable_home_once_except_in_sandbox() {
    let home = home();
    let codes = |run: ProgramRun| {
        let report = run.json();
        let findings = report["findings"].as_array().unwrap().iter();
        let of_writing = findings.filter(|it| {
            let code = it["code"].as_str().unwrap();
            [
                "notWritable",
                "otherOwner",
                "readOnlyFileSystem",
                "fullDisk",
            ]
            .contains(&code)
        });
        of_writing
            .map(|it| it["place"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(home.run("doctor --json")), [""; 0]);
    let closed = home.run_read_only("doctor --json").with_code(1);
    assert_eq!(codes(closed), ["."]);
    let sandbox = "doctor --json --set sandbox.readOnly=true";
    assert_eq!(codes(home.run_read_only(sandbox)), [""; 0]);
}

fn codes(run: ProgramRun) -> Vec<serde_json::Value> {
    let report = run.with_code(1).json();
    each(report["findings"].as_array().unwrap(), "/code")
}

#[test]
fn doctor_reports_unreadable_home_once() {
    let home = TestHome::init();
    home.note(
        "keys",
        "- the key is sk-ant-api03-0123456789abcdefghij0123456789\n",
    );
    for mode in [0o000, 0o666] {
        let closed = home.run_with_home_mode(mode, "doctor --json");
        let hint = closed.json()["findings"][0]["hint"].to_string();
        let fixes = ["`sudo chown -R ", "`chmod -R u+rwX "];
        assert!(fixes.iter().any(|fix| hint.contains(fix)), "{hint}");
        assert_eq!(codes(closed), ["unreadable"], "{mode:o}");
    }
    let unlisted = codes(home.run_with_home_mode(0o333, "doctor --json"));
    assert!(unlisted.contains(&"secret".into()), "{unlisted:?}");
}

#[test]
fn doctor_reports_missing_workspace_only_if_one_existed() {
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&conversation(1, 8)));
    home.ok("config set timezone UTC");
    home.ok("session import talk.jsonl");
    home.ok("doctor");
    home.ok("init");
    home.ok("chat -m 'I live in Porto.'");
    home.ok("dream --now --backfill");
    std::fs::remove_dir_all(home.path().join("workspace")).unwrap();
    assert_eq!(codes(home.run("doctor --json")), ["noWorkspace"]);
    home.ok("init");
    home.ok("doctor");
}

#[test]
fn doctor_and_backup_fail_without_home() {
    let home = TestHome::new();
    let run = home.run("doctor");
    assert_snapshot!("doctor_no_home", run.with_code(1).transcript());
    home.run("backup").with_code(1);
}

/// The kinds of damage to a file.
#[derive(Debug, Clone, Copy)]
enum Ill {
    Directory,
    Empty,
    Binary,
    LinkToNowhere,
}

#[test]
fn i16_doctor_checks_other_files_despite_broken_one() {
    let well = TestHome::init();
    well.replay("talk", "{\"role\":\"user\",\"content\":\"I prefer tea over coffee.\",\"timestamp\":\"2026-03-02T08:04:17Z\"}\n{\"role\":\"assistant\",\"content\":\"Noted.\",\"timestamp\":\"2026-03-02T08:05:00Z\"}\n");
    well.ok("dream --now --backfill");
    // What is to be found in any case, behind what is ill.
    let secret = "- the key is sk-ant-api03-0123456789abcdefghij0123456789\n";
    well.note("2026-04-01", secret);
    let root = well.path();
    let files: Vec<_> = well
        .files()
        .into_iter()
        .map(|(path, _)| path.strip_prefix(&root).unwrap().to_owned())
        .filter(|path| !path.starts_with("index") && !path.ends_with("2026-04-01.md"))
        .collect();
    assert!(files.len() > 8, "{files:?}");
    for path in files {
        for ill in [Ill::Directory, Ill::Empty, Ill::Binary, Ill::LinkToNowhere] {
            let full = root.join(&path);
            let before = read_all(&OsDisk, &full, 1 << 20).unwrap();
            OsDisk.remove(&full).unwrap();
            match ill {
                Ill::Directory => OsDisk.create_dir(&full).unwrap(),
                Ill::Empty => well.write(path.to_str().unwrap(), ""),
                Ill::Binary => well.write(path.to_str().unwrap(), [0, 255, 254, 1, 10, 200]),
                Ill::LinkToNowhere => std::os::unix::fs::symlink("/nowhere/x", &full).unwrap(),
            }
            let run = well.run("doctor --json").with_code(1);
            let report = run.json();
            let codes = each(report["findings"].as_array().unwrap(), "/code");
            assert!(
                codes.contains(&"secret".into()),
                "{path:?} {ill:?}: {report}"
            );
            let named = report.to_string().contains(path.to_str().unwrap());
            let must_be_named = matches!(ill, Ill::LinkToNowhere)
                || (matches!(ill, Ill::Directory) && !path.starts_with("state/"));
            assert!(named || !must_be_named, "{path:?} {ill:?}: {report}");
            match ill {
                Ill::Directory => std::fs::remove_dir(&full).unwrap(),
                Ill::Empty | Ill::Binary | Ill::LinkToNowhere => OsDisk.remove(&full).unwrap(),
            }
            well.write(path.to_str().unwrap(), before);
        }
    }
}

#[test]
fn foreign_folder_is_rejected_and_left_unchanged() {
    let home = TestHome::new();
    let letter = home.path().join("letter.md");
    base::disk::create_parent(&OsDisk, &letter).unwrap();
    let _letter = home.input("home/letter.md", "Dear Ada,\n");
    set_mode(&letter, 0o644);
    for arguments in ["doctor --fix", "session list", "memory search ada"] {
        let told = home.run(arguments).with_code(1).transcript();
        assert!(
            told.contains("is not a home: it has none of config.yaml"),
            "{told}"
        );
    }
    assert_eq!(home.list(""), ["letter.md"]);
    let mode = letter.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn backup_into_missing_directory_prints_command_that_creates_it() {
    let home = home();
    let run = home.run("backup saved/").with_code(1);
    run.stderr.holds("the directory saved/ does not exist");
    run.stderr.holds("hint: create it with `mkdir -p saved/`");
    OsDisk.create_dir(&home.folder().join("saved")).unwrap();
    home.ok("backup saved/");
}

#[test]
fn restore_warns_of_programs_started_by_settings() {
    let home = home();
    home.ok("backup kept.tar.gz");
    let (other, _) = machine_with_backup(&home);
    other
        .ok("restore kept.tar.gz")
        .stderr
        .lacks("starts programs");
    home.write(
        "config.yaml",
        "hooks: {afterCompaction: [touch ran]}\nmcp: {servers: [{name: notes, command: notes}]}\n",
    );
    home.ok("backup again.tar.gz");
    let packed = read_all(&OsDisk, &home.folder().join("again.tar.gz"), u64::MAX).unwrap();
    let other = TestHome::new();
    other.input("again.tar.gz", &packed);
    for command in ["restore again.tar.gz --dry-run", "restore again.tar.gz"] {
        let told = other.ok(command).stderr.replace("\n  ", " ");
        told.holds(
            "config.yaml starts programs (hooks.afterCompaction, mcp.servers); read them before you use this home",
        );
    }
}

/// The codes of the findings of `doctor` in a home, apart from notes.
fn found(home: &TestHome) -> Vec<String> {
    let report = home.run("doctor --json").json_lines().remove(0);
    let findings = report["findings"].as_array().unwrap().iter();
    let findings = findings.filter(|it| it["weight"] != "note");
    findings
        .map(|it| it["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn doctor_reports_open_page_modes_only_in_reachable_home() {
    let home = home();
    set_mode(&home.path().join("workspace/MEMORY.md"), 0o644);
    home.write("workspace/Recipes.md", "- soup\n");
    set_mode(&home.path().join("workspace/Recipes.md"), 0o664);
    assert_eq!(found(&home), [""; 0]);
    set_mode(&home.path(), 0o755);
    assert_eq!(found(&home), ["notPrivate"; 3]);
}

#[test]
fn doctor_reports_impossible_window_and_suggests_size() {
    let home = home();
    home.write(
        "config.yaml",
        "compaction: {contextWindow: 20000, reserveTokensFloor: 30000}\n",
    );
    home.run("chat -m Hello").with_code(1);
    assert_eq!(found(&home), ["noRoom"]);
    let told = home.run("doctor").with_code(1).transcript();
    told.holds("the window of 20,000 tokens is too small by");
    let needed = told
        .split("config set compaction.contextWindow ")
        .nth(1)
        .unwrap();
    let needed = needed.split('`').next().unwrap().to_owned();
    home.ok(&["config", "set", "compaction.contextWindow", &needed]);
    assert_eq!(found(&home), [""; 0]);
}
