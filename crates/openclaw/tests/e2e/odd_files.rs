//! Things that are not files where a file belongs: circular links, pipes, sockets and directories.
//!
//! No command waits for any of them, and each command names those that it left out.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use base::disk::{Disk, OsDisk};
use testkit::{TestHome, Words, each, files_below, home_with_odd_files};

#[test]
fn backup_names_special_files_and_holds_rest() {
    let (home, odd) = home_with_odd_files();
    let run = home.ok("backup all.tar.gz --json");
    let report = &run.json_lines()[0];
    let left_out = report["leftOut"].as_array().unwrap().iter();
    let mut named: Vec<&str> = left_out.map(|it| it["path"].as_str().unwrap()).collect();
    named.sort_unstable();
    assert_eq!(named, odd);
    for path in &odd {
        assert!(run.stderr.contains(path), "{path}: {}", run.stderr);
    }
    let restored = home.folder().join("restored");
    home.ok(&[
        "restore",
        "all.tar.gz",
        "--home",
        restored.to_str().unwrap(),
    ]);
    let is_odd = |path: &&Path| odd.iter().any(|odd| path.ends_with(odd));
    for below in ["workspace/memory/piano.md", "sessions/talk.jsonl"] {
        assert!(!is_odd(&Path::new(below)));
        let bytes =
            |root: &Path| base::disk::read_all(&OsDisk, &root.join(below), 1 << 20).unwrap();
        assert_eq!(bytes(&restored), bytes(&home.path()), "{below}");
    }
}

#[test]
fn backup_with_unreadable_file_exits_1_and_holds_rest() {
    let home = TestHome::init();
    home.note("piano", "- The piano is tuned in May\n");
    home.note("secret", "- Nobody reads this\n");
    let unreadable = ["workspace/memory/secret.md"];
    OsDisk.create_dir(&home.folder().join("out")).unwrap();
    let run = home.run_without_reading(&unreadable, "backup out/all.tar.gz --json");
    let run = run.with_code(1);
    let report = &run.json_lines()[0];
    let reason = "cannot open [HOME]/workspace/memory/secret.md: Permission denied (os error 13); \
                  make it readable with `chmod u+rX [HOME]/workspace/memory/secret.md`";
    let left_out = report["leftOut"].to_string();
    let left_out = left_out.replace(home.path().to_str().unwrap(), "[HOME]");
    let expected = serde_json::json!([{"path": unreadable[0], "reason": reason}]);
    assert_eq!(left_out, expected.to_string());
    let checked = home.run("restore out/all.tar.gz --dry-run --json");
    assert_eq!(
        checked.with_code(0).json_lines()[0]["files"],
        report["files"]
    );
}

#[test]
fn doctor_names_special_files_with_command() {
    let (home, mut odd) = home_with_odd_files();
    let instructions = home.path().join("workspace/AGENTS.md");
    OsDisk.remove(&instructions).unwrap();
    drop(UnixListener::bind(&instructions).unwrap());
    odd.push("workspace/AGENTS.md".to_owned());
    let report = home.run("doctor --json").with_code(1).json();
    let findings = report["findings"].as_array().unwrap();
    let is_read = |path: &&String| path.contains(".md") || path.contains(".jsonl");
    let is_link = |path: &&String| path.contains("circle") || path.contains("dangling");
    for path in odd.iter().filter(|path| is_read(path) || is_link(path)) {
        let of_it = findings
            .iter()
            .filter(|it| it.to_string().contains(path.as_str()));
        let hints: Vec<&str> = of_it.filter_map(|it| it["hint"].as_str()).collect();
        assert!(
            !path.contains(".md") || hints.len() == 1,
            "{path}: {report}"
        );
        let command = if is_link(&path) { "rm " } else { "mv " };
        assert!(
            hints.iter().any(|it| it.contains(command)),
            "{path}: {report}"
        );
    }
}

