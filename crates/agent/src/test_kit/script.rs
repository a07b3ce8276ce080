//! A model that follows a script, for the tests of this crate.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

use base::model::{Model, ModelError, ModelProfile, ReplyEvent, ReplyStream, Request};
use base::{Assistant, StopReason, TokenCount, ToolCall, ToolCallId};
use futures_util::StreamExt;

/// A model that gives the replies of a script, in order, regardless of the request.
pub(crate) struct Script {
    profile: ModelProfile,
    replies: Mutex<VecDeque<Vec<Result<ReplyEvent, ModelError>>>>,
    requests: Mutex<Vec<Request>>,
    meanwhile: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.profile.name)
    }
}

impl Script {
    pub(crate) fn new() -> Self {
        Self {
            profile: ModelProfile {
                name: "script".to_owned(),
                context_window: None,
                concurrency: usize::MAX,
                only_quotes: false,
            },
            replies: Mutex::default(),
            requests: Mutex::default(),
            meanwhile: Box::new(|| ()),
        }
    }

    /// This happens before each reply.
    pub(crate) fn meanwhile(self, happens: impl Fn() + Send + Sync + 'static) -> Self {
        let meanwhile = Box::new(happens);
        Self { meanwhile, ..self }
    }

    pub(crate) fn named(mut self, name: &str, concurrency: usize) -> Self {
        name.clone_into(&mut self.profile.name);
        self.profile.concurrency = concurrency;
        self
    }

    pub(crate) fn with_window(mut self, window: u64) -> Self {
        self.profile.context_window = Some(TokenCount(window));
        self
    }

    /// Says `Reply 1.` and so on.
    pub(crate) fn replies(n_replies: usize) -> Arc<Self> {
        let says = |script: Self, number| script.says(&format!("Reply {number}."));
        Arc::new((1..=n_replies).fold(Self::new(), says))
    }

    pub(crate) fn says(self, text: &str) -> Self {
        self.streams(vec![Ok(ReplyEvent::Text(text.to_owned())), Ok(done())])
    }

    /// Says this and is cut at its length limit.
    pub(crate) fn breaks_off(self, text: &str) -> Self {
        let stop = StopReason::Length;
        let text = Ok(ReplyEvent::Text(text.to_owned()));
        self.streams(vec![text, Ok(ReplyEvent::Done { stop, usage: None })])
    }

    pub(crate) fn calls(self, tool: &str, arguments: &str) -> Self {
        let call = ToolCall {
            id: ToolCallId::new("call-1"),
            name: tool.to_owned(),
            arguments: arguments.to_owned(),
        };
        self.streams(vec![Ok(ReplyEvent::ToolCall(call)), Ok(done())])
    }

    /// A reply that never ends unless it is interrupted, and has no end marker.
    pub(crate) fn streams(self, pieces: Vec<Result<ReplyEvent, ModelError>>) -> Self {
        self.replies.lock().unwrap().push_back(pieces);
        self
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

pub(crate) fn done() -> ReplyEvent {
    ReplyEvent::Done {
        stop: StopReason::Stop,
        usage: None,
    }
}

impl Model for Script {
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        (self.meanwhile)();
        self.requests.lock().unwrap().push(request.clone());
        let pieces = self.replies.lock().unwrap().pop_front();
        let pieces = pieces.unwrap_or_else(|| {
            vec![Err(ModelError::Unavailable {
                model: self.profile.name.clone(),
                reason: format!("no further {:?} reply", request.purpose),
            })]
        });
        let is_whole = pieces
            .iter()
            .any(|piece| matches!(piece, Ok(ReplyEvent::Done { .. }) | Err(_)));
        let events = futures_util::stream::iter(pieces);
        if is_whole {
            events.boxed()
        } else {
            events.chain(futures_util::stream::pending()).boxed()
        }
    }
}

/// A reply that was broken off after this text.
pub(crate) fn cut_reply(text: &str, stop: StopReason) -> Assistant {
    let content = if text.is_empty() {
        Vec::new()
    } else {
        vec![base::Block::Text(text.to_owned())]
    };
    Assistant {
        content,
        usage: None,
        stop,
    }
}
