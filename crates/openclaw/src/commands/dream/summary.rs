//! Renders the outcome of a dream.

use std::time::Duration;

use agent::{DreamOutcome, Unread};
use base::{Day, Invocation, day, time_of_day};
use cli::output::{Verbosity, milliseconds, without_empty, wrap};
use dreaming::{DreamReport, Left, SkipReason};
use memory::candidates::Candidate;

use crate::prelude::*;

pub(super) struct DreamSummary<'a> {
    pub(super) outcome: &'a DreamOutcome,
    pub(super) too_old: Option<TooOldNotes>,
    /// The tokens that dreams had spent today before this command, and may spend.
    pub(super) today: (u64, u64),
    pub(super) dry_run: bool,
    /// Whether the owner's decisions in `DREAMS.md` were applied before it.
    pub(super) has_taken_in: bool,
    /// Whether only results are printed, without the steps of the dream or what to do next.
    pub(super) verbosity: Verbosity,
    /// Sessions that were flushed first, with their numbers of notes.
    pub(super) flushed: Vec<(String, u64)>,
    pub(super) took: Duration,
    pub(super) timezone: Tz,
    /// How the commands to type begin.
    pub(super) invocation: Invocation,
}

/// Notes that are all older than the days that a dream reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooOldNotes {
    newest: Day,
    lookback_days: u32,
}

impl TooOldNotes {
    /// `None` if there are no notes, or newer ones.
    pub(super) fn of(newest: Option<Day>, today: Day, lookback_days: u32) -> Option<Self> {
        let lookback_days = lookback_days.max(1);
        let (newest, age) = newest.map(|it| (it, (today.date() - it.date()).num_days()))?;
        (age >= i64::from(lookback_days)).then_some(Self {
            newest,
            lookback_days,
        })
    }
}

/// Why a dream did not begin: the trigger or other cause, the reason as a code, and as a sentence.
type Skipped = (String, &'static str, String);

/// The facts that every outcome reports: its name, why no dream began, and the tokens that dreams have spent today and
/// may spend.
type Facts = (&'static str, Vec<Skipped>, (u64, u64));

impl DreamSummary<'_> {
    fn facts(&self) -> Facts {
        let one = |what: &str, reason, because| vec![(what.to_owned(), reason, because)];
        match self.outcome {
            DreamOutcome::NotDue(skips) => {
                let skipped = skips.iter().map(|skip| {
                    let (reason, because) = in_words(skip.reason, self.timezone);
                    (skip.trigger.clone(), reason, because)
                });
                ("notDue", skipped.collect(), self.today)
            }
            DreamOutcome::NothingNew(_) => ("nothingNew", Vec::new(), self.today),
            DreamOutcome::MemoryMisread { line } => {
                let because = format!("MEMORY.md is not UTF-8 at line {line}");
                let skipped = one("memory", "memoryMisread", because);
                ("memoryMisread", skipped, self.today)
            }
            DreamOutcome::BudgetSpent { spent, budget } => {
                let because = format!("dreams spent {spent} of {budget} tokens today");
                let skipped = one("budget", "budgetSpent", because);
                ("budgetSpent", skipped, (spent.0, budget.0))
            }
            DreamOutcome::Dreamt {
                spent: (spent, daily),
                ..
            } => ("dreamt", Vec::new(), (spent.0, daily.0)),
        }
    }
}

impl Report for DreamSummary<'_> {
    fn json(&self) -> Value {
        let (outcome, skipped, (today, daily)) = self.facts();
        let nothing = DreamReport::default();
        let (report, triggers) = if let DreamOutcome::Dreamt {
            report, triggers, ..
        } = self.outcome
        {
            (&**report, triggers.as_slice())
        } else {
            (&nothing, &[][..])
        };
        let unread = if let DreamOutcome::NothingNew(Unread { n_sessions, .. }) = self.outcome {
            Some(*n_sessions)
        } else {
            None
        };
        let flushed = self.flushed.iter();
        let flushed = flushed.map(|(session, notes)| json!({ "session": session, "notes": notes }));
        let skipped = skipped.into_iter().map(|(trigger, reason, because)| {
            json!({ "trigger": trigger, "reason": reason, "because": because })
        });
        let refused = report.n_refused_by_reason().into_iter();
        let refused = refused.map(|(why, count)| json!({ "reason": why.as_str(), "count": count }));
        let proposed = |all: &[Candidate]| all.iter().map(proposed_json).collect::<Vec<_>>();
        let left = report.left;
        let left = left.map(|(n, why)| json!({ "sessions": n, "reason": left_reason(why).0 }));
        let object = json!({
            "outcome": outcome,
            "dryRun": self.dry_run,
            "flushed": flushed.collect::<Vec<_>>(),
            "triggers": triggers,
            "skipped": skipped.collect::<Vec<_>>(),
            "read": report.n_read,
            "proposed": report.n_proposed,
            "refused": refused.collect::<Vec<_>>(),
            "promoted": proposed(&report.promoted),
            "staged": proposed(&report.staged),
            "archived": report.n_archived,
            "offered": report.n_offered,
            "unreadSessions": unread,
            "left": left,
            "tokens": (report.spent.0 + report.spent.1).0,
            "tokensToday": today,
            "dailyTokens": daily,
            "tookMs": milliseconds(self.took),
        });
        let optional = ["flushed", "triggers", "skipped", "unreadSessions", "left"];
        without_empty(object, optional)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, stdout: Stream) -> String {
        let (_, skipped, _) = self.facts();
        let because = skipped.iter().map(|(_, _, because)| because.as_str());
        let because: String = because.collect();
        let text = match self.outcome {
            DreamOutcome::NotDue(_) => self.not_due(&skipped),
            DreamOutcome::NothingNew(unread) => self.nothing_new(unread),
            DreamOutcome::MemoryMisread { .. } => format!(
                "{because}, so dreams leave it alone; nothing was asked or written\n\
                 save it as UTF-8, then run `{} --now`\n",
                self.command()
            ),
            DreamOutcome::BudgetSpent { .. } => {
                format!("{because}; raise `dreaming.dailyTokens`, or wait for tomorrow\n")
            }
            DreamOutcome::Dreamt { report, .. } => self.dreamt(report),
        };
        let columns = stdout.text_columns();
        let text = if self.verbosity == Verbosity::Quiet {
            text
        } else {
            self.noted_before() + &text
        };
        let lines = text.lines();
        let lines = lines.map(|line| wrap(line, columns, &continued(line)) + "\n");
        lines.collect()
    }
}

