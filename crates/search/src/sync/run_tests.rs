//! Tests of `run`: failing sources, large differences.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests write notes as an owner does"
)]

use std::fs;
use std::sync::{Arc, Mutex};

use base::Origin;
use base::disk::OsDisk;
use tempfile::TempDir;

use super::*;
use crate::notes_kit::FolderNotes;
use crate::passage::ResumePlace;
use crate::passage_source::{DocumentStat, SourceMessage};
use crate::rank::{Ask, Degraded, SearchOptions, answer, search};

fn home() -> (TempDir, FolderNotes, Index) {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir_all(at("workspace/memory")).unwrap();
    let workspace = FolderNotes::new(Arc::new(OsDisk), at("workspace"));
    let index = Index::open(Arc::new(OsDisk), &at("index")).unwrap();
    (directory, workspace, index)
}

fn now() -> Timestamp {
    "2100-01-01T00:00:00Z".parse().unwrap()
}

fn places(index: &Index, question: &str) -> Vec<String> {
    let found = search(index, question, &SearchOptions::default()).unwrap();
    found
        .results
        .into_iter()
        .map(|result| format!("{}:{}", result.path, result.start_line))
        .collect()
}

/// A document whose reading breaks off while `fails_after` says so.
#[derive(Debug)]
struct Breaking {
    fails_after: Mutex<Option<usize>>,
    n_messages: Mutex<usize>,
    /// Whether what stood before was changed, so that it is read whole or not at all.
    is_rewritten: bool,
}

impl PassageSource for Breaking {
    fn documents(&self) -> Result<Vec<DocumentStat>, SourceError> {
        let (fails_after, n_messages) = (self.fails_after.lock(), self.n_messages.lock());
        let stamp = format!("{:?} {:?}", fails_after.unwrap(), n_messages.unwrap());
        Ok(vec![DocumentStat {
            path: "sessions/a.jsonl".into(),
            history: "h".into(),
            stamp,
            n_bytes: 1,
        }])
    }

    fn read(
        &self,
        path: &str,
        from: Option<ResumePlace>,
        sink: &mut dyn FnMut(SourceMessage),
    ) -> Result<(), SourceError> {
        let first = from.map_or(2, |place| place.line);
        let fails_after = *self.fails_after.lock().unwrap();
        let is_refused = from.is_some() && self.is_rewritten;
        let n_messages = *self.n_messages.lock().unwrap();
        for line in first..n_messages + 2 {
            if is_refused || fails_after.is_some_and(|n_given| line >= n_given) {
                return Err(SourceError {
                    path: path.into(),
                    cause: "it broke".into(),
                });
            }
            sink(SourceMessage {
                place: ResumePlace::at_line(line),
                speaker: "user".into(),
                text: format!("boat number {line}"),
                day: None,
                origin: Origin::Owner,
            });
        }
        Ok(())
    }
}

#[test]
fn a_document_that_cannot_be_read_is_not_found_until_it_can() {
    let (_directory, workspace, index) = home();
    let source = Breaking {
        fails_after: Mutex::new(Some(400)),
        n_messages: Mutex::new(600),
        is_rewritten: false,
    };
    let corpus = Corpus {
        notes: &workspace,
        sessions: Some(&source),
    };
    for fails_after in [Some(400), None, Some(500), Some(100), None] {
        *source.fails_after.lock().unwrap() = fails_after;
        let report = sync(&index, &corpus, now(), &mut |_| ()).unwrap();
        assert_eq!(
            report.problems.len(),
            usize::from(fails_after.is_some()),
            "{fails_after:?}"
        );
        let n_pieces = if fails_after.is_some() { 0 } else { 600 };
        assert_eq!(index.n_pieces().unwrap(), n_pieces, "{fails_after:?}");
        assert_eq!(
            places(&index, "boat 555").is_empty(),
            fails_after.is_some(),
            "{fails_after:?}"
        );
    }
}

#[test]
fn an_answer_names_what_could_not_be_read() {
    let (_directory, workspace, mut index) = home();
    let source = Breaking {
        fails_after: Mutex::new(None),
        n_messages: Mutex::new(3),
        is_rewritten: false,
    };
    let corpus = Corpus {
        notes: &workspace,
        sessions: Some(&source),
    };
    let options = SearchOptions::default();
    let ask = Ask {
        question: "boat",
        options: &options,
        now: now(),
    };
    let unreadable = vec!["sessions/a.jsonl".to_owned()];
    let cases = [
        (None, None, Vec::new(), 0),
        (Some(0), Some(Degraded::Unreadable), unreadable.clone(), 1),
        // As long as it is so.
        (Some(0), Some(Degraded::Unreadable), unreadable, 1),
        (None, None, Vec::new(), 0),
    ];
    for (fails_after, degraded, unreadable, n_problems) in cases {
        *source.fails_after.lock().unwrap() = fails_after;
        let difference = difference(Some(&index), &corpus).unwrap();
        assert_eq!(difference.problems.len(), n_problems, "{fails_after:?}");
        let (found, _) = answer(&mut index, &corpus, ask, &mut |_| ()).unwrap();
        assert_eq!((found.degraded, found.unreadable), (degraded, unreadable));
    }
}

#[test]
fn the_first_question_builds_the_index_and_tells_how_far_it_is() {
    let (_directory, workspace, mut index) = home();
    for number in 0..120 {
        fs::write(
            workspace.root().join(format!("memory/{number}.md")),
            "- a boat\n",
        )
        .unwrap();
    }
    let corpus = Corpus {
        notes: &workspace,
        sessions: None,
    };
    let options = SearchOptions::default();
    let ask = Ask {
        question: "boat",
        options: &options,
        now: now(),
    };
    let mut told = Vec::new();
    let (found, report) = answer(&mut index, &corpus, ask, &mut |progress| {
        told.push(progress);
    })
    .unwrap();
    assert_eq!(
        (found.results.len(), found.degraded, report.n_changed),
        (10, None, 120)
    );
    assert_eq!((told.len(), told.last().unwrap().n_done), (121, 120));
    assert!(index.is_complete().unwrap());
    told.clear();
    answer(&mut index, &corpus, ask, &mut |progress| {
        told.push(progress);
    })
    .unwrap();
    assert_eq!(told, []);
}

#[test]
fn an_index_can_move_to_another_thread() {
    fn check<T: Send>() {}
    check::<Index>();
}

#[test]
fn i7_a_document_whose_past_was_rewritten_is_read_whole() {
    for is_rewritten in [false, true] {
        let (_directory, workspace, index) = home();
        let source = Breaking {
            fails_after: Mutex::new(None),
            n_messages: Mutex::new(600),
            is_rewritten,
        };
        let corpus = Corpus {
            notes: &workspace,
            sessions: Some(&source),
        };
        sync(&index, &corpus, now(), &mut |_| ()).unwrap();
        *source.n_messages.lock().unwrap() = 610;
        let report = sync(&index, &corpus, now(), &mut |_| ()).unwrap();
        assert_eq!((report.problems.len(), report.n_changed), (0, 1));
        assert_eq!(places(&index, "605")[0], "sessions/a.jsonl:605");
        assert_eq!(places(&index, "5")[0], "sessions/a.jsonl:5");
    }
}
