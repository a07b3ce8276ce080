//! Expands a choice into a plan: the chosen lines, the same text elsewhere, and the notes made from an entry.
//!
//! Never changes a file.

use std::collections::BTreeSet;

use base::disk::read_all;
use base::{EntryId, LineRange, Tz};
use search::{CommonWords, NOTE_BYTES_MAX};

use super::model::{
    ForgetChoice, ForgetError, ForgetPlan, Keeper, NoteChoice, PlannedCandidate, PlannedEntry,
    PlannedLines, Reason,
};
use super::named::{holds_most_of, is_about_something_else, n_words_held};
use super::notes::{NotePassage, passages, passages_elsewhere};
use crate::candidates::{
    Candidate, CandidateId, Evidence, ReplacedValue, replaced_values, waiting_candidates,
    without_stop,
};
use crate::curated::current_value;
use crate::file_lines::read;
use crate::notes::note_paths;
use crate::tombstone::{TextHash, Tombstone, TombstoneProgress};
use crate::workspace::DREAMS_FILE;
use crate::{Workspace, WorkspacePath};

/// Plans a forget.
///
/// Chosen notes of the program are based on entries of transcripts. The caller must look up
/// [`ForgetPlan::noted_from`] and pass the entries to [`ForgetPlan::with_evidence`] to complete the plan.
pub fn plan_forgetting(
    workspace: &Workspace,
    choice: ForgetChoice,
) -> Result<ForgetPlan, ForgetError> {
    let mut files = notes(workspace);
    files.extend(notes_elsewhere(workspace, &choice));
    let mut candidates = forgettable_candidates(workspace)?;
    let allowed = choice.candidates.as_ref();
    candidates.retain(|(own, _)| allowed.is_none_or(|ids| ids.contains(&own.id)));
    let replaced = match replaced_values(workspace, Tz::UTC) {
        Err(error) if error.is_unreadable_record() => Vec::new(),
        found => found?,
    };
    plan(&files, (&candidates, &replaced), choice)
}

/// The pending candidates, each with the lines of its block in `DREAMS.md`. Unreadable ones do not block forgetting;
/// [`forget`](super::forget) reports them.
pub fn forgettable_candidates(
    workspace: &Workspace,
) -> Result<Vec<(Candidate, Option<LineRange>)>, ForgetError> {
    match waiting_candidates(workspace) {
        Err(error) if error.is_unreadable_record() => Ok(Vec::new()),
        found => Ok(found?),
    }
}

/// Plans to remove the owner's lines that a forget hid but left in the files, wherever they are now; all lines if its sweep
/// did not end.
pub fn plan_hidden_lines(workspace: &Workspace, tombstone: &Tombstone) -> ForgetPlan {
    let texts: BTreeSet<&TextHash> = tombstone.standing_texts().collect();
    let is_cut_off = tombstone.progress == TombstoneProgress::Begun;
    let is_left =
        |it: &&NotePassage| (is_cut_off || it.keeper == Keeper::Owner) && texts.contains(&it.hash);
    let mut lines = Vec::new();
    for (path, passages) in notes(workspace) {
        let left = passages.iter().filter(is_left);
        lines.extend(left.map(|passage| planned(&path, passage, Reason::Chosen)));
    }
    ForgetPlan {
        lines,
        ..ForgetPlan::default()
    }
}

fn notes(workspace: &Workspace) -> Vec<(WorkspacePath, Vec<NotePassage>)> {
    let ledger = workspace.ledger();
    let mut files = Vec::new();
    for path in note_paths(workspace) {
        let full = path.under(workspace.root());
        // A note that cannot be read is not indexed either.
        if let Ok(bytes) = read_all(workspace.disk(), &full, NOTE_BYTES_MAX) {
            let passages = passages(&ledger, path.as_str(), &bytes);
            files.push((path, passages));
        }
    }
    files
}

