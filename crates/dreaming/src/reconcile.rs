//! The reconcile stage: compares a proposal with the existing lines of `MEMORY.md`.
//!
//! Pure; the model judges. Only checks who owns the line, which statement is newer, and whether the line is plausible.

use std::cmp::Ordering;

use base::layout::session_of_path;
use base::{Day, MEMORY_SECTIONS, redact, words};
use memory::NoteText;
use memory::candidates::{CUT_VALUE, Evidence, EvidenceRef, OlderValue, Proposal, earlier_value};
use memory::curated::{CuratedLine, LineOwner, current_value, memory_lines};

use crate::conversations::TextReading;
use crate::draft::FindingDraft;
use crate::propose::{ChangeReason, Operation, OperationKind, Proposer};
use crate::refusal::Refusal;
use crate::wording::{Wording, shares_word};

/// The reason to stage a change whose line has changed since the model saw it.
pub(crate) const CHANGED_LINE: &str =
    "the line of MEMORY.md that it would change has changed since";

/// The reason to stage a change whose label is implausible.
pub(crate) const WRONG_LINE: &str =
    "the line of MEMORY.md that it would change is about something else";

/// Decides what a draft does to the lines of `MEMORY.md`: its proposal, and the reason for the owner to decide, if any.
pub(crate) fn reconcile(
    draft: &FindingDraft,
    lines: &[(CuratedLine, Wording)],
    reading: &TextReading,
) -> Result<(Proposal, Option<&'static str>), Refusal> {
    let Operation { kind, .. } = &draft.operation;
    let named = kind.line();
    let target = named.and_then(|named| lines.iter().find(|(line, _)| is_still(line, named)));
    let target = target.map(|(line, _)| line);
    let is_retired = matches!(kind, OperationKind::Retire(_));
    let is_known = |(line, wording): &(CuratedLine, Wording)| {
        // A correction may change a single word of a long line.
        if target == Some(line) {
            draft.wording.is_alike(wording)
        } else {
            draft.wording.is_same(wording)
        }
    };
    if !is_retired && lines.iter().any(is_known) {
        return Err(Refusal::Known);
    }
    if let OperationKind::Renew(note) = kind {
        return Ok(renewed(draft, note, reading));
    }
    let Some(target) = target else {
        // Nothing to remove.
        return if is_retired {
            Err(Refusal::NoLine)
        } else {
            Ok((Proposal::Add, named.map(|_| CHANGED_LINE)))
        };
    };
    let LineOwner::Ours {
        id, day, evidence, ..
    } = &target.owner
    else {
        let other = redact(&target.text).into_owned();
        return Ok((Proposal::Beside { other }, None));
    };
    if order(draft, *day, evidence) == Some(Ordering::Less) {
        return Err(Refusal::Outdated);
    }
    // The owner who types a correction has named the line. What the line names as its earlier value is about it, too.
    let is_asked = draft.operation.proposer == Proposer::Engine { is_asked: true };
    if !is_asked && !is_about(draft, &target.text, reading) {
        // If the owner accepts it anyway, that line stays.
        return Ok((Proposal::Add, Some(WRONG_LINE)));
    }
    let (line, older) = (id.clone(), target.text.clone());
    let proposal = if is_retired {
        Proposal::Retire { line, older }
    } else {
        Proposal::Supersede {
            line,
            older,
            value: older_value(&draft.operation, target, reading),
        }
    };
    Ok((proposal, None))
}

/// The proposal that replaces a note of a log. The note stays as it is, so the new line need not name its value.
fn renewed(
    draft: &FindingDraft,
    note: &CuratedLine,
    reading: &TextReading,
) -> (Proposal, Option<&'static str>) {
    if !is_about(draft, &note.text, reading) {
        return (Proposal::Add, Some(WRONG_LINE));
    }
    let proposal = Proposal::Supersede {
        line: note.id().unwrap_or_default().to_owned(),
        older: redact(&note.text).into_owned(),
        value: match draft.operation.reason {
            ChangeReason::Corrected => OlderValue::NeverTrue,
            ChangeReason::Changed | ChangeReason::Extended => OlderValue::Unnamed,
        },
    };
    (proposal, None)
}

