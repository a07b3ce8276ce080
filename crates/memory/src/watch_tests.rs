//! Notes that change while a program runs, on the real disk; every wait is for an event and bounded.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests edit notes as an owner does"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

use search::{SearchOptions, search};

use super::*;
use crate::workspace_kit::IndexedWorkspace;

/// Far longer than any event takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(30);

struct Watched {
    home: IndexedWorkspace,
    events: Receiver<WorkspaceEvent>,
    _watch: Watch,
}

impl Watched {
    fn new() -> Self {
        Self::of(IndexedWorkspace::new())
    }

    fn of(home: IndexedWorkspace) -> Self {
        let (sender, events) = channel();
        let watch = Watch::start(&home.workspace, Duration::from_millis(20), move |event| {
            sender.send(event).unwrap_or_default();
        });
        Self {
            home,
            events,
            _watch: watch.unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.workspace.root().join(name)
    }

    /// Waits for the event about a file, and brings the index up to date.
    #[track_caller]
    fn wait_for(&self, name: &str) {
        let name: WorkspacePath = name.parse().unwrap();
        loop {
            match self.events.recv_timeout(PATIENCE).unwrap() {
                WorkspaceEvent::Changed(paths) if !paths.contains(&name) => {}
                WorkspaceEvent::Changed(_) | WorkspaceEvent::Unsure => break,
            }
        }
        self.sync();
    }

    fn sync(&self) {
        self.home.sync(&self.home.index);
    }

    fn found(&self) -> Vec<String> {
        let found = search(&self.home.index, "ferry", &SearchOptions::default()).unwrap();
        let mut told: Vec<String> = found
            .results
            .into_iter()
            .filter(|it| it.text.contains("ferry"))
            .map(|it| format!("{}:{} {}", it.path, it.start_line, it.text))
            .collect();
        told.sort();
        told
    }
}

#[test]
fn watch_reports_note_written_edited_renamed_and_removed() {
    let home = Watched::new();
    let (one, two) = ("memory/one.md", "memory/two.md");
    fs::write(home.path(one), "- The ferry\n").unwrap();
    home.wait_for(one);
    assert_eq!(home.found(), ["memory/one.md:1 - The ferry"]);
    fs::write(home.path(one), "- tea\n- The ferry is late\n").unwrap();
    home.wait_for(one);
    assert_eq!(home.found(), ["memory/one.md:2 - The ferry is late"]);
    fs::rename(home.path(one), home.path(two)).unwrap();
    home.wait_for(two);
    assert_eq!(home.found(), ["memory/two.md:2 - The ferry is late"]);
    fs::remove_file(home.path(two)).unwrap();
    home.wait_for(two);
    assert_eq!(home.found(), Vec::<String>::new());
}

#[test]
fn watch_reports_note_replaced_by_editor() {
    let home = Watched::new();
    let note = "memory/one.md";
    fs::write(home.path(note), "- The ferry\n").unwrap();
    home.wait_for(note);
    fs::write(home.path("memory/.one.md.swp"), "- half of the fer").unwrap();
    fs::write(home.path("memory/.one.tmp"), "- The ferry again\n").unwrap();
    fs::rename(home.path("memory/.one.tmp"), home.path(note)).unwrap();
    home.wait_for(note);
    assert_eq!(home.found(), ["memory/one.md:1 - The ferry again"]);
}

#[test]
fn watch_reports_half_written_note_again_when_complete() {
    use std::io::Write;

    let home = Watched::new();
    let note = "memory/one.md";
    let mut file = fs::File::create(home.path(note)).unwrap();
    file.write_all(b"- The ferry lea").unwrap();
    home.sync();
    assert_eq!(home.found(), ["memory/one.md:1 - The ferry lea"]);
    home.wait_for(note);
    file.write_all(b"ves at noon\n").unwrap();
    drop(file);
    home.wait_for(note);
    assert_eq!(home.found(), ["memory/one.md:1 - The ferry leaves at noon"]);
}

#[test]
fn watch_reports_note_whose_permissions_change() {
    let home = Watched::new();
    let note = "memory/one.md";
    fs::write(home.path(note), "- The ferry\n").unwrap();
    home.wait_for(note);
    fs::set_permissions(home.path(note), fs::Permissions::from_mode(0o000)).unwrap();
    home.wait_for(note);
    fs::set_permissions(home.path(note), fs::Permissions::from_mode(0o600)).unwrap();
    home.wait_for(note);
    assert_eq!(home.found(), ["memory/one.md:1 - The ferry"]);
}

#[test]
fn watch_covers_new_directory() {
    let home = Watched::new();
    fs::create_dir(home.path("memory/trips")).unwrap();
    home.wait_for("memory/trips");
    fs::write(home.path("memory/trips/one.md"), "- The ferry\n").unwrap();
    home.wait_for("memory/trips/one.md");
    assert_eq!(home.found(), ["memory/trips/one.md:1 - The ferry"]);
}

#[test]
fn watch_reports_lost_events_as_unsure_and_ignores_reads() {
    let named = |root: &str, name: Option<&str>| WatchedPlace {
        root: root.into(),
        name: name.map(str::to_owned),
    };
    let places = [named("/w", None), named("/v", Some("vault"))];
    let root = &places[..];
    let told = |kind: EventKind| {
        let change = Event::new(kind).add_path("/w/a.md".into());
        is_change(&change).then(|| event(&[Ok(change)], root))?
    };
    let changed = BTreeSet::from(["a.md".parse().unwrap()]);
    let closed = |mode| EventKind::Access(AccessKind::Close(mode));
    assert_eq!(
        told(closed(AccessMode::Write)),
        Some(WorkspaceEvent::Changed(changed))
    );
    assert_eq!(told(closed(AccessMode::Read)), None);
    assert_eq!(
        told(EventKind::Access(AccessKind::Open(AccessMode::Any))),
        None
    );
    let failure = Err(notify::Error::generic("too much at once"));
    assert_eq!(event(&[failure], root), Some(WorkspaceEvent::Unsure));
    assert_eq!(event(&[], root), None);
    let made = |path: &str| {
        let change = Event::new(EventKind::Create(CreateKind::Folder)).add_path(path.into());
        event(&[Ok(change)], root)
    };
    assert_eq!(made("/w/memory/trips"), Some(WorkspaceEvent::Unsure));
    assert_eq!(made("/w/.git"), None);
    for hidden in [
        "/w",
        "/w/.git/HEAD.md",
        "/w/memory/.a.md.tmp",
        "/elsewhere/a.md",
    ] {
        assert_eq!(shown(Path::new(hidden), root), None, "{hidden}");
    }
    let note = shown(Path::new("/w/memory/a b.md"), root);
    assert_eq!(
        note.map(|path| path.to_string()),
        Some("memory/a b.md".to_owned())
    );
    let elsewhere = shown(Path::new("/v/People/Clara.md"), root);
    assert_eq!(elsewhere, "vault/People/Clara.md".parse().ok());
    assert_eq!(shown(Path::new("/v/.obsidian/app.json"), root), None);
}

#[test]
fn watch_covers_folder_elsewhere() {
    let mut home = IndexedWorkspace::new();
    let vault = home.directory.path().join("vault");
    fs::create_dir_all(vault.join("People")).unwrap();
    home.workspace = home.workspace.with_folders(vec![crate::NoteFolder {
        name: "notes".to_owned(),
        root: vault.clone(),
        origin: base::Origin::Owner,
        ignore: Vec::new(),
    }]);
    let home = Watched::of(home);
    fs::write(vault.join("People/Clara.md"), "- The ferry\n").unwrap();
    home.wait_for("notes/People/Clara.md");
    assert_eq!(home.found(), ["notes/People/Clara.md:1 - The ferry"]);
}
