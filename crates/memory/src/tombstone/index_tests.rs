//! Tests of sync with tombstones: forgotten text leaves the index and does not come back to it.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests edit notes as an owner does"
)]

use std::fs;
use std::sync::Arc;

use base::disk::OsDisk;
use search::{Index, SearchOptions, search, search_remembered};

use crate::forget::test_kit::tombstone;
use crate::tombstone::{TombstoneId, add_tombstone, lift_tombstone};
use crate::workspace_kit::IndexedWorkspace;

fn home(notes: &[(&str, &str)]) -> IndexedWorkspace {
    let home = IndexedWorkspace::new();
    for (path, text) in notes {
        home.write(path, text);
    }
    home
}

impl IndexedWorkspace {
    fn write(&self, path: &str, text: &str) {
        fs::write(self.workspace.root().join(path), text).unwrap();
    }

    /// The results for each word, with their scores.
    fn found(index: &Index) -> Vec<(String, usize, String)> {
        let options = SearchOptions {
            each_place: true,
            ..SearchOptions::default()
        };
        let mut told = std::collections::BTreeSet::new();
        for word in ["Lisbon", "flat", "tea", "ferry", "new"] {
            let found = search(index, word, &options).unwrap();
            told.extend(found.results.into_iter().map(|it| {
                let said = format!("{word}: {} {:.6}", it.text, it.score);
                (it.path, it.start_line, said)
            }));
        }
        told.into_iter().collect()
    }

    /// The same index as one that was made now.
    #[track_caller]
    fn check(&self, n_changed: usize, places: &[(&str, usize)]) {
        assert_eq!(self.sync(&self.index).n_changed, n_changed);
        assert_eq!(self.sync(&self.index).n_changed, 0);
        let fresh = self.directory.path().join(format!("fresh-{places:?}"));
        let fresh = Index::open(Arc::new(OsDisk), &fresh).unwrap();
        self.sync(&fresh);
        let found = Self::found(&self.index);
        assert_eq!(found, Self::found(&fresh));
        let mut found: Vec<_> = found
            .iter()
            .map(|(path, line, _)| (&**path, *line))
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, places);
    }

    fn forget(&self, text: &str) -> TombstoneId {
        let tombstone = tombstone(text, &[]);
        let id = tombstone.id.clone();
        add_tombstone(&self.workspace, tombstone).unwrap();
        id
    }
}

const NOTES: [(&str, &str); 3] = [
    (
        "memory/2026-03-02.md",
        "# 2026-03-02\n\n- We drank tea\n- The Lisbon flat costs 900\n- The ferry leaves at noon\n",
    ),
    (
        "garden.md",
        "Some tea grows here.\n\n* the LISBON flat costs 900\n",
    ),
    ("memory/other.md", "- The ferry was late\n"),
];

#[test]
fn i7_index_after_forgetting_matches_index_without_text() {
    let home = home(&NOTES);
    let log = "memory/2026-03-02.md";
    home.check(
        3,
        &[
            ("garden.md", 1),
            ("garden.md", 3),
            (log, 3),
            (log, 4),
            (log, 5),
            ("memory/other.md", 1),
        ],
    );
    let id = home.forget("The Lisbon flat costs 900");
    home.check(
        2,
        &[("garden.md", 1), (log, 3), (log, 5), ("memory/other.md", 1)],
    );

    // Lines move, and the text is said again elsewhere.
    home.write(log, "- The Lisbon flat costs 900\n- new\n- We drank tea\n");
    home.write(
        "memory/other.md",
        "## The Lisbon flat costs 900\n\n- The ferry was late\n",
    );
    home.check(
        2,
        &[("garden.md", 1), (log, 2), (log, 3), ("memory/other.md", 3)],
    );

    lift_tombstone(&home.workspace, &id).unwrap();
    home.check(
        3,
        &[
            ("garden.md", 1),
            ("garden.md", 3),
            (log, 1),
            (log, 2),
            (log, 3),
            ("memory/other.md", 3),
        ],
    );
}

#[test]
fn i7_search_results_do_not_depend_on_forgotten_text() {
    let known = home(&NOTES);
    known.sync(&known.index);
    known.forget("The Lisbon flat costs 900");
    known.sync(&known.index);
    let never = NOTES.map(|(path, text)| {
        let gone = |line: &&str| !line.to_lowercase().contains("lisbon");
        (
            path,
            text.split_inclusive('\n').filter(gone).collect::<String>(),
        )
    });
    let never: Vec<(&str, &str)> = never.iter().map(|(path, text)| (*path, &**text)).collect();
    let unknowing = home(&never);
    unknowing.sync(&unknowing.index);
    let texts = |home: &IndexedWorkspace| -> Vec<String> {
        let found = IndexedWorkspace::found(&home.index).into_iter();
        found.map(|(_, _, told)| told).collect()
    };
    assert_eq!(texts(&known), texts(&unknowing));
}

#[test]
fn search_remembered_leaves_out_forgotten_passages_of_older_index() {
    let home = home(&NOTES);
    home.sync(&home.index);
    home.forget("The Lisbon flat costs 900");
    let options = SearchOptions {
        each_place: true,
        ..SearchOptions::default()
    };
    let asked = "Lisbon flat";
    let answer = search(&home.index, asked, &options).unwrap();
    let is_hidden = |it: &search::SearchResult| it.text.to_lowercase().contains("lisbon");
    let (hidden, shown): (Vec<_>, Vec<_>) = answer.results.into_iter().partition(is_hidden);
    assert_eq!((hidden.len(), shown.len()), (2, 3));
    let left = search_remembered(&home.index, (asked, &options), &home.workspace).unwrap();
    assert_eq!(left.results, shown);
}
