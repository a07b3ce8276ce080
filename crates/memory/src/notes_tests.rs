//! Tests of the notes as search is fed with them: which files they are, and how their lines are cut.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests put bad files where notes lie"
)]

use std::fs;
use std::sync::Arc;

use base::disk::OsDisk;
use base::{EntryId, HomeLayout, Origin};
use search::{Corpus, Index, SearchOptions, search, sync};

use super::*;
use crate::note::NoteId;

fn cut(text: &str) -> Vec<(usize, String, Origin)> {
    let mut passages = Vec::new();
    cut_note(text, &mut |it| {
        passages.push((it.lines.start, it.text, it.origin));
    });
    passages
}

#[test]
fn our_comments_are_neither_found_nor_shown() {
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
fn the_origin_is_that_of_the_line() {
    let (id, evidence) = (NoteId::new("ab12"), [EntryId::new("e1")]);
    let written = note::render(&id, "Tea at five", &evidence, Origin::Untrusted);
    let edited = written.replace("five", "six");
    let origins: Vec<Origin> = cut(&format!("{written}\n{edited}\n- by hand\n"))
        .into_iter()
        .map(|(.., origin)| origin)
        .collect();
    assert_eq!(origins, [Origin::Untrusted, Origin::Owner, Origin::Owner]);
}

#[test]
fn one_bad_file_stops_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir_all(at("workspace/memory/deep/er")).unwrap();
    let disk = || Arc::new(OsDisk);
    let workspace = Workspace::new(disk(), HomeLayout::new(directory.path()));
    let index = Index::open(disk(), &at("index")).unwrap();
    let root = workspace.root();
    fs::write(
        directory.path().join("secret.md"),
        "- the boat of another\n",
    )
    .unwrap();
    std::os::unix::fs::symlink("../../secret.md", root.join("memory/out.md")).unwrap();
    std::os::unix::fs::symlink("nowhere.md", root.join("memory/broken.md")).unwrap();
    fs::write(root.join("memory/bytes.md"), b"- caf\xe9 boat \xff\0\n").unwrap();
    fs::write(root.join("memory/empty.md"), b"").unwrap();
    fs::write(
        root.join("memory/deep/er/2024-05-01 trip.md"),
        "- boat trip\n",
    )
    .unwrap();
    fs::write(root.join("memory/.hidden.md"), "- boat hidden\n").unwrap();
    fs::write(root.join("memory/picture.png"), "boat").unwrap();
    fs::write(root.join("SOUL.md"), "boat\n").unwrap();
    fs::write(root.join("garden.md"), "No boats here.\n").unwrap();
    let corpus = Corpus {
        notes: &workspace,
        sessions: None,
    };
    let now = "2100-01-01T00:00:00Z".parse().unwrap();
    let report = sync(&index, &corpus, now, &mut |_| ()).unwrap();
    let problems: Vec<&str> = report
        .problems
        .iter()
        .map(|problem| problem.path.as_str())
        .collect();
    assert_eq!((report.n_changed, problems), (4, vec!["memory/out.md"]));
    let found = search(&index, "boat", &SearchOptions::default())
        .unwrap()
        .results;
    let found = found
        .into_iter()
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
