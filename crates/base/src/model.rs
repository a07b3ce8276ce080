//! The model port: a request with a purpose, answered by a streamed reply.
//!
//! Independent of providers and prompts.

use std::fmt::Debug;
use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};

use crate::{
    Assistant, Block, Day, EntryId, Locator, Message, Origin, StopReason, Timestamp, TokenCount,
    ToolCall, Usage,
};

/// Answers requests. May be remote, local or the offline engine.
pub trait Model: Send + Sync + Debug {
    /// The properties that a caller needs to plan a request.
    fn profile(&self) -> ModelProfile;

    /// Streams the reply to one request.
    ///
    /// The stream ends after [`ReplyEvent::Done`] or the first error. Dropping it cancels the call.
    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a>;
}

/// Answers by quoting evidence, without a language model: the last rung of every ladder.
pub trait Extractor: Model {
    /// Answers one request from the evidence.
    ///
    /// The default ignores the evidence, which suits test doubles that read the messages of the request.
    fn quote<'a>(&'a self, request: &'a Request, _evidence: &'a ExtractorInput) -> ReplyStream<'a> {
        self.stream(request)
    }
}

/// The evidence that an extractor quotes from, in structured form. Models never see it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExtractorInput {
    /// The messages to quote from. For [`Purpose::Chat`], the passages that memory search found for the newest
    /// message, best first.
    pub excerpts: Vec<Excerpt>,
    /// How much of memory was searched for those passages.
    pub reach: MemoryReach,
    /// Spelling corrections applied to the newest message.
    pub spellings: Vec<Spelling>,
    /// The list that the newest message asks for, if it asks for one. The list is then the whole answer.
    pub listing: Option<Listing>,
}

/// A list from memory that answers a question as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// What it lists.
    pub kind: ListingKind,
    /// Its lines, in order.
    pub lines: Vec<ListedLine>,
}

/// What a list from memory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListingKind {
    /// What is known about the owner.
    About,
    /// What is planned for the days ahead.
    Ahead,
    /// Nothing, since the owner asks for a reminder at a certain time.
    Reminder,
    /// Nothing, since the owner asks for a reminder at a time that is not certain.
    UnsureReminder,
    /// Nothing, since the owner asks for a reminder, but does not say of what.
    EmptyReminder,
    /// Nothing, since the owner takes back the reminder that was just made.
    RefusedReminder,
    /// Nothing, since the owner corrects a line that is certain.
    Correction,
    /// The lines of memory that the owner may correct, each with the command that does it.
    UnsureCorrection,
}

/// One line of a list from memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLine {
    /// The heading above the line.
    pub heading: Option<String>,
    pub text: String,
    /// Its place in memory.
    pub place: Locator,
    /// The day on which it was said or noted, if known.
    pub day: Option<Day>,
    /// The command that does with it what was asked, without the home.
    pub command: Option<String>,
}

impl From<Vec<Excerpt>> for ExtractorInput {
    fn from(excerpts: Vec<Excerpt>) -> Self {
        Self {
            excerpts,
            ..Self::default()
        }
    }
}

/// An extractor with its evidence, usable as a [`Model`].
#[derive(Debug, Clone, Copy)]
pub struct Quoting<'e> {
    /// The extractor that answers.
    pub extractor: &'e dyn Extractor,
    /// The evidence that it quotes from.
    pub evidence: &'e ExtractorInput,
}

impl Model for Quoting<'_> {
    fn profile(&self) -> ModelProfile {
        self.extractor.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        self.extractor.quote(request, self.evidence)
    }
}

/// The events of a reply as they arrive.
pub type ReplyStream<'a> = Pin<Box<dyn Stream<Item = Result<ReplyEvent, ModelError>> + Send + 'a>>;

/// Name, window and limits of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProfile {
    /// The display name, such as `offline`.
    pub name: String,
    /// The detected context window, if it was detected; a configured window overrides it.
    pub context_window: Option<TokenCount>,
    /// Number of calls that the model serves in parallel. If it is 1, a chat message waits for the call in progress.
    pub concurrency: usize,
    /// Whether every reply is a quotation or a stock phrase, so that nothing can be learned from replies.
    pub only_quotes: bool,
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To answer the owner.
    Chat,
    /// To write notes worth keeping.
    Flush,
    /// To summarise older messages.
    Summarise,
    /// To distil daily logs into long-term memory.
    Consolidate,
}

/// A request to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Why it is made.
    pub purpose: Purpose,
    /// The system prompt.
    pub system: String,
    /// The conversation shown to the model, in order.
    pub messages: Vec<Message>,
    /// The tools that the reply may call.
    pub tools: Vec<ToolSpec>,
    /// The format of the reply; `None` asks for prose.
    pub format: Option<ReplyFormat>,
    /// Maximum tokens of the reply.
    pub output_max: TokenCount,
    /// How the model samples.
    pub sampling: Sampling,
}

impl Request {
    /// A request for prose, without tools.
    pub fn new(
        purpose: Purpose,
        system: impl Into<String>,
        messages: Vec<Message>,
        output_max: TokenCount,
    ) -> Self {
        Self {
            purpose,
            system: system.into(),
            messages,
            tools: Vec::new(),
            format: None,
            output_max,
            sampling: Sampling::Usual,
        }
    }
}

