//! The recall stage: searches memory for the owner's message, for one turn.
//!
//! The transcript stores where the passages that a request showed are, never their text.

use std::borrow::Cow;

use base::model::{Excerpt, MemoryReach, Recalled, Spelling};
use base::{
    Block, LineRange, Locator, Message, REDACTED, Timestamp, TokenCount, Tz, redact, short_hash,
};
use memory::daily_log::without_comments;
use search::{
    Degraded, IndexError, Nearest, SearchAnswer, SearchOptions, SearchResult, Source, SpanCount,
    Unread,
};
use serde::{Deserialize, Serialize};
use session::{Entry, Payload, Turn, ViewItem};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::fence::{RecallFence, fenced};
use crate::knowledge::session_source::SessionSource;
use crate::knowledge::worth::{IN_CHAT, for_weighing};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::recall_changes::add_changes;

/// Type of the transcript entry that records the recalled passages.
pub const RECALL_TYPE: &str = "openclaw:recall";

/// The number of passages of a search that are weighed.
pub(crate) const FOUND_MAX: usize = 20;

/// Passages that are less likely to bear on a message are never shown.
pub(crate) const REACHES_MODEL: f64 = IN_CHAT.other;

/// Recall gets at most the window divided by this.
const WINDOW_PART: u64 = 16;

/// What a search found for a message.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Recall {
    /// The passages found, best first; each request shows those that are worth showing.
    pub(crate) found: Vec<SearchResult>,
    /// Token limit of the passages shown.
    pub(crate) budget: TokenCount,
    /// Why passages may be missing, and the paths that cannot be read.
    degraded: Option<Degraded>,
    unreadable: Vec<String>,
    /// What has not been searched yet.
    unread: Unread,
    /// How much of memory was searched.
    pub(crate) reach: MemoryReach,
    /// Matches in the period that the message names.
    pub(crate) span: Option<SpanCount>,
    /// Spelling corrections applied to the message.
    pub(crate) spellings: Vec<Spelling>,
}

/// The place of a passage, as the transcript stores it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocatorWire<'a> {
    path: &'a str,
    start_line: usize,
    end_line: usize,
    hash: String,
}

/// Searches memory for the newest message.
///
/// A failed search is reported and stops nothing: a reply without memory is better than none.
pub(crate) fn recall(runtime: &Runtime, turn: &Turn, text: &str, on_event: OnEvent<'_>) -> Recall {
    let Some(knowledge) = &runtime.memory.knowledge else {
        return Recall::default();
    };
    let own_path = SessionSource::path_of(turn.name());
    let is_primary = runtime.is_primary(turn.name());
    let documents = if is_primary {
        Vec::new()
    } else {
        match knowledge.sessions().documents_of(turn.name()) {
            Ok(documents) => documents,
            Err(error) => return Recall::failed(&error.into(), on_event),
        }
    };
    let options = SearchOptions {
        limit: FOUND_MAX,
        // Other sessions see only their own messages; notes and all sessions are for the primary one.
        documents: documents.clone(),
        is_message: true,
        nearest: Nearest::Always,
        ..SearchOptions::default()
    };
    let mut answer = match knowledge.recall(text, &options) {
        Ok(answer) if is_primary => answer,
        Ok(answer) => about_these(answer, &documents),
        Err(error) => return Recall::failed(&error, on_event),
    };
    drop_question(&mut answer.results, (&own_path, text));
    let is_own = |found: &SearchResult| {
        is_primary || found.path == own_path || shows(&turn.view().items, &found.text)
    };
    answer.results.retain(is_own);
    if is_primary {
        add_changes(&runtime.home, &mut answer.results);
    }
    if !is_primary {
        answer.keep_shown_span();
    }
    let whole = if is_primary {
        MemoryReach::Whole
    } else {
        MemoryReach::Session
    };
    Recall {
        found: answer.results,
        budget: budget(runtime),
        reach: reach(answer.degraded, whole),
        span: answer.span,
        spellings: answer.spellings,
        degraded: answer.degraded,
        unreadable: answer.unreadable,
        unread: answer.unread,
    }
}

/// Drops the question itself, which is in the session's own file and may already be indexed.
pub(crate) fn drop_question(found: &mut Vec<SearchResult>, (path, question): (&str, &str)) {
    let redacted = redact(question);
    found.retain(|it| {
        it.path != path || !question.contains(&it.text) && !redacted.contains(&it.text)
    });
}

/// Token limit of the passages shown for one message.
pub(crate) fn budget(runtime: &Runtime) -> TokenCount {
    let window_share = TokenCount(runtime.engine.settings.context_window.0 / WINDOW_PART);
    runtime.memory.recall_budget.min(window_share)
}

/// Records the places of the passages that a request showed in the transcript.
pub(crate) fn keep(
    home: &HomeAccess,
    turn: &mut Turn,
    shown: &[SearchResult],
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    if shown.is_empty() {
        return Ok(());
    }
    match to_json(shown) {
        Ok(data) => {
            turn.append_custom(home.clock.now(), RECALL_TYPE, data)?;
        }
        Err(error) => on_event(Event::Warning(format!(
            "the recall could not be saved: {error}"
        ))),
    }
    Ok(())
}

/// The places of the passages that a turn recalled; none for other entries, and none if the record cannot be read.
pub(crate) fn recalled_places(entry: &Entry) -> Vec<Locator> {
    /// What is read of a record; it holds a hash of the text, too.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Recorded {
        path: String,
        start_line: usize,
        end_line: usize,
    }
    let Payload::Custom(custom) = &entry.payload else {
        return Vec::new();
    };
    if custom.custom_type != RECALL_TYPE {
        return Vec::new();
    }
    let recorded: Vec<Recorded> = serde_json::from_str(&custom.data).unwrap_or_default();
    let place = |own: Recorded| {
        let lines = LineRange::asked(Some(own.start_line), Some(own.end_line));
        Locator::new(own.path, lines)
    };
    recorded.into_iter().map(place).collect()
}

