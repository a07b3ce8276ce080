//! Runs a sync plan: reads what changed and writes it into the index.
//!
//! An unreadable file is reported and left out until it can be read.

use std::collections::HashMap;

use base::disk::DiskError;
use base::{EmbedError, SourceError, Timestamp};

use super::notes::{self, title};
use super::plan::{FoundFile, PARTLY_HIDDEN, SyncPlan, plan};
use crate::index::{
    BatchWriter, DocumentWrite, FORGOTTEN, FileRow, Index, IndexError, KNOWN, StretchMark, fill,
};
use crate::note_source::{ForgottenFilter, NoteSource};
use crate::passage::{MarkdownFile, MessageCutter, Stretch, cut_markdown, day_in};
use crate::passage_source::{PassageSource, Source};

/// Everything that search covers.
#[derive(Debug, Clone, Copy)]
pub struct Corpus<'c> {
    pub notes: &'c dyn NoteSource,
    /// The transcripts, if any.
    pub sessions: Option<&'c dyn PassageSource>,
}

/// What a sync did.
#[derive(Debug, Default)]
pub struct SyncReport {
    /// Files and documents that were read and had changed.
    pub n_changed: usize,
    /// Deleted files and documents.
    pub n_gone: usize,
    /// What could not be read; search does not find it until it can be.
    pub problems: Vec<SyncProblem>,
    /// Why some passages have no vector; search finds them by words only.
    pub unembedded: Option<EmbedError>,
}

impl SyncReport {
    /// The unreadable paths.
    pub fn unreadable(&self) -> Vec<String> {
        let paths = self.problems.iter().map(|problem| problem.path.clone());
        paths.collect()
    }
}

/// A file or document that could not be read.
#[derive(Debug)]
pub struct SyncProblem {
    /// Its path as search shows it.
    pub path: String,
    /// The cause.
    pub error: SyncError,
}

/// Why a file or document could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The source failed.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl SyncError {
    /// Whether the only problem is that the file is a link out of the workspace.
    pub fn is_outside(&self) -> bool {
        match self {
            Self::Disk(error) => error.kind() == std::io::ErrorKind::InvalidInput,
            Self::Source(_) => false,
        }
    }
}

/// Progress of a sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncProgress {
    /// Files and documents done.
    pub n_done: usize,
    /// All files and documents.
    pub n_total: usize,
    pub n_bytes_done: u64,
    /// All bytes.
    pub n_bytes_total: u64,
}

