//! The recall stage: searches memory for the owner's message, for one turn.
//!
//! The transcript stores where the passages are, never their text.

use std::borrow::Cow;

use base::model::{Excerpt, MemoryReach, Recalled, Spelling};
use base::{Block, Message, Timestamp, TokenCount, Tz, short_hash};
use memory::daily_log::without_comments;
use search::{
    Degraded, IndexError, Nearest, NothingFound, SearchAnswer, SearchOptions, SearchResult, Source,
    SpanCount, ends_first, in_order,
};
use serde::Serialize;
use session::{Turn, ViewItem};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::fence::{RecallFence, fenced};
use crate::runtime::{HomeAccess, Runtime};
use crate::session_source::SessionSource;

/// Type of the transcript entry that records the recalled passages.
pub const RECALL_TYPE: &str = "openclaw:recall";

/// Limit of passages per turn; the token budget is reached earlier unless they are very short.
const PASSAGES_MAX: usize = 20;

/// Recall gets at most the window divided by this.
const WINDOW_PART: u64 = 16;

/// Passages that score below this fraction of the best one are not about the message. A search shows more, because a
/// person can judge them; a model assumes that whatever it is shown is relevant.
const FAR_PART: f64 = 0.5;

/// The recalled passages for a message, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Recall {
    pub(crate) passages: Vec<SearchResult>,
    /// Passages that no model is shown, because they do not fit or are not surely relevant; an engine that weighs
    /// passages itself gets them too.
    pub(crate) nearest: Vec<SearchResult>,
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

/// Searches memory for the newest message and records the passages in the transcript.
///
/// A failed search is reported and stops nothing: a reply without memory is better than none.
pub(crate) fn recall(
    runtime: &Runtime,
    turn: &mut Turn,
    text: &str,
    on_event: OnEvent<'_>,
) -> Result<Recall, TurnError> {
    let Some(knowledge) = &runtime.memory.knowledge else {
        return Ok(Recall::default());
    };
    let own_path = SessionSource::path_of(turn.name());
    let is_primary = runtime.is_primary(turn.name());
    let documents = if is_primary {
        Vec::new()
    } else {
        match knowledge.sessions().documents_of(turn.name()) {
            Ok(documents) => documents,
            Err(error) => return Ok(Recall::failed(&error.into(), on_event)),
        }
    };
    let options = SearchOptions {
        limit: PASSAGES_MAX,
        // Other sessions see only their own messages; notes and all sessions are for the primary one.
        documents: documents.clone(),
        nearest: Nearest::Always,
        ..SearchOptions::default()
    };
    let mut answer = match knowledge.recall(text, &options) {
        Ok(answer) if is_primary => answer,
        Ok(answer) => about_these(answer, &documents),
        Err(error) => return Ok(Recall::failed(&error, on_event)),
    };
    let is_question = |it: &SearchResult| it.path == own_path && text.contains(&it.text);
    let is_own = |found: &SearchResult| {
        is_primary || found.path == own_path || shows(&turn.view().items, &found.text)
    };
    answer.results.retain(|it| !is_question(it) && is_own(it));
    if !is_primary {
        answer.keep_shown_span();
    }
    let whole = if is_primary {
        MemoryReach::Whole
    } else {
        MemoryReach::Session
    };
    let mut nearest = worth_showing(answer.results);
    let passages = match answer.nothing {
        None | Some(NothingFound::OtherLanguage) => pack(nearest.clone(), budget(runtime)),
        Some(_) => Vec::new(),
    };
    nearest.retain(|it| !passages.contains(it));
    let recall = Recall {
        passages,
        nearest,
        reach: reach(answer.degraded, whole),
        span: answer.span,
        spellings: answer.spellings,
    };
    let n_passages = recall.passages.len();
    if n_passages > 0 || answer.degraded.is_some() {
        on_event(Event::Recalled {
            n_passages,
            degraded: answer.degraded,
            unreadable: answer.unreadable,
            unread: answer.unread,
        });
    }
    keep(&runtime.home, turn, recall, on_event)
}

fn budget(runtime: &Runtime) -> TokenCount {
    let window_share = TokenCount(runtime.engine.settings.context_window.0 / WINDOW_PART);
    runtime.memory.recall_budget.min(window_share)
}

/// Records the places of the passages in the transcript.
fn keep(
    home: &HomeAccess,
    turn: &mut Turn,
    recall: Recall,
    on_event: OnEvent<'_>,
) -> Result<Recall, TurnError> {
    if recall.passages.is_empty() {
        return Ok(recall);
    }
    match recall.to_json() {
        Ok(data) => {
            turn.append_custom(home.clock.now(), RECALL_TYPE, data)?;
        }
        Err(error) => on_event(Event::Warning(format!(
            "the recall could not be saved: {error}"
        ))),
    }
    Ok(recall)
}

/// Whether a message contains this text; a fork holds copies of another session's messages.
pub(crate) fn shows(items: &[ViewItem], text: &str) -> bool {
    let mut messages = items.iter().filter_map(ViewItem::message);
    messages.any(|message| message.text().contains(text))
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
            Degraded::VectorsIncomplete
            | Degraded::EmbedderFailed
            | Degraded::EmbedderMissing
            | Degraded::RerankerFailed,
        ) => whole,
        Some(Degraded::Stale | Degraded::BeingWritten | Degraded::NotWritable) => {
            MemoryReach::Behind
        }
        Some(Degraded::Unreadable) => MemoryReach::Partial,
    }
}

/// Drops questions, repetitions of another passage, and passages far below the best score.
pub(crate) fn worth_showing(mut found: Vec<SearchResult>) -> Vec<SearchResult> {
    found.retain(|it| !base::only_asks(&it.text));
    let best = found.iter().map(|it| it.score).fold(0.0, f64::max);
    let mut kept: Vec<SearchResult> = Vec::new();
    for passage in found {
        let is_near = passage.score >= best * FAR_PART;
        let repeats =
            |it: &SearchResult| it.text.contains(passage.text.trim()) && it.day == passage.day;
        if is_near && !kept.iter().any(repeats) {
            kept.push(passage);
        }
    }
    kept
}

/// The passages that fit into the budget with their fences, in order. One that is too large is skipped for the next;
/// of the lines of a span the best are kept.
pub(crate) fn pack(mut found: Vec<SearchResult>, budget: TokenCount) -> Vec<SearchResult> {
    ends_first(&mut found);
    let mut left = budget;
    found.retain(|passage| {
        let needed = base::estimate_text(&render(passage));
        let fits = needed <= left;
        if fits {
            left = left.saturating_sub(needed);
        }
        fits
    });
    in_order(&mut found);
    found
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
                day: passage.day,
                planned_for: passage.planned_for,
            }),
        };
        let mut all: Vec<&SearchResult> = self.passages.iter().chain(&self.nearest).collect();
        // The engine takes the first passage for the best.
        if self.span.is_some() {
            all.sort_by(|left, right| right.score.total_cmp(&left.score));
        }
        (1_usize..).zip(all).map(excerpt).collect()
    }

    fn to_json(&self) -> Result<String, serde_json::Error> {
        let wire: Vec<LocatorWire<'_>> = self
            .passages
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
}

/// A passage in a fence that names its place.
pub(crate) fn render(passage: &SearchResult) -> String {
    let source = passage.place().to_string();
    let fence = RecallFence {
        source: &source,
        day: passage.day,
        origin: Some(passage.origin),
        planned_for: passage.planned_for,
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
