//! A copy replaces and removes only what was planned, and never a file that was saved meanwhile or is behind a link.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::Mutex;

use base::disk::{
    DiskOperation, HookedDisk, MemoryDisk, OsDisk, append, create_dir, read_some, replace,
};

use super::*;

const LAYOUT: HomeParts = HomeParts {
    local: &["state/locks"],
    derived: &[],
    lock: "state/locks/@serve.lock",
    signs: &["workspace"],
};

fn home(notes: &[(&str, &str)]) -> MemoryDisk {
    let disk = MemoryDisk::new();
    create_dir(&disk, Path::new("/home/workspace")).unwrap();
    for (name, text) in notes {
        append(&disk, &note(name), text.as_bytes()).unwrap();
    }
    disk
}

fn note(name: &str) -> PathBuf {
    Path::new("/home/workspace").join(name)
}

fn text(disk: &MemoryDisk, name: &str) -> Option<String> {
    let bytes = read_some(disk, &note(name), 99).unwrap();
    bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

fn place(disk: &dyn Disk) -> HomePlace<'_> {
    HomePlace {
        disk,
        root: Path::new("/home"),
    }
}

fn listing(disk: &MemoryDisk) -> Listing {
    Listing::read(place(disk), &LAYOUT).unwrap()
}

fn copied(
    (source, known): (&MemoryDisk, &Listing),
    target: &MemoryDisk,
    saves: Option<&'static str>,
) -> (Result<(), HomesError>, Vec<String>) {
    let planned = listing(target);
    let changes = Changes::between(known, &planned);
    // The owner saves a note as soon as the copy has begun.
    let (owner, saves) = (target.clone(), Mutex::new(saves));
    let hooked = HookedDisk::before(target.clone(), |operation| {
        if matches!(operation, DiskOperation::Append(..))
            && let Some(name) = saves.lock().unwrap().take()
        {
            replace(&owner, &note(name), b"saved")?;
        }
        Ok(())
    });
    let mut done = Vec::new();
    let outcome = copy(
        (place(source), known),
        (place(&hooked), Some(&planned)),
        &changes,
        &mut |written| {
            done.extend(written.keys().cloned());
            Ok(())
        },
    );
    (outcome, done)
}

#[test]
fn copy_keeps_and_names_file_saved_meanwhile_in_target() {
    let source = home(&[("changed.md", "theirs"), ("new.md", "theirs")]);
    let known = listing(&source);
    for name in ["changed.md", "new.md", "gone.md"] {
        let target = home(&[("changed.md", "old"), ("gone.md", "old")]);
        let (outcome, done) = copied((&source, &known), &target, Some(name));
        let error = outcome.unwrap_err();
        assert!(error.to_string().ends_with(name), "{error}");
        assert_eq!(text(&target, name).as_deref(), Some("saved"));
        // Files copied before it are reported, and no partial file remains.
        let others = ["changed.md", "new.md"].into_iter();
        let before: Vec<String> = others
            .take_while(|it| *it != name)
            .map(|it| format!("workspace/{it}"))
            .collect();
        assert_eq!(done, before);
        let names = target.list(Path::new("/home/workspace")).unwrap();
        let is_temporary = |name: &PathBuf| target_of_temporary(name).is_some();
        assert!(!names.iter().any(is_temporary), "{names:?}");
    }
    let target = home(&[("changed.md", "old"), ("gone.md", "old")]);
    copied((&source, &known), &target, None).0.unwrap();
    assert_eq!(target.snapshot(), source.snapshot());
}

#[test]
fn copy_stops_at_changed_source_and_copies_known_part_of_grown_file() {
    let source = home(&[("a.md", "one"), ("b.md", "one"), ("c.md", "one")]);
    let known = listing(&source);
    append(&source, &note("a.md"), b", two").unwrap();
    let target = home(&[]);
    replace(&source, &note("b.md"), b"two").unwrap();
    let (outcome, done) = copied((&source, &known), &target, None);
    match outcome {
        Err(HomesError::Changed(path)) => assert_eq!(path, note("b.md")),
        other => panic!("{other:?}"),
    }
    assert_eq!(done, ["workspace/a.md"]);
    assert_eq!(text(&target, "a.md").as_deref(), Some("one"));
    assert_eq!(text(&target, "b.md"), None);
}

