//! What a dream did, for people and for programs.
//!
//! Renders what it is given; knows no stage.

use std::fmt::Write;
use std::time::Duration;

use agent::{DreamOutcome, Unread};
use base::{Tz, day, time_of_day};
use dreaming::{DreamReport, Left, Proposed, SkipReason};
use serde::Serialize;

use super::human::printable;
use super::wrap::wrap;
use super::{counted, grouped};

/// What became of a dream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DreamTold {
    outcome: &'static str,
    pub(crate) dry_run: bool,
    /// Sessions of which notes were made first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) flushed: Vec<FlushedSession>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    triggers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<Skipped>,
    read: usize,
    proposed: usize,
    refused: Vec<Refused>,
    promoted: Vec<ProposedLine>,
    staged: Vec<ProposedLine>,
    archived: usize,
    /// When there was nothing new: sessions that no dream has read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread_sessions: Option<usize>,
    #[serde(skip)]
    has_dreamt: bool,
    /// Sessions that a backfill has left for the next one.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<LeftTold>,
    tokens: u64,
    tokens_today: u64,
    daily_tokens: u64,
    took_ms: u64,
}

/// A session of which notes were made before the dream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlushedSession {
    pub(crate) session: String,
    pub(crate) notes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct LeftTold {
    sessions: usize,
    reason: &'static str,
    #[serde(skip)]
    in_words: &'static str,
}

