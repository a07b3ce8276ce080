//! The model port: a request that states its purpose, a streamed reply.
//!
//! Knows no provider and no prompt.

use std::fmt::Debug;
use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};

use crate::{
    Assistant, Block, Day, EntryId, Locator, Message, Origin, StopReason, Timestamp, TokenCount,
    ToolCall, Usage,
};

/// Answers requests; may be remote, local or the offline engine.
pub trait Model: Send + Sync + Debug {
    /// What the caller must know before it plans a request.
    fn profile(&self) -> ModelProfile;

    /// Answers one request, piece by piece.
    ///
    /// A stream ends after [`ReplyEvent::Done`] or after the first error. Dropping it cancels the call.
    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a>;
}

/// Answers by quotation from evidence, with no model behind it: the last rung of every ladder.
pub trait Extractor: Model {
    /// Answers one request from what is given beside it.
    ///
    /// A double that reads the messages of the request needs no other evidence.
    fn quote<'a>(&'a self, request: &'a Request, _evidence: &'a Evidence) -> ReplyStream<'a> {
        self.stream(request)
    }
}

/// What an extractor quotes from, in structured form; no model sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// What was said; for [`Purpose::Chat`], the passages that memory holds about the newest message, best first.
    pub excerpts: Vec<Excerpt>,
    /// Whether those passages come from all that memory holds.
    pub reach: MemoryReach,
    /// The words of the newest message that were looked for under another spelling.
    pub spellings: Vec<Spelling>,
}

impl From<Vec<Excerpt>> for Evidence {
    fn from(excerpts: Vec<Excerpt>) -> Self {
        Self {
            excerpts,
            ..Self::default()
        }
    }
}

/// An extractor with what it quotes from, where a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct Quoting<'e> {
    /// Who answers.
    pub extractor: &'e dyn Extractor,
    /// What it answers from.
    pub evidence: &'e Evidence,
}

impl Model for Quoting<'_> {
    fn profile(&self) -> ModelProfile {
        self.extractor.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        self.extractor.quote(request, self.evidence)
    }
}

/// The pieces of a reply as they arrive.
pub type ReplyStream<'a> = Pin<Box<dyn Stream<Item = Result<ReplyEvent, ModelError>> + Send + 'a>>;

/// What the caller must know of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProfile {
    /// The name that people see, such as `offline`.
    pub name: String,
    /// The window that was found out, if any; the configuration has the last word.
    pub context_window: Option<TokenCount>,
    /// Calls that it serves at the same time; with 1, whoever speaks waits for what is under way.
    pub concurrency: usize,
    /// Whether all that it says is a quotation or a formula, from which nobody is to learn.
    pub only_quotes: bool,
}

/// Why a request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To answer the owner.
    Chat,
    /// To write down what is worth keeping.
    Flush,
    /// To put a summary in the place of older messages.
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
    /// The conversation that the model is shown, in order.
    pub messages: Vec<Message>,
    /// The tools that the reply may call.
    pub tools: Vec<ToolSpec>,
    /// The form of the reply; prose where nothing is said.
    pub format: Option<Format>,
    /// The most that the reply may hold.
    pub output_max: TokenCount,
    /// How its words are chosen.
    pub sampling: Sampling,
}

/// JSON that a reply has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// Names the schema, in letters and underscores.
    pub name: &'static str,
    /// The JSON schema of an object, as JSON text; every property is required and no other is allowed.
    pub schema: String,
}

/// How a model chooses its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sampling {
    /// As its server does where nothing is said.
    #[default]
    Usual,
    /// Always the likeliest, which is temperature 0: the same request gives the same reply.
    Likeliest,
}

/// A word of a question that stands nowhere, and one that does and is written nearly so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// The word of the question, in lower case.
    pub asked: String,
    /// The word that was looked for in its place.
    pub meant: String,
}

/// How much of memory was looked through for the passages of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MemoryReach {
    /// All of it, or the request is not about memory.
    #[default]
    Whole,
    /// Not what was written last, which will be found later.
    Behind,
    /// Not what cannot be read.
    Partial,
    /// Only the session itself, for which the rest of memory is not.
    Session,
    /// Nothing: the search failed.
    Failed,
}

/// A piece of evidence that a request is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Excerpt {
    /// What a reply cites it by, such as `e12`; unique within the request.
    pub label: String,
    /// Where it stands in the transcript; `None` for the text of an earlier summary.
    pub entry: Option<EntryId>,
    /// When it was said.
    pub at: Timestamp,
    /// Who is answerable for it.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
    /// Where memory holds it; `None` where it is a part of the conversation itself.
    pub recalled: Option<Recalled>,
}

/// Where memory holds a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalled {
    /// The file and its lines.
    pub place: Locator,
    /// Its day, where one is known; the instant of its excerpt is then a guess within it.
    pub day: Option<Day>,
    /// The day for which it plans something, where that has passed.
    pub planned_for: Option<Day>,
}

/// A tool that a reply may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    /// The name to call it by.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments, as JSON text.
    pub parameters: String,
}

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReplyEvent {
    /// More text.
    Text(String),
    /// More thought.
    Thinking(String),
    /// A whole tool call.
    ToolCall(ToolCall),
    /// Nothing came yet: the request is sent once more after a wait.
    #[serde(skip)]
    AskedAgain {
        /// Why nothing came.
        reason: String,
        /// How long is waited.
        wait: Duration,
    },
    /// Something that the owner should know and that stops nothing, such as a form that the server does not take.
    #[serde(skip)]
    Warning(String),
    /// The end.
    Done {
        /// Why the reply ended.
        stop: StopReason,
        /// What the provider counted, if it said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
}

/// What a provider says of a request that it refuses as too large, in its own tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SaidSizes {
    /// The most that it takes.
    pub window: Option<TokenCount>,
    /// What it counted for the request, without the reply.
    pub request: Option<TokenCount>,
}

/// A request that was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Nothing answers there.
    #[error("model {model} is unavailable: {reason}")]
    Unavailable {
        /// The model.
        model: String,
        /// What the connection said.
        reason: String,
    },
    /// The request is larger than the model's window.
    #[error("the request is larger than the window of model {model}")]
    ContextOverflow {
        /// The model.
        model: String,
        /// What the provider said of the two sizes.
        said: SaidSizes,
    },
    /// Too many requests.
    #[error("model {model} asks to wait")]
    RateLimited {
        /// The model.
        model: String,
        /// How long, if it said so.
        retry_after: Option<Duration>,
    },
    /// The provider refused the request; trying again will not help.
    #[error("model {model} refused the request: {reason}")]
    Refused {
        /// The model.
        model: String,
        /// What it said.
        reason: String,
    },
    /// The reply broke off or made no sense.
    #[error("the reply of model {model} broke off: {reason}")]
    Broken {
        /// The model.
        model: String,
        /// What was wrong.
        reason: String,
    },
}

/// Waits for a whole reply.
///
/// # Errors
///
/// The first error of the stream, or [`ModelError::Broken`] when it ends without [`ReplyEvent::Done`].
pub async fn complete(model: &dyn Model, request: &Request) -> Result<Assistant, ModelError> {
    complete_telling(model, request, &mut |_| {}).await
}

/// Waits for a whole reply, and passes on its warnings.
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
        reason: "it ended without saying so".into(),
    })
}
