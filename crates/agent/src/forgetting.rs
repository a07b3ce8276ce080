//! Plans and carries out forgetting in notes and transcripts together.
//!
//! Never asks for consent: the caller already has it.

use std::collections::BTreeSet;

use base::{LineRange, Origin, SourceError, only_asks};
use memory::candidates::CandidateId;
use memory::{
    ForgetChoice, ForgetError, ForgetPlan, ForgetQuestion, ForgetReport, NoteChoice, OtherMessages,
    OwnerLines, PlannedEntry, Restorable, TextHash, Tombstone, TombstoneId, Tombstones, Workspace,
    WorkspacePath, WorkspacePathError, asked_before, forget, forgettable_candidates,
    load_tombstones, n_words_held, plan_forgetting, plan_hidden_lines, restorable,
};
use search::{
    IndexError, PassageSource, SearchOptions, SearchResult, Source, SourceMessage, SyncProgress,
};
use session::SessionName;

use crate::knowledge::index::{COMMON_WORDS, Knowledge};
use crate::knowledge::scope::Viewer;
use crate::knowledge::session_source::SessionSource;

/// Lines of a note or transcript to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetLines {
    /// Relative to the workspace; for a transcript, relative to the home.
    pub path: String,
    /// `None` means all lines.
    pub lines: Option<LineRange>,
}

/// The result of forgetting.
#[derive(Debug)]
pub struct Forgot {
    /// What was forgotten.
    pub report: ForgetReport,
    /// Why the index could not be updated; searches hide the text anyway.
    pub unindexed: Option<IndexError>,
}

