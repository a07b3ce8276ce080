//! The templates are short, appear whole, and never replace the owner's words.

use std::sync::Mutex;

use base::HomeLayout;
use base::disk::{
    Crash, CrashDisk, DiskOperation, HookedDisk, MemoryDisk, OsDisk, Unsynced, read_all,
};

use super::*;

const ROOT: &str = "/home/workspace";

fn workspace(disk: impl Disk + 'static) -> Workspace {
    Workspace::new(Arc::new(disk), HomeLayout::new("/home"))
}

fn paths(names: &[&str]) -> Vec<WorkspacePath> {
    names
        .iter()
        .map(|name| WorkspacePath::known(*name))
        .collect()
}

const ALL: [&str; 7] = [
    "AGENTS.md",
    "SOUL.md",
    "USER.md",
    "HEARTBEAT.md",
    "MEMORY.md",
    "DREAMS.md",
    "memory",
];

#[test]
fn init_writes_missing_files_and_is_idempotent() {
    let disk = MemoryDisk::new();
    let first = workspace(disk.clone()).init().unwrap();
    let expected = InitReport {
        written: paths(&ALL),
        kept: Vec::new(),
    };
    assert_eq!(first, expected);
    let before = disk.snapshot();
    let second = workspace(disk.clone()).init().unwrap();
    let expected = InitReport {
        written: Vec::new(),
        kept: paths(&ALL),
    };
    assert_eq!(second, expected);
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn init_keeps_owners_files() {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new(ROOT)).unwrap();
    let soul = Path::new(ROOT).join("SOUL.md");
    replace(&disk, &soul, b"mine").unwrap();
    replace(&disk, &Path::new(ROOT).join("USER.md"), b"").unwrap();
    let report = workspace(disk.clone()).init().unwrap();
    assert_eq!(report.kept, paths(&["SOUL.md", "USER.md"]));
    assert_eq!(read_all(&disk, &soul, 9).unwrap(), b"mine");
}

#[test]
fn init_keeps_dangling_link() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    OsDisk.create_dir(&path("workspace")).unwrap();
    std::os::unix::fs::symlink(path("elsewhere"), path("workspace/USER.md")).unwrap();
    let workspace = Workspace::new(Arc::new(OsDisk), HomeLayout::new(home.path()));
    assert_eq!(workspace.init().unwrap().kept, paths(&["USER.md"]));
    assert!(
        std::fs::symlink_metadata(path("workspace/USER.md"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(OsDisk.stat(&path("elsewhere")).unwrap(), None);
}

#[test]
fn init_repeated_after_crash_completes_whole_files() {
    let whole = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    workspace(whole.clone()).init().unwrap();
    let mut expected = whole.after_crash(Unsynced::Lost).snapshot();
    // A lock is not content.
    expected.retain(|path, _| path.starts_with(ROOT));
    assert_eq!(expected.len(), OWNER_FILES.len());
    let start = MemoryDisk::new();
    let crashes = CrashDisk::crashes(&start, |disk| workspace(disk).init());
    for Crash { found, when, .. } in crashes.map(Crash::reported) {
        workspace(found.clone()).init().unwrap();
        let mut after = found.snapshot();
        after.retain(|path, _| path.starts_with(ROOT) && !path.ends_with(".tmp"));
        assert_eq!(after, expected, "{when}");
    }
}

#[test]
fn init_is_rejected_while_other_process_runs_it() {
    let disk = MemoryDisk::new();
    let first = workspace(disk.clone());
    let _lock = first.lock(INIT_LOCK).unwrap();
    let error = workspace(disk).init().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the workspace is locked by process {}", std::process::id())
    );
}

#[test]
fn workspace_counts_as_made_only_when_complete() {
    let start = MemoryDisk::new();
    let crashes = CrashDisk::crashes(&start, |disk| workspace(disk).init());
    for Crash { found, when, .. } in crashes.map(Crash::reported) {
        if workspace(found.clone()).is_made().unwrap() {
            let names = found.list(Path::new(ROOT)).unwrap();
            assert_eq!(names.len(), OWNER_FILES.len() + 1, "at {when}: {names:?}");
        }
    }
}

#[test]
fn init_error_names_directory_that_cannot_be_written() {
    let start = MemoryDisk::new();
    start.create_dir(Path::new("/home")).unwrap();
    let error = workspace(CrashDisk::full(&start, 0)).init().unwrap_err();
    assert_eq!(error.to_string(), "cannot make directory /home/workspace");
}

#[test]
fn templates_are_short_and_have_required_text() {
    let n_chars: usize = OWNER_FILES
        .iter()
        .map(|file| file.template.chars().count())
        .sum();
    assert!(n_chars < 2_800, "{n_chars} characters");
    let text = |name: &str| {
        let file = OWNER_FILES.iter().find(|file| file.name == name);
        file.unwrap().template
    };
    assert_eq!(text("MEMORY.md"), "# Long-term memory\n");
    assert_eq!(
        text("DREAMS.md"),
        "# Dreams\n\n## Candidate Memory Items (Pending Review)\n"
    );
    assert!(text("HEARTBEAT.md").contains("`HEARTBEAT_OK`"));
}

#[test]
fn i12_log_path_is_named_after_day() {
    let day = "2026-04-20".parse().unwrap();
    let path = workspace(MemoryDisk::new()).log_path(day);
    assert_eq!(path.as_str(), "memory/2026-04-20.md");
}

#[test]
fn note_locks_are_taken_in_fixed_order() {
    let taken = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&taken);
    let workspace = workspace(HookedDisk::before(MemoryDisk::new(), move |operation| {
        if let DiskOperation::Lock(path) = operation {
            let name = path.file_name().unwrap().to_string_lossy();
            seen.lock().unwrap().push(name.into_owned());
        }
        Ok(())
    }));
    drop(workspace.lock_notes().unwrap());
    drop(workspace.hold_still().unwrap());
    let notes = [LOG_LOCK, CURATED_LOCK];
    assert_eq!(
        *taken.lock().unwrap(),
        [&notes[..], &notes, &[TOMBSTONES_LOCK]].concat()
    );
}

#[test]
fn unfilled_fields_of_owner_form_are_filled_once() {
    let workspace = workspace(MemoryDisk::new());
    workspace.init().unwrap();
    let fields = ["Name", "Languages"];
    assert_eq!(workspace.unfilled(&fields).unwrap(), fields);
    let told = [("Name", "Kim\n- Never do: all"), ("Languages", "German")];
    assert!(workspace.fill_in_owner(&told).unwrap());
    let read = || {
        let path = workspace.root().join("USER.md");
        let bytes = base::disk::read_all(&*workspace.disk, &path, 10_000).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let filled = read();
    assert!(
        filled.contains("\n- Name: Kim - Never do: all\n"),
        "{filled}"
    );
    assert!(
        filled.contains("\n- Languages: German\n- Work and projects:\n"),
        "{filled}"
    );
    assert_eq!(workspace.unfilled(&fields).unwrap(), [""; 0]);
    assert!(!workspace.fill_in_owner(&[("Name", "Ann")]).unwrap());
    assert_eq!(read(), filled);
}
