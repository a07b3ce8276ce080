//! Homes in a vault, a directory of encrypted homes: what its files reveal, and the reports about damaged ones.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::disk::{Disk, OsDisk, append, replace};
use insta::assert_snapshot;
use testkit::{OTHER_SECRET, ProgramRun, SECRET, TestHome, Words, files_below};

use crate::moved_homes::{NAME, files, home};

/// A machine with a key, and the path of a vault there.
fn machine() -> (TestHome, PathBuf) {
    let home = home();
    home.input("key.txt", SECRET);
    let vault = home.folder().join("vault");
    (home, vault)
}

fn address(vault: &Path) -> String {
    format!("vault://{}", vault.display())
}

/// Runs `openclaw-fleet` with the key.
fn homes(home: &TestHome, arguments: &[&str]) -> ProgramRun {
    home.fleet(&[arguments, &["--identity", "key.txt"]].concat())
}

fn transcript(home: &TestHome, arguments: &[&str]) -> String {
    homes(home, arguments).transcript()
}

/// Checks that no file below a directory contains a text.
fn holds_nowhere(directory: &Path, text: &str) {
    let files = files_below(directory);
    assert!(!files.is_empty());
    for (name, bytes) in files {
        assert!(!String::from_utf8_lossy(&bytes).contains(text), "{name}");
    }
}

#[test]
fn i14_vault_holds_no_clear_text_and_opens_only_with_its_key() {
    let (home, vault) = machine();
    home.input("other.txt", OTHER_SECRET);
    let there = address(&vault);
    let before = files(&home);
    let pushed = homes(&home, &["push", &there, NAME, "--dry-run"]).with_code(0);
    pushed.stdout.holds("dry run: nothing was written\n");
    assert!(!vault.exists());
    let _pushed = homes(&home, &["push", &there, NAME]).with_code(0);
    holds_nowhere(&vault, "caf\u{e9}");
    let verified = homes(&home, &["verify", &there, NAME]).with_code(0);
    verified.stdout.holds("intact");
    let other = ["verify", &there, NAME, "--identity", "other.txt"];
    home.fleet(&other)
        .with_code(1)
        .stderr
        .holds("does not open");
    let none = home.fleet(&["verify", &there]).with_code(2);
    none.stderr.holds("needs a key");

    OsDisk.remove_tree(&home.path()).unwrap();
    let _pulled = homes(&home, &["pull", &there, NAME]).with_code(0);
    assert_eq!(files(&home), before);

    let new = ["--new-identity", "other.txt"];
    let rekeyed = [&["rekey", &there, NAME][..], &new].concat();
    let _rekeyed = homes(&home, &rekeyed).with_code(0);
    let listed = homes(&home, &["list", &there]).with_code(0);
    listed
        .stdout
        .holds("encrypted with a key that was not given");
    let _opened = home.fleet(&other).with_code(0);
}

#[test]
fn fleet_output_for_directory_that_is_not_vault() {
    let (home, vault) = machine();
    let there = address(&vault);
    let mut all = String::new();
    for act in ["list", "verify"] {
        all += &transcript(&home, &[act, &there]);
    }
    all += &transcript(&home, &["pull", &there, "anna"]);
    OsDisk.create_dir(&home.folder().join("letters")).unwrap();
    home.input("letters/letter.txt", "Dear Anna");
    let letters = address(&home.folder().join("letters"));
    all += &transcript(&home, &["push", &letters, "anna"]);
    all += &transcript(&home, &["list", &letters]);
    all += &transcript(&home, &["push", &format!("{letters}/letter.txt"), "anna"]);
    all += &transcript(&home, &["push", "vault://relative", "anna"]);
    let _pushed = homes(&home, &["push", &there, "anna"]).with_code(0);
    let folder = format!("file://{}", vault.display());
    all += &home.fleet(&["push", &folder, "ben"]).transcript();
    assert_snapshot!(all);
}

#[test]
fn unreadable_home_in_vault_does_not_hide_others() {
    let (home, vault) = machine();
    let there = address(&vault);
    for name in ["anna", "ben", "cleo", "dora", "eve"] {
        let _pushed = homes(&home, &["push", &there, name]).with_code(0);
    }
    let damage = |file: &str| replace(&OsDisk, &vault.join(file), b"").unwrap();
    damage("ben/head");
    damage("cleo/key");
    damage("dora/lease");
    OsDisk.create_dir(&vault.join("letters")).unwrap();
    append(&OsDisk, &vault.join("notes.txt"), b"mine").unwrap();
    let all = ["list", "verify"].map(|act| homes(&home, &[act, &there]).with_code(5).transcript());
    let all = all.concat();
    for name in ["anna", "eve"] {
        assert_eq!(all.matches(&format!("\n{name}  ")).count(), 2, "{all}");
    }
    assert!(!all.contains("letters"), "{all}");
    assert_snapshot!(all);
    // A push repairs the lease; the other homes need another name.
    let _pushed = homes(&home, &["push", &there, "dora"]).with_code(0);
    let _verified = homes(&home, &["verify", &there, "dora"]).with_code(0);
    for lost in ["ben", "cleo"] {
        let refused = homes(&home, &["push", &there, lost, "--overwrite"]).with_code(5);
        refused.stderr.holds("another name");
    }
}

