//! Renders the reports of `memory forget`: the plan or result, the list, and the undo.
//!
//! Forgets nothing.

use agent::ops::{
    ForgetItem, ForgetPlanReply, ForgetReply, ForgottenItem, ForgottenReply, NearPassage,
    UndoForgetReply,
};
use cli::output::{shortened, without_empty, wrap};
use memory::{OwnerLines, Reason, Restorable};

use crate::commands::proof::proof_lines;
use crate::prelude::*;

pub(super) struct ForgottenReport {
    event: ForgetEvent,
    items: Vec<ForgetItem>,
    /// The passages that contain only some words of the question and are kept; only in a plan.
    near: Vec<NearPassage>,
    /// What else carrying out the plan does; only in a plan.
    warnings: Vec<String>,
    /// How many more passages match the question.
    more: usize,
    /// The command that forgets those, too.
    pub(super) next: String,
    /// The command that carries out what a dry run planned.
    pub(super) command: Option<String>,
}

#[derive(Debug)]
pub(super) enum ForgetEvent {
    Planned,
    Done(Box<ForgetReply>),
}

impl ForgetEvent {
    fn done(&self) -> Option<&ForgetReply> {
        match self {
            Self::Planned => None,
            Self::Done(done) => Some(done),
        }
    }
}

impl ForgottenReport {
    pub(super) fn new(plan: &ForgetPlanReply, owner_lines: OwnerLines, event: ForgetEvent) -> Self {
        let action = |item: &ForgetItem| match (item.keeper, owner_lines) {
            ("owner", OwnerLines::Remove) => "remove",
            ("owner", OwnerLines::Leave) => "hide",
            (_, _) => item.action,
        };
        let items = plan.items.iter().map(|item| ForgetItem {
            action: action(item),
            ..item.clone()
        });
        Self {
            items: items.collect(),
            near: match event {
                ForgetEvent::Planned => plan.near.clone(),
                ForgetEvent::Done(_) => Vec::new(),
            },
            warnings: match event {
                ForgetEvent::Planned => plan.warnings.clone(),
                ForgetEvent::Done(_) => Vec::new(),
            },
            event,
            more: plan.more,
            next: String::new(),
            command: None,
        }
    }

    /// The result for passages that have already been shown.
    pub(super) fn outcome(&self, columns: usize) -> String {
        let is_left = |it: &ForgetItem| it.action == "hide" && it.keeper == "owner";
        let mut text = String::new();
        if self.items.iter().any(is_left) {
            text.push_str("Your own lines stay in their files but are hidden everywhere else; `--yes` removes them.\n");
        }
        if self.items.iter().any(|it| it.keeper == "folder") {
            text.push_str("Notes in your own folders are yours to edit: their lines are hidden here, and the files stay as they are.\n");
        }
        if let Some(done) = self.event.done() {
            let undo = printable(&done.undo);
            if undo.is_empty() {
                add_line!(text, "Removed for good: nothing restores it.");
            } else {
                add_line!(
                    text,
                    "Forgotten. `{undo}` restores it exactly, within 30 days."
                );
            }
            text.extend(done.proof.as_ref().map(proof_lines));
        }
        text.push_str(&self.warned());
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
        let warned = wrap(&self.warned(), stderr.columns(), "");
        self.passages(stderr) + &warned + &self.rest()
    }

    fn warned(&self) -> String {
        let warnings = self.warnings.iter();
        let warnings = warnings.map(|warning| format!("warning: {}\n", printable(warning)));
        warnings.collect()
    }

    /// Two lines per passage, and below them the near matches that stay.
    fn passages(&self, stream: Stream) -> String {
        let mut items: String = self.items.iter().map(shown).collect();
        for own in self.near.iter().take(NEAR_MAX) {
            let shown = printable(&shortened(&own.text, SHOWN_CHARS_MAX));
            let place = printable(&own.place());
            add_line!(items, "keep  {place} (fewer of the words)\n        {shown}");
        }
        wrap(&items, stream.text_columns(), "          ")
    }

    /// The command for matches that are kept.
    fn rest(&self) -> String {
        if self.more == 0 {
            return String::new();
        }
        let kept = counted(self.more as u64, "more matches", "more match");
        // On a line of its own, so that it can be copied whole.
        format!("{kept}:\n  {}\n", printable(&self.next))
    }
}

impl Report for ForgottenReport {
    fn json(&self) -> Value {
        let done = self.event.done();
        let object = json!({
            "id": done.map(|done| &done.id),
            "items": self.items,
            "near": self.near,
            "more": self.more,
            "warnings": self.warnings,
            "undo": done.map(|done| &done.undo).filter(|undo| !undo.is_empty()),
            "proof": done.and_then(|done| done.proof.as_ref()),
        });
        without_empty(object, ["undo", "proof", "warnings"])
    }

    fn human(&self, stdout: Stream) -> String {
        self.passages(stdout) + &self.outcome(stdout.columns())
    }
}

const SHOWN_CHARS_MAX: usize = 60;

/// Limit of near passages that a plan shows to a person.
const NEAR_MAX: usize = 5;

/// Two lines for a passage.
fn shown(item: &ForgetItem) -> String {
    let why = match item.because {
        Reason::Chosen => "",
        Reason::SameText => " (says the same)",
        Reason::MadeFromIt => " (made from it)",
        Reason::IsEvidence => " (evidence for it)",
    };
    let text = printable(&shortened(&item.text, SHOWN_CHARS_MAX));
    let (action, place) = (item.action, printable(&item.place().to_string()));
    format!("{action}  {place}{why}\n        {text}\n")
}

/// A line per request to forget, and below it the beginnings of the texts that it hid.
pub(super) fn forgotten_list(reply: &ForgottenReply) -> String {
    if reply.forgotten.is_empty() {
        return "nothing has been forgotten\n".to_owned();
    }
    reply.forgotten.iter().map(forgotten_item).collect()
}

fn forgotten_item(own: &ForgottenItem) -> String {
    let places = [own.files.clone(), own.entries.clone()].concat();
    let places = if places.is_empty() {
        "no place".to_owned()
    } else {
        printable(&places.join(", "))
    };
    let (id, day) = (printable(&own.id), own.day);
    let passages = counted(own.texts as u64, "passage", "passages");
    let mut text = format!("{id}  {day}  {passages}; {places}\n");
    let lost = match own.restorable {
        Restorable::Whole => None,
        Restorable::WithoutLines => {
            Some("the lines that left their files are no longer kept; an undo shows the rest again")
        }
        Restorable::Nothing => Some("removed for good: nothing restores it"),
    };
    if let Some(lost) = lost {
        add_line!(text, "          {lost}");
    }
    for beginning in &own.beginnings {
        add_line!(text, "          {}", printable(beginning));
    }
    text
}

pub(super) fn undone(reply: &UndoForgetReply) -> String {
    let id = printable(&reply.id);
    let done = if reply.lost.is_empty() {
        "is undone: search finds it again."
    } else {
        "no longer hides anything: search finds what is still in files, but what was removed \
         for good does not come back."
    };
    let mut text = format!("{id} {done}\n");
    for path in &reply.restored {
        add_line!(text, "{} has its lines again", printable(path));
    }
    if reply.waiting > 0 {
        let candidates = counted(reply.waiting as u64, "candidate waits", "candidates wait");
        add_line!(text, "DREAMS.md: {candidates} again");
    }
    for path in &reply.lost {
        let path = printable(path);
        add_line!(
            text,
            "{path} was not changed: no earlier version of it is kept"
        );
    }
    text
}
