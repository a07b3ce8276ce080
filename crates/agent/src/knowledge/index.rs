//! Searches the owner's memory: the index over notes and transcripts, opened on demand.
//!
//! Access rules are the caller's, except in [`Knowledge::search_as`].

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::dates::planned_for;
use base::disk::LockError;
use base::{Clock, Day, Disk, Embedder, LineRange, Locator, Timestamp, day, locked};
use memory::curated::CuratedLine;
use memory::{Workspace, curated_lines, have_one_source};
use search::{
    CommonWords, Corpus, Degraded, Freshness, Index, IndexError, NothingFound, SearchAnswer,
    SearchOptions, SearchResult, Source, SyncProgress, SyncReport, Unread, WishCues, refresh,
    search_remembered, sync, when_free, when_made,
};

use crate::knowledge::recent_notes::RecentNotes;
use crate::knowledge::refresher::Refresher;
use crate::knowledge::replaced::ReplacedCache;
use crate::knowledge::scope::Viewer;
use crate::knowledge::session_source::SessionSource;
use crate::knowledge::standing_lines::standing_lines;
use crate::ops::{ForgetPlans, PastCache};
use crate::proof::drop_index;

/// How long a search waits for another thread to sync the index.
const SEARCH_PATIENCE: Duration = Duration::from_secs(10);

/// How long a reply waits for that sync.
const RECALL_PATIENCE: Duration = Duration::from_millis(250);

/// Limit of indexes kept open between searches.
const OPEN_MAX: usize = 4;

/// Common words from the language data.
pub(crate) const COMMON_WORDS: CommonWords = CommonWords(extract::common_words);

/// Cues of standing wishes from the language data.
const WISH_CUES: WishCues = WishCues {
    wish: extract::may_be_wish,
    advice: extract::asks_for_advice,
    asks: extract::asks_something,
    subject: extract::subject_of,
    plain: extract::without_courtesy,
};

/// Notes and transcripts with the index over them.
#[derive(Debug)]
pub struct Knowledge {
    pub(super) place: IndexPlace,
    workspace: Arc<Workspace>,
    sessions: SessionSource,
    clock: Arc<dyn Clock>,
    pub(super) access: IndexAccess,
    embedder: Option<Arc<dyn Embedder>>,
    /// Reported with every answer that has no degradation of its own.
    lack: Option<Degraded>,
    /// Idle open indexes. Each search takes one, so that no search waits for another or for a refresh.
    /// The lock is held only for one push or pop.
    opened: Mutex<Vec<Index>>,
    /// Syncs the index on another thread; if `None`, each search does it itself.
    refresher: Option<Arc<Refresher>>,
    replaced: ReplacedCache,
    plans: ForgetPlans,
    pasts: PastCache,
    recent: RecentNotes,
}

/// The location of the index.
#[derive(Debug, Clone)]
pub struct IndexPlace {
    /// Must be the real disk, because the index opens its files by path.
    pub disk: Arc<dyn Disk>,
    pub directory: PathBuf,
}

/// Whether the index may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexAccess {
    /// Sync the index before a search.
    ReadWrite,
    /// Search the index as it is.
    ReadOnly,
    /// Build an index in memory before the first search, and search that.
    InMemory,
}

/// Receives the progress of a long sync.
pub type OnProgress<'a> = &'a mut dyn FnMut(SyncProgress);

/// How far the index was brought up to date for a search.
#[derive(Debug, Default)]
struct Refreshed {
    degraded: Option<Degraded>,
    unreadable: Vec<String>,
    unread: Unread,
}

impl Knowledge {
    /// Prepares searches of these notes and transcripts; opens nothing yet.
    pub fn new(
        place: IndexPlace,
        workspace: Arc<Workspace>,
        sessions: SessionSource,
        clock: Arc<dyn Clock>,
        access: IndexAccess,
    ) -> Self {
        let sessions = sessions.hiding(Arc::clone(&workspace));
        Self {
            place,
            workspace,
            sessions,
            clock,
            access,
            embedder: None,
            lack: None,
            opened: Mutex::default(),
            refresher: None,
            replaced: ReplacedCache::default(),
            plans: ForgetPlans::default(),
            pasts: PastCache::default(),
            recent: RecentNotes::default(),
        }
    }

    /// The plans of forgetting that wait for consent.
    pub(crate) fn plans(&self) -> &ForgetPlans {
        &self.plans
    }

    /// The past that was searched last.
    pub(crate) fn pasts(&self) -> &PastCache {
        &self.pasts
    }

    /// The notes that this process wrote since it last searched for near ones in an index that holds all.
    pub(crate) fn recent(&self) -> &RecentNotes {
        &self.recent
    }

