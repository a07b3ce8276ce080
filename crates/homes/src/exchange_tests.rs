//! A copy replaces and removes what was planned, and nothing that was saved in between.

use std::sync::Mutex;

use base::disk::{
    DiskOperation, Hook, HookedDisk, MemoryDisk, append, create_dir, read_some, replace,
};

use super::*;

const LAYOUT: HomeParts = HomeParts {
    local: &["state/locks"],
    derived: &[],
    lock: "state/locks/@serve.lock",
    signs: &["workspace"],
};

/// A home with these notes.
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

/// An owner who saves a note once the copy has begun.
#[derive(Debug)]
struct Saving {
    disk: MemoryDisk,
    name: Mutex<Option<&'static str>>,
}

impl Hook for Saving {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        if matches!(operation, DiskOperation::Append(..))
            && let Some(name) = self.name.lock().unwrap().take()
        {
            replace(&self.disk, &note(name), b"saved")?;
        }
        Ok(())
    }
}

fn copied(
    (source, known): (&MemoryDisk, &Listing),
    target: &MemoryDisk,
    saves: Option<&'static str>,
) -> (Result<(), HomesError>, Vec<String>) {
    let planned = listing(target);
    let changes = Changes::between(known, &planned);
    let hooked = HookedDisk {
        below: target.clone(),
        hook: Saving {
            disk: target.clone(),
            name: Mutex::new(saves),
        },
    };
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
fn a_file_that_was_saved_in_the_target_during_the_copy_is_left_and_named() {
    let source = home(&[("changed.md", "theirs"), ("new.md", "theirs")]);
    let known = listing(&source);
    for name in ["changed.md", "new.md", "gone.md"] {
        let target = home(&[("changed.md", "old"), ("gone.md", "old")]);
        let (outcome, done) = copied((&source, &known), &target, Some(name));
        let error = outcome.unwrap_err();
        assert!(error.to_string().ends_with(name), "{error}");
        assert_eq!(text(&target, name).as_deref(), Some("saved"));
        // What was replaced before it is told, and nothing half written stays.
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
fn a_source_that_changed_is_named_and_one_that_grew_is_copied_as_it_was() {
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
