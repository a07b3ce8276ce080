//! Remember and correct: the owner's word changes `MEMORY.md` at once.
//!
//! Never changes a line that the owner wrote by hand.

use base::{Day, Hint, day};
use dreaming::{ChangeReason, Refusal, holds_quote};
use memory::candidates::{Proposal, Status};
use memory::curated::CuratedLine;
use memory::prepared_line;
use schemars::JsonSchema;
use search::{SearchOptions, SearchResult, Source};
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{Effect, OpContext, Operation};
use crate::asked::{AskedLine, AskedOutcome, remember_typed};
use crate::asked_error::AskedError;
use crate::corrected::{CorrectedText, UserLine, corrected_text};
use crate::knowledge::replaced::line_of_earlier_value;

/// A line for `MEMORY.md`, in the owner's words.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remember {
    /// The line.
    #[schemars(length(min = 1))]
    pub text: String,
    /// Whether only to say what would change.
    #[serde(default)]
    pub dry_run: bool,
    /// The heading of `MEMORY.md`; the last one by default.
    #[serde(skip)]
    pub section: Option<String>,
}

/// A line of `MEMORY.md` or `USER.md`, or a note, that is wrong or has changed, and the line that replaces it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Correct {
    /// Words of the line to replace, its id, or its place, as in `MEMORY.md:5`.
    #[schemars(length(min = 1))]
    pub line: String,
    /// The new line, in the owner's words.
    #[schemars(length(min = 1))]
    pub text: String,
    /// Whether the line was never true, so that the new one does not name it as the earlier value.
    #[serde(default)]
    pub never_true: bool,
    /// Whether only to say what would change.
    #[serde(default)]
    pub dry_run: bool,
    /// The line itself, where the owner was shown it: then no line is looked for.
    #[serde(skip)]
    pub shown: Option<CuratedLine>,
}

/// What became of the line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RememberReply {
    /// Whether it is in its file, or waits.
    pub status: RememberStatus,
    /// The file: `MEMORY.md`, or `USER.md` if a line of the page about the owner was corrected.
    pub path: String,
    /// The id of the candidate; null for a line of `USER.md`.
    pub id: Option<String>,
    /// The line as it was written.
    pub text: String,
    /// The line that it replaces, or would replace if the owner had not written that by hand.
    pub replaces: Option<String>,
    /// The command that reverts this change, whatever changes after it; for a line that waits, the one that accepts it.
    pub next: String,
    /// Another line of `MEMORY.md`, which names as its earlier value what this line says: perhaps it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

/// Whether a line is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RememberStatus {
    /// It is in `MEMORY.md`.
    Taken,
    /// It waits for review, since the owner wrote the line that it would replace.
    Waiting,
}

impl Operation for Remember {
    type Reply = RememberReply;

    fn run(self, at: &OpContext<'_>) -> Result<RememberReply, OpError> {
        let line = AskedLine {
            text: self.text,
            section: self.section,
            replaces: None,
            reason: ChangeReason::Changed,
        };
        remember(&line, self.dry_run.into(), at)
    }
}

impl Operation for Correct {
    type Reply = RememberReply;

    fn run(self, at: &OpContext<'_>) -> Result<RememberReply, OpError> {
        let replaced = if let Some(line) = self.shown {
            line.into()
        } else {
            let found = corrected_text(&at.home_for(self.dry_run.into()), &self.line);
            let found = found.map_err(|error| match error {
                AskedError::NoNote(words) => match taken_back_on(&words, at) {
                    Some(day) => AskedError::TakenBack(words, day),
                    None => only_said(words, at),
                },
                AskedError::Source(_)
                | AskedError::MemoryTxn(_)
                | AskedError::Log(_)
                | AskedError::File(_)
                | AskedError::NoLine(_)
                | AskedError::OnlySaid(..)
                | AskedError::NothingAt(_)
                | AskedError::TakenBack(..)
                | AskedError::SeveralLines(_)
                | AskedError::TellsNothing(_)
                | AskedError::SeveralNotes(..) => error,
            });
            match found? {
                CorrectedText::Memory(found) => found,
                CorrectedText::User(line) => {
                    return reword_user_line(&line, &self.text, self.dry_run.into(), at);
                }
            }
        };
        let line = AskedLine {
            text: self.text,
            section: None,
            replaces: Some(replaced),
            reason: if self.never_true {
                ChangeReason::Corrected
            } else {
                ChangeReason::Changed
            },
        };
        remember(&line, self.dry_run.into(), at)
    }
}