/// The chosen notes in folders elsewhere.
fn notes_elsewhere(
    workspace: &Workspace,
    choice: &ForgetChoice,
) -> Vec<(WorkspacePath, Vec<NotePassage>)> {
    let paths = choice.notes.iter().map(|(path, _)| path);
    let paths: BTreeSet<&WorkspacePath> = paths
        .filter(|path| workspace.folder_of(path.as_str()).is_some())
        .collect();
    let notes = paths.into_iter().filter_map(|path| {
        // A note that cannot be read is not indexed either.
        let text = read(workspace, path).ok()?;
        let text = workspace.read_note(path.as_str(), &text);
        Some((path.clone(), passages_elsewhere(&text)))
    });
    notes.collect()
}

/// Plans a forget from loaded notes, candidates and replaced values.
pub(super) fn plan(
    files: &[(WorkspacePath, Vec<NotePassage>)],
    (candidates, replaced): (&[(Candidate, Option<LineRange>)], &[ReplacedValue]),
    choice: ForgetChoice,
) -> Result<ForgetPlan, ForgetError> {
    let chosen = chosen(files, candidates, &choice)?;
    let said = choice.entries.iter().filter_map(|it| it.hash.as_ref());
    let texts = chosen.iter().map(|(_, passage)| &passage.hash);
    let texts: BTreeSet<&TextHash> = texts.chain(said).collect();
    let chosen_texts: Vec<&str> = chosen.iter().map(|(_, it)| it.text.as_str()).collect();
    // Choosing `I live in Graz and work at Bosch` also takes `I work at Bosch`.
    let common = choice.common;
    let says_much_of_it = |passage: &NotePassage| {
        let mut made_from = passage.evidence.iter();
        let is_of_it = made_from.any(|id| choice.evidence.contains(id));
        let is_near = |text: &&str| {
            holds_most_of(text, &passage.text, common) || holds_most_of(&passage.text, text, common)
        };
        is_of_it && passage.keeper == Keeper::Program && chosen_texts.iter().any(is_near)
    };
    let mut lines = Vec::new();
    for (path, passages) in files {
        for passage in passages {
            let is_chosen = chosen
                .iter()
                .any(|(in_path, it)| *in_path == path && it.lines == passage.lines);
            let is_made_from = passage.keeper == Keeper::Program
                && is_made_from(&passage.evidence, (&passage.text, &choice));
            let because = if is_chosen {
                Reason::Chosen
            } else if texts.contains(&passage.hash) {
                Reason::SameText
            } else if (is_made_from || says_much_of_it(passage))
                && !repeats_another_part(passage, &choice)
            {
                Reason::MadeFromIt
            } else {
                continue;
            };
            lines.push(planned(path, passage, because).or_older_value(&choice, replaced));
        }
    }
    let mut plan = ForgetPlan {
        lines,
        ..ForgetPlan::default()
    };
    plan.candidates = waiting(candidates, &choice, &plan);
    plan.n_more = n_left_for_limit(candidates, &choice, &plan);
    plan.entries = choice.entries;
    Ok(plan)
}

/// Whether a line of ours states the forgotten part of the entries that it rests on: all of these are hidden whole, or
/// one that is hidden says most of it. An entry that a question found proves nothing about a line that also rests on
/// others and does not say it; one that the owner named takes all that was made from it.
fn is_made_from(evidence: &[EntryId], (text, choice): (&str, &ForgetChoice)) -> bool {
    let hidden = |id: &EntryId| choice.entries.iter().find(|it| it.entry.id == *id);
    if choice.question.is_none() {
        let mut named = evidence.iter().filter_map(hidden);
        return named.any(|it| it.takes(text, choice.common));
    }
    let is_whole = |id: &EntryId| hidden(id).is_some_and(|it| it.entry.is_whole());
    let is_said = |it: &PlannedEntry| it.says_most_of(text, choice.common);
    !evidence.is_empty() && evidence.iter().all(is_whole)
        || evidence.iter().filter_map(hidden).any(is_said)
}

/// Whether a line repeats a part of a hidden entry that a question is not about, such as the second half of its
/// sentence.
fn repeats_another_part(passage: &NotePassage, choice: &ForgetChoice) -> bool {
    let Some(question) = &choice.question else {
        return false;
    };
    let repeats = |it: &PlannedEntry| {
        passage.evidence.contains(&it.entry.id)
            && holds_most_of(&passage.text, &it.text, choice.common)
    };
    choice.entries.iter().any(repeats)
        && is_about_something_else(&question.words, &passage.text, choice.common)
}

