//! Plans and carries out what the owner wants forgotten, in notes and transcripts at once.
//!
//! Asks nobody; whoever calls has the owner's word.

use std::collections::BTreeSet;

use base::{LineRange, Origin, only_asks};
use memory::{
    ForgetChoice, ForgetError, ForgetPlan, ForgetQuestion, ForgetReport, NoteChoice, OwnerLines,
    PlannedEntry, TextHash, Tombstone, TombstoneId, Tombstones, WorkspacePath, WorkspacePathError,
    asked_before, finish_asked, forget, left_standing, load_tombstones, n_words_held,
    plan_forgetting, plan_hidden_lines,
};
use search::{
    IndexError, PassageSource, SearchOptions, SearchResult, Source, SourceError, SourceMessage,
    SyncProgress,
};
use session::SessionName;

use crate::knowledge::COMMON_WORDS;
use crate::knowledge::Knowledge;
use crate::session_source::SessionSource;

/// Lines of a note or of a transcript that are chosen to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetLines {
    /// Relative to the workspace, for a transcript to the home.
    pub path: String,
    /// All lines where there is none.
    pub lines: Option<LineRange>,
}

/// Something is forgotten.
#[derive(Debug)]
pub struct Forgot {
    /// What became of it.
    pub report: ForgetReport,
    /// Why the index holds it still; no search shows it.
    pub unindexed: Option<IndexError>,
}

