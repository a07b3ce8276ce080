//! A home that is copied into a folder of homes or a bucket comes back byte for byte.
//!
//! The bucket needs an S3 server, which is named in `OPENCLAW_TEST_S3`, as `.ci/run` does.

use std::process::Command;

use base::disk::{Disk, OsDisk, append};
use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{ProgramRun, TestHome, Words, conversation, fields, to_jsonl};

/// The name of the copied home: in another script, with a space.
pub(crate) const NAME: &str = "Zo\u{eb} \u{5c0f}\u{660e}";

/// A home with messages, notes and an index.
pub(crate) fn home() -> TestHome {
    let home = TestHome::init();
    home.replay("talk", to_jsonl(&conversation(12, 40)));
    home.ok("memory index");
    home.write("workspace/notes/\u{5c0f}\u{660e}.md", "caf\u{e9}\n");
    home
}

/// The files of a home that are not local to this machine, by path in the home.
pub(crate) fn files(home: &TestHome) -> Vec<(String, Vec<u8>)> {
    let root = home.path();
    let named = home.files().into_iter().map(|(path, bytes)| {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        (name, bytes)
    });
    let is_local = |name: &str| {
        ["index/", "state/locks/"]
            .iter()
            .any(|it| name.starts_with(it))
            || name == "state/token"
    };
    named.filter(|(name, _)| !is_local(name)).collect()
}

/// Runs the program with the credentials of the test server.
fn run(home: &TestHome, arguments: &[&str]) -> ProgramRun {
    home.finish(command(home, arguments))
}

/// The command line of the program with the credentials of the test server.
pub(crate) fn command(home: &TestHome, arguments: &[&str]) -> Command {
    let mut command = home.fleet_command(arguments);
    #[expect(clippy::disallowed_methods, reason = "whoever runs the tests says so")]
    let endpoint = std::env::var("OPENCLAW_TEST_S3").unwrap_or_default();
    command
        .env("AWS_ENDPOINT_URL", endpoint)
        .env("AWS_ALLOW_HTTP", "true")
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test-secret")
        .env("AWS_REGION", "us-east-1");
    command
}

fn report(home: &TestHome, arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let ran = run(home, &arguments).with_code(0);
    ran.json()
}

/// Runs a test with a folder of homes and, if there is a server, with a bucket.
pub(crate) fn check(test: fn(&str)) {
    let folder = tempfile::tempdir().unwrap();
    test(&format!("file://{}", folder.path().display()));
    if let Some(address) = bucket() {
        test(&address);
    }
}

fn bucket() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "whoever runs the tests says so")]
    std::env::var("OPENCLAW_TEST_S3").ok()?;
    let folder = tempfile::tempdir().unwrap();
    let unique = folder.path().file_name().unwrap().to_str().unwrap();
    Some(format!(
        "s3://openclaw-test/e2e{}",
        unique.replace('.', "-")
    ))
}

#[test]
fn push_and_pull_reject_home_inside_itself() {
    let home = home();
    let before = home.files();
    let address = format!("file://{}", home.path().display());
    for command in ["push", "pull"] {
        let run = home.fleet(&[command, &address, NAME]).with_code(2);
        run.stderr.holds("overlap:");
    }
    assert_eq!(home.files(), before);
}

#[test]
fn pushed_home_is_pulled_back_byte_for_byte() {
    check(|address| {
        let home = home();
        let before = files(&home);
        let planned = report(&home, &["push", address, NAME, "--dry-run"]);
        assert_eq!(planned["written"].as_array().unwrap().len(), before.len());
        let told = report(&home, &["list", address]);
        assert_eq!(told, json!({"homes": []}));
        let pushed = report(&home, &["push", address, NAME]);
        assert_eq!(pushed["written"], planned["written"]);
        assert_eq!(files(&home), before);
        let again = report(&home, &["push", address, NAME]);
        assert_eq!(fields(&again, ["written", "writtenBytes"]), json!([[], 0]));
        let told = report(&home, &["list", address]);
        assert_eq!(told["homes"][0]["name"], NAME);
        assert_eq!(told["homes"][0]["files"], before.len());

        let other = TestHome::new();
        let _ = report(&other, &["pull", address, NAME, "--dry-run"]);
        assert_eq!(other.list(""), [""; 0]);
        let _ = report(&other, &["pull", address, NAME]);
        assert_eq!(files(&other), before);
        other.ok("session verify");
        let again = report(&other, &["pull", address, NAME]);
        assert_eq!(again["written"], json!([]));
    });
}

