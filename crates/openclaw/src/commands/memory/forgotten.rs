//! What was forgotten, or would be; what is forgotten; what was taken back.
//!
//! Forgets nothing.

use std::fmt::Write;

use base::{Locator, Tz, day, head};
use memory::{
    Because, ForgetPlan, Keeper, OwnerLines, Tombstone, TombstoneId, UndoReport, WorkspacePath,
};

use crate::output::{put, wrap};
use crate::prelude::*;

/// A plan that was carried out, or would be.
pub(super) struct Forgotten {
    event: ForgetEvent,
    items: Vec<Item>,
    /// How many match the question besides.
    more: usize,
    /// What is typed to forget those, too.
    next: String,
}

/// Whether a plan was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ForgetEvent {
    Planned,
    /// It was, under this id.
    Done(String),
    /// One that was broken off before is carried out now, under this id; the items were told then.
    Finished(String),
    /// The same request was carried out before, under this id; what is planned now stays.
    Already(String),
}

impl ForgetEvent {
    fn id(&self) -> Option<&str> {
        match self {
            Self::Planned => None,
            Self::Done(id) | Self::Finished(id) | Self::Already(id) => Some(id),
        }
    }
}

struct Item {
    place: Locator,
    text: String,
    /// `remove` where the lines leave their file, `hide` where they stay there, `keep` where nothing is done.
    action: &'static str,
    keeper: &'static str,
    because: Because,
}

impl Forgotten {
    /// A plan as it is told.
    pub(super) fn new(plan: &ForgetPlan, owner_lines: OwnerLines, event: ForgetEvent) -> Self {
        let item = |place, text: &str, (action, keeper), because| Item {
            place,
            text: text.to_owned(),
            action: match event {
                ForgetEvent::Already(_) => "keep",
                ForgetEvent::Planned | ForgetEvent::Done(_) | ForgetEvent::Finished(_) => action,
            },
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
        let candidates = plan.candidates.iter();
        let candidates = candidates.map(|own| {
            item(
                own.place(),
                &own.finding,
                ("remove", "openclaw"),
                own.because,
            )
        });
        let entries = plan.entries.iter();
        let entries =
            entries.map(|own| item(own.place(), &own.text, ("hide", "transcript"), own.because));
        Self {
            items: lines.chain(candidates).chain(entries).collect(),
            event,
            more: plan.n_more,
            next: String::new(),
        }
    }

    /// The same with the command that takes what matches besides.
    #[must_use]
    pub(super) fn with_next(self, next: String) -> Self {
        Self { next, ..self }
    }

    /// What became of passages that were shown before.
    pub(super) fn outcome(&self, columns: usize) -> String {
        let is_left = |it: &Item| it.action == "hide" && it.keeper == "owner";
        let mut text = String::new();
        if self.items.iter().any(is_left) {
            text.push_str("Your own lines stay in their files, and are shown nowhere else; `--yes` takes them out.\n");
        }
        let is_already = matches!(self.event, ForgetEvent::Already(_));
        if let Some(id) = self.event.id() {
            let done = match self.event {
                ForgetEvent::Already(_) => {
                    "This was forgotten before, and nothing more is forgotten now."
                }
                ForgetEvent::Finished(_) => {
                    "An earlier run of this was broken off; what it was to forget is forgotten now."
                }
                ForgetEvent::Planned | ForgetEvent::Done(_) => "Forgotten.",
            };
            let undo = format!("`openclaw memory forget --undo {}`", printable(id));
            // Writing to a String cannot fail, here and below.
            writeln!(
                text,
                "{done} {undo} takes it back, for 30 days to the byte."
            )
            .unwrap_or_default();
        }
        let mut text = wrap(&text, columns, "");
        let next = printable(&self.next);
        if is_already && !self.items.is_empty() {
            writeln!(text, "What matches now stays; to forget it, too:\n  {next}")
                .unwrap_or_default();
        } else if self.more > 0 {
            let more = counted(self.more as u64, "more matches", "more match");
            // On a line of its own, which can be copied whole.
            writeln!(text, "{more}:\n  {next}").unwrap_or_default();
        }
        text
    }
}

impl Report for Forgotten {
    fn json(&self) -> Value {
        let mut object = json!({ "id": self.event.id() });
        let is = |is_so: bool| is_so.then_some(true);
        let is_finished = matches!(self.event, ForgetEvent::Finished(_));
        put(&mut object, "finished", is(is_finished));
        put(
            &mut object,
            "already",
            is(matches!(self.event, ForgetEvent::Already(_))),
        );
        let items: Vec<Value> = self.items.iter().map(Item::json).collect();
        put(&mut object, "items", Some(items));
        put(&mut object, "more", Some(self.more));
        object
    }

