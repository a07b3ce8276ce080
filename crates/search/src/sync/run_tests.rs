//! Tests of `run`: failing sources, large differences.

use std::sync::{Arc, Mutex};

use base::Origin;
use base::disk::OsDisk;

use super::super::plan::FIRST_BYTES_MAX;
use super::*;
use crate::notes_kit::{Home, copy, now};
use crate::passage::ResumePlace;
use crate::passage_source::{DocumentStat, IndexedStamp, SourceMessage};
use crate::rank::{Ask, Degraded, SearchOptions, answer, search};
use crate::sync::Unread;

fn places(index: &Index, question: &str) -> Vec<String> {
    let found = search(index, question, &SearchOptions::default()).unwrap();
    let results = found.results.into_iter();
    let places = results.map(|result| format!("{}:{}", result.path, result.start_line));
    places.collect()
}

/// A document whose reading breaks off while `fails_after` says so.
#[derive(Debug)]
struct Breaking {
    fails_after: Mutex<Option<usize>>,
    n_messages: Mutex<usize>,
    /// Whether earlier content was changed, so that the document is read whole or not at all.
    is_rewritten: bool,
    /// Its stated length.
    n_bytes: u64,
}

impl Breaking {
    fn new(n_messages: usize) -> Self {
        Self {
            fails_after: Mutex::default(),
            n_messages: Mutex::new(n_messages),
            is_rewritten: false,
            n_bytes: 1,
        }
    }
}

