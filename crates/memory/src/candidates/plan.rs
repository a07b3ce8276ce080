//! The plan of a dream, and the changes to memory and state that follow from it.
//!
//! Pure; the desk writes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base::dates::named_days;
use base::{Day, Origin, Script, Timestamp, counted};

use super::archive::{NotedLines, fitted};
use super::change::StateChange;
use super::model::{Candidate, CandidateId, OlderValue, Proposal, Status};
use super::state::{DETAILS_MAX, DreamDetail, DreamLogLine, DreamState, SizeMark};
use crate::curated::{CuratedLine, Edit, NewLine, UNTIL, current_value, edited, memory_lines};
use crate::note_text::{MemoryText, NoteLine};

/// The changes that a dream proposes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamPlan {
    /// Candidates that passed the gates.
    pub promoted: Vec<Candidate>,
    /// Candidates for the owner to decide.
    pub staged: Vec<Candidate>,
    /// The hashes of the notes that the dream read, per daily log.
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// Pending candidates that no longer wait.
    pub withdrawn: BTreeSet<CandidateId>,
    /// Replayed bytes per session.
    pub backfilled: BTreeMap<String, u64>,
    /// The triggers that fired.
    pub fired: Vec<String>,
    /// Idle sessions with their last entries.
    pub idle: BTreeMap<String, String>,
    /// The size of today's log.
    pub log_size: Option<SizeMark>,
    /// The ids of old lines that help to answer no past question; they leave a full `MEMORY.md` first.
    pub unearned: BTreeSet<String>,
    /// The owner's request, if this plan carries one out and is not a dream.
    pub asked: Option<String>,
    /// The line for the dream log, if anything happened.
    pub log: Option<String>,
    /// The outcome of each note and proposal.
    pub details: Vec<DreamDetail>,
}

/// The result of applying a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamResult {
    /// Candidates that went into `MEMORY.md`.
    pub promoted: Vec<Candidate>,
    /// Pending candidates, including those that did not fit into `MEMORY.md`.
    pub staged: Vec<Candidate>,
    /// Number of lines moved to the archive.
    pub n_archived: usize,
    /// The new content of `MEMORY.md`.
    pub memory: MemoryText,
}

const NO_ROOM: &str = "MEMORY.md is full, and every line in it is more useful";

/// Computes the change that applies `plan` to memory and state.
pub(super) fn planned(
    plan: &DreamPlan,
    memory: &MemoryText,
    state: &DreamState,
    now: Timestamp,
) -> (StateChange, DreamResult) {
    let lines = lines_of(&plan.promoted, memory);
    let noted = NotedLines {
        new: lines.ids.clone(),
        unearned: plan.unearned.clone(),
        ..NotedLines::default()
    };
    let fitted = fitted(edited(memory, &lines.edits), &noted);
    let mut archived = lines.replaced;
    archived.extend(fitted.archived);
    let mut result = DreamResult {
        n_archived: archived.len(),
        memory: fitted.text.clone(),
        ..DreamResult::default()
    };
    for candidate in &plan.promoted {
        let mut candidate = candidate.clone();
        if fitted.homeless.contains(candidate.id.as_str()) {
            candidate.status = Status::Pending;
            candidate.staged_because = Some(NO_ROOM.to_owned());
            result.staged.push(candidate);
        } else {
            candidate.status = Status::Promoted;
            candidate.decided_at = Some(now);
            result.promoted.push(candidate);
        }
    }
    result.staged.extend(plan.staged.iter().cloned());
    let mut next = state.clone();
    take_in(&mut next, plan, now);
    // A candidate may have been pending before.
    let decided = result.promoted.iter().chain(&result.staged);
    let decided: BTreeSet<&str> = decided.map(|own| own.id.as_str()).collect();
    next.pending
        .retain(|own| !decided.contains(own.id.as_str()) && !plan.withdrawn.contains(&own.id));
    if plan.asked.is_some() {
        // The owner's newer word holds.
        for own in &result.promoted {
            next.drop_taken_back(&own.finding);
        }
    }
    next.history.extend(result.promoted.iter().cloned());
    next.pending.extend(result.staged.iter().cloned());
    let n_promoted = result.promoted.len() as u64;
    let change = StateChange {
        memory: Some(fitted.text).filter(|text| text != memory),
        cause: plan.asked.clone().unwrap_or_else(|| {
            format!("a dream promoted {}", counted(n_promoted, "line", "lines"))
        }),
        candidates: result
            .promoted
            .iter()
            .map(|candidate| candidate.id.to_string())
            .collect(),
        archived,
        state: next,
        undo: None,
    };
    (change, result)
}