/// Why no plan could be made.
#[derive(Debug, thiserror::Error)]
pub enum ForgetPlanError {
    /// Memory cannot be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A transcript cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A path points outside the workspace.
    #[error(transparent)]
    Path(#[from] WorkspacePathError),
    /// There is nothing to forget at these lines, or a note cannot be read or changed.
    #[error(transparent)]
    Forget(#[from] ForgetError),
    /// The text is already forgotten.
    #[error("already forgotten, under {id}")]
    Already {
        /// The tombstone.
        id: TombstoneId,
        /// What its undo brings back.
        restorable: Restorable,
    },
}

/// Passages that score below this fraction of the best one are not considered meant.
const SCORE_PART: f64 = 0.6;

/// Search results to consider, at least.
const FOUND_MAX: usize = 100;

impl Knowledge {
    /// Plans to forget these lines.
    pub fn plan_lines(&self, places: &[ForgetLines]) -> Result<ForgetPlan, ForgetPlanError> {
        let mut choice = ForgetChoice::default();
        for place in places {
            let lines = place.lines.unwrap_or(LineRange::ALL);
            if SessionSource::name_of(&place.path).is_some() {
                let found = self.sessions().entries_at(&place.path, lines, &[])?;
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
                tombstones.forgotten_at(&place.path, place.lines.unwrap_or(LineRange::ALL))
            });
            self.not_already(known.next())?;
        }
        Ok(plan)
    }

    /// Plans to forget passages that contain the words of a question: at most `limit` passages, statements before
    /// questions, and at most `limit` candidates; [`ForgetPlan::n_more`] counts the further matches. Chooses only from
    /// what the viewer may see. Skips the owner's own request at `request` (transcript path and line), so that a
    /// running turn does not forget it.
    pub fn plan_question(
        &self,
        question: &str,
        limit: usize,
        (viewer, request): (&Viewer, Option<&(String, usize)>),
        on_progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<ForgetPlan, ForgetPlanError> {
        self.sync(on_progress)?;
        let options = SearchOptions {
            limit: FOUND_MAX.max(limit),
            // A forgotten text must not survive at another place.
            each_place: true,
            ..SearchOptions::default()
        };
        let answer = self.search_as(viewer, question, &options, on_progress)?;
        let is_request = |found: &SearchResult| {
            request.is_some_and(|(path, line)| found.path == *path && found.start_line == *line)
        };
        let results = answer.results.into_iter();
        let results = results.filter(|found| !is_request(found));
        let (results, near, n_words_min) = best_matches(question, results);
        // What has every word is meant, whatever its score.
        let has_every_word = n_words_min == COMMON_WORDS.telling_stems(question).len();
        let mut results = meant(results, if has_every_word { 0.0 } else { SCORE_PART });
        let left = results.split_off(limit.min(results.len()));
        let mut choice = ForgetChoice {
            question: Some(ForgetQuestion {
                words: question.to_owned(),
                n_words_min,
                n_candidates_max: limit,
            }),
            common: COMMON_WORDS,
            candidates: self.candidates_seen_by(viewer)?,
            ..ForgetChoice::default()
        };
        for result in results {
            self.choose(question, &result, &mut choice)?;
        }
        let mut plan = self.plan(choice, request)?;
        if plan.is_empty() && *viewer == Viewer::Owner {
            self.not_already(self.tombstones()?.forgotten_by(question))?;
        }
        let left = left.iter().filter(|result| !goes(&plan, result));
        let places: BTreeSet<(&str, usize)> = left
            .map(|result| (result.path.as_str(), result.start_line))
            .collect();
        plan.n_more += places.len();
        let near = near.into_iter().filter(|result| !goes(&plan, result));
        plan.near = near.map(|result| (result.place(), result.text)).collect();
        Ok(plan)
    }

    /// The pending candidates that a program may see; `None` for the owner, who may see all.
    fn candidates_seen_by(
        &self,
        viewer: &Viewer,
    ) -> Result<Option<BTreeSet<CandidateId>>, ForgetError> {
        if *viewer == Viewer::Owner {
            return Ok(None);
        }
        let mut waiting = forgettable_candidates(self.workspace())?;
        waiting.retain(|(own, _)| viewer.sees_candidate(self.workspace(), own));
        Ok(Some(waiting.into_iter().map(|(own, _)| own.id).collect()))
    }

    fn not_already(&self, known: Option<&TombstoneId>) -> Result<(), ForgetPlanError> {
        known.map_or(Ok(()), |id| Err(already(self.workspace(), id)))
    }

    /// The tombstones of this home.
    pub fn tombstones(&self) -> Result<Tombstones, ForgetPlanError> {
        Ok(load_tombstones(self.workspace()).map_err(ForgetError::from)?)
    }

    /// Transcript path and line of the owner's newest message in a session.
    pub(crate) fn newest_request(&self, name: &SessionName) -> Option<(String, usize)> {
        let path = SessionSource::path_of(name);
        let mut newest = None;
        let mut look = |message: SourceMessage| {
            if message.origin == Origin::Owner {
                newest = Some(message.place.line);
            }
        };
        // An unreadable transcript yields no search results either, so there is nothing to skip.
        self.sessions().read(&path, None, &mut look).ok()?;
        newest.map(|line| (path, line))
    }

    fn choose(
        &self,
        question: &str,
        result: &SearchResult,
        choice: &mut ForgetChoice,
    ) -> Result<(), ForgetPlanError> {
        match result.source {
            Source::Session => {
                let lines = result.place().lines();
                let found = self
                    .sessions()
                    .entries_at(&result.path, lines, &[question])?;
                choice.entries.extend(found);
            }
            // Lines may have moved since the note was indexed, so identify the note by its text.
            Source::Memory => {
                let path: WorkspacePath = result.path.parse()?;
                let hash = TextHash::of(&result.text).map(NoteChoice::Text);
                choice.notes.extend(hash.map(|hash| (path, hash)));
            }
        }
        Ok(())
    }

    /// Extends a choice to its evidence and to every entry that repeats its text, wherever that is.
    fn plan(
        &self,
        mut choice: ForgetChoice,
        request: Option<&(String, usize)>,
    ) -> Result<ForgetPlan, ForgetPlanError> {
        let (workspace, sessions) = (self.workspace(), self.sessions());
        let plan = plan_forgetting(workspace, choice.clone())?;
        let evidence = sessions.entries_behind(&plan.noted_from())?;
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
        // Notes made of the repetitions go too.
        choice.entries.extend(twins);
        Ok(plan_forgetting(workspace, choice)?.with_evidence(evidence))
    }

    /// Plans to forget these entries, the notes made from them, and every note that contains one of these words, except
    /// notes that other messages support.
    pub fn plan_entries(
        &self,
        entries: Vec<PlannedEntry>,
        words: &[String],
    ) -> Result<ForgetPlan, ForgetPlanError> {
        let choice = ForgetChoice {
            entries,
            words: words.to_vec(),
            ..ForgetChoice::default()
        };
        let plan = plan_forgetting(self.workspace(), choice)?;
        let said = self.sessions().texts_of(&plan.other_evidence())?;
        Ok(plan.sparing(OtherMessages {
            said: &said,
            words,
            common: COMMON_WORDS,
        }))
    }

    /// Carries out a plan and updates the index.
    pub fn forget(
        &self,
        plan: &ForgetPlan,
        owner_lines: OwnerLines,
    ) -> Result<Forgot, ForgetPlanError> {
        let report = forget(self.workspace(), plan, owner_lines, self.now())?;
        // A failure is harmless: tombstones hide the text, and the next search retries.
        let unindexed = self.sync(&mut |_| {}).err();
        Ok(Forgot { report, unindexed })
    }

    /// Tombstones of the same request that were not undone, oldest first.
    pub fn asked_before(&self, asked: &TextHash) -> Result<Vec<Tombstone>, ForgetPlanError> {
        Ok(asked_before(self.workspace(), asked)?)
    }

    /// Plans to remove the owner's lines that a forgetting hid but left in the file.
    pub fn plan_hidden_lines(&self, tombstone: &Tombstone) -> ForgetPlan {
        plan_hidden_lines(self.workspace(), tombstone)
    }
}

/// The results that contain the most words of a question, those that contain fewer, and the most words.
///
/// Drops matches by meaning or by neighbouring passages, which the owner did not name. Weaker matches stay, because
/// asking to forget a phone number must not remove the number plate. But a match that contains nothing except the
/// question's words is forgotten too.
fn best_matches(
    question: &str,
    results: impl Iterator<Item = SearchResult>,
) -> (Vec<SearchResult>, Vec<SearchResult>, usize) {
    let held: Vec<(usize, SearchResult)> = results
        .filter_map(|found| Some((n_words_held(question, &found.text, COMMON_WORDS)?, found)))
        .collect();
    let most = held.iter().map(|(n_held, _)| *n_held).max().unwrap_or(0);
    let asked = COMMON_WORDS.telling_stems(question);
    let says_no_more = |text: &str| {
        let told = COMMON_WORDS.telling_stems(text);
        told.len() >= SAME_WORDS_MIN && told.is_subset(&asked)
    };
    let held = held.into_iter();
    let (most_of_it, near): (Vec<_>, Vec<_>) =
        held.partition(|(n_held, found)| *n_held == most || says_no_more(&found.text));
    let results = |held: Vec<(usize, SearchResult)>| held.into_iter().map(|(_, it)| it).collect();
    (results(most_of_it), results(near), most)
}

/// Minimum number of distinctive words by which two passages can say the same.
const SAME_WORDS_MIN: usize = 3;

/// Statements first, then questions (which resemble the query most), each cut off at this part of their best score.
fn meant(results: Vec<SearchResult>, score_part: f64) -> Vec<SearchResult> {
    let results = results.into_iter();
    let (asking, stating): (Vec<_>, Vec<_>) = results.partition(|it| only_asks(&it.text));
    let near = |mut results: Vec<SearchResult>| {
        let best = results.first().map_or(0.0, |result| result.score);
        results.retain(|result| result.score >= best * score_part);
        results
    };
    let mut meant = near(stating);
    meant.extend(near(asking));
    meant
}

/// Whether a plan already covers a result.
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

/// The error for a text that this tombstone hides already.
pub(crate) fn already(workspace: &Workspace, id: &TombstoneId) -> ForgetPlanError {
    ForgetPlanError::Already {
        id: id.clone(),
        restorable: restorable_by(workspace, id),
    }
}

/// What the undo of a forget brings back.
pub(crate) fn restorable_by(workspace: &Workspace, id: &TombstoneId) -> Restorable {
    // If it cannot be read, the undo itself reports why.
    let all = load_tombstones(workspace).unwrap_or_default();
    let own = all.all().iter().find(|own| own.id == *id);
    let found = own.and_then(|own| restorable(workspace, own).ok());
    found.unwrap_or(Restorable::Whole)
}

#[cfg(test)]
#[path = "forgetting_tests.rs"]
mod tests;