/// The candidates to remove: those that say what was chosen, and those whose evidence is removed entirely.
fn waiting(
    candidates: &[(Candidate, Option<LineRange>)],
    choice: &ForgetChoice,
    plan: &ForgetPlan,
) -> Vec<PlannedCandidate> {
    let said = choice.entries.iter();
    let said = said.flat_map(|it| it.hash.iter().chain(&it.entry.sentences));
    let meant = plan
        .lines
        .iter()
        .filter(|line| line.because != Reason::MadeFromIt);
    let meant: BTreeSet<&TextHash> = meant.map(|line| &line.hash).chain(said).collect();
    let goes: BTreeSet<&TextHash> = plan.lines.iter().map(|line| &line.hash).collect();
    let is_said = |text: &str| TextHash::of(text).is_some_and(|hash| meant.contains(&hash));
    let is_gone = |evidence: &Evidence| {
        let mut entries = choice.entries.iter();
        entries.any(|it| {
            it.entry.id.as_str() == evidence.key && it.takes(&evidence.quote, choice.common)
        }) || TextHash::of(&evidence.quote).is_some_and(|hash| goes.contains(&hash))
    };
    let asked_for = asked_for(candidates, choice);
    let because = |own: &Candidate, lines: Option<LineRange>| {
        let mut words = choice.words.iter();
        let mut places = choice.notes.iter();
        if places.any(|(path, place)| is_dreams(path) && place.holds(lines, &own.finding))
            || words.any(|word| own.finding.contains(word.as_str()))
            || asked_for.contains(&own.id)
        {
            Some(Reason::Chosen)
        } else if is_said(&own.finding) {
            Some(Reason::SameText)
        } else {
            (own.evidence.iter().all(is_gone)).then_some(Reason::MadeFromIt)
        }
    };
    let planned = candidates.iter().filter_map(|(own, lines)| {
        Some(PlannedCandidate {
            id: own.id.clone(),
            lines: *lines,
            finding: own.finding.clone(),
            hash: TextHash::of(&own.finding)?,
            evidence: own
                .evidence
                .iter()
                .map(|it| EntryId::new(it.key.clone()))
                .collect(),
            because: because(own, *lines)?,
        })
    });
    planned.collect()
}

/// Number of candidates that match the question but are not in the plan.
fn n_left_for_limit(
    candidates: &[(Candidate, Option<LineRange>)],
    choice: &ForgetChoice,
    plan: &ForgetPlan,
) -> usize {
    let goes: BTreeSet<&CandidateId> = plan.candidates.iter().map(|own| &own.id).collect();
    let held = best_matches(candidates, choice).into_iter();
    held.filter(|own| !goes.contains(&own.id)).count()
}

/// The candidates that match the question, up to its limit.
fn asked_for<'c>(
    candidates: &'c [(Candidate, Option<LineRange>)],
    choice: &ForgetChoice,
) -> BTreeSet<&'c CandidateId> {
    let n_max = choice.question.as_ref().map_or(0, |it| it.n_candidates_max);
    let held = best_matches(candidates, choice).into_iter();
    held.take(n_max).map(|own| &own.id).collect()
}

/// The candidates that contain as many words of the question as the best match, oldest first.
fn best_matches<'c>(
    candidates: &'c [(Candidate, Option<LineRange>)],
    choice: &ForgetChoice,
) -> Vec<&'c Candidate> {
    let Some(question) = &choice.question else {
        return Vec::new();
    };
    let held = candidates.iter().filter_map(|(own, _)| {
        let n_held = n_words_held(&question.words, &own.finding, choice.common)?;
        Some((n_held, own))
    });
    let held: Vec<(usize, &Candidate)> = held.collect();
    let most = held.iter().map(|(n_held, _)| *n_held).max();
    let n_min = most.unwrap_or(0).max(question.n_words_min);
    let held = held.into_iter().filter(|(n_held, _)| *n_held >= n_min);
    held.map(|(_, own)| own).collect()
}

type ChosenPassages<'f> = Vec<(&'f WorkspacePath, &'f NotePassage)>;