    /// Two lines a passage, and what became of them.
    fn human(&self, stdout: Stream) -> String {
        let items: String = self.items.iter().map(Item::human).collect();
        wrap(&items, stdout.text_columns(), "          ") + &self.outcome(stdout.columns())
    }
}

/// Most characters of a passage that are shown to people.
const SHOWN_CHARS_MAX: usize = 60;

impl Item {
    fn json(&self) -> Value {
        json!({
            "path": self.place.path,
            "startLine": self.place.start_line,
            "endLine": self.place.end_line,
            "text": self.text,
            "action": self.action,
            "keeper": self.keeper,
            "because": match self.because {
                Because::Chosen => "chosen",
                Because::SaysTheSame => "saysTheSame",
                Because::MadeFromIt => "madeFromIt",
                Because::IsEvidence => "isEvidence",
            },
        })
    }

    fn human(&self) -> String {
        let why = match self.because {
            Because::Chosen => "",
            Because::SaysTheSame => " (says the same)",
            Because::MadeFromIt => " (made from it)",
            Because::IsEvidence => " (it was made from this)",
        };
        let line = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = head(&line, SHOWN_CHARS_MAX);
        let more = if shown.len() < line.len() {
            "\u{2026}"
        } else {
            ""
        };
        let (action, place) = (self.action, printable(&self.place.to_string()));
        format!(
            "{action}  {place}{why}\n        {}{more}\n",
            printable(shown)
        )
    }
}

/// What is forgotten; what it hides is not kept.
pub(super) struct ForgetList<'a> {
    pub(super) tombstones: Vec<&'a Tombstone>,
    pub(super) timezone: Tz,
}

impl ForgetList<'_> {
    fn lines(&self) -> impl Iterator<Item = (&Tombstone, String, Vec<String>, Vec<String>)> {
        self.tombstones.iter().map(|it| {
            let day = day(it.at, self.timezone).to_string();
            let entry = |entry: &memory::ForgottenEntry| format!("{}:{}", entry.path, entry.line);
            let entries = it.entries.iter().map(entry).collect();
            (
                *it,
                day,
                entries,
                it.files.iter().map(ToString::to_string).collect(),
            )
        })
    }
}

impl Report for ForgetList<'_> {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let listed = self.lines().map(|(it, day, entries, files)| {
            json!({
                "id": it.id.to_string(),
                "day": day,
                "texts": it.texts.len(),
                "entries": entries,
                "files": files,
            })
        });
        json!({ "forgotten": listed.collect::<Vec<_>>() })
    }

    fn human(&self, _: Stream) -> String {
        if self.tombstones.is_empty() {
            return "nothing is forgotten\n".to_owned();
        }
        let line = |(it, day, entries, mut places): (&Tombstone, _, Vec<_>, Vec<String>)| {
            places.extend(entries);
            let places = if places.is_empty() {
                "no place".to_owned()
            } else {
                printable(&places.join(", "))
            };
            let id = printable(&it.id.to_string());
            let passages = counted(
                it.texts.len() as u64,
                "passage of a note",
                "passages of notes",
            );
            format!("{id}  {day}  {passages}; {places}\n")
        };
        self.lines().map(line).collect()
    }
}

/// What was taken back.
pub(super) struct Undone<'a> {
    pub(super) id: &'a TombstoneId,
    pub(super) report: &'a UndoReport,
}

impl Report for Undone<'_> {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let names = |paths: &[WorkspacePath]| -> Vec<String> {
            paths.iter().map(ToString::to_string).collect()
        };
        let changed = self.report.changed.iter().map(|(path, before)| {
            json!({ "path": path.to_string(), "before": before.display().to_string() })
        });
        json!({
            "id": self.id.to_string(),
            "restored": names(&self.report.restored),
            "changed": changed.collect::<Vec<_>>(),
            "lost": names(&self.report.lost),
            "waiting": self.report.n_waiting,
        })
    }

    fn human(&self, _: Stream) -> String {
        let id = printable(&self.id.to_string());
        let UndoReport {
            restored,
            changed,
            lost,
            n_waiting,
            ..
        } = self.report;
        let mut text = if !changed.is_empty() {
            format!("{id} is not taken back yet, and nothing of it is found.\n")
        } else if lost.is_empty() {
            format!("{id} is taken back: it is found again.\n")
        } else {
            format!(
                "{id} hides nothing any more: what still stands somewhere is found again, and what was taken out \
                 for good does not come back.\n"
            )
        };
        let shown = |path: &WorkspacePath| printable(&path.to_string());
        // Writing to a String cannot fail, here and below.
        for path in restored {
            writeln!(text, "{} holds its lines again", shown(path)).unwrap_or_default();
        }
        if *n_waiting > 0 {
            let candidates = counted(*n_waiting as u64, "candidate waits", "candidates wait");
            writeln!(text, "DREAMS.md: {candidates} again").unwrap_or_default();
        }
        for (path, before) in changed {
            let (path, before) = (shown(path), printable(&before.display().to_string()));
            writeln!(
                text,
                "{path} was changed since and is left alone; {before} is how it was"
            )
            .unwrap_or_default();
        }
        for path in lost {
            let path = shown(path);
            writeln!(text, "{path} stays as it is: nothing is kept of how it was")
                .unwrap_or_default();
        }
        if !changed.is_empty() {
            let again = format!("`openclaw memory forget --undo {id}`");
            writeln!(
                text,
                "Copy the lines back from there, and run {again} again."
            )
            .unwrap_or_default();
        }
        text
    }
}