#[test]
fn home_used_by_two_machines_in_turn_loses_no_changes() {
    check(|address| {
        let (one, two) = (home(), TestHome::new());
        let _ = report(&one, &["push", address, NAME]);
        let _ = report(&two, &["pull", address, NAME]);
        two.write("workspace/notes/two.md", "two\n");
        two.write("workspace/notes/\u{5c0f}\u{660e}.md", "tea\n");
        let pushed = report(&two, &["push", address, NAME]);
        assert_eq!(pushed["written"].as_array().unwrap().len(), 2);
        let _ = report(&one, &["pull", address, NAME]);
        assert_eq!(files(&one), files(&two));

        // Both homes change: the second exchange is refused.
        one.write("workspace/notes/two.md", "of one\n");
        two.write("workspace/notes/two.md", "of two\n");
        let _ = report(&one, &["push", address, NAME]);
        for act in ["push", "pull"] {
            let refused = run(&two, &[act, address, NAME]).with_code(1);
            refused.stderr.holds("workspace/notes/two.md");
        }
        assert_eq!(two.read("workspace/notes/two.md"), "of two\n");
        let _ = report(&two, &["pull", address, NAME, "--overwrite"]);
        assert_eq!(two.read("workspace/notes/two.md"), "of one\n");
    });
}

#[test]
fn linked_folder_is_skipped_by_push_and_kept_by_pull() {
    check(|address| {
        let (one, two) = (home(), TestHome::new());
        let before = files(&one);
        let outside = one.folder().join("outside");
        OsDisk.create_dir(&outside).unwrap();
        one.input("outside/kept.md", "outside\n");
        std::os::unix::fs::symlink(&outside, one.path().join("workspace/proj")).unwrap();
        let pushed = run(&one, &["push", address, NAME]).with_code(0);
        pushed.stderr.holds("skipped workspace/proj: it is a link");
        let _ = report(&two, &["pull", address, NAME]);
        assert_eq!(files(&two), before);

        two.write("workspace/proj/kept.md", "of two\n");
        let _ = report(&two, &["push", address, NAME]);
        for overwrite in [&[][..], &["--overwrite"]] {
            let pull = [&["pull", address, NAME], overwrite].concat();
            let refused = run(&one, &pull).with_code(1);
            refused.stderr.holds("workspace/proj/kept.md");
        }
        assert_eq!(one.read("workspace/proj/kept.md"), "outside\n");
    });
}

#[test]
fn home_can_be_pushed_to_two_names_in_turn() {
    check(|address| {
        let home = home();
        for text in ["one\n", "two\n"] {
            home.write("workspace/notes/turn.md", text);
            for name in [NAME, "ben"] {
                let pushed = report(&home, &["push", address, name]);
                let written = pushed["written"].as_array().unwrap();
                assert!(written.contains(&json!("workspace/notes/turn.md")));
            }
        }
    });
}

#[test]
fn fleet_output_for_folder_of_homes() {
    let home = home();
    let path = home.folder().join("homes");
    let address = format!("file://{}", path.display());
    let told = |arguments: &[&str]| {
        let transcript = home.fleet(arguments).transcript();
        transcript.replace(&address, "file://HOMES")
    };
    let mut all = told(&["push", &address, "anna", "--dry-run"]);
    all += &told(&["push", &address, "anna"]);
    all += &told(&["list", &address]);
    append(
        &OsDisk,
        &path.join("anna/workspace/USER.md"),
        b"changed there\n",
    )
    .unwrap();
    all += &told(&["push", &address, "anna"]);
    all += &told(&["pull", &address, "ben"]);
    let elsewhere = format!("{address}/elsewhere");
    all += &told(&["pull", &elsewhere, "anna"]);
    all += &told(&["verify", &address]);
    all += &told(&["push", &address, "a/b"]);
    all += &told(&["push", "ftp://there", "anna"]);
    all += &told(&["list", "memory"]);
    home.input("key.txt", testkit::SECRET);
    let key = ["--identity", "key.txt"];
    all += &told(&[&["push", address.as_str(), "anna"], &key[..]].concat());
    assert_snapshot!(all);
}

