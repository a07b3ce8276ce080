//! What the owner's memory can be asked: the index over notes and transcripts, opened when it is needed.
//!
//! Decides nothing about who may ask.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::dates::planned_for;
use base::{Clock, Day, Disk, Embedder, Locator, Timestamp, day};
use memory::{Workspace, curated_lines};
use search::{
    CommonWords, Corpus, Degraded, Freshness, Index, IndexError, OpenState, SearchAnswer,
    SearchOptions, SearchResult, SyncProgress, SyncReport, WishCues, hide_forgotten, hindrance,
    refresh, search, sync, when_free, when_made,
};

use crate::refresher::{Refresher, SyncOutcome};
use crate::scope::Viewer;
use crate::session_source::SessionSource;

/// How long a search waits for another thread that brings the index up to date.
const SEARCH_PATIENCE: Duration = Duration::from_secs(10);

/// How long a reply waits for it.
const RECALL_PATIENCE: Duration = Duration::from_millis(250);

/// Most that stay open between questions.
const OPEN_MAX: usize = 4;

/// What the language files know of common words.
pub(crate) const COMMON_WORDS: CommonWords = CommonWords(extract::common_words);

/// What the language files know of standing wishes.
const WISH_CUES: WishCues = WishCues {
    wish: extract::may_be_wish,
    advice: extract::asks_for_advice,
    subject: extract::subject_of,
};

/// Notes, transcripts, and the index over them.
#[derive(Debug)]
pub struct Knowledge {
    place: IndexPlace,
    workspace: Arc<Workspace>,
    sessions: SessionSource,
    clock: Arc<dyn Clock>,
    access: IndexAccess,
    embedder: Option<Arc<dyn Embedder>>,
    /// What every answer lacks.
    lack: Option<Degraded>,
    /// Those that nobody uses now: whoever asks takes one, so that no question waits for another or for a refresh.
    opened: Mutex<Vec<Index>>,
    /// Who brings the index up to date; whoever asks does where it is `None`.
    refresher: Option<Arc<Refresher>>,
    #[cfg(test)]
    pub(crate) n_searches: std::sync::atomic::AtomicUsize,
}

/// Where the index lies.
#[derive(Debug, Clone)]
pub struct IndexPlace {
    /// The real disk: the index is opened by name.
    pub disk: Arc<dyn Disk>,
    /// Its directory.
    pub directory: PathBuf,
}

/// Whether the index may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexAccess {
    /// It is brought up to date before it is asked.
    ReadWrite,
    /// It is asked as it is.
    ReadOnly,
}

/// Takes note of how far a long refresh has come.
pub type OnProgress<'a> = &'a mut dyn FnMut(SyncProgress);

