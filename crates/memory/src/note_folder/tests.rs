//! Notes in a folder elsewhere, found by search: which files they are, by which names, and with which days.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests write notes as their owner does"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base::{LineRange, Origin};
use search::{SearchAnswer, SearchOptions, search};

use crate::workspace_kit::IndexedWorkspace;
use crate::{FileLinesError, LeftOutNote, LeftOutWhy, NoteFolder, file_lines};

/// A workspace with a folder of notes elsewhere, named `vault`.
struct VaultHome {
    home: IndexedWorkspace,
    root: PathBuf,
}

impl VaultHome {
    fn new(notes: &[(&str, &str)]) -> Self {
        let home = IndexedWorkspace::new();
        let root = home.directory.path().join("My Notes");
        let vault = Self { home, root }.with(Origin::Owner, &[]);
        for (path, text) in notes {
            vault.write(path, text);
        }
        vault
    }

    fn with(mut self, origin: Origin, ignore: &[&str]) -> Self {
        let folder = NoteFolder {
            name: "vault".to_owned(),
            root: self.root.clone(),
            origin,
            ignore: ignore.iter().map(|it| (*it).to_owned()).collect(),
        };
        self.home.workspace = self.home.workspace.with_folders(vec![folder]);
        self
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn search(&self, question: &str) -> SearchAnswer {
        search(&self.home.index, question, &SearchOptions::default()).unwrap()
    }

    /// The results: place, section, text.
    fn found(&self, question: &str) -> Vec<String> {
        let results = self.search(question).results.into_iter();
        let shown = results.map(|it| {
            let section = it.section.clone().unwrap_or_default();
            format!("{} [{section}] {}", it.place(), it.text)
        });
        shown.collect()
    }

    #[track_caller]
    fn sync(&self) -> Vec<String> {
        self.home.sync(&self.home.index).unreadable()
    }
}

#[test]
fn results_name_note_heading_and_table_header() {
    let vault = VaultHome::new(&[(
        "Health/Clara Meier.md",
        "---\naliases: [Oma]\ntags: [family]\n---\nborn in Graz\n\n## Medicines\n\n| Medicine | Dose |\n|---|---|\n| \
         Sertraline | 75 mg |\n\n- with [[Mole Harbour|the harbour]] ^a1\n",
    )]);
    assert_eq!(vault.sync(), Vec::<String>::new());
    for (question, expected) in [
        (
            "sertraline dose",
            "vault/Health/Clara Meier.md:11 [Clara Meier > Medicines > Medicine | Dose] | Sertraline | 75 mg |",
        ),
        (
            "who is at the harbour?",
            "vault/Health/Clara Meier.md:13 [Clara Meier > Medicines] - with the harbour",
        ),
        (
            "Where was Oma born?",
            "vault/Health/Clara Meier.md:5 [Clara Meier] born in Graz",
        ),
    ] {
        let found = vault.found(question);
        assert_eq!(
            found.first().map(String::as_str),
            Some(expected),
            "{question}"
        );
    }
    let shown: Vec<String> = vault
        .search("family")
        .results
        .into_iter()
        .map(|it| it.text)
        .collect();
    assert!(!shown.is_empty() && shown.iter().all(|text| !text.contains("family")));
}

#[test]
fn question_that_calls_note_by_name_finds_it_first() {
    let mut notes = vec![
        ("Aurora.md".to_owned(), "A boat that leaks.\n".to_owned()),
        (
            "Project Aurora.md".to_owned(),
            "Kickoff in May.\n".to_owned(),
        ),
        (
            "x/Old.md".to_owned(),
            "---\naliases:\n  - Blaue Mappe\n---\nScans are in the cellar.\n".to_owned(),
        ),
    ];
    for day in 10..30 {
        let text = "- Project Aurora budget talk, aurora, project, blaue Mappe\n- budget of Project Aurora\n";
        notes.push((format!("Daily/2026-03-{day}.md"), text.to_owned()));
    }
    let notes: Vec<(&str, &str)> = notes
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let vault = VaultHome::new(&notes);
    vault.sync();
    for (question, expected) in [
        (
            "What is the budget of Project Aurora?",
            "vault/Project Aurora.md:1",
        ),
        ("Wo ist die blaue Mappe?", "vault/x/Old.md:5"),
        ("project aurora", "vault/Project Aurora.md:1"),
    ] {
        let found = vault.search(question).results;
        let first = found.first().map(|it| it.place().to_string());
        assert_eq!(first.as_deref(), Some(expected), "{question}");
    }
}

#[test]
fn hidden_excluded_and_unreadable_notes_are_left_out() {
    let vault = VaultHome::new(&[
        ("Boat.md", "boat here %%boat secret%%\n"),
        ("Templates/Boat.md", "boat {{date}}\n"),
        ("Archive/Boat.md", "boat archived\n"),
        ("Private/Boat.md", "boat private\n"),
        (".trash/Boat.md", "boat deleted\n"),
        (".obsidian/Boat.md", "boat settings\n"),
        (".obsidian/templates.json", "{\"folder\": \"Templates\"}"),
        (
            ".obsidian/app.json",
            "{\"userIgnoreFilters\": [\"Archive/\"]}",
        ),
        ("boat.txt", "boat text\n"),
    ])
    .with(Origin::Owner, &["Private"]);
    vault.write("Latin.md", b"boat caf\xe9\n");
    let root = &vault.root;
    let outside = vault.home.directory.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("boat.md"), "boat outside\n").unwrap();
    std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
    std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
    std::os::unix::fs::symlink(outside.join("boat.md"), root.join("linked.md")).unwrap();
    assert_eq!(vault.sync(), ["vault/linked.md"]);
    assert_eq!(vault.found("boat"), ["vault/Boat.md:1 [Boat] boat here"]);
    let left_out = LeftOutNote {
        path: "vault/Latin.md".to_owned(),
        why: LeftOutWhy::NotUtf8,
    };
    assert_eq!(vault.home.workspace.left_out_notes(), [left_out]);
    for (path, is_shown) in [
        ("vault/Boat.md", true),
        ("vault/Templates/Boat.md", false),
        ("vault/Private/Boat.md", false),
        ("vault/.obsidian/Boat.md", false),
        ("vault/Latin.md", false),
    ] {
        let lines = file_lines(&vault.home.workspace, &path.parse().unwrap(), None);
        match lines {
            Ok(found) => assert_eq!(
                (found.text.as_str(), is_shown),
                ("boat here", true),
                "{path}"
            ),
            Err(FileLinesError::LeftOut(_)) => assert!(!is_shown, "{path}"),
            Err(error) => panic!("{path}: {error}"),
        }
    }
}