/// Records in `state` what the dream read and which triggers fired.
fn take_in(state: &mut DreamState, plan: &DreamPlan, now: Timestamp) {
    for (day, keys) in &plan.consumed {
        let own = state.consumed.entry(*day).or_default();
        own.extend(keys.iter().cloned());
    }
    state.backfilled.extend(plan.backfilled.clone());
    state.idle.extend(plan.idle.clone());
    for trigger in &plan.fired {
        state.fired.insert(trigger.clone(), now);
    }
    if plan.log_size.is_some() {
        state.log_size = plan.log_size;
    }
    if let Some(text) = &plan.log {
        state.log.push(DreamLogLine {
            at: now,
            text: text.clone(),
            details: plan.details.iter().take(DETAILS_MAX).cloned().collect(),
        });
    }
    if plan.asked.is_none() {
        state.dreamt_at = Some(now);
    }
}

/// Edits of `MEMORY.md`, and the lines that they add and remove.
pub(super) struct Lines {
    pub(super) edits: Vec<Edit>,
    /// Ids of the added lines.
    pub(super) ids: BTreeSet<String>,
    /// The removed lines.
    pub(super) replaced: Vec<NoteLine<'static>>,
}

/// The edits of `MEMORY.md` that accept these candidates.
pub(super) fn lines_of(candidates: &[Candidate], memory: &MemoryText) -> Lines {
    let mut out = Lines {
        edits: Vec::new(),
        ids: BTreeSet::new(),
        replaced: Vec::new(),
    };
    let standing = memory_lines(memory);
    let mut gone: BTreeSet<&str> = BTreeSet::new();
    for candidate in candidates {
        let is_retired = matches!(candidate.proposal, Proposal::Retire { .. });
        if !is_retired {
            out.ids.insert(candidate.id.to_string());
        }
        // If the line to replace is gone, the candidate is added as a new line.
        let found = standing.iter().find_map(|own| {
            let id = own
                .id()
                .filter(|id| candidate.proposal.changed_line() == Some(id))?;
            gone.insert(id).then_some((id, own))
        });
        let edit = match found {
            Some((id, found)) if is_retired => {
                out.replaced.extend(memory.line(found.number).cloned());
                Edit::Remove(id.to_owned())
            }
            Some((id, found)) => {
                out.replaced.extend(memory.line(found.number).cloned());
                Edit::Replace {
                    id: id.to_owned(),
                    line: new_line(candidate, Some(found)),
                }
            }
            // The line to remove is already gone.
            None if is_retired => continue,
            None => Edit::Add {
                section: candidate.section.clone(),
                line: new_line(candidate, None),
            },
        };
        out.edits.push(edit);
    }
    out
}

/// Length limit of the earlier value in a line, in characters.
const OLDER_CHARS_MAX: usize = 60;

/// The line of a candidate, followed by the value that it replaces and the day on which that ended, if it was true.
fn new_line(candidate: &Candidate, older: Option<&CuratedLine>) -> NewLine {
    let names_older = matches!(
        candidate.proposal,
        Proposal::Supersede {
            value: OlderValue::Named,
            ..
        }
    );
    let text = match older.filter(|_| names_older) {
        None => candidate.finding.clone(),
        Some(older) => {
            // Drop the value before that one: the archive has it.
            let value = earlier_value(current_value(&older.text), &candidate.finding);
            let (text, day) = (without_stop(&candidate.finding), changed_on(candidate));
            if value.is_empty() {
                candidate.finding.clone()
            } else {
                format!("{text}{UNTIL}{day}: {value})")
            }
        }
    };
    NewLine {
        id: candidate.id.to_string(),
        text,
        evidence: candidate
            .evidence
            .iter()
            .map(super::Evidence::reference)
            .collect(),
        // What the owner accepted, the owner answers for.
        origin: match candidate.status {
            Status::Accepted => Origin::Owner,
            Status::Pending | Status::Promoted | Status::Rejected | Status::Undone => {
                candidate.origin
            }
        },
        day: candidate.day,
    }
}

/// A sentence without its full stop, so that more text can follow; an abbreviation keeps its own.
fn without_stop(text: &str) -> &str {
    let bare = text.strip_suffix(['.', '\u{3002}']).unwrap_or(text);
    let last = bare.rsplit(char::is_whitespace).next().unwrap_or_default();
    if last.contains('.') { text } else { bare }
}