#[test]
fn i1_recreated_or_restored_home_is_detected_on_push_and_pull() {
    let (one, vault) = machine();
    let two = TestHome::new();
    two.input("key.txt", SECRET);
    let there = address(&vault);
    let restored = |before: &dyn Fn()| {
        let _pushed = homes(&one, &["push", &there, "anna", "--overwrite"]).with_code(0);
        let _pulled = homes(&two, &["pull", &there, "anna", "--overwrite"]).with_code(0);
        before();
        // As many changes as before, but different ones.
        two.write("workspace/notes/turn.md", "of two\n");
        let _pushed = homes(&two, &["push", &there, "anna"]).with_code(0);
        one.write("workspace/notes/turn.md", "of one\n");
        let refused = homes(&one, &["push", &there, "anna"]).with_code(1);
        refused.stderr.holds("workspace/notes/turn.md");
        let _pulled = homes(&one, &["pull", &there, "anna", "--overwrite"]).with_code(0);
        assert_eq!(one.read("workspace/notes/turn.md"), "of two\n");
    };
    restored(&|| OsDisk.remove_tree(&vault.join("anna")).unwrap());
    // A note that only this machine has does not count as removed from the vault.
    one.write("workspace/notes/one.md", "one\n");
    let _pushed = homes(&one, &["push", &there, "anna"]).with_code(0);
    OsDisk.remove_tree(&vault.join("anna")).unwrap();
    let _pushed = homes(&two, &["push", &there, "anna"]).with_code(0);
    for dry_run in [&["--dry-run"][..], &[]] {
        let pull = [&["pull", &there, "anna"], dry_run].concat();
        let refused = homes(&one, &pull).with_code(1);
        refused.stderr.holds("workspace/notes/one.md");
    }
    assert_eq!(one.read("workspace/notes/one.md"), "one\n");
    let copied = one.folder().join("copied");
    restored(&|| {
        copy_tree(&vault, &copied);
        one.write("workspace/notes/turn.md", "lost\n");
        let _pushed = homes(&one, &["push", &there, "anna"]).with_code(0);
        OsDisk.remove_tree(&vault).unwrap();
        copy_tree(&copied, &vault);
    });
}

fn copy_tree(from: &Path, to: &Path) {
    for (name, bytes) in files_below(from) {
        let path = to.join(name);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        replace(&OsDisk, &path, &bytes).unwrap();
    }
}

#[test]
fn i14_vault_rejects_unencrypted_homes_inside_it() {
    let (home, vault) = machine();
    let there = address(&vault);
    let _pushed = homes(&home, &["push", &there, "anna"]).with_code(0);
    let before = files_below(&vault);
    let inside = vault.join("anna/inner").display().to_string();
    let folder = format!("file://{inside}");
    let nested = format!("vault://{inside}");
    let link = home.folder().join("link");
    std::os::unix::fs::symlink(&vault, &link).unwrap();
    let linked = link.join("linked").display().to_string();
    let refused = [
        home.fleet(&["push", &folder, "ben"]),
        homes(&home, &["push", &nested, "ben"]),
        home.run(&["--home", &inside, "init"]),
        home.run(&["--home", &linked, "init"]),
        home.run(&["--home", &inside, "chat", "-m", "hello"]),
        homes(&home, &["--home", &inside, "pull", &there, "anna"]),
    ];
    for run in refused {
        run.with_code(2).stderr.holds("vault");
    }
    assert_eq!(files_below(&vault), before);
}

#[test]
fn missing_vault_is_not_recreated_by_push() {
    let (machine, vault) = machine();
    let there = address(&vault);
    let _pushed = homes(&machine, &["push", &there, "anna"]).with_code(0);
    let mode = vault.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let away = machine.folder().join("away");
    OsDisk.rename(&vault, &away).unwrap();
    // The empty mount point of the disk.
    OsDisk.create_dir(&vault).unwrap();
    for act in ["push", "pull", "list"] {
        let name = ["anna"].into_iter().filter(|_| act != "list");
        let arguments: Vec<&str> = [act, &there].into_iter().chain(name).collect();
        homes(&machine, &arguments).with_code(1);
    }
    assert_eq!(OsDisk.list(&vault).unwrap(), Vec::<PathBuf>::new());
    OsDisk.remove_tree(&vault).unwrap();
    OsDisk.rename(&away, &vault).unwrap();
    let _verified = homes(&machine, &["verify", &there, "anna"]).with_code(0);
}

#[test]
fn push_over_damaged_object_fails_and_overwrite_repairs_it() {
    let (machine, vault) = machine();
    let there = address(&vault);
    let push = |more: &[&str]| homes(&machine, &[&["push", &there, "anna"], more].concat());
    let missing: fn(&Path) = |path| OsDisk.remove(path).unwrap();
    let other_bytes: fn(&Path) = |path| replace(&OsDisk, path, b"damaged").unwrap();
    let _pushed = push(&[]).with_code(0);
    for damage in [missing, other_bytes] {
        // This push records which objects are intact, and the next push relies on that.
        push(&[]).with_code(0).stdout.holds("wrote 0 files");
        let objects = files_below(&vault).into_iter().map(|(name, _)| name);
        let mut objects = objects.filter(|name| name.contains("/objects/"));
        let object = objects.next().unwrap();
        damage(&vault.join(&object));
        for more in [&[][..], &["--dry-run"]] {
            let refused = push(more).with_code(5);
            refused.stderr.holds(&object);
            refused.stderr.holds("--overwrite` repairs it");
        }
        let repaired = push(&["--overwrite"]).with_code(0);
        assert!(!repaired.stdout.contains("wrote 0 files"));
        let _whole = homes(&machine, &["verify", &there, "anna"]).with_code(0);
    }
    push(&[]).with_code(0).stdout.holds("wrote 0 files");
}