    /// What compares passages by meaning.
    pub(crate) fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        self.embedder.clone()
    }

    /// Also compares passages by meaning, if there is an embedder.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// An index that compares passages as this one does.
    pub(crate) fn equipped(&self, index: Index) -> Index {
        let index = index.with_embedder(self.embedder.clone());
        let index = index.with_common_words(COMMON_WORDS);
        index.with_wish_cues(WISH_CUES)
    }

    /// Reports `lack` with every answer that has no degradation of its own.
    #[must_use]
    pub fn lacking(mut self, lack: Option<Degraded>) -> Self {
        self.lack = lack;
        self
    }

    /// Lets another thread keep the index fresh; a search waits for it only briefly.
    #[must_use]
    pub fn refreshed_by(mut self, refresher: Arc<Refresher>) -> Self {
        self.refresher = Some(refresher);
        self
    }

    /// Requests a sync after a change, before the next search needs it.
    pub fn expect_change(&self) {
        if let Some(refresher) = &self.refresher {
            refresher.request();
        }
    }

    /// Everything that searches cover.
    pub fn corpus(&self) -> Corpus<'_> {
        Corpus {
            notes: &*self.workspace,
            sessions: Some(&self.sessions),
        }
    }

    pub(crate) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The transcripts as searches see them.
    pub fn sessions(&self) -> &SessionSource {
        &self.sessions
    }

    /// Searches memory, after a small refresh of the index, and rebuilds a damaged one. If the index was never
    /// complete, it builds as much as takes about a second; [`sync`](Self::sync) builds the rest.
    ///
    /// # Errors
    ///
    /// [`IndexError`], also if the index is read-only and does not exist.
    pub fn search(
        &self,
        question: &str,
        options: &SearchOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<SearchAnswer, IndexError> {
        self.search_within(SEARCH_PATIENCE, (question, options), on_progress)
    }

    /// Searches memory for a reply, which waits only briefly for the latest changes.
    pub(crate) fn recall(
        &self,
        question: &str,
        options: &SearchOptions,
    ) -> Result<SearchAnswer, IndexError> {
        self.search_within(RECALL_PATIENCE, (question, options), &mut |_| {})
    }

    fn search_within(
        &self,
        patience: Duration,
        (question, options): (&str, &SearchOptions),
        on_progress: OnProgress<'_>,
    ) -> Result<SearchAnswer, IndexError> {
        let today = day(self.clock.now(), self.sessions.timezone());
        let options = SearchOptions {
            today: options.today.or(Some(today)),
            standing: standing_lines(&self.workspace, &*self.place.disk, self.sessions.timezone()),
            ..options.clone()
        };
        let answered = |index: &Index, refreshed: Refreshed| {
            let asked = (question, &options);
            let mut answer = search_remembered(index, asked, &*self.workspace)?;
            self.add_days(&mut answer.results, options.today);
            let replaced = self
                .replaced
                .values(&self.workspace, self.sessions.timezone());
            let is_after =
                |place: &Locator, at| self.sessions.is_after(&place.path, place.start_line, at);
            replaced.mark(&self.workspace, &mut answer.results, &is_after);
            self.separate_sources(&mut answer.results);
            if answer.nothing == Some(NothingFound::OtherLanguage)
                && is_in_language_of(question, &answer.results)
            {
                answer.nothing = Some(NothingFound::Unlikely);
            }
            for note in answer
                .results
                .iter_mut()
                .filter(|it| it.source == Source::Memory)
            {
                // Its text begins with the speaker.
                note.speaker = None;
            }
            let degraded = refreshed.degraded.or(answer.degraded).or(self.lack);
            Ok(SearchAnswer {
                degraded,
                unreadable: refreshed.unreadable,
                unread: refreshed.unread,
                ..answer
            })
        };
        let asked = when_made(&*self.place.disk, || {
            self.with_index(|index| answered(index, self.refresh(index, patience, on_progress)?))
        });
        match asked {
            // Another process has begun the first build, and its first part is not there yet.
            Err(IndexError::Locked(..)) => self.with_index(|index| {
                let refreshed = Refreshed {
                    degraded: Some(Degraded::BeingWritten),
                    ..Refreshed::default()
                };
                answered(index, refreshed)
            }),
            asked => asked,
        }
    }

    /// No passage counts as newer than a passage that it was made from, or that was made from it.
    fn separate_sources(&self, results: &mut [SearchResult]) {
        for result in results {
            let place = result.place();
            result
                .renews
                .take_if(|older| have_one_source(&self.workspace, &place, older));
        }
    }

    /// Adds the past days for which results planned, and to lines of `MEMORY.md` the day of their last confirmation.
    fn add_days(&self, results: &mut [SearchResult], today: Option<Day>) {
        let path = self.workspace.memory_path();
        let is_curated = |it: &SearchResult| it.path == path.as_str();
        // If the records cannot be read, leave the days unknown.
        let lines = results.iter().any(is_curated);
        let lines = lines.then(|| curated_lines(&self.workspace).unwrap_or_default());
        let lines = lines.unwrap_or_default();
        for result in results {
            let own = lines.iter().find(|line| {
                is_curated(result)
                    && line.number == result.start_line
                    && result.text.contains(line.text.as_str())
            });
            let confirmed = own.and_then(CuratedLine::last_confirmed);
            result.last_confirmed = result.last_confirmed.max(confirmed);
            let said = result.day.or(own.and_then(CuratedLine::day)).zip(today);
            result.planned_for =
                said.and_then(|(day, today)| planned_for(&result.text, day, today));
        }
    }

    /// Syncs the index or waits for the refresher.
    fn refresh(
        &self,
        index: &Index,
        patience: Duration,
        on_progress: OnProgress<'_>,
    ) -> Result<Refreshed, IndexError> {
        if self.access == IndexAccess::InMemory {
            let report = sync(index, &self.corpus(), self.clock.now(), on_progress)?;
            return Ok(Refreshed {
                unreadable: report.unreadable(),
                ..Refreshed::default()
            });
        }
        // Of an incomplete index, the smallest files are read here, before the search.
        if let Some(refresher) = &self.refresher
            && index.is_complete()?
        {
            match refresher.refreshed(patience) {
                None => {
                    return Ok(Refreshed {
                        degraded: Some(Degraded::BeingWritten),
                        ..Refreshed::default()
                    });
                }
                Some(Some(unreadable)) => {
                    return Ok(Refreshed {
                        degraded: (!unreadable.is_empty()).then_some(Degraded::Unreadable),
                        unreadable,
                        ..Refreshed::default()
                    });
                }
                // Retry here to learn why it fails.
                Some(None) => {}
            }
        }
        let Freshness {
            degraded,
            report,
            unread,
        } = refresh(index, &self.corpus(), self.clock.now(), on_progress)?;
        Ok(Refreshed {
            degraded,
            unreadable: report.unreadable(),
            unread,
        })
    }

    /// Like [`search`](Self::search), but shows only passages that the viewer may see.
    pub fn search_as(
        &self,
        viewer: &Viewer,
        question: &str,
        options: &SearchOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<SearchAnswer, IndexError> {
        let mut options = options.clone();
        let mut hidden = self.sessions.paths()?;
        hidden.retain(|path| !viewer.sees(path));
        options.hidden_documents.extend(hidden);
        loop {
            let mut answer = self.search(question, &options, on_progress)?;
            // If the index is behind, lines may have moved: then a file with any hidden line is hidden whole.
            let is_behind = matches!(
                answer.degraded,
                Some(Degraded::Stale | Degraded::BeingWritten | Degraded::NotWritable)
            );
            let found: BTreeSet<&str> = answer.results.iter().map(|it| it.path.as_str()).collect();
            let is_note = |path: &&str| SessionSource::name_of(path).is_none();
            let mut hidden = Vec::new();
            for path in found.iter().filter(|path| !is_note(path)) {
                let lines = viewer.hidden_messages(self.sessions.store(), path);
                let lines = lines.into_iter();
                hidden.extend(lines.map(|lines| Locator::new(*path, lines)));
            }
            for path in found.into_iter().filter(is_note) {
                let lines = viewer.hidden_lines(&self.workspace, path).into_iter();
                let whole = is_behind.then_some(LineRange::ALL);
                hidden.extend(lines.map(|lines| Locator::new(path, whole.unwrap_or(lines))));
            }
            let n_found = answer.results.len();
            let is_hidden =
                |it: &SearchResult| hidden.iter().any(|hidden| hidden.overlaps(&it.place()));
            answer.results.retain(|it| !is_hidden(it));
            if *viewer != Viewer::Owner {
                answer.keep_shown_span();
            }
            let is_new = hidden.iter().any(|it| !options.hidden_lines.contains(it));
            if answer.results.len() == n_found || !is_new {
                return Ok(answer);
            }
            // Search again to fill the places of the hidden results.
            options.hidden_lines.extend(hidden);
        }
    }

    /// Syncs the index completely, and waits if another process is writing it; does nothing with read-only access.
    pub fn sync(&self, on_progress: OnProgress<'_>) -> Result<SyncReport, IndexError> {
        if self.access == IndexAccess::ReadOnly {
            return Ok(SyncReport::default());
        }
        when_free(&*self.place.disk, || {
            self.with_index(|index| sync(index, &self.corpus(), self.clock.now(), on_progress))
        })
    }

    /// Deletes the index; the next search rebuilds it.
    ///
    /// # Errors
    ///
    /// [`LockError`]; the index is then still there.
    pub(crate) fn drop_index(&self) -> Result<(), LockError> {
        locked(&self.opened).clear();
        self.pasts.clear();
        drop_index(&*self.place.disk, &self.place.directory)
    }

    /// Runs `act` on the index. Reopens it and retries if it is damaged or another process has replaced it; empties
    /// it first if it stays damaged.
    pub fn with_index<T>(
        &self,
        act: impl FnMut(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let left = locked(&self.opened).pop();
        let index = left.map_or_else(|| self.open(), Ok);
        let mut index = index.map_err(|error| self.explained(error))?;
        let done = self.retried(&mut index, act);
        let mut opened = locked(&self.opened);
        if opened.len() < OPEN_MAX {
            opened.push(index);
        }
        drop(opened);
        done.map_err(|error| self.explained(error))
    }
}

/// Whether a passage is in the language of the question: few notes have none of a question's small words by chance.
fn is_in_language_of(question: &str, results: &[SearchResult]) -> bool {
    let asked = extract::language_code(question);
    let mut results = results.iter();
    asked.is_some() && results.any(|it| extract::language_code(&it.text) == asked)
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
