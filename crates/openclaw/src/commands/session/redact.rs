//! `openclaw session redact`: removes text from a transcript, and removes from memory everything that was made from it.
//!
//! Without `--yes` it only shows what would change.

use base::{EntryId, head, redact};
use memory::{ForgetPlan, Keeper, PlannedEntry, TextHash, candidates::MemoryTxnError, purge};
use serde::Serialize;
use session::{RedactedKind, RedactedLine, Redaction};

use super::found;
use super::scrub::{drop_index, drop_typed, still_in};
use crate::commands::dream::{take_in_dreams, warn_of_candidates};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Redaction cannot be undone, and neither can any earlier change of memory once
it is done. Copies in backups and free disk blocks remain.

Examples:
  openclaw session redact main --text \"my old phone number\"
  openclaw session redact main 3fa9c2d1 --yes")]
pub(crate) struct Arguments {
    /// Session to redact
    #[arg(value_name = "NAME")]
    session: SessionName,
    /// Entries to empty, by id or id prefix
    #[arg(value_name = "ENTRY", required_unless_present = "text")]
    entries: Vec<String>,
    /// Exact words to remove; may be repeated
    #[arg(long, value_name = "TEXT", value_parser = words)]
    text: Vec<String>,
    /// Redact; without this, only show what would change
    #[arg(long)]
    yes: bool,
}

struct RedactReport<'a> {
    name: &'a SessionName,
    lines: &'a [RedactedLine],
    /// Memory that repeats these words or was made from them, and the part of it that stays.
    memory: &'a ForgetPlan,
    /// Sessions that copied a part of it and keep their copies.
    forks: &'a [SessionName],
    /// Files that still contain one of the words: the owner's files, and other sessions.
    still_in: Vec<String>,
    is_done: bool,
    /// The `openclaw memory forget` to type.
    forget: String,
}

/// Shorter words would match almost everything.
const WORDS_CHARS_MIN: usize = 3;

fn words(text: &str) -> Result<String, String> {
    if text.trim().chars().count() < WORDS_CHARS_MIN {
        return Err(format!(
            "must be at least {WORDS_CHARS_MIN} characters long"
        ));
    }
    Ok(text.to_owned())
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if arguments.yes {
        context.refuse_in_sandbox("redacting")?;
    }
    let home = context.existing_home()?;
    let store = context.sessions(&home);
    let name = &arguments.session;
    store.check_writable(name)?;
    let redaction = Redaction {
        entries: found(&store, store.entries_named(name, &arguments.entries))?,
        words: arguments.text.clone(),
        ..Redaction::default()
    };
    let lines = store.plan_redaction(name, &redaction)?;
    if lines.is_empty() {
        let failure = format!("found nothing to redact in session {name}");
        return Err(CliError::new(ErrorKind::NotFound, failure)
            .hint("run `openclaw memory search WORDS` to find the session"));
    }
    let mut touched = redaction.entries.clone();
    touched.extend(said(&lines).filter_map(|line| line.entry.clone()));
    let forks = store.copied_by(name, Some(&touched))?;
    let memory = plan_memory(context, &home, (name, &lines, &redaction))?;
    let mut still_kept = Vec::new();
    if arguments.yes {
        let planned = (lines.as_slice(), &memory);
        let unread = carry_out(context, &home, &store, (name, &redaction), planned)?;
        still_kept = still_in(context.host, &home, &store, &redaction.words)?;
        warn_of_candidates(unread, context);
    }
    let forget = context.output.at_home("openclaw memory forget");
    context.emit(&RedactReport {
        name,
        lines: &lines,
        memory: &memory,
        forks: &forks,
        still_in: still_kept,
        is_done: arguments.yes,
        forget,
    })
}

/// Plans what to forget: memory that says the same or was made from it.
fn plan_memory(
    context: &mut Context,
    home: &Home,
    (name, lines, redaction): (&SessionName, &[RedactedLine], &Redaction),
) -> Result<ForgetPlan> {
    let entries = said(lines).filter_map(|line| {
        let said = line.text.split_once(": ");
        Some(PlannedEntry {
            text: line.text.clone(),
            hash: said.and_then(|(_, text)| TextHash::of(text)),
            ..chosen(name, line.entry.clone()?, line.number)
        })
    });
    let knowledge = context.knowledge(home)?;
    Ok(knowledge.plan_entries(entries.collect(), &redaction.words)?)
}

fn said(lines: &[RedactedLine]) -> impl Iterator<Item = &RedactedLine> {
    let is_message = |line: &&RedactedLine| line.kind == RedactedKind::Message;
    lines.iter().filter(is_message)
}

/// A message of a session, chosen whole and without its text.
pub(super) fn chosen(name: &SessionName, id: EntryId, line: u64) -> PlannedEntry {
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    PlannedEntry::chosen(id, agent::SessionSource::path_of(name), line)
}

/// Hides the text everywhere first, and removes it from the transcript last: after a crash in between, memory does
/// not show it, and the same command finds it again and completes the redaction.
fn carry_out(
    context: &mut Context,
    home: &Home,
    store: &SessionStore,
    (name, redaction): (&SessionName, &Redaction),
    (lines, plan): (&[RedactedLine], &ForgetPlan),
) -> Result<Option<MemoryTxnError>> {
    let config = context.config(home)?;
    let _background = store.lock_background(name)?;
    let turn = store.begin_turn(name, wiring::resume_limit(&config))?;
    take_in_dreams(context)?;
    let workspace = context.host.workspace(home);
    let now = context.host.clock.now();
    // Every place is tried even if one fails; the transcript comes last, since the next run needs it.
    let unread = purge(&workspace, plan, &plan.gone(&redaction.words), now);
    let messages = lines.iter().filter_map(|line| line.text.split_once(": "));
    let messages = messages.map(|(_, text)| text);
    let typed = drop_typed(context, home, &redaction.words, messages);
    let index = drop_index(context, home);
    let unread = unread.map_err(CliError::from);
    let unread = typed.and(index).and(unread).map_err(|error| {
        error
            .doing("redacting; the transcript still contains the text")
            .hint("run the same command again to finish")
    })?;
    turn.redact(redaction)?;
    Ok(unread)
}