#[test]
fn search_dreams_and_sessions_skip_special_files() {
    let (home, _) = home_with_odd_files();
    let report = home.ok("memory index --json").json();
    let unreadable = report["unreadable"].as_array().unwrap().iter();
    let mut unreadable: Vec<&str> = unreadable.map(|it| it["path"].as_str().unwrap()).collect();
    unreadable.sort_unstable();
    // A link that leads nowhere is no note, and what a link above leads to is found under its own name.
    let expected = [
        "memory/circle.md",
        "memory/pipe.md",
        "memory/socket.md",
        "sessions/circle.jsonl",
        "sessions/pipe.jsonl",
        "sessions/socket.jsonl",
    ];
    assert_eq!(unreadable, expected);
    let status = home.ok("memory status --json").json();
    let unreadable = each(status["unreadable"].as_array().unwrap(), "/path");
    assert_eq!(unreadable, expected);
    home.ok("memory search nothingofthekind");
    let found = home.ok("memory search piano --json");
    let results = found.json_lines()[0]["results"].clone();
    assert_eq!(results[0]["path"], "memory/piano.md", "{results}");
    let paths = results
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap());
    assert_eq!(paths.filter(|path| path.contains("/up/")).count(), 0);
    let file = home.input("own.md", "- Likes tea\n");
    let imported = home.ok(&["memory", "import", file.to_str().unwrap()]);
    let exported = home.run("memory export").with_code(1);
    for run in [&imported, &exported] {
        let said = run.stderr.replace("\n  ", " ");
        said.holds("memory/circle.md, memory/pipe.md, memory/socket.md could not be read");
    }
    exported.stdout.holds("The piano is tuned");
    let whole = home.input(
        "whole.md",
        "<!-- openclaw memory export 1 -->\n- Likes tea\n",
    );
    let kept = home.run(&["memory", "export", whole.to_str().unwrap()]);
    kept.with_code(1).stderr.holds("whole.md was not replaced");
    home.ok("dream --now");
    home.ok("chat -m 'When is the piano tuned?'");
    let all = home.run("session verify").with_code(1);
    assert!(all.stdout.starts_with("main: "), "{}", all.transcript());
    all.stdout.holds("talk: ");
}

#[test]
fn session_commands_on_special_file_name_next_command() {
    let (home, _) = home_with_odd_files();
    OsDisk
        .create_dir(&home.path().join("sessions/folder.jsonl"))
        .unwrap();
    for (name, command) in [
        ("folder", "mv "),
        ("pipe", "mv "),
        ("socket", "mv "),
        ("circle", "rm "),
    ] {
        for act in ["verify", "show", "compact", "export"] {
            let run = home.run(&["session", act, name]).with_code(1);
            let hint = format!("`{command}{}/sessions/{name}.jsonl", home.path().display());
            run.stderr.holds(&hint);
        }
    }
}

#[test]
fn file_in_place_of_directory_is_reported_with_command() {
    let home = TestHome::new();
    base::disk::replace(&OsDisk, &home.path(), b"no directory\n").unwrap();
    for command in ["session list", "chat -m hi"] {
        let run = home.run(command).with_code(2);
        run.stderr.holds("is a file, but a home is a directory");
    }
    for below in ["home/workspace", "home/sessions"] {
        let home = TestHome::init();
        home.ok("chat -m 'I live in Porto.'");
        let path = home.folder().join(below);
        OsDisk.remove_tree(&path).unwrap();
        base::disk::replace(&OsDisk, &path, b"no directory\n").unwrap();
        let shown = path.display();
        for command in ["session list", "memory search tea", "chat -m hi"] {
            let run = home.run(command).with_code(1);
            run.stderr.holds(&format!("`mv {shown} {shown}.moved`"));
        }
    }
}

#[test]
fn unreadable_directory_is_reported_with_command() {
    let home = TestHome::init();
    home.ok("chat -m 'I live in Porto.'");
    let run = home.run_without_reading(&["sessions"], "session list");
    let sessions = home.path().join("sessions");
    let command = format!("`chmod u+rX {}`", sessions.display());
    run.with_code(1).stderr.holds(&command);
}

#[test]
fn backup_holds_targets_of_linked_home_parts() {
    let home = TestHome::init();
    let settings = home.read("config.yaml");
    home.note("piano", "- The piano is tuned in May\n");
    home.ok("chat -m 'I live in Porto.'");
    let mut before = files_below(&home.path());
    // The key of the service belongs to the machine, and no backup has it.
    before.retain(|(path, _)| path != "state/token");
    let elsewhere = home.folder().join("elsewhere");
    OsDisk.create_dir(&elsewhere).unwrap();
    for below in ["workspace", "sessions", "config.yaml"] {
        let (place, target) = (home.path().join(below), elsewhere.join(below));
        OsDisk.rename(&place, &target).unwrap();
        symlink(&target, &place).unwrap();
    }
    // Whatever else is a link stays one.
    symlink(&elsewhere, home.path().join("workspace/everything")).unwrap();
    let run = home.ok("backup all.tar.gz --json");
    assert_eq!(left_out(&run), ["workspace/everything"]);
    let restored = home.folder().join("restored");
    let root = restored.to_str().unwrap();
    home.ok(&["restore", "all.tar.gz", "--home", root]);
    assert_eq!(files_below(&restored), before);
    assert!(before.contains(&("config.yaml".to_owned(), settings.into_bytes())));
    // What was followed is of the home: a backup in it would be a part of the next one.
    let inside = home.run("backup elsewhere/workspace/all.tar.gz");
    let inside = inside.with_code(1);
    inside.stderr.holds("is inside the home");
}