/// Whether a message contains this text, as it is or without its secrets; a fork holds copies of another session's
/// messages.
pub(crate) fn shows(items: &[ViewItem], text: &str) -> bool {
    let is_redacted = text.contains(REDACTED);
    let mut messages = items.iter().filter_map(ViewItem::message);
    messages.any(|message| {
        let said = message.text();
        said.contains(text) || is_redacted && redact(&said).contains(text)
    })
}

/// Ignores unreadable documents other than these when judging whether the answer is degraded.
fn about_these(mut answer: SearchAnswer, documents: &[String]) -> SearchAnswer {
    answer.unreadable.retain(|path| documents.contains(path));
    answer.degraded = answer
        .degraded
        .filter(|it| *it != Degraded::Unreadable || !answer.unreadable.is_empty());
    answer
}

/// How far the search reached; `whole` if nothing was missing.
fn reach(degraded: Option<Degraded>, whole: MemoryReach) -> MemoryReach {
    match degraded {
        // Compared in fewer ways, but with all of memory.
        None
        | Some(
            Degraded::VectorsIncomplete | Degraded::EmbedderFailed | Degraded::EmbedderMissing,
        ) => whole,
        Some(Degraded::Stale | Degraded::BeingWritten | Degraded::NotWritable) => {
            MemoryReach::Behind
        }
        Some(Degraded::Unreadable) => MemoryReach::Partial,
    }
}

/// The fenced passages, preceded by a count if some are matches in a named period.
pub(crate) fn rendered<'r>(
    passages: impl IntoIterator<Item = &'r SearchResult> + Clone,
    span: Option<SpanCount>,
) -> Vec<String> {
    let has_span = passages.clone().into_iter().any(|it| it.is_of_span);
    let count = span.filter(|_| has_span);
    let count = count.map(|span| format!("{}:", span.in_words(passages.clone())));
    let passages = passages.into_iter().map(render);
    count.into_iter().chain(passages).collect()
}

impl Recall {
    /// Warns of a failed search; shows no passages, only that the search failed.
    fn failed(error: &IndexError, on_event: OnEvent<'_>) -> Self {
        let warning = format!("memory could not be searched for this message: {error}");
        on_event(Event::Warning(warning));
        Self {
            reach: MemoryReach::Failed,
            ..Self::default()
        }
    }

    /// Reports how many passages a request shows, and what the search lacked.
    pub(crate) fn report(&self, n_passages: usize, on_event: OnEvent<'_>) {
        if n_passages > 0 || self.degraded.is_some() {
            on_event(Event::Recalled {
                n_passages,
                degraded: self.degraded,
                unreadable: self.unreadable.clone(),
                unread: self.unread,
            });
        }
    }

    /// The passages for an engine that extracts, each dated at noon of its day or `now`.
    pub(crate) fn excerpts(&self, now: Timestamp, timezone: Tz) -> Vec<Excerpt> {
        let excerpt = |(number, passage): (usize, &SearchResult)| Excerpt {
            label: format!("r{number}"),
            entry: None,
            at: passage.day.map_or(now, |day| day.noon(timezone)),
            origin: passage.origin,
            message: spoken(passage),
            recalled: Some(Recalled {
                place: passage.place(),
                day: passage.day.or(passage.last_confirmed),
                planned_for: passage.planned_for,
                renews: passage.renews.clone(),
            }),
        };
        let weighed = for_weighing(self.found.clone());
        let mut all: Vec<&SearchResult> = weighed.iter().collect();
        // The engine takes the first passage for the best.
        if self.span.is_some() {
            all.sort_by(|left, right| right.score.total_cmp(&left.score));
        }
        (1_usize..).zip(all).map(excerpt).collect()
    }
}

fn to_json(shown: &[SearchResult]) -> Result<String, serde_json::Error> {
    let wire: Vec<LocatorWire<'_>> = shown
        .iter()
        .map(|passage| LocatorWire {
            path: &passage.path,
            start_line: passage.start_line,
            end_line: passage.end_line,
            hash: short_hash(&passage.text),
        })
        .collect();
    serde_json::to_string(&wire)
}

/// A passage in a fence that names its place.
pub(crate) fn render(passage: &SearchResult) -> String {
    let source = passage.place().to_string();
    let fence = RecallFence {
        source: &source,
        section: passage.section.as_deref(),
        day: passage.day,
        origin: Some(passage.origin),
        planned_for: passage.planned_for,
        replaced_on: passage.replaced_on,
    };
    let text = shown_text(passage);
    match &passage.speaker {
        Some(speaker) => fenced(fence, &format!("{speaker}: {text}")),
        None => fenced(fence, &text),
    }
}

/// The text of a passage as a model sees it: notes without our HTML comments.
pub(crate) fn shown_text(passage: &SearchResult) -> Cow<'_, str> {
    match passage.source {
        Source::Memory => without_comments(&passage.text).into(),
        Source::Session => (&passage.text).into(),
    }
}

fn spoken(passage: &SearchResult) -> Message {
    let text = passage.text.clone();
    match passage.speaker.as_deref() {
        Some("assistant") => Message::assistant(text),
        Some("user") | None => Message::user(text),
        Some(name) => Message::User {
            content: vec![Block::Text(text)],
            name: Some(name.to_owned()),
        },
    }
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod tests;