/// The day on which a change happened: the only day that its quote or its text names, if that is not later than the day
/// on which it was said, else that day.
fn changed_on(candidate: &Candidate) -> Day {
    let quotes = candidate
        .evidence
        .iter()
        .map(|own| (own.quote.as_str(), own.day));
    let texts = quotes.chain([(candidate.finding.as_str(), candidate.day)]);
    let named = texts.flat_map(|(text, day)| named_days(text, day));
    let named: BTreeSet<Day> = named.filter(|day| *day <= candidate.day).collect();
    let mut named = named.into_iter();
    match (named.next(), named.next()) {
        (Some(day), None) => day,
        (Some(_) | None, _) => candidate.day,
    }
}

/// The part of an earlier text that differs from a later one, as a whole phrase of at most `OLDER_CHARS_MAX`
/// characters, cut after a word: without the words that both begin and end with, if these are at least half of it, else
/// from the clause in which the two begin to differ. The later one may go on after the words that the earlier one ends
/// with. A value without a letter, or of one character of a script without spaces, says nothing by itself: the clause
/// around it says what it is. Empty if the later text says all of the earlier one.
pub fn earlier_value(older: &str, newer: &str) -> String {
    let (own, other) = (parts(older), parts(newer));
    let (own_words, other_words) = (folded(&own), folded(&other));
    let pairs = own_words.iter().zip(&other_words);
    let n_start = pairs.take_while(|(left, right)| left == right).count();
    let rest = own_words.get(n_start..).unwrap_or_default();
    let other_rest = other_words.get(n_start..).unwrap_or_default();
    let n_end = n_shared_end(rest, other_rest);
    let end = own.len() - n_end;
    let n_shared = n_start + n_end;
    let is_mostly_other = n_shared * 2 < own.len();
    let differing = own_words.get(n_start..end).unwrap_or_default();
    let start = n_start + n_shared_inside(differing, other_rest);
    let value = if is_mostly_other {
        n_start - n_before_in_clause(&own, n_start)..own.len()
    } else {
        start..end
    };
    let words = own.get(value.clone()).unwrap_or_default();
    if !words
        .iter()
        .any(|part| part.contains(char::is_alphanumeric))
    {
        return String::new();
    }
    let is_named = words.iter().any(|part| part.contains(char::is_alphabetic));
    let is_letter = |part: &&str| part.chars().all(|c| Script::of(c) != Script::Other);
    let is_part_of_word = matches!(words, [only] if is_letter(only));
    let (value, whole) = if is_named && !is_part_of_word {
        (value.clone(), value)
    } else {
        clause(&own, value)
    };
    let text = shortened(own.get(value.clone()).unwrap_or_default());
    if value.end < whole.end {
        format!("{text} {CUT_VALUE}")
    } else {
        text
    }
}

/// The number of words at the beginning of a difference that the other text also has, at another place: at least two,
/// as in `is on 14 December` next to `party is on 19 December`.
fn n_shared_inside(own: &[String], other: &[String]) -> usize {
    let has = |n: &usize| {
        let run = own.get(..*n).unwrap_or_default();
        other.windows(*n).any(|window| window == run)
    };
    (2..own.len()).rev().find(has).unwrap_or(0)
}

/// The parts as they are compared: without case and punctuation.
fn folded(parts: &[&str]) -> Vec<String> {
    let is_edge = |c: char| !c.is_alphanumeric();
    let fold = |part: &&str| part.trim_matches(is_edge).to_lowercase();
    parts.iter().map(fold).collect()
}

/// The number of parts at the end of `own` that the other text also has: at its end, or, if they are most of `own`,
/// anywhere.
fn n_shared_end(own: &[String], other: &[String]) -> usize {
    let n_at_end = |other: &[String]| {
        let ends = own.iter().rev().zip(other.iter().rev());
        ends.take_while(|(left, right)| left == right).count()
    };
    let at_end = n_at_end(other);
    if at_end > 0 {
        return at_end;
    }
    let anywhere = (0..other.len()).map(|end| n_at_end(other.get(..end).unwrap_or_default()));
    anywhere.max().filter(|n| n * 2 > own.len()).unwrap_or(0)
}

/// Whether a part ends a clause: a punctuation mark is at its end.
fn ends_clause(part: &str) -> bool {
    let ends = [
        ',', ';', '.', ':', '\u{3001}', '\u{3002}', '\u{ff0c}', '\u{ff1b}',
    ];
    part.trim_end().ends_with(ends)
}

/// Number of parts before a place that belong to its clause.
fn n_before_in_clause(parts: &[&str], place: usize) -> usize {
    let before = parts.get(..place).unwrap_or_default().iter().rev();
    before.take_while(|part| !ends_clause(part)).count()
}

