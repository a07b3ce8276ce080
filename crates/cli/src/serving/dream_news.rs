//! Describes the results of a dream in the background.

use agent::service::{DreamNews, Edits, EditsNews};
use memory::candidates::CandidateId;

use crate::error::CliError;
use crate::output::counted;

/// A sentence about a dream that started automatically.
pub fn news_in_words(news: DreamNews) -> String {
    match news {
        DreamNews::Changed {
            n_promoted,
            undo,
            n_staged,
        } => changed((n_promoted as u64, undo.as_ref()), n_staged as u64),
        DreamNews::Misread { line } => {
            format!("A dream is due but cannot run: MEMORY.md is not UTF-8 at line {line}.")
        }
        DreamNews::Failed(error) => {
            let reason = CliError::from(error).one_line();
            format!("A dream failed and will be retried: {reason}")
        }
    }
}

/// The decisions that the owner made in `DREAMS.md`, and the unclear ones, one sentence each.
pub fn edits_in_words(edits: &Edits) -> (Vec<String>, Vec<String>) {
    let taken = &edits.taken;
    let parts = [
        (taken.accepted.len(), "accepted"),
        (taken.rejected.len(), "rejected"),
        (taken.reworded.len(), "reworded"),
    ];
    let parts = parts.iter().filter(|(n_candidates, _)| *n_candidates > 0);
    let decided = parts.map(|(n_candidates, what)| {
        let candidates = counted(*n_candidates as u64, "candidate", "candidates");
        format!("DREAMS.md: you {what} {candidates}")
    });
    let kept = edits.kept.iter().map(|kept| {
        format!("DREAMS.md was incomplete and has been rewritten; the old file is kept as {kept}")
    });
    let unclear = edits.unclear.iter().map(|id| {
        format!(
            "DREAMS.md: the status of {id} is not pending, accepted or rejected; it keeps waiting"
        )
    });
    (decided.collect(), kept.chain(unclear).collect())
}

/// The message about changes in `DREAMS.md`, and whether it is a warning.
pub fn edits_news_in_words(news: EditsNews) -> (String, bool) {
    match news {
        Ok(edits) => {
            let (decided, unclear) = edits_in_words(&edits);
            let is_warning = !unclear.is_empty();
            ([decided, unclear].concat().join("\n"), is_warning)
        }
        Err(error) => {
            let reason = CliError::from(error).one_line();
            let text = format!("cannot read your decisions in DREAMS.md: {reason}");
            (text, true)
        }
    }
}

fn changed((n_promoted, undo): (u64, Option<&CandidateId>), n_staged: u64) -> String {
    let lines = counted(n_promoted, "line", "lines");
    let id = undo.map(ToString::to_string).unwrap_or_default();
    // A change may also remove a line.
    let changed = format!("changed {lines} of MEMORY.md (`openclaw dream undo {id}` undoes it)");
    let candidates = counted(n_staged, "candidate waits", "candidates wait");
    let staged = format!("{candidates} for `openclaw dream review`");
    let what = match (n_promoted, n_staged) {
        (0, _) => staged,
        (_, 0) => changed,
        (_, _) => format!("{changed}; {staged}"),
    };
    format!("A dream: {what}.")
}
