//! Search: the passages of notes and conversations that bear on a question, best first.
//!
//! Ranks nothing itself.

use base::{Day, TokenCount};
use extract::only_takes_back;
use schemars::JsonSchema;
use search::{Nearest, SearchAnswer, SearchOptions, SearchResult, Source};
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, OpEvent, Operation};
use super::past::{PastReply, PastScope, answered};

const LIMIT_DEFAULT: usize = 10;
const LIMIT_MAX: usize = 10_000;
const QUERY_CHARS_MAX: usize = 10_000;

/// A question to memory.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// The question.
    #[schemars(length(max = QUERY_CHARS_MAX))]
    pub query: String,
    /// Maximum number of passages; 10 by default.
    #[schemars(range(max = LIMIT_MAX))]
    pub limit: Option<usize>,
    /// Maximum number of tokens of all passages together.
    pub budget: Option<u64>,
    /// Both by default.
    pub source: Option<SearchSource>,
    /// Only passages of this day or later.
    pub after: Option<Day>,
    /// Only passages of this day or earlier.
    pub before: Option<Day>,
    /// Whether each passage explains its score.
    #[serde(default)]
    pub explain: bool,
    /// What was known at this time, such as `2026-04-20`, `2026-04-20 14:30` or `yesterday`; a day counts to its end.
    pub as_of: Option<String>,
}

/// Where to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SearchSource {
    /// Notes.
    Memory,
    /// Conversations.
    Session,
}

base::words! { SearchSource: Memory = "memory", Session = "session" }

impl From<SearchSource> for Source {
    fn from(source: SearchSource) -> Self {
        match source {
            SearchSource::Memory => Self::Memory,
            SearchSource::Session => Self::Session,
        }
    }
}

/// The passages found, best first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchReply {
    /// The question.
    pub query: String,
    /// How long the search took, in milliseconds.
    pub took_ms: u64,
    /// The days that the question names, if more than one; their passages come first, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<SpanReply>,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
    /// The answer.
    #[serde(flatten)]
    pub answer: SearchAnswer,
}

/// The lines about the question on the days that it names.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct SpanReply {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// Number of lines about the question.
    pub lines: usize,
    /// Number of days that have one.
    pub days: usize,
    /// Number of passages with these lines in the answer.
    pub shown: usize,
}

impl Search {
    fn options(&self) -> Result<SearchOptions, OpError> {
        if self.query.chars().count() > QUERY_CHARS_MAX {
            let why = format!("longer than {QUERY_CHARS_MAX} characters");
            return Err(OpError::invalid("query", why));
        }
        Ok(SearchOptions {
            limit: self.limit.unwrap_or(LIMIT_DEFAULT).min(LIMIT_MAX),
            budget: self.budget.map(TokenCount),
            after: self.after,
            before: self.before,
            source: self.source.map(Source::from),
            explain: self.explain,
            nearest: Nearest::InOtherLanguage,
            ..SearchOptions::default()
        })
    }
}

impl Operation for Search {
    type Reply = SearchReply;

    fn run(self, at: &OpContext<'_>) -> Result<SearchReply, OpError> {
        let as_of = self.as_of.clone();
        let (reply, as_of) = answered(as_of.as_deref(), PastScope::Search, at, |at| {
            self.answer(at)
        })?;
        Ok(SearchReply { as_of, ..reply })
    }
}

impl Search {
    fn answer(self, at: &OpContext<'_>) -> Result<SearchReply, OpError> {
        let options = self.options()?;
        let clock = &at.home.clock;
        let began_at = clock.monotonic();
        let mut on_progress = |progress| (at.on_event)(OpEvent::Sync(progress));
        let knowledge = at.knowledge()?;
        let mut answer = knowledge.search_as(at.viewer, &self.query, &options, &mut on_progress)?;
        // A request to forget would repeat the forgotten text.
        let is_request =
            |it: &SearchResult| it.source == Source::Session && only_takes_back(&it.text);
        answer.results.retain(|it| !is_request(it));
        let took = clock.monotonic().saturating_sub(began_at);
        for result in &mut answer.results {
            let day = result.day;
            result.last_confirmed.take_if(|last| Some(*last) == day);
        }
        let shown = answer.results.iter().filter(|it| it.is_of_span).count();
        Ok(SearchReply {
            query: self.query,
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            span: answer.span.map(|span| SpanReply {
                from: span.days.first,
                to: span.days.last,
                lines: span.n_lines,
                days: span.n_days,
                shown,
            }),
            as_of: None,
            answer,
        })
    }
}

impl SearchReply {
    /// The results of the days that the question names; they come first.
    pub fn of_span(&self) -> impl Iterator<Item = &SearchResult> {
        self.answer.results.iter().filter(|it| it.is_of_span)
    }
}