/// Nothing was planned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForgetPlanError {
    /// Memory cannot be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A transcript cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A path leads out of the workspace.
    #[error(transparent)]
    Path(#[from] WorkspacePathError),
    /// Nothing that could be forgotten stands there, or a note cannot be used.
    #[error(transparent)]
    Forget(#[from] ForgetError),
    /// It is forgotten already.
    #[error("this is forgotten already, under {id}")]
    Already {
        /// Under this id it can be taken back.
        id: TombstoneId,
    },
}

/// A passage whose score is below this part of the best one is not what was meant.
const SCORE_PART: f64 = 0.6;

/// Passages that are looked at for those that hold what the question names.
const FOUND_MAX: usize = 100;

const ALL_LINES: LineRange = LineRange {
    start: 1,
    end: usize::MAX,
};

impl Knowledge {
    /// Plans to forget what stands in these lines.
    pub fn plan_lines(&self, places: &[ForgetLines]) -> Result<ForgetPlan, ForgetPlanError> {
        let mut choice = ForgetChoice::default();
        for place in places {
            let lines = place.lines.unwrap_or(ALL_LINES);
            if SessionSource::name_of(&place.path).is_some() {
                let found = self.sessions().entries_at(&place.path, lines)?;
                choice.entries.extend(found);
            } else {
                let path: WorkspacePath = place.path.parse()?;
                choice.notes.push((path, NoteChoice::Lines(lines)));
            }
        }
        let plan = self.plan(choice, None)?;
        if plan.is_empty() {
            let tombstones = self.tombstones()?;
            let mut known = places.iter().filter_map(|place| {
                tombstones.forgotten_at(&place.path, place.lines.unwrap_or(ALL_LINES))
            });
            not_already(known.next())?;
        }
        Ok(plan)
    }

    /// Plans to forget what holds the words of a question: at most `limit` passages, what states something
    /// first, and at most as many candidates; [`ForgetPlan::n_more`] counts those that match besides.
    pub fn plan_question(
        &self,
        question: &str,
        limit: usize,
        on_progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<ForgetPlan, ForgetPlanError> {
        self.plan_question_without(question, limit, None, on_progress)
    }

    /// The same in a running turn: the owner's request itself, which stands at `request` in a
    /// transcript, is not what is to be forgotten.
    pub(crate) fn plan_question_without(
        &self,
        question: &str,
        limit: usize,
        request: Option<&(String, usize)>,
        on_progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<ForgetPlan, ForgetPlanError> {
        self.sync(on_progress)?;
        let options = SearchOptions {
            limit: FOUND_MAX.max(limit),
            // What is forgotten at one place must not stay at another.
            each_place: true,
            ..SearchOptions::default()
        };
        let results = self.search(question, &options, on_progress)?.results;
        let is_request = |found: &SearchResult| {
            request.is_some_and(|(path, line)| found.path == *path && found.start_line == *line)
        };
        let results = results.into_iter().filter(|found| !is_request(found));
        let (results, n_words_min) = holding_most(question, results);
        let mut results = meant(results);
        let left = results.split_off(limit.min(results.len()));
        let mut choice = ForgetChoice {
            question: Some(ForgetQuestion {
                words: question.to_owned(),
                n_words_min,
                n_candidates_max: limit,
            }),
            common: COMMON_WORDS,
            ..ForgetChoice::default()
        };
        for result in results {
            self.choose(&result, &mut choice)?;
        }
        for (path, hash, text) in left_standing(self.workspace(), &self.tombstones()?) {
            if n_words_held(question, &text, COMMON_WORDS).is_some_and(|held| held >= n_words_min) {
                choice.notes.push((path, NoteChoice::Text(hash)));
            }
        }
        // A message is meant for what it says of the question: what was noted of the rest stays.
        let noted = ForgetChoice {
            notes: choice.notes.clone(),
            ..ForgetChoice::default()
        };
        let noted = plan_forgetting(self.workspace(), noted)?.evidence();
        choice.entries.retain(|it| !noted.contains(&it.entry.id));
        let mut plan = self.plan(choice, request)?;
        if plan.is_empty() {
            not_already(self.tombstones()?.forgotten_by(question))?;
        }
        let left = left.iter().filter(|result| !goes(&plan, result));
        let places: BTreeSet<(&str, usize)> = left
            .map(|result| (result.path.as_str(), result.start_line))
            .collect();
        plan.n_more += places.len();
        Ok(plan)
    }

    /// What was forgotten in this home.
    pub fn tombstones(&self) -> Result<Tombstones, ForgetPlanError> {
        Ok(load_tombstones(self.workspace()).map_err(ForgetError::from)?)
    }

    /// Where the newest message of the owner stands in a session: its document and line.
    pub(crate) fn newest_request(&self, name: &SessionName) -> Option<(String, usize)> {
        let path = SessionSource::path_of(name);
        let mut newest = None;
        let mut look = |message: SourceMessage| {
            if message.origin == Origin::Owner {
                newest = Some(message.place.line);
            }
        };
        // Where it cannot be read, nothing of it is found either.
        self.sessions().read(&path, None, &mut look).ok()?;
        newest.map(|line| (path, line))
    }

    fn choose(
        &self,
        result: &SearchResult,
        choice: &mut ForgetChoice,
    ) -> Result<(), ForgetPlanError> {
        match result.source {
            Source::Session => {
                let lines = LineRange {
                    start: result.start_line,
                    end: result.end_line,
                };
                let found = self.sessions().entries_at(&result.path, lines)?;
                choice.entries.extend(found);
            }
            // Lines may have moved since the note was indexed; what they say is known again.
            Source::Memory => {
                let path: WorkspacePath = result.path.parse()?;
                let hash = TextHash::of(&result.text).map(NoteChoice::Text);
                choice.notes.extend(hash.map(|hash| (path, hash)));
            }
        }
        Ok(())
    }

    /// What a choice takes with it: whoever wants something forgotten means it wherever it was said.
    fn plan(
        &self,
        mut choice: ForgetChoice,
        request: Option<&(String, usize)>,
    ) -> Result<ForgetPlan, ForgetPlanError> {
        let (workspace, sessions) = (self.workspace(), self.sessions());
        let plan = plan_forgetting(workspace, choice.clone())?;
        let evidence = sessions.entries_with(&plan.evidence())?;
        choice.evidence = evidence.iter().map(|it| it.entry.id.clone()).collect();
        let plan = plan_forgetting(workspace, choice.clone())?.with_evidence(evidence.clone());
        let mut twins = sessions.entries_saying(&plan.texts(), request)?;
        twins.retain(|twin| {
            let mut known = plan.entries.iter();
            !known.any(|known| known.entry.id == twin.entry.id)
        });
        if twins.is_empty() {
            return Ok(plan);
        }
        // What was noted of them goes, too.
        choice.entries.extend(twins);
        Ok(plan_forgetting(workspace, choice)?.with_evidence(evidence))
    }

    /// Plans to forget entries that were found otherwise, what was made of them, and whatever note says
    /// one of these words.
    pub fn plan_entries(
        &self,
        entries: Vec<PlannedEntry>,
        words: Vec<String>,
    ) -> Result<ForgetPlan, ForgetPlanError> {
        let choice = ForgetChoice {
            entries,
            words,
            ..ForgetChoice::default()
        };
        Ok(plan_forgetting(self.workspace(), choice)?)
    }

    /// Forgets what was planned, and takes it out of the index.
    pub fn forget(
        &self,
        plan: &ForgetPlan,
        owner_lines: OwnerLines,
    ) -> Result<Forgot, ForgetPlanError> {
        let report = forget(self.workspace(), plan, owner_lines, self.now())?;
        Ok(self.indexed(report))
    }

    /// Finishes what the same request left standing when it was broken off; `None` where it left nothing.
    pub fn finish_asked(&self, asked: &TextHash) -> Result<Option<Forgot>, ForgetPlanError> {
        let report = finish_asked(self.workspace(), asked, self.now())?;
        Ok(report.map(|report| self.indexed(report)))
    }

    /// What the same request has forgotten, the oldest first, without what was taken back since.
    pub fn asked_before(&self, asked: &TextHash) -> Result<Vec<Tombstone>, ForgetPlanError> {
        Ok(asked_before(self.workspace(), asked)?)
    }

    /// Plans to take out the owner's lines that a forgetting hid and left standing.
    pub fn plan_hidden_lines(&self, tombstone: &Tombstone) -> ForgetPlan {
        plan_hidden_lines(self.workspace(), tombstone)
    }

    /// What is forgotten is hidden whatever the index holds, and the next search takes it out.
    fn indexed(&self, report: ForgetReport) -> Forgot {
        let unindexed = self.sync(&mut |_| {}).err();
        Forgot { report, unindexed }
    }
}

/// The results that themselves hold the most words of a question, and how many that is.
///
/// What search shows for its meaning or its neighbours is not what the owner gives up, and neither is the number plate
/// where a phone number is.
fn holding_most(
    question: &str,
    results: impl Iterator<Item = SearchResult>,
) -> (Vec<SearchResult>, usize) {
    let held: Vec<(usize, SearchResult)> = results
        .filter_map(|found| Some((n_words_held(question, &found.text, COMMON_WORDS)?, found)))
        .collect();
    let most = held.iter().map(|(n_held, _)| *n_held).max().unwrap_or(0);
    let held = held.into_iter().filter(|(n_held, _)| *n_held == most);
    (held.map(|(_, found)| found).collect(), most)
}

/// The results that are meant, none of them much further from the question than the nearest: what states
/// something comes before what only asks, which resembles a question the most.
fn meant(results: Vec<SearchResult>) -> Vec<SearchResult> {
    let (asking, stating): (Vec<_>, Vec<_>) = results
        .into_iter()
        .partition(|result| only_asks(&result.text));
    let near = |results: Vec<SearchResult>| {
        let best = results.first().map_or(0.0, |result| result.score);
        let mut results = results;
        results.retain(|result| result.score >= best * SCORE_PART);
        results
    };
    let mut meant = near(stating);
    meant.extend(near(asking));
    meant
}

/// Whether a plan takes it.
fn goes(plan: &ForgetPlan, result: &SearchResult) -> bool {
    let lines = result.start_line..=result.end_line;
    match result.source {
        Source::Session => {
            let mut entries = plan.entries.iter().map(|it| &it.entry);
            entries.any(|it| it.path == result.path && lines.contains(&it.line))
        }
        Source::Memory => {
            let hash = TextHash::of(&result.text);
            let mut planned = plan.lines.iter();
            planned.any(|it| it.path.as_str() == result.path && Some(&it.hash) == hash.as_ref())
        }
    }
}

fn not_already(known: Option<&TombstoneId>) -> Result<(), ForgetPlanError> {
    match known {
        Some(id) => Err(ForgetPlanError::Already { id: id.clone() }),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "forgetting_tests.rs"]
mod tests;