impl Report for RedactReport<'_> {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            json!({
                "line": line.number,
                "entry": line.entry.as_ref().map(EntryId::as_str),
                "kind": kind(line),
                "text": excerpt(&line.text),
            })
        });
        json!({
            "name": self.name.as_str(),
            "lines": lines.collect::<Vec<_>>(),
            "notes": RedactedNote::all(self.memory).collect::<Vec<_>>(),
            "standing": RedactedNote::standing(self.memory).collect::<Vec<_>>(),
            "forks": names(self.forks),
            "stillIn": self.still_in,
            "isDone": self.is_done,
        })
    }

    fn human(&self, _: Stream) -> String {
        let name = self.name;
        let n_lines = counted(self.lines.len() as u64, "line", "lines");
        let (redacted, removed, stays) = if self.is_done {
            ("redacted", "Removed", "Stays")
        } else {
            ("would redact", "Would be removed", "Would stay")
        };
        let title = heading(name.as_str());
        let mut text = format!("{title}: {redacted} {n_lines}\n");
        for line in self.lines {
            let (number, kind) = (line.number, kind(line));
            let said = printable(&excerpt(&line.text));
            add_line!(text, "  {name}.jsonl:{number}  {kind}  {said}");
        }
        let notes: String = RedactedNote::all(self.memory)
            .map(|note| note.human())
            .collect();
        if !notes.is_empty() {
            add_line!(
                text,
                "{removed} from memory, because they repeat these words or come from a redacted message:"
            );
            text.push_str(&notes);
        }
        let standing: String = RedactedNote::standing(self.memory)
            .map(|note| note.human())
            .collect();
        if !standing.is_empty() {
            add_line!(
                text,
                "{stays} in memory, because other messages say it (`{}` removes it):",
                self.forget
            );
            text.push_str(&standing);
        }
        text.push_str(&keep_copies(self.forks));
        if !self.still_in.is_empty() {
            let hold = match self.still_in.len() {
                1 => "contains",
                _ => "contain",
            };
            let files = printable(&self.still_in.join(", "));
            add_line!(
                text,
                "{files} still {hold} these words; only you can remove them."
            );
        }
        if !self.is_done {
            text.push_str(NOTHING_CHANGED);
        }
        text
    }
}

fn kind(line: &RedactedLine) -> &'static str {
    match line.kind {
        RedactedKind::Message => "message",
        RedactedKind::Summary => "summary",
        RedactedKind::Other => "other",
    }
}

pub(super) const NOTHING_CHANGED: &str =
    "Nothing was changed. Add `--yes` to go ahead; this cannot be undone.\n";

const SHOWN_CHARS_MAX: usize = 80;

/// The beginning of a text in one line, without secrets.
fn excerpt(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    head(&redact(&words.join(" ")), SHOWN_CHARS_MAX).to_owned()
}

/// A passage of memory to remove or hide.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RedactedNote {
    place: String,
    text: String,
    /// Whether the owner wrote it; if so, it is hidden but stays in its file.
    is_owners: bool,
}

impl RedactedNote {
    pub(super) fn all(plan: &ForgetPlan) -> impl Iterator<Item = Self> {
        let lines = plan.lines.iter().map(|line| Self {
            place: line.place().to_string(),
            text: excerpt(&line.text),
            is_owners: line.keeper == Keeper::Owner,
        });
        let candidates = plan.candidates.iter().map(|own| Self {
            place: own.place().to_string(),
            text: excerpt(&own.finding),
            is_owners: false,
        });
        lines.chain(candidates)
    }

    /// The texts that stay in memory because other messages support them.
    pub(super) fn standing(plan: &ForgetPlan) -> impl Iterator<Item = Self> {
        plan.standing.iter().map(|(place, text)| Self {
            place: place.to_string(),
            text: excerpt(text),
            is_owners: false,
        })
    }

    pub(super) fn human(&self) -> String {
        let (place, text) = (&self.place, printable(&self.text));
        if self.is_owners {
            return format!("  {place}  {text}  (yours: hidden, but stays in its file)\n");
        }
        format!("  {place}  {text}\n")
    }
}

pub(super) fn names(sessions: &[SessionName]) -> Vec<&str> {
    sessions.iter().map(SessionName::as_str).collect()
}

/// A sentence about the sessions that keep copies; empty if there are none.
pub(super) fn keep_copies(forks: &[SessionName]) -> String {
    match names(forks).as_slice() {
        [] => String::new(),
        [fork] => format!("{fork} was forked from it and keeps its copy.\n"),
        forks => {
            let forks = forks.join(", ");
            format!("{forks} were forked from it and keep their copies.\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redact_report_names_remaining_lines_and_forget_command() {
        let place = "MEMORY.md:3".parse().unwrap();
        let memory = ForgetPlan {
            standing: vec![(place, "I prefer tea".to_owned())],
            ..ForgetPlan::default()
        };
        let report = RedactReport {
            name: &"talk".parse().unwrap(),
            lines: &[],
            memory: &memory,
            forks: &[],
            still_in: Vec::new(),
            is_done: true,
            forget: "openclaw --home h memory forget".to_owned(),
        };
        let told = report.human(Stream::default());
        let forget =
            "`openclaw --home h memory forget` removes it):\n  MEMORY.md:3  I prefer tea\n";
        assert!(told.contains(forget), "{told}");
    }
}