fn proposed_json(own: &Candidate) -> Value {
    let object = json!({
        "id": own.id,
        "finding": own.finding,
        "section": own.section,
        "score": own.score,
        "because": own.staged_because,
    });
    without_empty(object, ["because"])
}

fn left_reason(why: Left) -> (&'static str, &'static str) {
    match why {
        Left::BudgetSpent => (
            "budgetSpent",
            "today's tokens are spent (`dreaming.dailyTokens`)",
        ),
    }
}

fn in_words(reason: SkipReason, timezone: Tz) -> (&'static str, String) {
    match reason {
        SkipReason::NotYet { at } => {
            let (on, at) = (day(at, timezone), time_of_day(at, timezone));
            ("notYet", format!("next on {on} at {at}"))
        }
        SkipReason::Never => ("never", "its schedule has no more runs".to_owned()),
        SkipReason::NotIdle => {
            let because = "no session has gone idle since the last dream";
            ("notIdle", because.to_owned())
        }
        SkipReason::LogSmall {
            n_bytes,
            n_bytes_min,
        } => {
            let (n_bytes, least) = (grouped(n_bytes), grouped(n_bytes_min));
            let because = format!("today's log has {n_bytes} of {least} bytes");
            ("logSmall", because)
        }
    }
}

/// Indent of a wrapped line: aligned with the text, not with its id.
fn continued(line: &str) -> String {
    let n_spaces = line.len() - line.trim_start().len();
    " ".repeat(if n_spaces == 2 { 10 } else { n_spaces.max(2) })
}