fn chosen<'f>(
    files: &'f [(WorkspacePath, Vec<NotePassage>)],
    candidates: &[(Candidate, Option<LineRange>)],
    choice: &ForgetChoice,
) -> Result<ChosenPassages<'f>, ForgetError> {
    let mut chosen = Vec::new();
    for (path, wanted) in &choice.notes {
        let passages = files
            .iter()
            .filter(|(found, _)| found == path)
            .flat_map(|(found, passages)| passages.iter().map(move |passage| (found, passage)));
        let n_before = chosen.len();
        chosen.extend(passages.filter(|(_, passage)| match wanted {
            NoteChoice::Lines(lines) => passage.lines.overlaps(*lines),
            NoteChoice::Text(hash) => passage.hash == *hash,
        }));
        let mut waiting = candidates.iter();
        if is_dreams(path) && waiting.any(|(own, lines)| wanted.holds(*lines, &own.finding)) {
            continue;
        }
        if let NoteChoice::Lines(lines) = wanted
            && chosen.len() == n_before
        {
            return Err(ForgetError::NothingThere(path.clone(), *lines));
        }
    }
    let says_it = |passage: &NotePassage| {
        let mut words = choice.words.iter();
        words.any(|word| passage.text.contains(word.as_str()))
    };
    for (path, passages) in files {
        let found = passages.iter().filter(|passage| says_it(passage));
        chosen.extend(found.map(|passage| (path, passage)));
    }
    Ok(chosen)
}

fn planned(path: &WorkspacePath, passage: &NotePassage, because: Reason) -> PlannedLines {
    PlannedLines {
        path: path.clone(),
        lines: passage.lines,
        text: passage.text.clone(),
        hash: passage.hash.clone(),
        current: passage.current.clone(),
        is_older_value: false,
        keeper: passage.keeper,
        evidence: passage.evidence.clone(),
        because,
    }
}

impl PlannedLines {
    /// Only the earlier value at its end, if that alone says what the owner wants to forget.
    fn or_older_value(self, choice: &ForgetChoice, replaced: &[ReplacedValue]) -> Self {
        let older = choice.question.as_ref().filter(|_| self.current.is_some());
        let asked = older.map(|it| (it.words.as_str(), choice.common));
        let older = asked.and_then(|asked| older_value_meant(&self.text, asked, replaced));
        let Some(older) = older.map(|it| it.trim().to_owned()) else {
            return self;
        };
        Self {
            text: older,
            is_older_value: true,
            ..self
        }
    }
}

/// The earlier value at the end of a line, if a question has a distinctive word that only the line before had, and none
/// that only the line since has. If it is not known what the line before said, the question may have no word of the line
/// since.
fn older_value_meant<'t>(
    text: &'t str,
    (question, common): (&str, CommonWords),
    replaced: &[ReplacedValue],
) -> Option<&'t str> {
    let current = current_value(text);
    let older = text.get(current.len()..).filter(|it| !it.is_empty())?;
    let same = TextHash::of(without_stop(current));
    let mut replaced = replaced.iter().rev();
    let known = replaced.find(|own| TextHash::of(without_stop(&own.newer)) == same);
    let stems = |text: &str| CommonWords::default().telling_stems(text);
    let before = known.map(|own| stems(&own.older)).unwrap_or_default();
    let (since, asked) = (stems(current), common.telling_stems(question));
    let names_older = asked
        .iter()
        .any(|it| !since.contains(it) && (before.contains(it) || stems(older).contains(it)));
    let names_newer = asked
        .iter()
        .any(|it| since.contains(it) && !before.contains(it));
    (names_older && !names_newer).then_some(older)
}

impl NoteChoice {
    /// Whether the choice covers a text at these lines; `None` if it is in no file.
    fn holds(&self, lines: Option<LineRange>, text: &str) -> bool {
        match self {
            Self::Lines(chosen) => lines.is_some_and(|lines| chosen.overlaps(lines)),
            Self::Text(hash) => TextHash::of(text).as_ref() == Some(hash),
        }
    }
}

fn is_dreams(path: &WorkspacePath) -> bool {
    path.as_str() == DREAMS_FILE
}