/// Rewords a line of the page about the owner, in its place.
fn reword_user_line(
    line: &UserLine,
    text: &str,
    effect: Effect,
    at: &OpContext<'_>,
) -> Result<RememberReply, OpError> {
    let text = prepared_line(text);
    if text.is_empty() {
        return Err(OpError::NotRemembered(Refusal::Empty.in_words().to_owned()));
    }
    line.reword(&at.home_for(effect), &text)?;
    Ok(RememberReply {
        status: RememberStatus::Taken,
        path: line.place().path,
        id: None,
        text: line.with(&text),
        replaces: Some(line.text().to_owned()),
        next: at.home.invocation.command(&line.undo_command()),
        earlier: None,
        dry_run: effect == Effect::Reported,
    })
}

fn remember(
    line: &AskedLine,
    effect: Effect,
    at: &OpContext<'_>,
) -> Result<RememberReply, OpError> {
    let home = at.home_for(effect);
    let (status, candidate) = match remember_typed(&home, line)? {
        AskedOutcome::Taken(own) => (RememberStatus::Taken, own),
        AskedOutcome::Beside(own) => (RememberStatus::Waiting, own),
        AskedOutcome::Refused(because) => return Err(OpError::NotRemembered(because)),
    };
    let earlier = line_of_earlier_value(&home, &candidate);
    let replaces = match candidate.proposal {
        Proposal::Supersede { older, .. } | Proposal::Retire { older, .. } => Some(older),
        Proposal::Beside { other } => Some(other),
        Proposal::Add => None,
    };
    let id = &candidate.id;
    let next = match status {
        RememberStatus::Taken => format!("dream undo {id}"),
        RememberStatus::Waiting => format!("dream accept {id}"),
    };
    Ok(RememberReply {
        status,
        path: home.workspace.memory_path().to_string(),
        id: Some(id.to_string()),
        next: home.invocation.command(&next),
        text: candidate.finding,
        replaces,
        earlier,
        dry_run: effect == Effect::Reported,
    })
}

/// The day on which the owner took back the line with these words.
fn taken_back_on(words: &str, at: &OpContext<'_>) -> Option<Day> {
    // The error names the words in any case.
    let desk = at.reading_desk().ok()?;
    let mut decided = desk.state().history.iter().rev();
    let own = decided.find(|own| own.wordings().any(|text| holds_quote(text, words)))?;
    let is_taken_back = own.status == Status::Undone;
    let decided_at = own.decided_at.filter(|_| is_taken_back)?;
    Some(day(decided_at, at.home.timezone))
}

/// Why words of no line and no note cannot be corrected: perhaps a message has them.
fn only_said(words: String, at: &OpContext<'_>) -> AskedError {
    let options = SearchOptions {
        source: Some(Source::Session),
        limit: SEARCHED_MAX,
        ..SearchOptions::default()
    };
    let answer = at.knowledge.and_then(|knowledge| {
        let answer = knowledge.search_as(at.viewer, &words, &options, &mut |_| {});
        // The error names the words in any case.
        answer.ok()
    });
    let results = answer.map(|answer| answer.results).unwrap_or_default();
    let said = results.iter().find(|it| holds_quote(&it.text, &words));
    match said.map(SearchResult::place) {
        Some(place) => AskedError::OnlySaid(words, place.to_string()),
        None => AskedError::NoNote(words),
    }
}

/// Number of messages among which the words of a correction are looked for.
const SEARCHED_MAX: usize = 20;

/// The next step after a refusal, if there is one.
pub(super) fn hint(because: &str) -> Option<Hint> {
    [
        (
            Refusal::Empty,
            Hint::new("say a whole sentence, as in `openclaw memory add --lasting Ann is allergic to penicillin`"),
        ),
        (
            Refusal::TooLong,
            Hint::new("say it in fewer words, or note it with `openclaw memory add`"),
        ),
        (
            Refusal::Question,
            Hint::new("say it as a statement, or ask it with `openclaw memory search`"),
        ),
        (
            Refusal::Redacted,
            Hint::new("say it without the secret: no secret is kept in memory"),
        ),
        (
            Refusal::Known,
            Hint::new("`openclaw about` prints what MEMORY.md says"),
        ),
    ]
    .into_iter()
    .find(|(refusal, _)| refusal.in_words() == because)
    .map(|(_, hint)| hint)
}