impl DreamSummary<'_> {
    fn not_due(&self, skipped: &[Skipped]) -> String {
        let mut text = "no dream is due\n".to_owned();
        for (trigger, _, because) in skipped {
            add_line!(text, "  {}: {because}", printable(trigger));
        }
        if skipped.is_empty() {
            text.push_str("  `dreaming.triggers` is empty, so no dream starts on its own\n");
        }
        add_line!(text, "dream anyway with `{} --now`", self.command());
        text
    }

    fn nothing_new(&self, unread: &Unread) -> String {
        let what = match (unread.dreamt_at, self.too_old) {
            (Some(_), _) => "nothing new since the last dream".to_owned(),
            (None, Some(notes)) => format!(
                "the newest notes are of {}, and a dream reads those of the last {} (`dreaming.lookbackDays`)",
                notes.newest,
                counted(notes.lookback_days.into(), "day", "days")
            ),
            (None, None) => "the daily logs have nothing to dream about yet".to_owned(),
        };
        let unread = match unread.n_sessions as u64 {
            0 if self.too_old.is_some() && unread.dreamt_at.is_none() => {
                format!("`{} --backfill` reads older notes too\n", self.command())
            }
            0 => String::new(),
            n_unread => {
                let sessions = counted(n_unread, "older session was", "older sessions were");
                format!(
                    "{sessions} never read; `{} --backfill` reads old sessions too\n",
                    self.command()
                )
            }
        };
        let nothing = if self.has_taken_in {
            "nothing else"
        } else {
            "nothing"
        };
        format!("{what}; {nothing} was written\n{unread}")
    }

    /// Lines about the sessions that were flushed before the dream.
    fn noted_before(&self) -> String {
        let line = |(session, n_notes): &(String, u64)| {
            let notes = match *n_notes {
                0 => "nothing worth noting".to_owned(),
                n_notes => counted(n_notes, "note", "notes"),
            };
            format!("flushed session {}: {notes}\n", printable(session))
        };
        self.flushed.iter().map(line).collect()
    }

    /// The `openclaw dream` to type.
    fn command(&self) -> String {
        self.invocation.command("dream")
    }

    fn dreamt(&self, report: &DreamReport) -> String {
        let took_ms = self.took.as_millis();
        let read = counted(
            report.n_read as u64,
            "note or message",
            "notes and messages",
        );
        let proposals = counted(report.n_proposed as u64, "proposal", "proposals");
        let (seconds, tenths) = (took_ms / 1_000, took_ms % 1_000 / 100);
        let is_quiet = self.verbosity == Verbosity::Quiet;
        let mut text = String::new();
        if !is_quiet {
            add_line!(text, "read {read}, {proposals}, in {seconds}.{tenths} s");
        }
        list(&mut text, &report.promoted, "promoted to MEMORY.md");
        list(&mut text, &report.staged, "waiting in DREAMS.md");
        if report.n_archived > 0 {
            let lines = counted(report.n_archived as u64, "line", "lines");
            add_line!(
                text,
                "moved to memory/archive.md: {lines} (less useful or superseded)"
            );
        }
        if report.n_offered > 0 {
            let lines = counted(report.n_offered as u64, "line", "lines");
            let list = self.invocation.command("memory archive");
            add_line!(
                text,
                "{lines} of MEMORY.md helped to answer none of your past questions: see `{list}`"
            );
        }
        let refused = report.n_refused_by_reason();
        for (what, is_postponed) in [("refused", false), ("postponed", true)] {
            let own = refused.iter();
            let own = own.filter(|(why, _)| why.is_postponed() == is_postponed);
            let (counts, parts): (Vec<usize>, Vec<String>) = own
                .map(|(why, count)| (count, format!("{} ({count})", why.in_words())))
                .unzip();
            if !parts.is_empty() {
                let n_all: usize = counts.iter().sum();
                add_line!(text, "{what} {n_all}: {}", parts.join(", "));
            }
        }
        text.push_str(&self.spent(report));
        if let Some((n_sessions, why)) = report.left {
            let sessions = counted(n_sessions as u64, "day or session", "days and sessions");
            let (_, why) = left_reason(why);
            let told = format!("left for the next `{} --backfill`", self.command());
            add_line!(text, "{told}: {sessions}, because {why}");
        }
        if !is_quiet {
            text.push_str(&self.next_step(report));
        }
        text
    }

    fn spent(&self, report: &DreamReport) -> String {
        let (input, output) = report.spent;
        let (_, _, (today, daily)) = self.facts();
        let spent = input + output;
        if spent.0 == 0 {
            String::new()
        } else if self.dry_run {
            format!("spent {spent} tokens, not counted towards the daily limit\n")
        } else {
            let (today, daily) = (grouped(today), grouped(daily));
            format!("spent {spent} tokens; dreams have spent {today} of {daily} today\n")
        }
    }

    fn next_step(&self, report: &DreamReport) -> String {
        let review = format!("review the candidates with `{} review`", self.command());
        let (promoted, staged) = (&report.promoted, &report.staged);
        let id = promoted.first().map(|own| own.id.to_string());
        let id = id.unwrap_or_default();
        let undo = format!("undo the promotion with `{} undo {id}`", self.command());
        let step = match (staged.is_empty(), promoted.is_empty()) {
            (true, true) => "nothing was worth keeping".to_owned(),
            _ if self.dry_run => return String::new(),
            (false, true) => review,
            (true, false) => undo,
            (false, false) => format!("{review}; {undo}"),
        };
        step + "\n"
    }
}

fn list(text: &mut String, lines: &[Candidate], what: &str) {
    if lines.is_empty() {
        return;
    }
    add_line!(text, "{what}: {}", lines.len());
    for line in lines {
        let because = line.staged_because.as_ref();
        let because = because.map(|because| format!("; {because}"));
        let (finding, section) = (printable(&line.finding), &line.section);
        add_line!(text, "  {:<6}  {finding}", line.id);
        add_line!(text, "          {section}{}", because.unwrap_or_default());
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