/// The clause around some parts, between marks of punctuation; if it is too long, as many of the parts next to them as
/// fit. With the whole clause.
fn clause(parts: &[&str], value: Range<usize>) -> (Range<usize>, Range<usize>) {
    let n_chars = |of: &Range<usize>| {
        let text = parts.get(of.clone()).unwrap_or_default().concat();
        text.trim().chars().count()
    };
    let mut left = n_before_in_clause(parts, value.start);
    let last = value.end.saturating_sub(1);
    let behind = parts.get(last..).unwrap_or_default().iter();
    let mut right = behind.take_while(|part| !ends_clause(part)).count();
    let n_parts = parts.len();
    let widened = |left: usize, right: usize| {
        value.start - left..(last + right + 1).min(n_parts).max(value.end)
    };
    let whole = widened(left, right);
    while n_chars(&widened(left, right)) > OLDER_CHARS_MAX && left + right > 0 {
        if left > right {
            left -= 1;
        } else {
            right -= 1;
        }
    }
    (widened(left, right), whole)
}

/// Ends a value that was cut.
pub const CUT_VALUE: char = '\u{2026}';

/// The parts as one text, cut after a word if it is too long.
fn shortened(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        if (text.clone() + part).trim().chars().count() > OLDER_CHARS_MAX {
            return format!("{} {CUT_VALUE}", text.trim());
        }
        text.push_str(part);
    }
    let is_edge = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.');
    text.trim_matches(is_edge).to_owned()
}

/// The words of a text with the spaces after them; each letter of a script without spaces.
fn parts(text: &str) -> Vec<&str> {
    let is_dense = |c: char| Script::of(c) != Script::Other;
    let mut parts = Vec::new();
    for word in text.split_inclusive(char::is_whitespace) {
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let n_bytes = if is_dense(first) {
                first.len_utf8()
            } else {
                rest.find(is_dense).unwrap_or(rest.len())
            };
            let (part, after) = rest.split_at_checked(n_bytes).unwrap_or((rest, ""));
            parts.push(part);
            rest = after;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_value_is_part_of_older_text_that_changed() {
        for (older, newer, value) in [
            (
                "We live in Connewitz",
                "We live in Markkleeberg",
                "Connewitz",
            ),
            (
                "I live in Graz",
                "I have lived in Szeged since 2026-03",
                "I live in Graz",
            ),
            (
                "I prefer tea over coffee",
                "I prefer coffee over tea now",
                "I prefer tea over coffee",
            ),
            ("I like Heathrow", "I hate airports", "I like Heathrow"),
            ("Ann eats no meat", "Ann eats fish again", "no meat"),
            (
                "Mum's birthday is on 14 December",
                "Mum's birthday party is on 19 December",
                "Mum's birthday is on 14 December",
            ),
            (
                "\u{6bce}\u{671d}\u{7d05}\u{8336}\u{3092}\u{98f2}\u{3080}",
                "\u{6bce}\u{671d}\u{7dd1}\u{8336}\u{3092}\u{98f2}\u{3080}",
                "\u{6bce}\u{671d}\u{7d05}\u{8336}\u{3092}\u{98f2}\u{3080}",
            ),
            ("I sing", "I sing in a choir", ""),
            (
                "I'm Ottoline, 44, I restore pianos in Graz",
                "I'm Ottoline, 44, I restore pianos; since 2026-12-03 I live in Linz, not in Graz any more",
                "",
            ),
            (
                "I'm Ottoline, 44; since 2026-12-03 I live in Linz with Radek, at the river",
                "I'm Ottoline, 44; since 2026-12-05 I live in Graz again",
                "since 2026-12-03 I live in Linz with Radek, at the river",
            ),
            (
                "My main project is the footbridge over the Parthe at Schoenefeld, timber and steel, 32 m span",
                "The footbridge is finished",
                "My main project is the footbridge over the Parthe at \u{2026}",
            ),
            (
                "I take 75 micrograms of levothyroxine every morning, an hour before coffee.",
                "I take 88 micrograms of levothyroxine every morning, an hour before coffee; Dr Uhlig raised it.",
                "I take 75 micrograms of levothyroxine every morning",
            ),
            (
                "The guild meets on 2026-12-12 at 15:00.",
                "The guild meets on 2026-12-19 at 15:00.",
                "The guild meets on 2026-12-12 at 15:00",
            ),
            (
                "Tante Wiebke wohnt seit dem Sommer im Heim an der Ohra in Zimmer 214 im zweiten Stock",
                "Tante Wiebke wohnt seit dem Sommer im Heim an der Ohra in Zimmer 118 im zweiten Stock",
                "Sommer im Heim an der Ohra in Zimmer 214 im zweiten Stock",
            ),
        ] {
            assert_eq!(earlier_value(older, newer), value, "{older}");
        }
    }
}
