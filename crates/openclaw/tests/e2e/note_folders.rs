//! Folders of notes elsewhere, such as an Obsidian vault: searched, read and forgotten in place, and never written.

#![expect(
    clippy::disallowed_methods,
    reason = "looks at a vault as its editor does, beside the program"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base::disk::{Disk, OsDisk};
use serde_json::{Value, json};
use testkit::{TestHome, Words};

use crate::connect::connect;

/// A home with a vault next to it, which its settings name.
struct VaultHome {
    home: TestHome,
}

const CLARA: &str = "---\naliases: [Oma]\nborn: 1931-05-14\n---\n# Clara\n\n## Medicines\n\n| Medicine | Dose |\n\
    |---|---|\n| Sertraline | 75 mg |\n\nShe moved to [[Mole Harbour|the harbour]]. %%secret plan%%\n";

impl VaultHome {
    fn new() -> Self {
        let vault = Self {
            home: TestHome::init(),
        };
        for (path, text) in [
            ("People/Clara Meier.md", CLARA),
            ("Templates/Person.md", "born: {{date}} secret harbour\n"),
            (".obsidian/templates.json", "{\"folder\": \"Templates\"}"),
        ] {
            vault.write(path, text);
        }
        vault.configure("origin: owner");
        vault
    }

    fn configure(&self, more: &str) {
        let root = self.root();
        let text = format!(
            "memory:\n  sources:\n    - path: {}\n      name: vault\n      {more}\n",
            root.display()
        );
        self.home.write("config.yaml", text);
    }

    fn root(&self) -> PathBuf {
        self.home.folder().join("My Notes")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        base::disk::replace(&OsDisk, &path, text.as_bytes()).unwrap();
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut lines = self.home.ok(arguments).json_lines();
        lines.remove(0)
    }

    fn search(&self, question: &str) -> Vec<Value> {
        let answer = self.json(&["memory", "search", "--json", question]);
        answer["results"].as_array().unwrap().clone()
    }
}

/// Every file of a folder, with its bytes and its modification time.
fn state_of(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                waiting.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, (bytes, metadata.modified().unwrap()));
            }
        }
    }
    found
}

#[test]
fn note_of_vault_is_searched_read_and_recalled() {
    let vault = VaultHome::new();
    let found = vault.search("Which dose of sertraline?");
    let first = &found[0];
    assert_eq!(
        [
            &first["path"],
            &first["startLine"],
            &first["section"],
            &first["text"],
            &first["origin"]
        ],
        [
            &json!("vault/People/Clara Meier.md"),
            &json!(11),
            &json!("Clara Meier > Clara > Medicines > Medicine | Dose"),
            &json!("| Sertraline | 75 mg |"),
            &json!("owner"),
        ]
    );
    assert!(vault.search("secret plan").is_empty());
    let lines = vault.json(&["memory", "get", "--json", "vault/People/Clara Meier.md:13"]);
    assert_eq!(lines["text"], json!("She moved to the harbour."));
    let human = vault.home.ok(&["memory", "search", "When was Oma born?"]);
    human
        .stdout
        .holds("vault/People/Clara Meier.md:3  [Clara Meier]\n    born: 1931-05-14\n");
    let reply = vault.home.ok(&["chat", "-m", "Which dose of sertraline?"]);
    reply.stdout.holds("75 mg");
    for left_out in [
        "vault/Templates/Person.md",
        "vault/.obsidian/templates.json",
        "vault/no.md",
    ] {
        let failed = vault.home.run(&["memory", "get", left_out]);
        assert_eq!(failed.code, Some(1), "{left_out}: {failed:?}");
    }
}

#[test]
fn commands_do_not_write_into_vault() {
    let vault = VaultHome::new();
    let before = state_of(&vault.root());
    let commands: [&[&str]; 12] = [
        &["memory", "index"],
        &["memory", "search", "sertraline dose"],
        &["memory", "add", "The ferry leaves at nine"],
        &["chat", "-m", "Remember that Clara moved to the harbour."],
        &[
            "memory",
            "forget",
            "--yes",
            "vault/People/Clara Meier.md:13",
        ],
        &["memory", "forget", "--yes", "Sertraline 75 mg"],
        &["dream", "--now"],
        &["about"],
        &["agenda"],
        &["memory", "status"],
        &["doctor", "--fix"],
        &["memory", "export", "--format", "jsonl", "exported.jsonl"],
    ];
    for command in commands {
        let done = vault.home.run(command);
        assert!(done.code < Some(2), "{command:?}: {done:?}");
        assert_eq!(state_of(&vault.root()), before, "{command:?}");
    }
}

