//! The recall stage: what memory holds about the owner's message, for one turn.
//!
//! Stores where the passages stand, never what they say.

use std::borrow::Cow;

use base::model::{Excerpt, MemoryReach, Recalled, Spelling};
use base::{Block, Locator, Message, Timestamp, TokenCount, Tz, short_hash};
use memory::daily_log::without_comments;
use search::{
    Degraded, IndexError, Nearest, NothingFound, SearchAnswer, SearchOptions, SearchResult, Source,
    SpanCount, ends_first, in_order,
};
use serde::Serialize;
use session::{Turn, View, ViewContent};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::fence::{RecallFence, fenced};
use crate::runtime::{HomeAccess, Runtime};
use crate::session_source::SessionSource;

/// The program's word for the entry that keeps what was recalled.
pub const RECALL_TYPE: &str = "openclaw:recall";

/// Most passages of one turn; the budget binds before, unless they are very short.
const PASSAGES_MAX: usize = 20;

/// Never more of the window than this part of it.
const WINDOW_PART: u64 = 16;

/// A passage whose score is below this part of the best one's is not about the message. A search shows more, since
/// whoever searches can tell; what a model is shown it takes to be about the message.
const FAR_PART: f64 = 0.5;

/// What memory holds about a message, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Recall {
    pub(crate) passages: Vec<SearchResult>,
    /// Those that no model is shown, for want of room or since none is surely about it: for an engine that weighs them
    /// itself.
    pub(crate) nearest: Vec<SearchResult>,
    /// How much of memory was looked through.
    pub(crate) reach: MemoryReach,
    /// What the days that the message names hold about it.
    pub(crate) span: Option<SpanCount>,
    /// The words of the message that were looked for under another spelling.
    pub(crate) spellings: Vec<Spelling>,
}

/// Where a passage stands, as the transcript keeps it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocatorWire<'a> {
    path: &'a str,
    start_line: usize,
    end_line: usize,
    hash: String,
}

/// Searches memory for the message that was appended last, and keeps in the transcript what was found.
///
/// A failure is reported and stops nothing: a reply without memory is better than none.
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
        // What was said in a session is its own; notes and the other sessions are for the primary one.
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
        is_primary || found.path == own_path || shows(turn.view(), &found.text)
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
        });
    }
    keep(&runtime.home, turn, recall, on_event)
}

fn budget(runtime: &Runtime) -> TokenCount {
    let window_share = TokenCount(runtime.engine.settings.context_window.0 / WINDOW_PART);
    runtime.memory.recall_budget.min(window_share)
}

/// Keeps in the transcript where the passages stand.
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
        Err(error) => on_event(Event::Warning(format!("the recall was not kept: {error}"))),
    }
    Ok(recall)
}

/// Whether a view shows this in a message: a fork has copies of what stands in another session.
fn shows(view: &View, text: &str) -> bool {
    view.items.iter().any(|item| match &item.content {
        ViewContent::Message(message) => message.text().contains(text),
        ViewContent::Summary(_) => false,
    })
}

/// An answer from some documents: what else cannot be read takes nothing from it.
fn about_these(mut answer: SearchAnswer, documents: &[String]) -> SearchAnswer {
    answer.unreadable.retain(|path| documents.contains(path));
    answer.degraded = answer
        .degraded
        .filter(|it| *it != Degraded::Unreadable || !answer.unreadable.is_empty());
    answer
}

/// `whole` is what is reached where nothing is missing.
fn reach(degraded: Option<Degraded>, whole: MemoryReach) -> MemoryReach {
    match degraded {
        // Words alone were compared, but with all that memory holds.
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

/// What is found without what only asks, what repeats another passage and what falls far behind the best.
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

/// The passages that fit with their fences, in their order; one that does not makes room for the next, and of the lines of
/// a span the best are kept.
pub(crate) fn pack(
    found: impl IntoIterator<Item = SearchResult>,
    budget: TokenCount,
) -> Vec<SearchResult> {
    let mut found: Vec<SearchResult> = found.into_iter().collect();
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

/// The passages between marks, below a line that counts those of a span.
pub(crate) fn rendered(passages: &[&SearchResult], span: Option<SpanCount>) -> Vec<String> {
    let has_span = passages.iter().any(|it| it.is_of_span);
    let count = span.filter(|_| has_span);
    let count = count.map(|span| format!("{}:", span.in_words(passages.iter().copied())));
    let passages = passages.iter().map(|passage| render(passage));
    count.into_iter().chain(passages).collect()
}

impl Recall {
    /// What is shown where the search failed: nothing, and that it failed.
    fn failed(error: &IndexError, on_event: OnEvent<'_>) -> Self {
        let warning = format!("memory was not searched for this message: {error}");
        on_event(Event::Warning(warning));
        Self {
            reach: MemoryReach::Failed,
            ..Self::default()
        }
    }

    /// The passages for an engine that extracts, with an instant in the day of each.
    pub(crate) fn excerpts(&self, now: Timestamp, timezone: Tz) -> Vec<Excerpt> {
        let excerpt = |(number, passage): (usize, &SearchResult)| Excerpt {
            label: format!("r{number}"),
            entry: None,
            at: passage.day.map_or(now, |day| day.noon(timezone)),
            origin: passage.origin,
            message: spoken(passage),
            recalled: Some(Recalled {
                place: place(passage),
                day: passage.day,
                planned_for: passage.planned_for,
            }),
        };
        let mut all: Vec<&SearchResult> = self.passages.iter().chain(&self.nearest).collect();
        // An engine that weighs them takes the first for the best.
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

/// A passage between marks that say where it stands.
pub(crate) fn render(passage: &SearchResult) -> String {
    let source = place(passage).to_string();
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

/// What a passage says to a model: the marks of the program are for the program.
pub(crate) fn shown_text(passage: &SearchResult) -> Cow<'_, str> {
    match passage.source {
        Source::Memory => without_comments(&passage.text).into(),
        Source::Session => (&passage.text).into(),
    }
}

pub(crate) fn place(passage: &SearchResult) -> Locator {
    Locator {
        path: passage.path.clone(),
        start_line: passage.start_line,
        end_line: passage.end_line,
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