#[test]
fn listing_leaves_out_special_files_and_names_that_are_not_utf8() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    create_dir(&OsDisk, &workspace).unwrap();
    append(&OsDisk, &workspace.join("a.md"), b"own").unwrap();
    symlink("circle.md", workspace.join("circle.md")).unwrap();
    drop(UnixListener::bind(workspace.join("socket.md")).unwrap());
    // Some file systems do not allow such names.
    let unnamed = workspace.join(OsStr::from_bytes(b"caf\xe9.md"));
    let has_unnamed = append(&OsDisk, &unnamed, b"own").is_ok();
    let here = HomePlace {
        disk: &OsDisk,
        root: folder.path(),
    };
    let own = Listing::read(here, &LAYOUT).unwrap();
    let files: Vec<&str> = own.files.keys().map(String::as_str).collect();
    assert_eq!(files, ["workspace/a.md"]);
    let mut expected = BTreeMap::from([
        ("workspace/circle.md".to_owned(), "it is a circular link"),
        (
            "workspace/socket.md".to_owned(),
            "it is a pipe, a socket or a device",
        ),
    ]);
    if has_unnamed {
        expected.insert(
            "workspace/caf\u{fffd}.md".to_owned(),
            "its name is not UTF-8",
        );
    }
    assert_eq!(own.left_out, expected);
}

#[test]
fn changes_do_not_remove_files_left_out_at_source() {
    let there = ["config.yaml", "workspace/MEMORY.md", "workspace-b/a.md"];
    let digest = FileDigest {
        bytes: 3,
        sha256: "81ab03ff".to_owned(),
    };
    let to = Listing {
        files: there.map(|path| (path.to_owned(), digest.clone())).into(),
        directories: ["workspace", "workspace-b"].map(str::to_owned).into(),
        ..Listing::default()
    };
    let from = Listing {
        left_out: [("workspace".to_owned(), "it is a circular link")].into(),
        ..Listing::default()
    };
    let expected = ["config.yaml", "workspace-b/a.md", "workspace-b"];
    assert_eq!(Changes::between(&from, &to).remove, expected);
}

#[test]
fn copy_rejects_changes_behind_links_and_keeps_targets() {
    let folder = tempfile::tempdir().unwrap();
    let (root, outside) = (folder.path().join("home"), folder.path().join("outside"));
    create_dir(&OsDisk, &root.join("workspace/memory")).unwrap();
    create_dir(&OsDisk, &outside).unwrap();
    append(&OsDisk, &root.join("workspace/a.md"), b"own").unwrap();
    append(&OsDisk, &outside.join("kept.md"), b"outside").unwrap();
    symlink(&outside, root.join("workspace/proj")).unwrap();
    symlink(outside.join("kept.md"), root.join("workspace/link.md")).unwrap();
    symlink(outside.join("kept.md"), root.join("workspace/MEMORY.md")).unwrap();
    let here = HomePlace {
        disk: &OsDisk,
        root: &root,
    };
    let own = Listing::read(here, &LAYOUT).unwrap();
    let files: Vec<&str> = own.files.keys().map(String::as_str).collect();
    // The owner keeps this note elsewhere, behind a link; it still belongs to the home.
    assert_eq!(files, ["workspace/MEMORY.md", "workspace/a.md"]);
    let left_out: Vec<&str> = own.left_out.keys().map(String::as_str).collect();
    assert_eq!(left_out, ["workspace/link.md", "workspace/proj"]);

    let listed_outside = OsDisk.list(&outside).unwrap();
    for (name, act) in [
        ("proj/kept.md", "replace"),
        ("proj/new.md", "replace"),
        ("link.md", "replace"),
        ("MEMORY.md", "replace"),
        ("proj/deep/", "make directory"),
    ] {
        let source = home(&[("b.md", "theirs"), ("MEMORY.md", "outside")]);
        let there = note(name);
        if name.ends_with('/') {
            create_dir(&source, &there).unwrap();
        } else {
            create_dir(&source, there.parent().unwrap()).unwrap();
            append(&source, &there, b"theirs").unwrap();
        }
        let known = listing(&source);
        let changes = Changes::between(&known, &own);
        let copied = copy(
            (place(&source), &known),
            (here, Some(&own)),
            &changes,
            &mut |_| Ok(()),
        );
        let error = copied.unwrap_err().to_string();
        assert!(error.contains(act), "{error}");
        assert!(error.contains(name.trim_end_matches('/')), "{error}");
        assert_eq!(Listing::read(here, &LAYOUT).unwrap(), own);
    }
    assert_eq!(OsDisk.list(&outside).unwrap(), listed_outside);

    // Links stay if no change leads through them.
    let source = home(&[("MEMORY.md", "outside")]);
    create_dir(&source, &note("proj")).unwrap();
    let known = listing(&source);
    let changes = Changes::between(&known, &own);
    copy(
        (place(&source), &known),
        (here, Some(&own)),
        &changes,
        &mut |_| Ok(()),
    )
    .unwrap();
    let names = OsDisk.list(&root.join("workspace")).unwrap();
    assert_eq!(names, ["MEMORY.md", "link.md", "proj"].map(PathBuf::from));
    let kept = read_some(&OsDisk, &outside.join("kept.md"), 99).unwrap();
    assert_eq!(kept.unwrap(), b"outside");
}