/// What is known about the value before. A new line names an earlier value that was true, unless the line is a standing
/// instruction or the value is only a part of a sentence, which a common word at its end shows.
fn older_value(operation: &Operation, line: &CuratedLine, reading: &TextReading) -> OlderValue {
    let is_standing = MEMORY_SECTIONS.first().copied() == line.section.as_deref();
    let older = current(line);
    let value = earlier_value(older, &operation.text);
    let common = (reading.common_words)(older);
    let is_telling = |word: &str| !common.contains(&word.to_lowercase());
    let is_cut = value.ends_with(CUT_VALUE);
    let ends = is_cut || words(&value).last().is_some_and(is_telling);
    match operation.reason {
        ChangeReason::Changed if !is_standing && ends => OlderValue::Named,
        ChangeReason::Changed | ChangeReason::Extended => OlderValue::Unnamed,
        ChangeReason::Corrected => OlderValue::NeverTrue,
    }
}

/// Whether a draft or its source may be about the same thing as a line.
fn is_about(draft: &FindingDraft, line: &str, reading: &TextReading) -> bool {
    // For a removal, the model's text is no evidence that this line ended.
    let finding = match draft.operation.kind {
        OperationKind::Retire(_) => "",
        OperationKind::Add | OperationKind::Update(_) | OperationKind::Renew(_) => {
            &draft.operation.text
        }
    };
    [finding, draft.said()].into_iter().any(|about| {
        let mut common = (reading.common_words)(about);
        common.extend((reading.common_words)(line));
        shares_word(about, line, &common)
    })
}

/// Whether a line is the one that the model saw, unchanged.
fn is_still(line: &CuratedLine, shown: &CuratedLine) -> bool {
    line.id() == shown.id() && line.text == shown.text
}

/// The current value of a line, without the earlier value in parentheses.
pub(crate) fn current(line: &CuratedLine) -> &str {
    current_value(&line.text)
}

/// Compares the time of a draft with that of a line; `None` if unknown.
fn order(draft: &FindingDraft, since: Option<Day>, evidence: &[EvidenceRef]) -> Option<Ordering> {
    match draft.day.cmp(&since?) {
        Ordering::Equal => order_in_session(&draft.grounded.evidence, evidence),
        found @ (Ordering::Less | Ordering::Greater) => Some(found),
    }
}

/// Compares by line within one session, which is append-only; lines of a log may move.
fn order_in_session(own: &[Evidence], others: &[EvidenceRef]) -> Option<Ordering> {
    let first = own.first()?;
    let is_alone = |path: &str| path == first.path && session_of_path(path).is_some();
    let is_known = !others.is_empty()
        && others.iter().all(|other| is_alone(&other.path))
        && own.iter().all(|other| is_alone(&other.path));
    let orders = others.iter().map(|other| first.line.cmp(&other.line));
    let (least, most) = (orders.clone().min()?, orders.max()?);
    (is_known && least == most).then_some(least)
}

/// Limit of compared lines: comparing is much slower than reading, and a file that fits a prompt has far fewer.
const OWNER_LINES_MAX: usize = 10_000;

/// The lines to compare with: the last `OWNER_LINES_MAX`, and all lines of ours before them.
pub fn compared_lines(memory: &NoteText<'_>) -> Vec<CuratedLine> {
    let mut lines = memory_lines(memory);
    let n_left_out = lines.len().saturating_sub(OWNER_LINES_MAX);
    let mut places = 0..n_left_out;
    lines.retain(|line| places.next().is_none() || line.id().is_some());
    lines
}

#[cfg(test)]
mod compared_tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn new_line_is_compared_with_last_owners_lines_and_all_program_lines() {
        let hash = base::short_hash("I prefer tea");
        let mut memory = format!(
            "# Memory\n\n- I prefer tea <!-- n:c7f3 e:sessions/main.jsonl#e1 h:{hash} o:owner d:2026-04-20 -->\n"
        );
        for number in 0..OWNER_LINES_MAX + 50 {
            writeln!(memory, "- line {number}").unwrap();
        }
        let lines = compared_lines(&NoteText::alone(&memory));
        assert_eq!(lines.len(), OWNER_LINES_MAX + 1);
        assert!(lines[0].id().is_some());
        let short = "- one\n- two\n";
        let short = NoteText::alone(short);
        assert_eq!(compared_lines(&short), memory_lines(&short));
    }
}
