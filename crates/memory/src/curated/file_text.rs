//! A file of curated lines in two forms: as it stands on disk, and as the program edits it.
//!
//! Pure; a line that an edit leaves alone stays as it stands, to the byte.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::Workspace;
use crate::daily_log::lines::lines;
use crate::ledger::{Ledger, Marks, NoteRecord};

/// The text of a file and what is known about its lines.
#[derive(Debug, Clone)]
pub(crate) struct FileText {
    file: &'static str,
    /// What is known, with `records`.
    ledger: Arc<Ledger>,
    /// The text as this version writes it.
    written: String,
    /// The records of `written` that are not committed yet.
    records: Vec<NoteRecord>,
    /// `written` with what is known about each line at its end.
    spelled: String,
}

impl FileText {
    pub(crate) fn of(workspace: &Workspace, file: &'static str, text: &str) -> Self {
        let ledger = workspace.ledger();
        let taken = ledger.taken_over(file, text.as_bytes(), &BTreeSet::new());
        let written = String::from_utf8_lossy(&taken.bytes).into_owned();
        let ledger = if taken.records.is_empty() {
            ledger
        } else {
            Arc::new(ledger.with(&taken.records))
        };
        let spelled = ledger.spelled(file, &written).into_owned();
        Self {
            file,
            ledger,
            written,
            records: taken.records,
            spelled,
        }
    }

    /// The text with what is known about each line at its end.
    pub(crate) fn spelled(&self) -> &str {
        &self.spelled
    }

    /// An edited form of [`spelled`](Self::spelled) as it is written into the file, and the records to commit first.
    pub(crate) fn rewritten(&self, edited: &str) -> (String, Vec<NoteRecord>) {
        let (spelled, written) = (lines(&self.spelled), lines(&self.written));
        let standing = spelled.iter().map(|line| line.text);
        let standing: BTreeMap<&str, &str> =
            standing.zip(written.iter().map(|line| line.text)).collect();
        let mut marks = Marks::new(&self.ledger, self.file);
        let mut out = String::with_capacity(edited.len());
        for line in lines(edited) {
            let whole = edited.get(line.bytes.clone()).unwrap_or_default();
            let end = whole.get(line.text.len()..).unwrap_or_default();
            let marked = match standing.get(line.text) {
                Some(as_it_stands) => Some((*as_it_stands).to_owned()),
                None => marks.marked(line.text),
            };
            out.extend([marked.as_deref().unwrap_or(line.text), end]);
        }
        (out, [self.records.clone(), marks.records].concat())
    }
}