#[test]
fn missing_folder_is_reported_by_name() {
    let vault = VaultHome::new(&[]);
    assert_eq!(vault.sync(), ["vault"]);
    vault.write("Boat.md", "boat\n");
    assert_eq!(vault.sync(), Vec::<String>::new());
    assert_eq!(vault.found("boat").len(), 1);
}

#[test]
fn change_of_origin_reindexes_notes() {
    let vault = VaultHome::new(&[("Boat.md", "- the boat\n")]);
    let origins = |vault: &VaultHome| -> Vec<Origin> {
        vault.sync();
        vault
            .search("boat")
            .results
            .iter()
            .map(|it| it.origin)
            .collect()
    };
    assert_eq!(origins(&vault), [Origin::Owner]);
    let vault = vault.with(Origin::Untrusted, &[]);
    assert_eq!(origins(&vault), [Origin::Untrusted]);
}

#[test]
fn day_of_note_comes_from_its_properties_or_its_name() {
    let vault = VaultHome::new(&[
        ("2026-03-02.md", "ferry one\n"),
        ("Trip.md", "---\ndate: 2026-03-03\n---\nferry two\n"),
    ]);
    vault.sync();
    let results = vault.search("ferry").results.into_iter();
    let days: BTreeMap<String, Option<String>> = results
        .map(|it| (it.text, it.day.map(|day| day.to_string())))
        .collect();
    let expected = [("ferry one", "2026-03-02"), ("ferry two", "2026-03-03")];
    let expected = expected.map(|(text, day)| (text.to_owned(), Some(day.to_owned())));
    assert_eq!(days, BTreeMap::from(expected));
}

#[test]
fn lines_of_note_are_shown_as_search_shows_them() {
    let vault = VaultHome::new(&[(
        "a/Boat.md",
        "---\ntags: x\n---\n[[Mole|the pier]] %%no%% ^b1\n",
    )]);
    let workspace = &vault.home.workspace;
    let path = "vault/a/Boat.md".parse().unwrap();
    let found = file_lines(workspace, &path, Some(LineRange::line(4))).unwrap();
    assert_eq!((found.text.as_str(), found.n_lines), ("the pier", 4));
    let gone = file_lines(workspace, &"vault/b.md".parse().unwrap(), None);
    assert!(matches!(gone, Err(FileLinesError::NotFound(_))));
    assert!(!Path::new("vault").exists());
}

#[test]
fn notes_in_folders_of_workspace_are_read_like_those_of_vault() {
    let vault = VaultHome::new(&[]);
    let write = |path: &str, text: &str| {
        let path = vault.home.workspace.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "People/Clara Meier.md",
        "---\naliases: [Oma]\n---\n## Boats\n- owns a red boat %%boat secret%% ^4f2a\n",
    );
    write("Templates/Person.md", "boat of {{title}}\n");
    write("vault/Shadow.md", "boat in a folder with a taken name\n");
    write("files/plan.md", "boat that a tool drew\n");
    write(".obsidian/templates.json", r#"{"folder": "Templates"}"#);
    write("memory/2026-03-02.md", "- boat of the log\n");
    write("garden.md", "boat in the garden\n");
    vault.write("Boat.md", "boat of the vault\n");
    assert_eq!(vault.sync(), Vec::<String>::new());
    let mut found = vault.found("boat");
    found.sort();
    assert_eq!(
        found,
        [
            "People/Clara Meier.md:5 [Clara Meier > Boats] - owns a red boat",
            "garden.md:1 [] boat in the garden",
            "memory/2026-03-02.md:1 [] - boat of the log",
            "vault/Boat.md:1 [Boat] boat of the vault",
        ]
    );
    let first = vault.found("What does Oma own?");
    assert_eq!(
        first.first().map(String::as_str),
        Some("People/Clara Meier.md:5 [Clara Meier > Boats] - owns a red boat")
    );
    let lines = |path: &str| file_lines(&vault.home.workspace, &path.parse().unwrap(), None);
    let text = lines("People/Clara Meier.md").unwrap().text;
    assert!(text.ends_with("- owns a red boat"), "{text}");
    assert!(matches!(
        lines("Templates/Person.md"),
        Err(FileLinesError::LeftOut(_))
    ));
    assert!(matches!(
        lines("files/plan.md"),
        Err(FileLinesError::NotSearched(_))
    ));
}
