//! Options and answers of search.
//!
//! Independent of how passages are found.

use base::model::Spelling;
use base::{Day, Locator, Origin, TokenCount};
use schemars::JsonSchema;
use serde::Serialize;

use super::explain::Explanation;
use super::score::EvidenceWeights;
use super::span::SpanCount;
use super::wire;
use crate::passage::PassageKind;
use crate::passage_source::Source;
use crate::sync::Unread;

/// Limits and filters of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Maximum number of results.
    pub limit: usize,
    /// Maximum tokens of all texts together.
    pub budget: Option<TokenCount>,
    /// Only passages of this day or later.
    pub after: Option<Day>,
    /// Only passages of this day or earlier.
    pub before: Option<Day>,
    /// Today's date, for phrases such as "last week"; without it they do not name a day.
    pub today: Option<Day>,
    /// Only passages from this source.
    pub source: Option<Source>,
    /// Only passages from these documents of a [`PassageSource`](crate::PassageSource), by path; all if empty.
    pub documents: Vec<String>,
    /// Only passages from these notes, by path; all if empty.
    pub notes: Vec<String>,
    /// No passages from these documents.
    pub hidden_documents: Vec<String>,
    /// No passages of notes that overlap these lines.
    pub hidden_lines: Vec<Locator>,
    /// Lines of a note without a day, each with the day from which it holds: the newer of two passages is put first.
    pub standing: Vec<StandingLine>,
    /// Weight of each kind of evidence; other values than the default are for experiments.
    pub weights: EvidenceWeights,
    /// Whether each result explains its score.
    pub explain: bool,
    /// Whether repetitions at several places are separate results.
    pub each_place: bool,
    /// Whether the text is a message, which may ask for nothing; a search always asks.
    pub is_message: bool,
    /// When to return the nearest passages though none is clearly relevant; `nothing` then says why.
    pub nearest: Nearest,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            limit: 10,
            budget: None,
            after: None,
            before: None,
            today: None,
            source: None,
            documents: Vec::new(),
            notes: Vec::new(),
            hidden_documents: Vec::new(),
            hidden_lines: Vec::new(),
            standing: Vec::new(),
            weights: EvidenceWeights::default(),
            explain: false,
            each_place: false,
            is_message: false,
            nearest: Nearest::Never,
        }
    }
}

/// A line that states the current state of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingLine {
    pub place: Locator,
    /// The day from which it holds.
    pub day: Day,
    /// Whether a person wrote it into the note: it then holds against what else was said on that day.
    pub is_by_hand: bool,
}

/// When to return passages though none is clearly relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearest {
    Never,
    /// If nothing is written in the language of the question, so that missing words prove nothing.
    InOtherLanguage,
    Always,
}

impl Nearest {
    /// Whether to return the nearest passages, given why none is clearly relevant.
    pub(crate) fn is_shown(self, why: NothingFound) -> bool {
        match self {
            Self::Never => false,
            Self::InOtherLanguage => why == NothingFound::OtherLanguage,
            Self::Always => true,
        }
    }
}

/// An answer, best first; lines of a span come first, in date order.
///
/// Serialises as the answer that programs read; what is left out there has `skip`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    /// How the search compared passages.
    pub mode: SearchMode,
    /// Why the answer may be incomplete.
    pub degraded: Option<Degraded>,
    /// Paths that cannot be read; the answer has nothing from them.
    #[serde(skip)]
    pub unreadable: Vec<String>,
    /// How much is not indexed yet; the answer has nothing from it.
    #[serde(skip_serializing_if = "Unread::is_nothing")]
    pub unread: Unread,
    /// The passages found.
    pub results: Vec<SearchResult>,
    /// Why there are no results, or none that is clearly relevant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing: Option<NothingFound>,
    /// How many earlier questions of the owner were left out, if nothing else was found.
    #[serde(rename = "asked", skip_serializing_if = "wire::is_zero")]
    pub n_asked: usize,
    /// A result that did not fit into the budget though it ranks above one that did.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "wire::left_out"
    )]
    #[schemars(with = "Option<wire::LeftOutWire<'static>>")]
    pub left_out: Option<LeftOut>,
    /// The count of matching lines if the question names a span of days.
    #[serde(skip)]
    pub span: Option<SpanCount>,
    /// Spelling corrections applied to words of the question that the index lacks.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "wire::spellings"
    )]
    #[schemars(with = "Vec<wire::SpellingWire<'static>>")]
    pub spellings: Vec<Spelling>,
}

impl SearchAnswer {
    /// Drops spellings that no result shows: the text that holds them may be hidden.
    pub(crate) fn keep_shown_spellings(&mut self) {
        let shown: Vec<String> = self
            .results
            .iter()
            .map(|it| it.text.to_lowercase())
            .collect();
        let is_shown = |word: &str| shown.iter().any(|text| text.contains(word));
        self.spellings.retain(|it| is_shown(&it.meant));
    }
}