#[test]
fn encrypted_home_is_pulled_back_only_with_its_key() {
    let Some(address) = bucket() else {
        return;
    };
    let home = home();
    home.input("key.txt", testkit::SECRET);
    home.write("config.yaml", "homes: {identityFile: ../key.txt}\n");
    let before = files(&home);
    let _ = report(&home, &["push", &address, NAME]);
    home.write("workspace/notes/two.md", "two\n");
    let pushed = report(&home, &["push", &address, NAME]);
    assert_eq!(pushed["written"], json!(["workspace/notes/two.md"]));
    OsDisk
        .remove(&home.path().join("workspace/notes/two.md"))
        .unwrap();
    let _ = report(&home, &["push", &address, NAME]);
    let verified = report(&home, &["verify", &address]);
    assert_eq!(verified["homes"][0]["damaged"], json!([]));

    let other = TestHome::new();
    other.input("key.txt", testkit::SECRET);
    other.input("other.txt", testkit::OTHER_SECRET);
    let refused = |key: &[&str]| {
        let mut all = String::new();
        for act in ["pull", "verify"] {
            let run = run(&other, &[&[act, &address, NAME], key].concat());
            all += &run
                .with_code(1)
                .transcript()
                .replace(&address, "s3://BUCKET/HOMES");
        }
        assert_eq!(other.list(""), [""; 0]);
        all
    };
    let mut all = refused(&["--identity", "other.txt"]);
    all += &refused(&[]);
    let listed = run(&other, &["list", &address]);
    all += &listed
        .with_code(0)
        .transcript()
        .replace(&address, "s3://BUCKET/HOMES");
    assert_snapshot!("encrypted_homes", all);
    let _ = report(&other, &["pull", &address, NAME, "--identity", "key.txt"]);
    assert_eq!(files(&other), before);
    let other_key = ["push", &address, NAME, "--identity", "other.txt"];
    run(&other, &other_key).with_code(1);
    let again = report(&other, &["pull", &address, NAME, "--identity", "key.txt"]);
    assert_eq!(again["written"], json!([]));

    let rekey = ["rekey", &address, NAME, "--identity", "key.txt"];
    let rekey = [&rekey[..], &["--new-identity", "other.txt"]].concat();
    let same = [&rekey[..5], &["--new-identity", "key.txt"]].concat();
    let refused = run(&other, &same).with_code(2);
    refused.stderr.holds("the new key is the same");
    let _ = run(&other, &rekey).with_code(0);
    let _ = run(&other, &rekey).with_code(1);
    let pull = |key| run(&other, &["pull", &address, NAME, "--identity", key]).code;
    assert_eq!((pull("key.txt"), pull("other.txt")), (Some(1), Some(0)));
}

#[test]
fn unencrypted_home_does_not_hide_others_from_list_and_verify() {
    let Some(address) = bucket() else {
        return;
    };
    let home = home();
    home.input("key.txt", testkit::SECRET);
    let key = ["--identity", "key.txt"];
    let _ = report(&home, &["push", &address, "anna"]);
    let _ = report(
        &home,
        &[&["push", address.as_str(), "ben"], &key[..]].concat(),
    );
    let told = |act, code| {
        let run = run(&home, &[&[act, address.as_str()], &key[..]].concat());
        run.with_code(code).stdout
    };
    let listed = told("list", 0);
    listed.holds(", not encrypted\nben  ");
    let verified = told("verify", 1);
    verified.holds("anna  not checked: home anna is not encrypted");
    verified.holds("ben  intact");
}