#[test]
fn forgotten_line_of_vault_is_hidden_from_every_reader_and_stays_in_its_file() {
    let vault = VaultHome::new();
    let told = vault.home.ok(&[
        "memory",
        "forget",
        "--yes",
        "vault/People/Clara Meier.md:13",
    ]);
    told.stdout.holds("the files stay as they are");
    assert!(vault.search("harbour").is_empty());
    let lines = vault.json(&["memory", "get", "--json", "vault/People/Clara Meier.md:13"]);
    assert_eq!(lines["text"], json!("[forgotten]"));
    let file = fs::read_to_string(vault.root().join("People/Clara Meier.md"));
    assert_eq!(file.unwrap(), CLARA);
    let id = vault.json(&["memory", "forget", "--list", "--json"]);
    let id = id["forgotten"][0]["id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    vault.home.ok(&["memory", "forget", "--undo", &id]);
    assert_eq!(vault.search("harbour").len(), 1);
}

#[test]
fn missing_vault_is_named_and_other_notes_are_searched() {
    let vault = VaultHome::new();
    vault
        .home
        .ok(&["memory", "add", "The ferry leaves at nine"]);
    fs::rename(vault.root(), vault.home.folder().join("moved")).unwrap();
    let found = vault
        .home
        .ok(&["memory", "search", "When does the ferry leave?"]);
    found.stdout.holds("The ferry leaves at nine");
    found.stderr.holds("vault could not be read");
    let doctor = vault.home.run(&["doctor"]);
    doctor.stdout.holds("so its notes are not searched");
}

#[test]
fn settings_of_vault_are_checked() {
    let vault = VaultHome::new();
    for (more, problem) in [
        ("orign: owner", "unknown field `orign`"),
        ("origin: me", "`me` is none of owner, untrusted"),
    ] {
        vault.configure(more);
        let failed = vault.home.run(&["memory", "search", "x"]);
        failed.stderr.holds(problem);
    }
    vault.configure("origin: owner");
    for (name, problem) in [
        ("sessions", "is reserved"),
        ("a/b", "cannot be the name of a folder of notes"),
    ] {
        let value = format!("memory.sources=[{{path: /tmp/x, name: {name}}}]");
        let failed = vault.home.run(&["--set", &value, "memory", "search", "x"]);
        failed.stderr.holds(problem);
    }
    vault.configure("origin: untrusted");
    assert_eq!(vault.search("sertraline")[0]["origin"], json!("untrusted"));
    vault.configure("ignore: [People]");
    assert!(vault.search("sertraline").is_empty());
}

#[test]
fn connect_obsidian_adds_listed_vaults_and_undo_restores_settings_exactly() {
    let home = TestHome::init();
    let folder = home.folder().to_owned();
    for vault in ["Notes", "Work"] {
        OsDisk
            .create_dir(&folder.join(vault).join(".obsidian"))
            .unwrap();
        let note = format!("{vault} has a blue boat.\n");
        base::disk::replace(
            &OsDisk,
            &folder.join(vault).join("Boat.md"),
            note.as_bytes(),
        )
        .unwrap();
    }
    let list = json!({ "vaults": {
        "1": { "path": folder.join("Notes"), "ts": 1, "open": true },
        "2": { "path": folder.join("Work"), "ts": 2 },
        "3": { "path": folder.join("Gone"), "ts": 3 },
    }});
    OsDisk.create_dir(&folder.join(".config/obsidian")).unwrap();
    home.input(".config/obsidian/obsidian.json", list.to_string());
    let settings = "# mine\ntimezone: Europe/Berlin # here\n";
    home.write("config.yaml", settings);
    let config = || fs::read_to_string(home.path().join("config.yaml")).unwrap();
    let (code, shown) = connect(&home, &["obsidian", "--dry-run"]);
    assert_eq!((code, config().as_str()), (Some(0), settings), "{shown}");
    shown.holds("~/Notes");
    let (code, told) = connect(&home, &["obsidian", "work", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    told.holds("openclaw memory index");
    config().lacks("Notes");
    let (code, told) = connect(&home, &["obsidian", "--yes"]);
    assert_eq!(code, Some(0), "{told}");
    let mut search = home.command(&["memory", "search", "--json", "blue boat"]);
    let output = search.env("HOME", &folder).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = answer["results"].as_array().unwrap().iter();
    let mut paths: Vec<&str> = results.map(|it| it["path"].as_str().unwrap()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["Notes/Boat.md", "Work/Boat.md"]);
    let (code, told) = connect(&home, &["obsidian", "--undo", "--yes"]);
    assert_eq!((code, config().as_str()), (Some(0), settings), "{told}");
    let (code, told) = connect(&home, &["obsidian", "Gone"]);
    assert_eq!(code, Some(1), "{told}");
    told.holds("Gone is neither a folder nor a vault that Obsidian lists");
    let (code, told) = connect(&home, &["codex", "Notes"]);
    assert_eq!(code, Some(2), "{told}");
}

#[test]
fn vault_statement_is_proposed_once_with_owner_origin() {
    let vault = VaultHome::new();
    let note = "# Allergies\n\n- I am allergic to peanuts.\n";
    vault.write("Health.md", note);
    let dreamt = |vault: &VaultHome| vault.json(&["dream", "--now", "--json"]);
    let report = dreamt(&vault);
    let staged = report["staged"].as_array().unwrap().clone();
    let is_about =
        |it: &&Value| it["finding"] == json!("Health, Allergies: I am allergic to peanuts.");
    let own = staged.iter().find(is_about);
    let id = own.unwrap_or_else(|| panic!("{report}"))["id"]
        .as_str()
        .unwrap();
    let shown = vault.home.ok(&["dream", "show", id]);
    shown.stdout.holds("vault/Health.md:3");
    vault.home.ok(&["dream", "accept", id]);
    let about = vault.json(&["about", "--json"]);
    assert_eq!(about["lines"][0]["evidence"], json!(["vault/Health.md:3"]));
    let doctor = vault.home.run(&["doctor", "--json"]);
    doctor.stdout.lacks("evidenceGone");
    assert_eq!(dreamt(&vault)["outcome"], json!("nothingNew"));
    vault.write("Health.md", &format!("{note}- I take no penicillin.\n"));
    let report = dreamt(&vault);
    let staged = report["staged"].as_array().unwrap();
    let findings: Vec<&Value> = staged.iter().map(|it| &it["finding"]).collect();
    let expected = json!("Health, Allergies: I take no penicillin.");
    assert_eq!((&report["read"], findings), (&json!(1), vec![&expected]));
}

#[test]
fn vault_as_workspace_is_searched_and_read_by_dreams_unchanged() {
    let home = TestHome::init();
    let root = home.folder().join("Second Brain");
    fs::rename(home.path().join("workspace"), &root).unwrap();
    std::os::unix::fs::symlink(&root, home.path().join("workspace")).unwrap();
    let notes = [
        ("People/Clara Meier.md", CLARA),
        ("Templates/Person.md", "born: {{date}} sertraline\n"),
        (".obsidian/templates.json", "{\"folder\": \"Templates\"}"),
        (
            "files/draft.md",
            "Sertraline in a draft of the assistant.\n",
        ),
        ("Health.md", "Sertraline is at the top level.\n"),
        ("Health/Allergies.md", "I am allergic to peanuts.\n"),
    ];
    for (path, text) in notes {
        let path = root.join(path);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let json = |arguments: &[&str]| home.ok(arguments).json_lines().remove(0);
    let answer = json(&["memory", "search", "--json", "sertraline"]);
    let results = answer["results"].as_array().unwrap().iter();
    let mut places: Vec<String> = results
        .map(|it| format!("{}:{}", it["path"].as_str().unwrap(), it["startLine"]))
        .collect();
    places.sort();
    assert_eq!(places, ["Health.md:1", "People/Clara Meier.md:11"]);
    let human = home.ok(&["memory", "search", "When was Oma born?"]);
    human
        .stdout
        .holds("People/Clara Meier.md:3  [Clara Meier]\n    born: 1931-05-14\n");
    let report = json(&["dream", "--now", "--json"]);
    let staged = report["staged"].as_array().unwrap().iter();
    let mut findings = staged.filter_map(|it| it["finding"].as_str());
    assert!(
        findings.any(|it| it == "Allergies: I am allergic to peanuts."),
        "{report}"
    );
    let told = home.ok(&["memory", "forget", "--yes", "People/Clara Meier.md:13"]);
    told.stdout.holds("the files stay as they are");
    for (path, text) in notes {
        assert_eq!(fs::read_to_string(root.join(path)).unwrap(), text, "{path}");
    }
    let doctor = home.run(&["doctor", "--json"]).json_lines().remove(0);
    let findings = doctor["findings"].as_array().unwrap().iter();
    let weighty: Vec<&Value> = findings.filter(|it| it["weight"] != "note").collect();
    assert!(weighty.is_empty(), "{weighty:?}");
}