/// The best result that the budget excluded.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    pub result: Box<SearchResult>,
    /// The smallest budget that fits it and everything ranked above it.
    pub budget: TokenCount,
}

/// How passages were compared with the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(into = "&'static str")]
#[schemars(extend("enum" = Self::ALL.map(Self::as_str)))]
pub enum SearchMode {
    /// By words and by meaning.
    Hybrid,
    /// By words only.
    Keyword,
}

base::words! { SearchMode: Hybrid = "hybrid", Keyword = "keyword" }

/// Why an answer may be incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(into = "&'static str")]
#[schemars(extend("enum" = Self::ALL.map(Self::as_str)))]
pub enum Degraded {
    /// The corpus has changed too much since the last sync to catch up in a search.
    Stale,
    /// The corpus has changed, and another process is writing the index.
    BeingWritten,
    /// The corpus has changed, and the index cannot be written.
    NotWritable,
    /// Some notes or sessions cannot be read.
    Unreadable,
    /// Some passages have no vector yet, so only words were compared.
    VectorsIncomplete,
    /// The embedder failed, so only words were compared.
    EmbedderFailed,
    /// The configured embedder is missing a file, so another one was used.
    EmbedderMissing,
}

base::words! {
    Degraded: Stale = "stale", BeingWritten = "being-written", NotWritable = "not-writable",
    Unreadable = "unreadable", VectorsIncomplete = "vectors-incomplete",
    EmbedderFailed = "embedder-failed", EmbedderMissing = "embedder-missing"
}

/// Why nothing was found, or nothing clearly relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(into = "&'static str")]
pub enum NothingFound {
    /// The question has no searchable word.
    NoWords,
    /// No visible passage holds any of its words.
    NoMatch,
    /// Some passages hold one of its words, but none is relevant.
    NothingRelevant,
    /// Some passages match, but none is likely to bear on the question.
    Unlikely,
    /// Nothing is written in the language of the question, and no passage is near enough in meaning.
    OtherLanguage,
    /// The only matches are earlier questions of the owner.
    OnlyAsked,
    /// No result fits into the budget.
    OverBudget,
}

impl NothingFound {
    /// The reason as a sentence without a full stop.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoWords => "the question has no searchable words",
            Self::NoMatch => "nothing contains any of these words",
            Self::NothingRelevant => "nothing relevant was found",
            Self::Unlikely => "nothing is surely about this; these are the nearest passages",
            Self::OtherLanguage => {
                "nothing is written in the language of the question; the nearest passages may be about something else"
            }
            Self::OnlyAsked => "nothing is known about this; it was only asked before",
            Self::OverBudget => "no passage found fits the budget",
        }
    }
}

impl From<NothingFound> for &'static str {
    fn from(reason: NothingFound) -> Self {
        reason.as_str()
    }
}

/// A passage found by search.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Its source.
    pub source: Source,
    /// Path relative to the workspace, or to the home for a session; in a folder of notes elsewhere, below its name.
    pub path: String,
    /// The title of a note and the headings above the passage, from the outermost in, if the note is in a folder
    /// elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// The text of exactly these lines without our comments, or part of a message; secrets are replaced.
    pub text: String,
    /// Higher is better; comparable only within one answer.
    pub score: f64,
    /// The calibrated likelihood, from 0 to 1, that it bears on the question; comparable between answers.
    #[serde(skip)]
    pub likelihood: f64,
    /// The kind of passage.
    #[serde(skip)]
    pub kind: PassageKind,
    /// The speaker, if known.
    #[serde(skip)]
    pub speaker: Option<String>,
    /// The origin of the text: `owner`, `agent`, `untrusted` or `system`.
    pub origin: Origin,
    /// Its day, if known.
    pub day: Option<Day>,
    /// The past day for which it states a plan; the outcome is unknown. Left to the caller, who may know its day better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_for: Option<Day>,
    /// The day on which a newer value took the place of what it says. Left to the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_on: Option<Day>,
    /// Whether the owner took back what it says, or called it never true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_untrue: bool,
    /// Whether it is untrue only because the owner took it back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_taken_back: bool,
    /// The latest known day on which it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_confirmed: Option<Day>,
    /// Whether [`SearchAnswer::span`] counts it.
    #[serde(skip)]
    pub is_of_span: bool,
    /// The place of the older value that this one updates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renews: Option<Locator>,
    /// Other places with the same words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Locator>,
    /// The explanation of the score, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

impl SearchResult {
    /// The fate of the value that it states, such as `replaced on 2026-11-30`, if the value no longer holds.
    pub fn ended(&self) -> Option<String> {
        let day = self.replaced_on?;
        Some(match (self.is_taken_back, self.is_untrue) {
            (true, _) => format!("taken back on {day}"),
            (false, true) => "never true".to_owned(),
            (false, false) => format!("replaced on {day}"),
        })
    }

    /// Its place.
    pub fn place(&self) -> Locator {
        Locator {
            path: self.path.clone(),
            start_line: self.start_line,
            end_line: self.end_line,
        }
    }
}
