//! Tests of the notes that search gets: the files, and the way in which their lines are cut.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests put bad files where notes lie"
)]

use std::fs;

use base::Origin;
use search::{SearchOptions, search};

use super::*;
use crate::ledger::earlier_line;
use crate::workspace_kit::IndexedWorkspace;

fn cut(text: &str) -> Vec<(usize, String, Origin)> {
    let mut passages = Vec::new();
    let workspace = crate::workspace_kit::workspace_with(&[]);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    cut_note(&workspace.read_note("memory/x.md", text), &mut |it| {
        passages.push((it.lines.start, it.text, it.origin));
    });
    passages
}

#[test]
fn passages_omit_program_comments_and_keep_owner_comments() {
    let note = "- Tea at five <!-- n:ab12 e:e1 h:00000000 o:agent -->";
    let block = format!(
        "<!-- flush session=s epoch=0 span=a..b -->\n## 10:00 \u{2014} Session Notes\n\n**Decisions:**\n{note}\n<!-- /flush 12345678 -->\n"
    );
    let text = format!("\u{feff}{block}- mine <!-- not yours -->\n");
    let expected = [(5, "- Tea at five"), (7, "- mine <!-- not yours -->")];
    let expected = expected.map(|(line, text)| (line, text.to_owned(), Origin::Owner));
    assert_eq!(cut(&text), expected);
}

#[test]
fn passage_has_origin_of_its_line() {
    let written = earlier_line("ab12", "Tea at five", &["e1"], Origin::Untrusted);
    let edited = written.replace("five", "six");
    let origins: Vec<Origin> = cut(&format!("{written}\n{edited}\n- by hand\n"))
        .into_iter()
        .map(|(.., origin)| origin)
        .collect();
    assert_eq!(origins, [Origin::Untrusted, Origin::Owner, Origin::Owner]);
}

#[test]
fn type_line_of_graph_page_has_agent_origin() {
    let home = IndexedWorkspace::new();
    let page = "# Ada\n\nType: keeper of the lighthouse\n\n- by hand\n";
    for (path, expected) in [
        ("memory/graph/Ada.md", Origin::Agent),
        ("memory/Ada.md", Origin::Owner),
    ] {
        let prepared = home.workspace.prepare(path, page.into());
        let note = search::MarkdownFile {
            text: &prepared.text,
            title: "",
            day: None,
            origins: &prepared.origins,
            label: None,
        };
        let mut passages = Vec::new();
        search::cut_markdown(&note, &mut |it| passages.extend(it.passages));
        let passages = passages.into_iter();
        let passages: Vec<_> = passages
            .map(|it| (it.lines.start, it.text, it.origin))
            .collect();
        let expected = [
            (3, "Type: keeper of the lighthouse".to_owned(), expected),
            (5, "- by hand".to_owned(), Origin::Owner),
        ];
        assert_eq!(passages, expected, "{path}");
    }
}

#[test]
fn unreadable_file_does_not_stop_indexing_of_others() {
    let home = IndexedWorkspace::new();
    let root = home.workspace.root();
    fs::create_dir_all(root.join("memory/deep/er")).unwrap();
    let secret = home.directory.path().join("secret.md");
    fs::write(secret, "- the boat of another\n").unwrap();
    std::os::unix::fs::symlink("../../secret.md", root.join("memory/out.md")).unwrap();
    std::os::unix::fs::symlink("nowhere.md", root.join("memory/broken.md")).unwrap();
    fs::write(root.join("memory/bytes.md"), b"- caf\xe9 boat \xff\0\n").unwrap();
    fs::write(root.join("memory/empty.md"), b"").unwrap();
    let trip = root.join("memory/deep/er/2024-05-01 trip.md");
    fs::write(trip, "- boat trip\n").unwrap();
    fs::write(root.join("memory/.hidden.md"), "- boat hidden\n").unwrap();
    fs::write(root.join("memory/picture.png"), "boat").unwrap();
    fs::write(root.join("SOUL.md"), "boat\n").unwrap();
    fs::write(root.join("garden.md"), "No boats here.\n").unwrap();
    let report = home.sync(&home.index);
    let problems: Vec<&str> = report.problems.iter().map(|it| &*it.path).collect();
    assert_eq!((report.n_changed, problems), (4, vec!["memory/out.md"]));
    let found = search(&home.index, "boat", &SearchOptions::default()).unwrap();
    let found = found
        .results
        .iter()
        .map(|it| format!("{}:{}", it.path, it.start_line));
    let mut found: Vec<String> = found.collect();
    found.sort();
    assert_eq!(
        found,
        [
            "garden.md:1",
            "memory/bytes.md:1",
            "memory/deep/er/2024-05-01 trip.md:1"
        ]
    );
}

#[test]
fn change_of_records_reindexes_unchanged_notes() {
    let home = IndexedWorkspace::new();
    let block = crate::daily_log::kit::block(&[("Issues Found", "The boat leaks")]);
    crate::write_block(&home.workspace, &block, base::Tz::UTC).unwrap();
    fs::write(home.workspace.root().join("other.md"), "- the pier\n").unwrap();
    assert_eq!(home.sync(&home.index).n_changed, 2);
    let origins = || -> Vec<Origin> {
        let found = search(&home.index, "boat leaks", &SearchOptions::default()).unwrap();
        found.results.iter().map(|it| it.origin).collect()
    };
    assert_eq!(origins(), [Origin::Agent]);
    let ledger = home.workspace.ledger();
    let known = ledger.begun_at("memory/2026-04-20.md", "s", "e1");
    let record = crate::ledger::NoteRecord {
        origin: Origin::Untrusted,
        ..known[0].clone()
    };
    home.workspace.commit_records(&[record]).unwrap();
    assert_eq!(home.sync(&home.index).n_changed, 1);
    assert_eq!(origins(), [Origin::Untrusted]);
    // A lost file is noticed too.
    fs::remove_file(home.directory.path().join("state/notes.jsonl")).unwrap();
    assert_eq!(home.sync(&home.index).n_changed, 2);
    assert_eq!(origins(), [Origin::Agent]);
}
