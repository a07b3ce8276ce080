//! What is asked of search and what it answers.
//!
//! Knows nothing of how passages are found.

use base::model::Spelling;
use base::{Day, Locator, Origin, TokenCount};

use super::explain::Explanation;
use super::score::Weights;
use super::span::SpanCount;
use crate::passage::PassageKind;
use crate::passage_source::Source;

/// What bounds an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Most results.
    pub limit: usize,
    /// Most tokens of all texts together.
    pub budget: Option<TokenCount>,
    /// Only passages of this day or later ones.
    pub after: Option<Day>,
    /// Only passages of this day or earlier ones.
    pub before: Option<Day>,
    /// What counts as today in words such as "last week"; without it they name no day.
    pub today: Option<Day>,
    /// Only passages of this source.
    pub source: Option<Source>,
    /// Only passages of these documents of a [`PassageSource`](crate::PassageSource), by their paths; of
    /// everything where none is named.
    pub documents: Vec<String>,
    /// No passages of these documents.
    pub hidden_documents: Vec<String>,
    /// No passages of notes that reach into these lines.
    pub hidden_lines: Vec<Locator>,
    /// What each kind of evidence is worth; others than the program's are for those who measure.
    pub weights: Weights,
    /// Whether each result says how its score came about.
    pub explain: bool,
    /// Whether what is said in the same words at several places is a result for each.
    pub each_place: bool,
    /// When the nearest passages are results though none is surely about the question; `nothing` then says why.
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
            hidden_documents: Vec::new(),
            hidden_lines: Vec::new(),
            weights: Weights::default(),
            explain: false,
            each_place: false,
            nearest: Nearest::Never,
        }
    }
}

/// When passages are results of which none is surely about the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearest {
    /// Never.
    Never,
    /// Where nothing is written in the language of the question, so that its words prove nothing.
    InOtherLanguage,
    /// Always.
    Always,
}

impl Nearest {
    /// Whether the nearest passages are results where none is surely about the question, for this reason.
    pub(crate) fn is_shown(self, why: NothingFound) -> bool {
        match self {
            Self::Never => false,
            Self::InOtherLanguage => why == NothingFound::OtherLanguage,
            Self::Always => true,
        }
    }
}

/// An answer, best first; the lines of a span stand before it in the order of their days.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// How the passages were found.
    pub mode: SearchMode,
    /// Why the answer may lack something.
    pub degraded: Option<Degraded>,
    /// What cannot be read, by path; nothing of it is found.
    pub unreadable: Vec<String>,
    /// The passages.
    pub results: Vec<SearchResult>,
    /// Why there are none, or none that is surely about the question.
    pub nothing: Option<NothingFound>,
    /// How many questions of the owner were found, where nothing else was; who looks for questions is given them.
    pub n_asked: usize,
    /// What did not fit into the budget though it is better than what is shown.
    pub left_out: Option<LeftOut>,
    /// What the days that the question names hold about it, where they are several.
    pub span: Option<SpanCount>,
    /// What was taken for words of the question that stand nowhere.
    pub spellings: Vec<Spelling>,
}

impl SearchAnswer {
    /// Tells of no other spelling than of those that results show; the rest may be hidden.
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

/// The best passage that a budget kept out of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// The passage.
    pub result: Box<SearchResult>,
    /// The least budget that holds it and what is better.
    pub budget: TokenCount,
}

/// How passages were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SearchMode {
    /// By their words and by their meaning.
    Hybrid,
    /// By their words.
    Keyword,
}

base::words! { SearchMode: Hybrid = "hybrid", Keyword = "keyword" }

/// Why an answer may lack something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Degraded {
    /// Much has changed since the index was written.
    Stale,
    /// Something has changed, and another process is writing the index.
    BeingWritten,
    /// Something has changed, and the index cannot be written.
    NotWritable,
    /// Some notes or sessions cannot be read.
    Unreadable,
    /// Some passages have no vector of the embedder yet, so that words alone were compared.
    VectorsIncomplete,
    /// The embedder did not answer, so that words alone were compared.
    EmbedderFailed,
    /// Something of the embedder is not there, so that another one was asked.
    EmbedderMissing,
}

base::words! {
    Degraded: Stale = "stale", BeingWritten = "being-written", NotWritable = "not-writable",
    Unreadable = "unreadable", VectorsIncomplete = "vectors-incomplete",
    EmbedderFailed = "embedder-failed", EmbedderMissing = "embedder-missing"
}

/// Why nothing was found, or nothing that is surely about the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NothingFound {
    /// The question holds no word that can be looked for.
    NoWords,
    /// No passage that may be shown holds any of its words.
    NoMatch,
    /// Some passages hold a word of it, but none is about it.
    NothingRelevant,
    /// Nothing is written in the language of the question, and no passage is near enough in meaning.
    OtherLanguage,
    /// Only what the owner asked before is about it.
    OnlyAsked,
    /// What was found does not fit into the budget.
    OverBudget,
}

impl NothingFound {
    /// A sentence without its full stop.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoWords => "the question holds no word that can be looked for",
            Self::NoMatch => "nothing holds any of these words",
            Self::NothingRelevant => "nothing relevant was found",
            Self::OtherLanguage => {
                "nothing is written in the language of the question; the nearest passages may be about something else"
            }
            Self::OnlyAsked => "nothing is known of this; it was only asked before",
            Self::OverBudget => "no passage that was found fits into the budget",
        }
    }
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// What it was found in.
    pub source: Source,
    /// Relative to the workspace, for a session to the home.
    pub path: String,
    /// The first line, from 1.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
    /// Exactly these lines without our comments, or for a message a part of it; secrets are replaced.
    pub text: String,
    /// Higher is better; comparable within one answer.
    pub score: f64,
    /// What it is.
    pub kind: PassageKind,
    /// Who says it, where that is known.
    pub speaker: Option<String>,
    /// Who is answerable for it.
    pub origin: Origin,
    /// Its day, where one is known.
    pub day: Option<Day>,
    /// The day for which it plans something, where that has passed; nobody says what became of it.
    pub planned_for: Option<Day>,
    /// The day on which it was said last, as far as that is known.
    pub last_confirmed: Option<Day>,
    /// Whether it is one of the lines that [`SearchAnswer::span`] counts.
    pub is_of_span: bool,
    /// Where the older value stands that this one renews.
    pub renews: Option<Locator>,
    /// Where else the same is said in the same words.
    pub also: Vec<Locator>,
    /// How the score came about, if asked.
    pub explanation: Option<Explanation>,
}
