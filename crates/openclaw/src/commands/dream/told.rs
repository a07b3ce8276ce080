//! What a dream did, for people and for programs.
//!
//! Knows no stage.

use std::fmt::Write;
use std::time::Duration;

use agent::{DreamOutcome, Unread};
use base::{Tz, day, time_of_day};
use dreaming::{DreamReport, Left, Proposed, SkipReason};

use crate::output::{put, wrap};
use crate::prelude::*;

/// What became of a dream.
pub(super) struct DreamTold<'a> {
    pub(super) outcome: &'a DreamOutcome,
    pub(super) dry_run: bool,
    /// Sessions of which notes were made first, with how many.
    pub(super) flushed: Vec<(String, u64)>,
    pub(super) took: Duration,
    pub(super) timezone: Tz,
}

/// What kept a dream from beginning: what it is, the reason as a word, and in a sentence.
type Skipped = (String, &'static str, String);

impl DreamTold<'_> {
    fn outcome(&self) -> &'static str {
        match self.outcome {
            DreamOutcome::NotDue(_) => "notDue",
            DreamOutcome::NothingNew(_) => "nothingNew",
            DreamOutcome::MemoryMisread { .. } => "memoryMisread",
            DreamOutcome::BudgetSpent { .. } => "budgetSpent",
            DreamOutcome::Dreamt { .. } => "dreamt",
        }
    }

    fn skipped(&self) -> Vec<Skipped> {
        match self.outcome {
            DreamOutcome::NotDue(skips) => {
                let skipped = skips.iter().map(|skip| {
                    let (reason, because) = in_words(skip.reason, self.timezone);
                    (skip.trigger.clone(), reason, because)
                });
                skipped.collect()
            }
            DreamOutcome::MemoryMisread { line } => {
                let because = format!("MEMORY.md is not UTF-8 at line {line}");
                vec![("memory".to_owned(), "memoryMisread", because)]
            }
            DreamOutcome::BudgetSpent { spent, budget } => {
                let because = format!("dreams spent {spent} of {budget} tokens today");
                vec![("budget".to_owned(), "budgetSpent", because)]
            }
            DreamOutcome::NothingNew(_) | DreamOutcome::Dreamt { .. } => Vec::new(),
        }
    }

    /// What dreams have spent today, and may spend.
    fn spent_today(&self) -> (u64, u64) {
        match self.outcome {
            DreamOutcome::BudgetSpent {
                spent,
                budget: daily,
            }
            | DreamOutcome::Dreamt {
                spent: (spent, daily),
                ..
            } => (spent.0, daily.0),
            DreamOutcome::NotDue(_)
            | DreamOutcome::NothingNew(_)
            | DreamOutcome::MemoryMisread { .. } => (0, 0),
        }
    }
}

