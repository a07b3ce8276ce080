//! Whole runs of the program on a disk in memory: exit code, stdout and stderr.
//!
//! Pins the output that people and scripts read.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use base::Disk;
use base::disk::{
    DiskError, DiskOperation, Hook, HookedDisk, MemoryDisk, create_dir, read_all, replace,
};
use cli::world::World;
use testkit::Words;

use super::*;

/// The home on this machine.
const HOME: &str = "/home/ada/.openclaw";

/// The home in a folder.
const ANNA: &str = "/srv/homes/anna";

fn text(disk: &dyn Disk, path: &str) -> String {
    let bytes = read_all(disk, Path::new(path), 1 << 20).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A home that was pushed to `ANNA`.
fn pushed() -> World {
    let world = World::of(run)
        .with_file("workspace/a.md", "old")
        .with_file("workspace/b.md", "old");
    let pushed = world.run("openclaw-fleet push file:///srv/homes anna");
    assert!(pushed.contains("wrote 2 files"), "{pushed}");
    world
}

fn save(disk: &dyn Disk, path: &str, text: &str) {
    replace(disk, Path::new(path), text.as_bytes()).unwrap();
}

#[test]
fn dry_run_of_push_and_pull_fails_like_real_one() {
    let world = pushed();
    let disk = &*world.host.disk;
    save(disk, &format!("{ANNA}/workspace/a.md"), "there");
    let told =
        "error: the target home has changes that would be lost: 1 file, such as workspace/a.md";
    let planned = world.run("openclaw-fleet push file:///srv/homes anna --dry-run");
    planned.begins("exit 1\n--- stdout\ndry run: nothing was written\n  ! workspace/a.md\n");
    assert!(planned.contains(told), "{planned}");
    let listed = world.run("openclaw-fleet push file:///srv/homes anna --dry-run --json");
    assert!(listed.contains(r#""lost":["workspace/a.md"]"#), "{listed}");
    let refused = world.run("openclaw-fleet push file:///srv/homes anna");
    refused.begins("exit 1\n");
    refused.holds(told);
    let planned = world.run("openclaw-fleet push file:///srv/homes anna --dry-run --overwrite");
    planned.begins("exit 0\n--- stdout\ndry run: nothing was written\n  + workspace/a.md\n");

    // Only changes made here since the last exchange would be lost.
    save(disk, &format!("{HOME}/workspace/b.md"), "here");
    let planned = world.run("openclaw-fleet pull file:///srv/homes anna --dry-run");
    planned.begins("exit 1\n--- stdout\ndry run: nothing was written\n  ! workspace/b.md\n  + workspace/a.md\n");
    let refused = world.run("openclaw-fleet pull file:///srv/homes anna");
    refused.holds("1 file, such as workspace/b.md");
}

#[test]
fn folder_without_home_is_neither_pushed_nor_replaced() {
    let world = World::of(run);
    let disk = &*world.host.disk;
    disk.create_dir(Path::new(HOME)).unwrap();
    let empty = world.run("openclaw-fleet push file:///srv/homes anna");
    empty.holds("error: /home/ada/.openclaw is not a home");
    assert!(disk.stat(Path::new("/srv")).unwrap().is_none());

    let world = pushed();
    let disk = &*world.host.disk;
    create_dir(disk, Path::new("/srv/homes/letters")).unwrap();
    save(disk, "/srv/homes/letters/letter.txt", "dear");
    for act in [
        "push",
        "pull",
        "push --dry-run",
        "pull --dry-run",
        "push --overwrite",
        "pull --overwrite",
    ] {
        let told = world.run(&format!("openclaw-fleet {act} file:///srv/homes letters"));
        assert!(told.starts_with("exit 1\n"), "{told}");
        told.holds("error: /srv/homes/letters is not a home");
    }
    let told = world
        .run("openclaw-fleet --home /srv/homes/letters pull file:///srv/homes anna --overwrite");
    told.holds("error: /srv/homes/letters is not a home");
    assert_eq!(disk.list(Path::new("/srv/homes/letters")).unwrap().len(), 1);
    let listed = world.run("openclaw-fleet list file:///srv/homes");
    assert_eq!(
        listed,
        "exit 0\n--- stdout\nanna  2 files, 6 bytes\n--- stderr\n"
    );
}

#[test]
fn list_names_holder_of_home_in_use() {
    let world = pushed();
    let lock = Path::new(ANNA).join("state/locks/main.lock");
    let _held = world.host.disk.try_lock(&lock).unwrap();
    let listed = world.run("openclaw-fleet list file:///srv/homes");
    let own = format!(
        "anna  2 files, 6 bytes; held by process {}\n",
        std::process::id()
    );
    assert!(listed.contains(&own), "{listed}");
}

/// An owner who saves a file as soon as a copy into `below` has begun. During a push, also checks that the daily log
/// is not locked.
#[derive(Debug)]
struct Editor {
    disk: MemoryDisk,
    below: &'static str,
    saves: &'static str,
    has_saved: AtomicBool,
}

impl Hook for Editor {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        let is_copy = matches!(operation, DiskOperation::Append(path, _)
            if path.starts_with(Path::new(self.below).join("workspace")));
        if is_copy && !self.has_saved.swap(true, Ordering::SeqCst) {
            if self.below == ANNA {
                let notes = Path::new(HOME).join("state/locks/@daily-log.lock");
                self.disk.try_lock(&notes).unwrap();
            }
            save(
                &self.disk,
                &format!("{HOME}/{}", self.saves),
                "saved meanwhile",
            );
        }
        Ok(())
    }
}

/// The world in which that owner saves a file, and its disk without the owner.
fn edited(mut world: World, below: &'static str, saves: &'static str) -> (World, MemoryDisk) {
    let disk = MemoryDisk::above(Arc::clone(&world.host.disk));
    world.host.disk = Arc::new(HookedDisk {
        below: disk.clone(),
        hook: Editor {
            disk: disk.clone(),
            below,
            saves,
            has_saved: false.into(),
        },
    });
    (world, disk)
}

#[test]
fn push_includes_edit_saved_during_copy() {
    let world = pushed();
    save(&*world.host.disk, &format!("{HOME}/workspace/a.md"), "new");
    save(&*world.host.disk, &format!("{HOME}/workspace/b.md"), "new");
    let (world, disk) = edited(world, ANNA, "workspace/b.md");
    let told = world.run("openclaw-fleet push file:///srv/homes anna");
    assert!(told.contains("wrote 2 files, 18 bytes"), "{told}");
    assert_eq!(text(&disk, &format!("{ANNA}/workspace/a.md")), "new");
    assert_eq!(
        text(&disk, &format!("{ANNA}/workspace/b.md")),
        "saved meanwhile"
    );
}

#[test]
fn edit_saved_during_pull_is_kept() {
    let world = pushed();
    for name in ["a", "b"] {
        save(
            &*world.host.disk,
            &format!("{ANNA}/workspace/{name}.md"),
            "theirs",
        );
    }
    let (world, disk) = edited(world, HOME, "workspace/b.md");
    let told = world.run("openclaw-fleet pull file:///srv/homes anna");
    told.holds("error: cannot replace /home/ada/.openclaw/workspace/b.md\n");
    assert_eq!(text(&disk, &format!("{HOME}/workspace/a.md")), "theirs");
    assert_eq!(
        text(&disk, &format!("{HOME}/workspace/b.md")),
        "saved meanwhile"
    );
    // The next pull still detects that `b.md` would be lost. It does not report `a.md`, which the failed pull had
    // copied, although `a.md` has changed in the folder.
    save(&disk, &format!("{ANNA}/workspace/a.md"), "theirs, too");
    let told = world.run("openclaw-fleet pull file:///srv/homes anna");
    assert!(told.contains("1 file, such as workspace/b.md"), "{told}");
    save(&disk, &format!("{HOME}/workspace/b.md"), "old");
    let told = world.run("openclaw-fleet pull file:///srv/homes anna");
    assert!(told.contains("wrote 2 files"), "{told}");
}

#[test]
fn rekey_of_folder_does_not_advise_to_omit_key() {
    let told = World::of(run)
        .run("openclaw-fleet rekey file:///srv/homes anna --identity old --new-identity new");
    assert!(told.contains("is a folder"), "{told}");
    assert!(!told.contains("omit the key"), "{told}");
}

#[test]
fn bucket_without_credentials_names_variables_to_set() {
    let world = pushed();
    for act in ["push", "pull", "rekey --new-identity new"] {
        let told = world.run(&format!("openclaw-fleet {act} s3://claw/homes anna"));
        let expected = "error: cannot reach the homes at s3://claw/homes: there are no credentials\n  \
                        hint: `export AWS_ACCESS_KEY_ID=ID ";
        assert!(told.contains(expected), "{told}");
        assert!(told.contains("AWS_ALLOW_HTTP=true"), "{told}");
    }
}

#[test]
fn missing_folder_of_homes_is_reported() {
    let told = World::of(run).run("openclaw-fleet list file:///srv/homes");
    assert!(
        told.contains("error: the directory /srv/homes does not exist\n"),
        "{told}"
    );
}

#[test]
fn wrong_set_value_fails_commands_that_read_no_settings() {
    let run = World::of(run).run("openclaw-fleet man --set memory.recall.budgetTokens=lots");
    assert!(run.starts_with("exit 1\n"), "{run}");
    assert!(
        run.contains("invalid value for memory.recall.budgetTokens"),
        "{run}"
    );
}
