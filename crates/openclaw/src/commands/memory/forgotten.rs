//! Renders the reports of `memory forget`: the plan or result, the list, and the undo.
//!
//! Forgets nothing.

use base::{Locator, day, redact};
use cli::output::{shortened, wrap};
use memory::{
    ForgetPlan, Keeper, OwnerLines, Reason, Tombstone, TombstoneId, UndoReport, WorkspacePath,
};

use crate::prelude::*;

pub(super) struct ForgottenReport {
    event: ForgetEvent,
    items: Vec<ForgottenItem>,
    /// What has only some words of the question and is kept; only in a plan.
    near: Vec<(Locator, String)>,
    /// How many more passages match the question.
    more: usize,
    /// The command that forgets those, too.
    pub(super) next: String,
    /// The command that undoes it.
    undo: Option<String>,
    /// The command that carries out what a dry run planned.
    pub(super) command: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ForgetEvent {
    Planned,
    /// Forgotten under this id.
    Done(String),
}

impl ForgetEvent {
    fn id(&self) -> Option<&str> {
        match self {
            Self::Planned => None,
            Self::Done(id) => Some(id),
        }
    }
}

struct ForgottenItem {
    place: Locator,
    text: String,
    /// `remove` if the lines leave their file, `hide` if they stay there.
    action: &'static str,
    keeper: &'static str,
    because: Reason,
}

impl ForgottenReport {
    pub(super) fn new(
        plan: &ForgetPlan,
        owner_lines: OwnerLines,
        event: ForgetEvent,
        output: &Output,
    ) -> Self {
        let item = |place, text: &str, (action, keeper), because| ForgottenItem {
            place,
            text: text.to_owned(),
            action,
            keeper,
            because,
        };
        let lines = plan.lines.iter().map(|line| {
            let what = match (line.keeper, owner_lines) {
                (Keeper::Program, _) => ("remove", "openclaw"),
                (Keeper::Owner, OwnerLines::Remove) => ("remove", "owner"),
                (Keeper::Owner, OwnerLines::Leave) => ("hide", "owner"),
            };
            item(line.place(), &line.text, what, line.because)
        });
        let candidates = plan.candidates.iter().map(|own| {
            let what = ("remove", "openclaw");
            item(own.place(), &own.finding, what, own.because)
        });
        let entries = plan.entries.iter().map(|own| {
            let what = ("hide", "transcript");
            item(own.place(), &own.text, what, own.because)
        });
        Self {
            undo: event.id().map(|id| undo_command(id, output)),
            items: lines.chain(candidates).chain(entries).collect(),
            near: match event {
                ForgetEvent::Planned => plan.near.clone(),
                ForgetEvent::Done(_) => Vec::new(),
            },
            event,
            more: plan.n_more,
            next: String::new(),
            command: None,
        }
    }

    /// The result for passages that have already been shown.
    pub(super) fn outcome(&self, columns: usize) -> String {
        let is_left = |it: &ForgottenItem| it.action == "hide" && it.keeper == "owner";
        let mut text = String::new();
        if self.items.iter().any(is_left) {
            text.push_str("Your own lines stay in their files but are hidden everywhere else; `--yes` removes them.\n");
        }
        if let Some(undo) = &self.undo {
            add_line!(
                text,
                "Forgotten. {undo} restores it exactly, within 30 days."
            );
        }
        let mut text = wrap(&text, columns, "");
        if let Some(command) = &self.command {
            // On a line of its own, so that it can be copied whole.
            add_line!(
                text,
                "Nothing was changed. To forget this:\n  {}",
                printable(command)
            );
        }
        text + &self.rest()
    }

    /// The passages to ask about, and the matches beyond them.
    pub(super) fn question(&self, stderr: Stream) -> String {
        self.passages(stderr) + &self.rest()
    }

    /// Two lines per passage, and below them what is near and kept.
    fn passages(&self, stream: Stream) -> String {
        let mut items: String = self.items.iter().map(ForgottenItem::human).collect();
        for (place, text) in self.near.iter().take(NEAR_MAX) {
            let shown = printable(&shortened(&redact(text), SHOWN_CHARS_MAX));
            let place = printable(&place.to_string());
            add_line!(items, "keep  {place} (fewer of the words)\n        {shown}");
        }
        wrap(&items, stream.text_columns(), "          ")
    }