/// A JSON schema that the reply must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyFormat {
    /// The name of the schema, in letters and underscores.
    pub name: &'static str,
    /// The JSON schema of an object, as JSON text; every property is required, no others are allowed.
    pub schema: String,
}

/// How a model samples tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sampling {
    /// The server's default.
    #[default]
    Usual,
    /// Greedy, which is temperature 0: the same request gives the same reply.
    Likeliest,
}

/// A spelling correction: a word in a question that memory does not contain, and a similar word that memory contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// The misspelt word of the question, in lower case.
    pub asked: String,
    /// The word that was searched for instead.
    pub meant: String,
}

/// How much of memory was searched for the passages of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MemoryReach {
    /// All of it, or the request is not about memory.
    #[default]
    Whole,
    /// All but the newest notes: the index lags behind and will catch up.
    Behind,
    /// All but unreadable files.
    Partial,
    /// Only the session itself, which has no access to the rest of memory.
    Session,
    /// Nothing was searched, because the search failed.
    Failed,
}

/// A piece of evidence that a request is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Excerpt {
    /// The label that a reply cites, such as `e12`; unique within the request.
    pub label: String,
    /// Its transcript entry; `None` for the text of an earlier summary.
    pub entry: Option<EntryId>,
    /// The time of the message.
    pub at: Timestamp,
    /// The author who is responsible for it.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
    /// The place of the passage in memory; `None` for a part of the conversation itself.
    pub recalled: Option<Recalled>,
}

/// The place of a passage in memory, and what is known about its dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalled {
    /// The file and its lines.
    pub place: Locator,
    /// Its day, if known. The time of the excerpt is then an arbitrary time on that day.
    pub day: Option<Day>,
    /// The day for which the passage plans something, if that day has passed.
    pub planned_for: Option<Day>,
    /// The place of the older passage that it corrects.
    pub renews: Option<Locator>,
}

/// A tool that a reply may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    pub name: String,
    /// A description for the model.
    pub description: String,
    /// The JSON schema of its arguments, as JSON text.
    pub parameters: String,
}

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyEvent {
    /// More text.
    Text(String),
    /// More reasoning.
    Thinking(String),
    /// A complete tool call.
    ToolCall(ToolCall),
    /// Nothing has arrived. The request will be retried after a wait.
    AskedAgain {
        /// The reason why nothing arrived.
        reason: String,
        /// The wait before the retry.
        wait: Duration,
    },
    /// A notice for the owner that does not stop the reply, for example about a format that the server does not
    /// support.
    Warning(String),
    /// The end of the reply.
    Done {
        /// Why the reply ended.
        stop: StopReason,
        /// The provider's token counts, if reported.
        usage: Option<Usage>,
    },
}

/// The sizes that a provider reports when it rejects a request as too large, in its own tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SaidSizes {
    /// The largest size that the provider accepts.
    pub window: Option<TokenCount>,
    /// Its count of the request, without the reply.
    pub request: Option<TokenCount>,
}

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The model cannot be reached.
    #[error("model {model} is unavailable: {reason}")]
    Unavailable {
        model: String,
        /// The connection error.
        reason: String,
    },
    /// The request is larger than the model's window.
    #[error("the request is larger than the window of model {model}")]
    ContextOverflow {
        model: String,
        /// The sizes that the provider reported.
        said: SaidSizes,
    },
    /// The provider limits the rate of requests.
    #[error("model {model} is rate-limited")]
    RateLimited {
        model: String,
        /// How long to wait, if the provider reports it.
        retry_after: Option<Duration>,
    },
    /// The provider rejected the request; a retry will not help.
    #[error("model {model} refused the request: {reason}")]
    Refused {
        model: String,
        /// The provider's message.
        reason: String,
    },
    /// The reply broke off or was malformed.
    #[error("the reply of model {model} broke off: {reason}")]
    Broken {
        model: String,
        /// The cause.
        reason: String,
    },
}

/// Waits for the complete reply.
///
/// # Errors
///
/// The first error of the stream, or [`ModelError::Broken`] when it ends without [`ReplyEvent::Done`].
pub async fn complete(model: &dyn Model, request: &Request) -> Result<Assistant, ModelError> {
    complete_telling(model, request, &mut |_| {}).await
}

/// Waits for the complete reply, and passes warnings to `on_warning`.
pub async fn complete_telling(
    model: &dyn Model,
    request: &Request,
    on_warning: &mut (dyn FnMut(String) + Send),
) -> Result<Assistant, ModelError> {
    let mut stream = model.stream(request);
    let mut content = Vec::new();
    while let Some(event) = stream.next().await {
        match event? {
            ReplyEvent::Text(more) => match content.last_mut() {
                Some(Block::Text(text)) => text.push_str(&more),
                _ => content.push(Block::Text(more)),
            },
            ReplyEvent::Thinking(more) => match content.last_mut() {
                Some(Block::Thinking(text)) => text.push_str(&more),
                _ => content.push(Block::Thinking(more)),
            },
            ReplyEvent::ToolCall(call) => content.push(Block::ToolCall(call)),
            ReplyEvent::AskedAgain { .. } => {}
            ReplyEvent::Warning(warning) => on_warning(warning),
            ReplyEvent::Done { stop, usage } => {
                return Ok(Assistant {
                    content,
                    usage,
                    stop,
                });
            }
        }
    }
    let model = model.profile().name;
    Err(ModelError::Broken {
        model,
        reason: "the stream ended early".into(),
    })
}