impl Report for DreamTold<'_> {
    fn json(&self) -> Value {
        let nothing = DreamReport::default();
        let (report, triggers) = match self.outcome {
            DreamOutcome::Dreamt {
                report, triggers, ..
            } => (&**report, triggers.as_slice()),
            DreamOutcome::NotDue(_)
            | DreamOutcome::NothingNew(_)
            | DreamOutcome::MemoryMisread { .. }
            | DreamOutcome::BudgetSpent { .. } => (&nothing, &[][..]),
        };
        let flushed = self.flushed.iter();
        let flushed = flushed.map(|(session, notes)| json!({ "session": session, "notes": notes }));
        let skipped = self.skipped().into_iter().map(|(trigger, reason, because)| {
            json!({ "trigger": trigger, "reason": reason, "because": because })
        });
        let refused = report.n_refused_by_reason().into_iter();
        let refused = refused.map(|(why, count)| json!({ "reason": why.as_str(), "count": count }));
        let proposed = |all: &[Proposed]| all.iter().map(proposed_json).collect::<Vec<_>>();
        let mut object = json!({ "outcome": self.outcome(), "dryRun": self.dry_run });
        put(&mut object, "flushed", some(flushed.collect()));
        put(&mut object, "triggers", some(triggers.to_vec()));
        put(&mut object, "skipped", some(skipped.collect()));
        put(&mut object, "read", Some(report.n_read));
        put(&mut object, "proposed", Some(report.n_proposed));
        put(&mut object, "refused", Some(refused.collect::<Vec<_>>()));
        put(&mut object, "promoted", Some(proposed(&report.promoted)));
        put(&mut object, "staged", Some(proposed(&report.staged)));
        put(&mut object, "archived", Some(report.n_archived));
        if let DreamOutcome::NothingNew(Unread { n_sessions, .. }) = self.outcome {
            put(&mut object, "unreadSessions", Some(*n_sessions));
        }
        let left = report.left;
        let left = left.map(|(n, why)| json!({ "sessions": n, "reason": left_reason(why).0 }));
        put(&mut object, "left", left);
        let (input, output) = report.spent;
        let (today, daily) = self.spent_today();
        put(&mut object, "tokens", Some((input + output).0));
        put(&mut object, "tokensToday", Some(today));
        put(&mut object, "dailyTokens", Some(daily));
        let took_ms = u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX);
        put(&mut object, "tookMs", Some(took_ms));
        object
    }

    fn human(&self, stdout: Stream) -> String {
        let because = || {
            let skipped = self.skipped().into_iter();
            skipped.map(|(_, _, because)| because).collect::<String>()
        };
        let text = match self.outcome {
            DreamOutcome::NotDue(_) => not_due(&self.skipped()),
            DreamOutcome::NothingNew(unread) => nothing_new(unread),
            DreamOutcome::MemoryMisread { .. } => format!(
                "{}, so that no dream may write it; nothing was asked and nothing written\nsave it as UTF-8, then `openclaw dream --now`\n",
                because()
            ),
            DreamOutcome::BudgetSpent { .. } => format!(
                "{}; raise `dreaming.dailyTokens`, or wait for tomorrow\n",
                because()
            ),
            DreamOutcome::Dreamt { report, .. } => self.dreamt(report),
        };
        let columns = stdout.text_columns();
        let text = self.noted_before() + &text;
        text.lines()
            .map(|line| wrap(line, columns, &continued(line)) + "\n")
            .collect()
    }
}

fn some<T>(all: Vec<T>) -> Option<Vec<T>> {
    Some(all).filter(|all| !all.is_empty())
}

fn proposed_json(own: &Proposed) -> Value {
    let mut object = json!({
        "id": own.id,
        "finding": own.finding,
        "section": own.section,
        "score": own.score,
    });
    put(&mut object, "because", own.because.as_deref());
    object
}

fn left_reason(why: Left) -> (&'static str, &'static str) {
    match why {
        Left::BudgetSpent => (
            "budgetSpent",
            "the tokens of this day are spent (`dreaming.dailyTokens`)",
        ),
        Left::Enough => ("enough", "this is enough for one review"),
        Left::TooManyWait => ("tooManyWait", "too many candidates wait for a review"),
    }
}

fn in_words(reason: SkipReason, timezone: Tz) -> (&'static str, String) {
    match reason {
        SkipReason::NotYet { at } => {
            let (on, at) = (day(at, timezone), time_of_day(at, timezone));
            ("notYet", format!("next on {on} at {at}"))
        }
        SkipReason::Never => ("never", "its time never comes".to_owned()),
        SkipReason::NotIdle => {
            let because = "somebody speaks, or nobody since the last dream";
            ("notIdle", because.to_owned())
        }
        SkipReason::LogSmall {
            n_bytes,
            n_bytes_min,
        } => {
            let (n_bytes, least) = (grouped(n_bytes), grouped(n_bytes_min));
            let because = format!("the log of today has {n_bytes} of {least} bytes");
            ("logSmall", because)
        }
    }
}

/// What goes on in a further line begins below the text, not below its id.
fn continued(line: &str) -> String {
    let n_spaces = line.len() - line.trim_start().len();
    " ".repeat(if n_spaces == 2 { 10 } else { n_spaces.max(2) })
}

fn not_due(skipped: &[Skipped]) -> String {
    let mut text = "no dream is due\n".to_owned();
    for (trigger, _, because) in skipped {
        // Writing to a String cannot fail.
        writeln!(text, "  {}: {because}", printable(trigger)).unwrap_or_default();
    }
    if skipped.is_empty() {
        text.push_str("  `dreaming.triggers` names none, so that no dream begins by itself\n");
    }
    text + "dream all the same with `openclaw dream --now`\n"
}