/// Brings the index up to date with the corpus.
pub fn sync(
    index: &Index,
    corpus: &Corpus<'_>,
    now: Timestamp,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<SyncReport, IndexError> {
    let SyncPreview {
        mut plan,
        forgotten,
        problems,
    } = look(index, corpus)?;
    let suspects = std::mem::take(&mut plan.suspects);
    plan.reads.extend(suspects);
    let mut report = run_plan(index, corpus, now, (&plan, &*forgotten), progress)?;
    report.unembedded = fill(index, u64::MAX)?;
    report.problems.extend(problems);
    Ok(report)
}

/// What a sync would do.
#[derive(Debug, Default)]
pub struct Difference {
    /// Paths that would be read.
    pub unread: Vec<String>,
    /// Paths that are indexed but have been deleted.
    pub gone: Vec<String>,
    /// The documents that cannot be read.
    pub problems: Vec<SyncProblem>,
}

/// Reports what a sync would do, judging by metadata; without an index, everything counts as unread.
pub fn difference(index: Option<&Index>, corpus: &Corpus<'_>) -> Result<Difference, IndexError> {
    let known = index.map_or_else(|| Ok(Vec::new()), |index| index.store.files())?;
    let (found, mut problems) = list(corpus, &known);
    // Skip suspects: most likely they have not changed.
    let SyncPlan { reads, gone, .. } = plan(found, known);
    let mut unread = Vec::new();
    for (found, _) in reads {
        match try_to_open(corpus, &found) {
            Ok(()) => unread.push(found.path),
            Err(error) => problems.push(SyncProblem {
                path: found.path,
                error,
            }),
        }
    }
    Ok(Difference {
        unread,
        gone: gone.into_iter().map(|row| row.path).collect(),
        problems,
    })
}

/// Checks that a sync could read this.
fn try_to_open(corpus: &Corpus<'_>, found: &FoundFile) -> Result<(), SyncError> {
    match (found.source, corpus.sessions) {
        (Source::Memory, _) => {
            let path = corpus.notes.locate(&found.path)?;
            Ok(corpus.notes.disk().open(&path).map(drop)?)
        }
        (Source::Session, Some(source)) => Ok(source.try_to_open(&found.path)?),
        (Source::Session, None) => Ok(()),
    }
}

/// A plan with the input that it needs.
pub(crate) struct SyncPreview {
    pub(crate) plan: SyncPlan,
    /// The forgotten texts.
    pub(crate) forgotten: Box<dyn ForgottenFilter>,
    /// The documents that cannot be read.
    pub(crate) problems: Vec<SyncProblem>,
}

/// Plans a sync.
pub(crate) fn look(index: &Index, corpus: &Corpus<'_>) -> Result<SyncPreview, IndexError> {
    let mut known = index.store.files()?;
    let (found, problems) = list(corpus, &known);
    let forgotten = corpus.notes.forgotten().map_err(IndexError::Forgotten)?;
    let is_forgetting = index.store.number(FORGOTTEN)? != forgotten.text_version();
    if is_forgetting {
        let holding = index.store.notes_with(&|text| forgotten.hides_text(text))?;
        for row in &mut known {
            if holding.contains(&row.id) || row.history.ends_with(PARTLY_HIDDEN) {
                row.stamp.clear();
                row.history.clear();
            }
        }
    }
    let known_version = corpus.notes.known_version();
    let known_at = index.store.number(KNOWN)?;
    if known_version != known_at {
        let changed = corpus.notes.known_since(known_at);
        let is_changed = |path: &String| changed.as_ref().is_none_or(|all| all.contains(path));
        let notes = known.iter_mut().filter(|row| row.source == Source::Memory);
        for row in notes.filter(|row| is_changed(&row.path)) {
            row.stamp.clear();
            row.history.clear();
        }
    }
    let plan = SyncPlan {
        is_forgetting,
        known_version,
        ..plan(found, known)
    };
    Ok(SyncPreview {
        plan,
        forgotten,
        problems,
    })
}

/// Lists the corpus, and the files that cannot be read.
fn list(corpus: &Corpus<'_>, known: &[FileRow]) -> (Vec<FoundFile>, Vec<SyncProblem>) {
    let (notes, problems) = corpus.notes.notes();
    let mut found: Vec<FoundFile> = notes.into_iter().map(notes::found).collect();
    let problems = problems.into_iter().map(|(path, error)| SyncProblem {
        path,
        error: error.into(),
    });
    let mut problems: Vec<SyncProblem> = problems.collect();
    let sessions = known.iter().filter(|row| row.source == Source::Session);
    let stamps = sessions.map(|row| (row.path.as_str(), row.stamp.as_str()));
    let stamps: HashMap<&str, &str> = stamps.collect();
    let documents =
        |source: &dyn PassageSource| source.documents(&|path| stamps.get(path).copied());
    match corpus.sessions.map(documents) {
        Some(Ok(documents)) => found.extend(documents.into_iter().map(|document| FoundFile {
            id: 0,
            source: Source::Session,
            path: document.path,
            stamp: document.stamp,
            history: document.history,
            n_bytes: document.n_bytes,
        })),
        Some(Err(error)) => problems.push(SyncProblem {
            path: error.path.clone(),
            error: error.into(),
        }),
        None => {}
    }
    (found, problems)
}

/// Runs a plan.
pub(crate) fn run_plan(
    index: &Index,
    corpus: &Corpus<'_>,
    now: Timestamp,
    (plan, forgotten): (&SyncPlan, &dyn ForgottenFilter),
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<SyncReport, IndexError> {
    let mut report = SyncReport::default();
    if plan.is_empty() && (!plan.unread.is_nothing() || index.is_complete()?) {
        return Ok(report);
    }
    let mut run = SyncRun {
        index,
        corpus,
        now,
        writer: BatchWriter::begin(index)?,
        report: &mut report,
        forgotten,
    };
    let mut done = SyncProgress {
        n_done: 0,
        n_total: plan.reads.len() + plan.gone.len(),
        n_bytes_done: 0,
        n_bytes_total: plan.n_bytes(),
    };
    for row in &plan.gone {
        run.writer.remove(row)?;
        run.report.n_gone += 1;
        done.n_done += 1;
    }
    progress(done);
    for (found, row) in &plan.reads {
        run.one(found, row.as_ref())?;
        done.n_done += 1;
        done.n_bytes_done += found.n_bytes;
        progress(done);
    }
    if plan.unread.is_nothing() {
        run.writer
            .finish(forgotten.text_version(), plan.known_version)?;
    } else {
        run.writer.stop()?;
    }
    Ok(report)
}

struct SyncRun<'r> {
    index: &'r Index,
    corpus: &'r Corpus<'r>,
    now: Timestamp,
    writer: BatchWriter<'r>,
    report: &'r mut SyncReport,
    /// The forgotten texts.
    forgotten: &'r dyn ForgottenFilter,
}

impl SyncRun<'_> {
    fn one(&mut self, found: &FoundFile, row: Option<&FileRow>) -> Result<(), IndexError> {
        let read = match (found.source, self.corpus.sessions) {
            (Source::Memory, _) => self.note(found, row),
            (Source::Session, Some(source)) => self.document(source, found, row),
            (Source::Session, None) => return Ok(()),
        };
        let problem = match read {
            Ok(()) => return Ok(()),
            Err(ReadFailure::Index(error)) => return Err(error),
            Err(ReadFailure::Document(error)) => error,
        };
        // Remove what the index holds of it, as if the index were built now.
        self.writer.abandon(found.source, &found.path)?;
        self.report.problems.push(SyncProblem {
            path: found.path.clone(),
            error: problem,
        });
        Ok(())
    }

    fn note(&mut self, found: &FoundFile, row: Option<&FileRow>) -> Result<(), ReadFailure> {
        let read = notes::read(self.corpus.notes, found, self.now);
        let (mut file, bytes) = read.map_err(SyncError::from)?;
        let mut document = self.begin(found, row)?;
        let same = row.filter(|row| row.history.trim_end_matches(PARTLY_HIDDEN) == file.history);
        if let Some(row) = same {
            if row.stamp != file.stamp {
                document.marks.clear();
                file.history.clone_from(&row.history);
                self.writer.end(&document, file);
            }
            return Ok(());
        }
        self.report.n_changed += 1;
        let notes = self.corpus.notes;
        let mut failed = None;
        let mut is_partly_hidden = false;
        let mut put = |mut stretch: Stretch| {
            is_partly_hidden |= stretch.hide(self.forgotten);
            stretch
                .passages
                .retain(|passage| !notes.is_boilerplate(&found.path, &passage.text));
            if failed.is_none() && !stretch.passages.is_empty() {
                failed = self.writer.put(&mut document, &stretch).err();
            }
        };
        let name = found.path.rsplit('/').next().unwrap_or_default();
        let prepared = notes.prepare(&found.path, bytes);
        let label = prepared.label.as_ref();
        let titled = label.and_then(|label| label.names.first().cloned());
        let note = MarkdownFile {
            text: &prepared.text,
            title: &titled.unwrap_or_else(|| title(&found.path)),
            day: label.and_then(|label| label.day).or_else(|| day_in(name)),
            origins: &prepared.origins,
            label,
        };
        cut_markdown(&note, &mut put);
        if is_partly_hidden {
            file.history.push_str(PARTLY_HIDDEN);
        }
        failed.map_or(Ok(()), Err)?;
        self.writer.end(&document, file);
        Ok(())
    }

    fn document(
        &mut self,
        source: &dyn PassageSource,
        found: &FoundFile,
        row: Option<&FileRow>,
    ) -> Result<(), ReadFailure> {
        // If the history is unchanged, read again only from the last section that can be resumed; a partly written
        // document has its history, too.
        let known = row.filter(|row| row.history == found.history);
        let resumed = known.map(|row| self.index.store.marks_to_resume(row.id));
        let resumed = resumed.transpose()?.unwrap_or_default();
        let is_resumed = !resumed.is_empty();
        self.report.n_changed += 1;
        match self.read_document(source, found, (row, resumed)) {
            // Another program changed the history, and the resume place is gone.
            Err(ReadFailure::Document(_)) if is_resumed => {
                self.read_document(source, found, (row, Vec::new()))
            }
            read => read,
        }
    }

    /// Reads a document from the first of these marks, or in full without marks.
    fn read_document(
        &mut self,
        source: &dyn PassageSource,
        found: &FoundFile,
        (row, resumed): (Option<&FileRow>, Vec<StretchMark>),
    ) -> Result<(), ReadFailure> {
        let (mut document, from) = match resumed.first().cloned() {
            Some(first) => {
                let document = DocumentWrite {
                    file: found.clone(),
                    marks: resumed,
                    next_ordinal: first.ordinal,
                    n_bytes_read: 0,
                };
                (document, first.resume)
            }
            None => (self.begin(found, row)?, None),
        };
        let mut failed = None;
        let mut cutter = MessageCutter::default();
        let mut put = |stretch: Stretch| {
            if failed.is_none() {
                failed = self.writer.put(&mut document, &stretch).err();
            }
        };
        let read = source.read(&found.path, from, &mut |message| {
            cutter.push(&message, &mut put);
        });
        read.map_err(SyncError::from)?;
        cutter.end(&mut put);
        failed.map_or(Ok(()), Err)?;
        self.writer.end(&document, found.clone());
        Ok(())
    }

    fn begin(&self, found: &FoundFile, row: Option<&FileRow>) -> Result<DocumentWrite, IndexError> {
        Ok(DocumentWrite {
            file: found.clone(),
            marks: row.map_or_else(|| Ok(Vec::new()), |row| self.index.store.marks(row.id, 0))?,
            next_ordinal: 0,
            n_bytes_read: 0,
        })
    }
}

/// Why a document was not indexed: it is unreadable, or the index cannot be written.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
enum ReadFailure {
    Document(#[from] SyncError),
    Index(#[from] IndexError),
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