impl PassageSource for Breaking {
    fn documents(&self, _: IndexedStamp<'_>) -> Result<Vec<DocumentStat>, SourceError> {
        let (fails_after, n_messages) = (self.fails_after.lock(), self.n_messages.lock());
        let stamp = format!("{:?} {:?}", fails_after.unwrap(), n_messages.unwrap());
        Ok(vec![DocumentStat {
            path: "sessions/a.jsonl".into(),
            history: "h".into(),
            stamp,
            n_bytes: self.n_bytes,
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
                let (path, cause) = (path.into(), "it broke".into());
                return Err(SourceError { path, cause });
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

fn about_boats(options: &SearchOptions) -> Ask<'_> {
    Ask {
        question: "boat",
        options,
        now: now(),
    }
}

impl Home {
    fn corpus_with<'c>(&'c self, source: &'c Breaking) -> Corpus<'c> {
        Corpus {
            sessions: Some(source),
            ..self.corpus()
        }
    }
}

#[test]
fn unreadable_document_is_not_found_until_readable() {
    let (home, source) = (Home::new(), Breaking::new(600));
    let (index, corpus) = (home.open(), home.corpus_with(&source));
    for fails_after in [Some(400), None, Some(500), Some(100), None] {
        *source.fails_after.lock().unwrap() = fails_after;
        let report = sync(&index, &corpus, now(), &mut |_| ()).unwrap();
        let (n_pieces, has_found) = (index.n_pieces(), !places(&index, "boat 555").is_empty());
        let found = (report.problems.len(), n_pieces.unwrap(), has_found);
        let fails = fails_after.is_some();
        let expected = if fails { (1, 0, false) } else { (0, 600, true) };
        assert_eq!(found, expected, "{fails_after:?}");
    }
}

#[test]
fn answer_names_unreadable_documents() {
    let (home, source) = (Home::new(), Breaking::new(3));
    let (mut index, corpus) = (home.open(), home.corpus_with(&source));
    let options = SearchOptions::default();
    let ask = about_boats(&options);
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
fn first_question_builds_index_and_reports_progress() {
    let home = Home::new();
    let mut index = home.open();
    for number in 0..120 {
        home.write(&format!("memory/{number}.md"), "- a boat\n");
    }
    let options = SearchOptions::default();
    let mut asked = || {
        let mut told = Vec::new();
        let mut tell = |progress| told.push(progress);
        let answered = answer(&mut index, &home.corpus(), about_boats(&options), &mut tell);
        (answered.unwrap(), told)
    };
    let ((found, report), told) = asked();
    let found = (found.results.len(), found.degraded, report.n_changed);
    assert_eq!(found, (10, None, 120));
    assert_eq!((told.len(), told.last().unwrap().n_done), (121, 120));
    assert_eq!(asked().1, []);
    assert!(index.is_complete().unwrap());
}

#[test]
fn index_is_send() {
    fn check<T: Send>() {}
    check::<Index>();
}

#[test]
fn i7_document_with_rewritten_past_is_found_after_sync() {
    for is_rewritten in [false, true] {
        let source = Breaking {
            is_rewritten,
            ..Breaking::new(600)
        };
        let home = Home::new();
        let (index, corpus) = (home.open(), home.corpus_with(&source));
        sync(&index, &corpus, now(), &mut |_| ()).unwrap();
        *source.n_messages.lock().unwrap() = 610;
        let report = sync(&index, &corpus, now(), &mut |_| ()).unwrap();
        assert_eq!((report.problems.len(), report.n_changed), (0, 1));
        assert_eq!(places(&index, "605")[0], "sessions/a.jsonl:605");
        assert_eq!(places(&index, "5")[0], "sessions/a.jsonl:5");
    }
}

#[test]
fn first_question_leaves_large_document_to_sync_and_reports_it() {
    let home = Home::new();
    home.write("memory/a.md", "- a boat in the harbour\n");
    let source = Breaking {
        n_bytes: FIRST_BYTES_MAX + 1,
        ..Breaking::new(600)
    };
    let (mut index, corpus) = (home.open(), home.corpus_with(&source));
    let options = SearchOptions::default();
    let unread = Unread {
        n_files: 1,
        n_bytes: FIRST_BYTES_MAX + 1,
    };
    for _ in 0..2 {
        let (found, _) = answer(&mut index, &corpus, about_boats(&options), &mut |_| ()).unwrap();
        assert_eq!(
            (found.degraded, found.unread),
            (Some(Degraded::Stale), unread)
        );
        assert_eq!(found.results.len(), 1);
        assert!(!index.is_complete().unwrap());
    }
    sync(&index, &corpus, now(), &mut |_| ()).unwrap();
    let (found, _) = answer(&mut index, &corpus, about_boats(&options), &mut |_| ()).unwrap();
    assert_eq!((found.degraded, found.unread), (None, Unread::default()));
    assert_eq!(found.results.len(), 10);
}

/// A document that copies the index while it is read, as an interrupted sync would leave it.
struct Interrupted<'a> {
    source: Breaking,
    home: &'a Home,
    copy: std::path::PathBuf,
    n_read: Mutex<usize>,
}

impl std::fmt::Debug for Interrupted<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("interrupted")
    }
}

impl PassageSource for Interrupted<'_> {
    fn documents(&self, indexed: IndexedStamp<'_>) -> Result<Vec<DocumentStat>, SourceError> {
        self.source.documents(indexed)
    }

    fn read(
        &self,
        path: &str,
        from: Option<ResumePlace>,
        sink: &mut dyn FnMut(SourceMessage),
    ) -> Result<(), SourceError> {
        self.source.read(path, from, &mut |message| {
            let line = message.place.line;
            sink(message);
            *self.n_read.lock().unwrap() += 1;
            if line == 1_500 && !self.copy.exists() {
                copy(&self.home.index_path(), &self.copy);
            }
        })
    }
}

#[test]
fn i7_interrupted_sync_resumes_after_last_commit() {
    let home = Home::new();
    let source = Interrupted {
        source: Breaking::new(2_000),
        copy: home.directory.path().join("interrupted"),
        home: &home,
        n_read: Mutex::new(0),
    };
    let corpus = Corpus {
        sessions: Some(&source),
        ..home.corpus()
    };
    let mut index = home.open();
    index.batch_bytes_max = 1_000;
    sync(&index, &corpus, now(), &mut |_| ()).unwrap();
    let interrupted = Index::open(Arc::new(OsDisk), &source.copy).unwrap();
    let n_held = interrupted.n_pieces().unwrap();
    assert!(n_held > 1_000 && n_held < 2_000, "{n_held}");
    *source.n_read.lock().unwrap() = 0;
    sync(&interrupted, &corpus, now(), &mut |_| ()).unwrap();
    assert!(interrupted.is_complete().unwrap());
    let n_read = *source.n_read.lock().unwrap();
    assert!(n_read < 1_300, "{n_read} messages were read again");
    assert_eq!(interrupted.n_pieces().unwrap(), 2_000);
    for number in [3, 999, 1_499, 1_999] {
        let question = format!("boat number {number}");
        assert_eq!(places(&interrupted, &question), places(&index, &question));
    }
}

#[test]
fn note_with_changed_records_is_reread_alone() {
    let home = Home::new();
    home.write("a.md", "- the pier\n");
    home.write("b.md", "- the boat\n");
    let index = home.open();
    assert_eq!(home.sync(&index).n_changed, 2);
    let learn = |path: &str| home.workspace.known.lock().unwrap().push(path.to_owned());
    learn("a.md");
    assert_eq!(home.sync(&index).n_changed, 1);
    assert_eq!(home.sync(&index).n_changed, 0);
    // What was known is gone, or is another: every note is read again.
    *home.workspace.known.lock().unwrap() = Vec::new();
    assert_eq!(home.sync(&index).n_changed, 2);
    assert_eq!(home.sync(&index).n_changed, 0);
}