fn nothing_new(unread: &Unread) -> String {
    let what = match unread.dreamt_at {
        Some(_) => "nothing new since the last dream",
        None => "nothing to dream of yet in the daily logs",
    };
    let unread = match unread.n_sessions as u64 {
        0 => String::new(),
        n_unread => {
            let sessions = counted(n_unread, "older session was", "older sessions were");
            format!("{sessions} never read; `openclaw dream --backfill` reads old sessions, too\n")
        }
    };
    format!("{what}; nothing was written\n{unread}")
}

impl DreamTold<'_> {
    /// What was noted of sessions before the dream itself.
    fn noted_before(&self) -> String {
        let would = if self.dry_run {
            "would flush"
        } else {
            "flushed"
        };
        let line = |(session, n_notes): &(String, u64)| {
            let notes = match *n_notes {
                0 => "nothing in it is worth a note".to_owned(),
                n_notes => counted(n_notes, "note", "notes"),
            };
            format!("{would} session {}: {notes}\n", printable(session))
        };
        self.flushed.iter().map(line).collect()
    }

    fn dreamt(&self, report: &DreamReport) -> String {
        let would = if self.dry_run { "would be " } else { "" };
        let took_ms = self.took.as_millis();
        let mut text = format!(
            "read {}, {}, in {}.{} s\n",
            counted(
                report.n_read as u64,
                "note or message",
                "notes and messages"
            ),
            counted(report.n_proposed as u64, "proposal", "proposals"),
            took_ms / 1_000,
            took_ms % 1_000 / 100
        );
        list(
            &mut text,
            &report.promoted,
            &format!("{would}promoted to MEMORY.md"),
        );
        list(
            &mut text,
            &report.staged,
            &format!("{would}waiting in DREAMS.md"),
        );
        if report.n_archived > 0 {
            let lines = counted(report.n_archived as u64, "line", "lines");
            let told = format!("{would}moved to memory/archive.md: {lines}");
            // Writing to a String cannot fail, here and below.
            writeln!(text, "{told} of less use or of an older value").unwrap_or_default();
        }
        let refused = report.n_refused_by_reason().into_iter();
        let parts: Vec<String> = refused
            .map(|(why, count)| format!("{count} {}", why.in_words()))
            .collect();
        if !parts.is_empty() {
            let n_refused = report.refused.len();
            writeln!(text, "refused {n_refused}: {}", parts.join(", ")).unwrap_or_default();
        }
        text.push_str(&self.spent(report));
        if let Some((n_sessions, why)) = report.left {
            let (sessions, (_, why)) = (
                counted(n_sessions as u64, "session", "sessions"),
                left_reason(why),
            );
            let told = "left for the next `openclaw dream --backfill`";
            writeln!(text, "{told}: {sessions}, for {why}").unwrap_or_default();
        }
        text + &self.next_step(report)
    }

    fn spent(&self, report: &DreamReport) -> String {
        let (input, output) = report.spent;
        let (today, daily) = self.spent_today();
        let spent = input + output;
        if spent.0 == 0 {
            String::new()
        } else if self.dry_run {
            format!("spent {spent} tokens, which no ledger counts\n")
        } else {
            let (today, daily) = (grouped(today), grouped(daily));
            format!("spent {spent} tokens; dreams have spent {today} of {daily} today\n")
        }
    }

    fn next_step(&self, report: &DreamReport) -> String {
        let review = "go through them with `openclaw dream review`";
        let undo = "take the promotion back with `openclaw dream undo`";
        let (promoted, staged) = (&report.promoted, &report.staged);
        let step = match (staged.is_empty(), promoted.is_empty()) {
            (true, true) => "nothing deserves to last".to_owned(),
            _ if self.dry_run => "nothing was written".to_owned(),
            (false, true) => review.to_owned(),
            (true, false) => undo.to_owned(),
            (false, false) => format!("{review}; {undo}"),
        };
        step + "\n"
    }
}

fn list(text: &mut String, lines: &[Proposed], what: &str) {
    if lines.is_empty() {
        return;
    }
    writeln!(text, "{what}: {}", lines.len()).unwrap_or_default();
    for line in lines {
        let because = line.because.as_ref();
        let because = because.map(|because| format!("; {because}"));
        let (finding, section) = (printable(&line.finding), &line.section);
        writeln!(text, "  {:<6}  {finding}", line.id).unwrap_or_default();
        writeln!(text, "          {section}{}", because.unwrap_or_default()).unwrap_or_default();
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