impl LeftTold {
    fn new(sessions: usize, why: Left) -> Self {
        let (reason, in_words) = match why {
            Left::BudgetSpent => (
                "budgetSpent",
                "the tokens of this day are spent (`dreaming.dailyTokens`)",
            ),
            Left::Enough => ("enough", "this is enough for one review"),
            Left::TooManyWait => ("tooManyWait", "too many candidates wait for a review"),
        };
        Self {
            sessions,
            reason,
            in_words,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Skipped {
    trigger: String,
    reason: &'static str,
    because: String,
}

impl Skipped {
    /// What keeps every dream from beginning, whatever its trigger.
    fn of(what: &str, reason: &'static str, because: String) -> Self {
        Self {
            trigger: what.to_owned(),
            reason,
            because,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Refused {
    reason: &'static str,
    count: usize,
    #[serde(skip)]
    in_words: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ProposedLine {
    id: String,
    finding: String,
    section: String,
    score: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

impl From<&Proposed> for ProposedLine {
    fn from(own: &Proposed) -> Self {
        Self {
            id: own.id.clone(),
            finding: own.finding.clone(),
            section: own.section.clone(),
            score: own.score,
            because: own.because.clone(),
        }
    }
}

impl DreamTold {
    /// Of an outcome.
    pub(crate) fn new(outcome: &DreamOutcome, took: Duration, timezone: Tz) -> Self {
        let mut told = Self {
            outcome: "",
            dry_run: false,
            flushed: Vec::new(),
            triggers: Vec::new(),
            skipped: Vec::new(),
            read: 0,
            proposed: 0,
            refused: Vec::new(),
            promoted: Vec::new(),
            staged: Vec::new(),
            archived: 0,
            unread_sessions: None,
            has_dreamt: false,
            left: None,
            tokens: 0,
            tokens_today: 0,
            daily_tokens: 0,
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        };
        match outcome {
            DreamOutcome::NotDue(skips) => {
                told.outcome = "notDue";
                let skipped = skips.iter().map(|skip| {
                    let (reason, because) = in_words(skip.reason, timezone);
                    Skipped {
                        trigger: skip.trigger.clone(),
                        reason,
                        because,
                    }
                });
                told.skipped = skipped.collect();
            }
            DreamOutcome::NothingNew(Unread {
                dreamt_at,
                n_sessions,
            }) => {
                told.outcome = "nothingNew";
                told.has_dreamt = dreamt_at.is_some();
                told.unread_sessions = Some(*n_sessions);
            }
            DreamOutcome::MemoryMisread { line } => {
                told.outcome = "memoryMisread";
                let because = format!("MEMORY.md is not UTF-8 at line {line}");
                told.skipped = vec![Skipped::of("memory", "memoryMisread", because)];
            }
            DreamOutcome::BudgetSpent { spent, budget } => {
                told.outcome = "budgetSpent";
                told.tokens_today = spent.0;
                told.daily_tokens = budget.0;
                let because = format!("dreams spent {spent} of {budget} tokens today");
                told.skipped = vec![Skipped::of("budget", "budgetSpent", because)];
            }
            DreamOutcome::Dreamt {
                report,
                triggers,
                spent: (spent, budget),
            } => {
                told.outcome = "dreamt";
                told.tokens_today = spent.0;
                told.daily_tokens = budget.0;
                told.triggers.clone_from(triggers);
                told.take(report);
            }
        }
        told
    }

    fn take(&mut self, report: &DreamReport) {
        self.read = report.n_read;
        self.proposed = report.n_proposed;
        self.refused = report
            .n_refused_by_reason()
            .into_iter()
            .map(|(refusal, count)| Refused {
                reason: refusal.as_str(),
                count,
                in_words: refusal.in_words(),
            })
            .collect();
        self.promoted = report.promoted.iter().map(Into::into).collect();
        self.staged = report.staged.iter().map(Into::into).collect();
        self.archived = report.n_archived;
        self.left = report
            .left
            .map(|(sessions, why)| LeftTold::new(sessions, why));
        let (input, output) = report.spent;
        self.tokens = (input + output).0;
    }
}

fn in_words(reason: SkipReason, timezone: Tz) -> (&'static str, String) {
    match reason {
        SkipReason::NotYet { at } => {
            let (on, at) = (day(at, timezone), time_of_day(at, timezone));
            ("notYet", format!("next on {on} at {at}"))
        }
        SkipReason::Never => ("never", "its time never comes".to_owned()),
        SkipReason::NotIdle => (
            "notIdle",
            "somebody speaks, or nobody since the last dream".to_owned(),
        ),
        SkipReason::LogSmall {
            n_bytes,
            n_bytes_min,
        } => (
            "logSmall",
            format!(
                "the log of today has {} of {} bytes",
                grouped(n_bytes),
                grouped(n_bytes_min)
            ),
        ),
    }
}

/// The outcome for people.
pub(crate) fn render(told: &DreamTold, columns: usize) -> String {
    let text = match told.outcome {
        "notDue" => not_due(told),
        "nothingNew" => nothing_new(told),
        "memoryMisread" => {
            let because = told.skipped.iter().map(|own| own.because.as_str());
            let because: Vec<&str> = because.collect();
            format!(
                "{}, so that no dream may write it; nothing was asked and nothing written\nsave it as UTF-8, then `openclaw dream --now`\n",
                because.join("; ")
            )
        }
        "budgetSpent" => {
            let because = told.skipped.iter().map(|own| own.because.as_str());
            let because: Vec<&str> = because.collect();
            format!(
                "{}; raise `dreaming.dailyTokens`, or wait for tomorrow\n",
                because.join("; ")
            )
        }
        _ => dreamt(told),
    };
    let text = flushed(told) + &text;
    text.lines()
        .map(|line| wrap(line, columns, &continued(line)) + "\n")
        .collect()
}

/// What goes on in a further line begins below the text, not below its id.
fn continued(line: &str) -> String {
    let n_spaces = line.len() - line.trim_start().len();
    " ".repeat(if n_spaces == 2 { 10 } else { n_spaces.max(2) })
}

/// What was noted of sessions before the dream itself.
fn flushed(told: &DreamTold) -> String {
    let would = if told.dry_run {
        "would flush"
    } else {
        "flushed"
    };
    let line = |own: &FlushedSession| {
        let notes = match own.notes {
            0 => "nothing in it is worth a note".to_owned(),
            n_notes => counted(n_notes, "note", "notes"),
        };
        format!("{would} session {}: {notes}\n", printable(&own.session))
    };
    told.flushed.iter().map(line).collect()
}

fn not_due(told: &DreamTold) -> String {
    let mut text = "no dream is due\n".to_owned();
    for Skipped {
        trigger, because, ..
    } in &told.skipped
    {
        // Writing to a String cannot fail.
        writeln!(text, "  {}: {because}", printable(trigger)).unwrap_or_default();
    }
    if told.skipped.is_empty() {
        text.push_str("  `dreaming.triggers` names none, so that no dream begins by itself\n");
    }
    text.push_str("dream all the same with `openclaw dream --now`\n");
    text
}

fn nothing_new(told: &DreamTold) -> String {
    let what = if told.has_dreamt {
        "nothing new since the last dream"
    } else {
        "nothing to dream of yet in the daily logs"
    };
    let n_unread = told.unread_sessions.unwrap_or(0) as u64;
    let unread = if n_unread > 0 {
        let sessions = counted(n_unread, "older session was", "older sessions were");
        format!("{sessions} never read; `openclaw dream --backfill` reads old sessions, too\n")
    } else {
        String::new()
    };
    format!("{what}; nothing was written\n{unread}")
}

fn dreamt(told: &DreamTold) -> String {
    let would = if told.dry_run { "would be " } else { "" };
    let mut text = format!(
        "read {}, {}, in {}.{} s\n",
        counted(told.read as u64, "note or message", "notes and messages"),
        counted(told.proposed as u64, "proposal", "proposals"),
        told.took_ms / 1_000,
        told.took_ms % 1_000 / 100
    );
    list(
        &mut text,
        &told.promoted,
        &format!("{would}promoted to MEMORY.md"),
    );
    list(
        &mut text,
        &told.staged,
        &format!("{would}waiting in DREAMS.md"),
    );
    if told.archived > 0 {
        let archived = counted(told.archived as u64, "line", "lines");
        let line = format!(
            "{would}moved to memory/archive.md: {archived} of less use or of an older value\n"
        );
        text.push_str(&line);
    }
    let n_refused: usize = told.refused.iter().map(|own| own.count).sum();
    if n_refused > 0 {
        let parts: Vec<String> = told
            .refused
            .iter()
            .map(|own| format!("{} {}", own.count, own.in_words))
            .collect();
        writeln!(text, "refused {n_refused}: {}", parts.join(", ")).unwrap_or_default();
    }
    if told.tokens > 0 {
        let spent = grouped(told.tokens);
        let (today, daily) = (grouped(told.tokens_today), grouped(told.daily_tokens));
        if told.dry_run {
            writeln!(text, "spent {spent} tokens, which no ledger counts")
        } else {
            writeln!(
                text,
                "spent {spent} tokens; dreams have spent {today} of {daily} today"
            )
        }
        .unwrap_or_default();
    }
    if let Some(left) = &told.left {
        let LeftTold {
            sessions, in_words, ..
        } = left;
        writeln!(
            text,
            "left for the next `openclaw dream --backfill`: {}, for {in_words}",
            counted(*sessions as u64, "session", "sessions")
        )
        .unwrap_or_default();
    }
    if told.promoted.is_empty() && told.staged.is_empty() {
        text.push_str("nothing deserves to last\n");
    } else if told.dry_run {
        text.push_str("nothing was written\n");
    } else {
        text.push_str(&next_step(told));
    }
    text
}

fn next_step(told: &DreamTold) -> String {
    let review = "go through them with `openclaw dream review`";
    let undo = "take the promotion back with `openclaw dream undo`";
    let parts: Vec<&str> = [
        (!told.staged.is_empty()).then_some(review),
        (!told.promoted.is_empty()).then_some(undo),
    ]
    .into_iter()
    .flatten()
    .collect();
    parts.join("; ") + "\n"
}

fn list(text: &mut String, lines: &[ProposedLine], what: &str) {
    if lines.is_empty() {
        return;
    }
    writeln!(text, "{what}: {}", lines.len()).unwrap_or_default();
    for line in lines {
        let finding = printable(&line.finding);
        writeln!(text, "  {:<6}  {finding}", line.id).unwrap_or_default();
        let section = &line.section;
        let because = line
            .because
            .as_ref()
            .map(|because| format!("; {because}"))
            .unwrap_or_default();
        writeln!(text, "          {section}{because}").unwrap_or_default();
    }
}

#[cfg(test)]
#[path = "dream_json_tests.rs"]
mod tests;