    /// The command for what matches but is kept.
    fn rest(&self) -> String {
        if self.more == 0 {
            return String::new();
        }
        let kept = counted(self.more as u64, "more matches", "more match");
        // On a line of its own, so that it can be copied whole.
        format!("{kept}:\n  {}\n", printable(&self.next))
    }
}

/// The command that undoes the forgetting with this id.
pub(super) fn undo_command(id: &str, output: &Output) -> String {
    let command = output.at_home("openclaw memory forget");
    format!("`{command} --undo {}`", printable(id))
}

impl Report for ForgottenReport {
    fn json(&self) -> Value {
        let near = self.near.iter().map(|(place, text)| {
            json!({
                "path": place.path,
                "startLine": place.start_line,
                "endLine": place.end_line,
                "text": redact(text),
            })
        });
        json!({
            "id": self.event.id(),
            "items": self.items.iter().map(ForgottenItem::json).collect::<Vec<_>>(),
            "near": near.collect::<Vec<_>>(),
            "more": self.more,
        })
    }

    fn human(&self, stdout: Stream) -> String {
        self.passages(stdout) + &self.outcome(stdout.columns())
    }
}

const SHOWN_CHARS_MAX: usize = 60;

/// Limit of near passages that a plan shows to a person.
const NEAR_MAX: usize = 5;

impl ForgottenItem {
    fn json(&self) -> Value {
        json!({
            "path": self.place.path,
            "startLine": self.place.start_line,
            "endLine": self.place.end_line,
            "text": self.text,
            "action": self.action,
            "keeper": self.keeper,
            "because": self.because,
        })
    }

    fn human(&self) -> String {
        let why = match self.because {
            Reason::Chosen => "",
            Reason::SameText => " (says the same)",
            Reason::MadeFromIt => " (made from it)",
            Reason::IsEvidence => " (evidence for it)",
        };
        let shown = printable(&shortened(&self.text, SHOWN_CHARS_MAX));
        let (action, place) = (self.action, printable(&self.place.to_string()));
        format!("{action}  {place}{why}\n        {shown}\n")
    }
}

pub(super) struct ForgetList<'a> {
    pub(super) tombstones: Vec<&'a Tombstone>,
    pub(super) timezone: Tz,
}

/// The places of a tombstone: files, and entries of transcripts.
fn places(tombstone: &Tombstone) -> [Vec<String>; 2] {
    let entry = |entry: &memory::ForgottenEntry| format!("{}:{}", entry.path, entry.line);
    [
        tombstone.files.iter().map(ToString::to_string).collect(),
        tombstone.entries.iter().map(entry).collect(),
    ]
}

impl Report for ForgetList<'_> {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let listed = self.tombstones.iter().map(|it| {
            let [files, entries] = places(it);
            json!({
                "id": it.id,
                "day": day(it.at, self.timezone),
                "texts": it.texts.len(),
                "entries": entries,
                "files": files,
            })
        });
        json!({ "forgotten": listed.collect::<Vec<_>>() })
    }

    fn human(&self, _: Stream) -> String {
        if self.tombstones.is_empty() {
            return "nothing has been forgotten\n".to_owned();
        }
        let line = |it: &&Tombstone| {
            let places = match places(it).concat() {
                none if none.is_empty() => "no place".to_owned(),
                places => printable(&places.join(", ")),
            };
            let (id, day) = (printable(&it.id.to_string()), day(it.at, self.timezone));
            let passages = counted(it.texts.len() as u64, "passage", "passages");
            format!("{id}  {day}  {passages}; {places}\n")
        };
        self.tombstones.iter().map(line).collect()
    }
}

pub(super) struct ForgetUndoReport<'a> {
    pub(super) id: &'a TombstoneId,
    pub(super) report: UndoReport,
}

impl Report for ForgetUndoReport<'_> {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "restored": self.report.restored,
            "lost": self.report.lost,
            "waiting": self.report.n_waiting,
        })
    }

    fn human(&self, _: Stream) -> String {
        let id = printable(&self.id.to_string());
        let UndoReport {
            restored,
            lost,
            n_waiting,
        } = &self.report;
        let done = if lost.is_empty() {
            "is undone: search finds it again."
        } else {
            "no longer hides anything: search finds what is still in files, but what was removed \
             for good does not come back."
        };
        let mut text = format!("{id} {done}\n");
        let shown = |path: &WorkspacePath| printable(&path.to_string());
        for path in restored {
            add_line!(text, "{} has its lines again", shown(path));
        }
        if *n_waiting > 0 {
            let candidates = counted(*n_waiting as u64, "candidate waits", "candidates wait");
            add_line!(text, "DREAMS.md: {candidates} again");
        }
        for path in lost {
            let path = shown(path);
            add_line!(
                text,
                "{path} was not changed: no earlier version of it is kept"
            );
        }
        text
    }
}