#[test]
fn backup_into_linked_home_part_is_rejected() {
    let home = TestHome::init();
    let link = |below: &str, target: &str| {
        let place = home.path().join(below);
        let target = home.folder().join(target);
        OsDisk.create_dir(place.parent().unwrap()).unwrap();
        OsDisk.create_dir(&target.join("deep")).unwrap();
        std::fs::remove_dir_all(&place).unwrap_or_default();
        symlink(&target, &place).unwrap();
    };
    link("workspace/memory", "notes");
    link("state/dreams", "dreams");
    // These are not packed, and what else is a link is not followed.
    link("index", "derived");
    link("workspace/everything", "other");
    for inside in ["notes/all.tar.gz", "notes/deep", "dreams/all.tar.gz"] {
        let run = home.run(&["backup", inside]).with_code(1);
        assert!(
            run.stderr.contains("is inside the home"),
            "{inside}: {}",
            run.stderr
        );
    }
    for outside in ["derived/all.tar.gz", "other/all.tar.gz", "notes.tar.gz"] {
        home.ok(&["backup", outside]);
    }
    // What leads to where it lies is not packed.
    let memory = home.path().join("workspace/memory");
    OsDisk.remove(&memory).unwrap();
    let workspace = home.folder().join("elsewhere/workspace");
    OsDisk.create_dir(&home.folder().join("elsewhere")).unwrap();
    OsDisk
        .rename(&home.path().join("workspace"), &workspace)
        .unwrap();
    symlink(&workspace, home.path().join("workspace")).unwrap();
    symlink("..", &memory).unwrap();
    home.ok("backup elsewhere/all.tar.gz");
}

#[test]
fn backup_skips_link_to_its_own_location() {
    for (below, target) in [
        ("workspace", "."),
        ("workspace", "/"),
        ("workspace/memory", ".."),
        ("sessions", "../.."),
    ] {
        let home = TestHome::init();
        let place = home.path().join(below);
        OsDisk
            .rename(&place, &home.folder().join("aside"))
            .unwrap_or_default();
        symlink(target, &place).unwrap();
        let run = home.ok("backup all.tar.gz --json");
        assert_eq!(left_out(&run), [below], "{target}");
        assert!(
            run.json_lines()[0]["files"].as_u64().unwrap() < 10,
            "{}",
            run.stdout
        );
    }
}

fn left_out(run: &testkit::ProgramRun) -> Vec<String> {
    let report = &run.json_lines()[0];
    let left_out = report["leftOut"].as_array().unwrap().iter();
    left_out
        .map(|it| it["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn doctor_shows_five_of_each_kind_and_counts_rest() {
    let home = TestHome::init();
    for number in 0..1_205 {
        let link = home.path().join(format!("workspace/memory/odd{number}"));
        symlink("nowhere", link).unwrap();
    }
    symlink("..", home.path().join("up")).unwrap();
    let run = home.run("doctor").with_code(1);
    run.stdout.holds_times(5, "a link to nothing");
    let rest = "warning  and 1,200 more like these\n  next: `openclaw doctor --json` lists all\n";
    run.stdout.holds(rest);
    // One of another kind is not lost among them.
    run.stdout.holds_times(1, "outside the home");
    assert!(run.stdout.lines().count() < 16, "{}", run.stdout);
    let all = home.run("doctor --json").with_code(1);
    assert_eq!(
        all.json_lines()[0]["findings"].as_array().unwrap().len(),
        1_206
    );
}

#[test]
fn doctor_shows_five_of_one_kind_without_count() {
    let home = TestHome::init();
    for number in 0..5 {
        symlink("nowhere", home.path().join(format!("odd{number}"))).unwrap();
    }
    let run = home.run("doctor").with_code(1);
    run.stdout.holds_times(5, "a link to nothing");
    run.stdout.lacks("more like these");
}

#[test]
fn self_referencing_link_error_names_link_to_remove() {
    let home = TestHome::new();
    let link = |path: &Path| symlink(path.file_name().unwrap(), path).unwrap();
    let circle = home.folder().join("circle");
    link(&circle);
    let circle = circle.to_str().unwrap();
    for arguments in [
        &["session", "list"][..],
        &["chat", "-m", "Hello"],
        &["doctor"],
        &["init"],
    ] {
        let at_circle = [arguments, &["--home", circle]].concat();
        let run = home.run(&at_circle).with_code(1);
        let hint = format!("`rm {circle}`");
        run.stderr.holds(&hint);
    }
    // Where the home is a directory, only what lies in it is to go.
    OsDisk.create_dir(&home.path()).unwrap();
    let settings = home.path().join("config.yaml");
    link(&settings);
    let run = home.run("session list").with_code(1);
    let hint = format!("`rm {}`", settings.display());
    let hint = hint.replace(home.folder().to_str().unwrap(), "");
    let said = run.stderr.replace(home.folder().to_str().unwrap(), "");
    assert!(said.contains(&hint), "{}", run.stderr);
}