impl Knowledge {
    /// What these notes and transcripts say; nothing is opened yet.
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
            #[cfg(test)]
            n_searches: std::sync::atomic::AtomicUsize::default(),
        }
    }

    /// The same, whose passages are compared by meaning too.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    fn equipped(&self, index: Index) -> Index {
        let index = index.with_embedder(self.embedder.clone());
        let index = index.with_common_words(COMMON_WORDS);
        index.with_wish_cues(WISH_CUES)
    }

    /// The same, each of whose answers lacks this where it lacks nothing worse.
    #[must_use]
    pub fn lacking(mut self, lack: Option<Degraded>) -> Self {
        self.lack = lack;
        self
    }

    /// The same, whose index another thread keeps fresh: a question waits for it a moment at most.
    #[must_use]
    pub fn refreshed_by(mut self, refresher: Arc<Refresher>) -> Self {
        self.refresher = Some(refresher);
        self
    }

    /// Takes note that something was said or written, before somebody asks about it.
    pub fn expect_change(&self) {
        if let Some(refresher) = &self.refresher {
            refresher.request();
        }
    }

    /// Everything that is searched.
    pub fn corpus(&self) -> Corpus<'_> {
        Corpus {
            notes: &*self.workspace,
            sessions: Some(&self.sessions),
        }
    }

    /// The notes.
    pub(crate) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The transcripts as they are searched.
    pub fn sessions(&self) -> &SessionSource {
        &self.sessions
    }

    /// Answers a question from what is there now, as far as a small refresh reaches; an index that was
    /// never complete is built first, and one that is damaged is rebuilt.
    ///
    /// # Errors
    ///
    /// [`IndexError`], also where the index may only be read and there is none.
    pub fn search(
        &self,
        question: &str,
        options: &SearchOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<SearchAnswer, IndexError> {
        self.search_within(SEARCH_PATIENCE, (question, options), on_progress)
    }

    /// Answers a question for a reply, which waits only a moment for what was written last.
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
            ..options.clone()
        };
        let mut asked = |index: &Index| {
            let (degraded, unreadable) = self.refresh(index, patience, on_progress)?;
            #[cfg(test)]
            self.n_searches
                .fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let mut answer = search(index, question, &options)?;
            hide_forgotten(&mut answer, &*self.workspace)?;
            self.date_curated(&mut answer.results, options.today);
            let degraded = degraded.or(answer.degraded).or(self.lack);
            Ok(SearchAnswer {
                degraded,
                unreadable,
                ..answer
            })
        };
        when_made(&*self.place.disk, || self.with_index(&mut asked))
    }

    /// Tells of lines of long-term memory when they were confirmed, and what they planned: their records hold the days.
    fn date_curated(&self, results: &mut [SearchResult], today: Option<Day>) {
        let path = self.workspace.memory_path();
        let mut curated = results
            .iter_mut()
            .filter(|it| it.path == path.as_str())
            .peekable();
        // What cannot be read says nothing of its days.
        let is_any = curated.peek().is_some();
        let lines = is_any.then(|| curated_lines(&self.workspace).unwrap_or_default());
        let lines = lines.unwrap_or_default();
        for result in curated {
            let own = lines.iter().find(|line| {
                line.number == result.start_line && result.text.contains(line.text.as_str())
            });
            let Some(own) = own else { continue };
            result.last_confirmed = result.last_confirmed.max(own.last_confirmed());
            let said = own.day().zip(today);
            result.planned_for = said.and_then(|(day, today)| planned_for(&own.text, day, today));
        }
    }

    /// Brings the index up to date, or has it done; what the answer lacks, and what cannot be read.
    fn refresh(
        &self,
        index: &Index,
        patience: Duration,
        on_progress: OnProgress<'_>,
    ) -> Result<(Option<Degraded>, Vec<String>), IndexError> {
        // An index that never held everything is built before it is asked.
        if let Some(refresher) = &self.refresher
            && index.is_complete()?
        {
            match refresher.refreshed(patience) {
                None => return Ok((Some(Degraded::BeingWritten), Vec::new())),
                Some(SyncOutcome::Done { unreadable }) => {
                    let degraded = (!unreadable.is_empty()).then_some(Degraded::Unreadable);
                    return Ok((degraded, unreadable));
                }
                // It is tried here, which says why it fails.
                Some(SyncOutcome::Failed) => {}
            }
        }
        let Freshness { degraded, report } =
            refresh(index, &self.corpus(), self.clock.now(), on_progress)?;
        Ok((degraded, report.unreadable()))
    }

    /// Answers a question as [`search`](Self::search) does, for a viewer.
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
        options.hidden_documents = hidden;
        loop {
            let mut answer = self.search(question, &options, on_progress)?;
            // Lines may have moved since they were indexed.
            let is_behind = matches!(
                answer.degraded,
                Some(Degraded::Stale | Degraded::BeingWritten | Degraded::NotWritable)
            );
            let found: BTreeSet<&str> = answer.results.iter().map(|it| it.path.as_str()).collect();
            let mut hidden = Vec::new();
            for path in found
                .into_iter()
                .filter(|path| SessionSource::name_of(path).is_none())
            {
                let lines = viewer.hidden_lines(&self.workspace, path).into_iter();
                hidden.extend(lines.map(|lines| Locator {
                    path: path.to_owned(),
                    start_line: if is_behind { 1 } else { lines.start },
                    end_line: if is_behind { usize::MAX } else { lines.end },
                }));
            }
            let n_found = answer.results.len();
            let is_hidden = |it: &SearchResult| {
                let place = Locator {
                    path: it.path.clone(),
                    start_line: it.start_line,
                    end_line: it.end_line,
                };
                hidden.iter().any(|hidden| hidden.overlaps(&place))
            };
            answer.results.retain(|it| !is_hidden(it));
            if *viewer != Viewer::Owner {
                answer.keep_shown_span();
            }
            let is_new = hidden.iter().any(|it| !options.hidden_lines.contains(it));
            if answer.results.len() == n_found || !is_new {
                return Ok(answer);
            }
            // What was hidden makes room for more.
            options.hidden_lines.extend(hidden);
        }
    }

    /// Makes the index say what is there now, however much that is, and waits for another writer; one that may only
    /// be read stays as it is.
    pub fn sync(&self, on_progress: OnProgress<'_>) -> Result<SyncReport, IndexError> {
        if self.access == IndexAccess::ReadOnly {
            return Ok(SyncReport::default());
        }
        when_free(&*self.place.disk, || {
            self.with_index(|index| sync(index, &self.corpus(), self.clock.now(), on_progress))
        })
    }

    /// Lets `act` use the index, and retries if another process has rebuilt the index; one that
    /// is damaged and stays so is emptied first.
    pub fn with_index<T>(
        &self,
        act: impl FnMut(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        self.try_with_index(act)
            .map_err(|error| self.explained(error))
    }

    fn try_with_index<T>(
        &self,
        act: impl FnMut(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let left = self.opened().pop();
        let mut index = left.map_or_else(|| self.open(), Ok)?;
        let done = self.retried(&mut index, act);
        let mut opened = self.opened();
        if opened.len() < OPEN_MAX {
            opened.push(index);
        }
        done
    }

    fn retried<T>(
        &self,
        index: &mut Index,
        mut act: impl FnMut(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let may_be_another = |error: &IndexError| {
            let is_damaged = error.is_damage() && self.access == IndexAccess::ReadWrite;
            is_damaged || matches!(error, IndexError::Replaced)
        };
        match act(index) {
            Err(error) if may_be_another(&error) => *index = self.open()?,
            // It was opened read-only: the obstacle to writing is reported now, or is gone.
            Err(error) if self.stands_in(index) && error.obstacle().is_some() => {
                *index = self.open_to_write()?;
            }
            done => return done,
        }
        match act(index) {
            Err(error) if error.is_damage() && self.access == IndexAccess::ReadWrite => {
                index.rebuild(error.to_string())?;
                act(index)
            }
            done => done,
        }
    }

    /// How the index was found when it was opened.
    pub fn state(&self) -> Result<OpenState, IndexError> {
        self.with_index(|index| Ok(index.state().clone()))
    }

    /// Whether an index that may only be read stands in for one that may be written.
    fn stands_in(&self, index: &Index) -> bool {
        self.access == IndexAccess::ReadWrite && *index.state() == OpenState::ReadOnly
    }

    fn open(&self) -> Result<Index, IndexError> {
        match self.access {
            IndexAccess::ReadWrite => match self.open_to_write() {
                // Where none can be read either, what stood against the writing counts.
                Err(error) if error.obstacle().is_some() => self.open_as_it_is().map_err(|_| error),
                opened => opened,
            },
            IndexAccess::ReadOnly => self.open_as_it_is(),
        }
    }

    fn open_to_write(&self) -> Result<Index, IndexError> {
        let IndexPlace { disk, directory } = &self.place;
        let index = Index::open(Arc::clone(disk), directory);
        let index = index.map_err(|error| self.explained(error))?;
        Ok(self.equipped(index))
    }

    /// A disk without room and a limit of the system show in many ways: as a file that may not be written, or one as
    /// the other.
    fn explained(&self, error: IndexError) -> IndexError {
        let is_unclear = matches!(
            error,
            IndexError::Store(_) | IndexError::Lexical(_) | IndexError::Full
        );
        if !is_unclear || self.access != IndexAccess::ReadWrite {
            return error;
        }
        match hindrance(&*self.place.disk, &self.place.directory) {
            Some(met) if met.kind() == ErrorKind::StorageFull => IndexError::Full,
            Some(met) if met.kind() == ErrorKind::FileTooLarge || met.is_open_limit() => {
                IndexError::Disk(met)
            }
            Some(_) | None => error,
        }
    }

    fn open_as_it_is(&self) -> Result<Index, IndexError> {
        let IndexPlace { disk, directory } = &self.place;
        let index = Index::open_read_only(Arc::clone(disk), directory)?;
        Ok(self.equipped(index))
    }

    fn opened(&self) -> MutexGuard<'_, Vec<Index>> {
        // It is held for one push or pop.
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "knowledge_tests.rs"]
mod tests;
