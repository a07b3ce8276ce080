//! A model that answers from a script and records its requests.
//!
//! A request beyond the script fails, or gets the answer of a rule.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::model::{
    Extractor, Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{StopReason, TokenCount};

/// The pieces of one reply, in order.
type ScriptedReply = Vec<Result<ReplyEvent, ModelError>>;

/// A model with a queue of replies for each purpose.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    context_window: Option<TokenCount>,
    rule: Option<fn(&Request) -> String>,
    state: Mutex<ScriptState>,
}

#[derive(Debug, Default)]
struct ScriptState {
    replies: HashMap<Purpose, VecDeque<ScriptedReply>>,
    requests: Vec<Request>,
}

impl ScriptedModel {
    /// The name in its profile and in its errors.
    pub const NAME: &str = "scripted";

    /// A model with an empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the context window that the model reports.
    #[must_use]
    pub fn with_context_window(mut self, window: TokenCount) -> Self {
        self.context_window = Some(window);
        self
    }

    /// Sets the rule that answers requests beyond the script.
    #[must_use]
    pub fn otherwise(mut self, rule: fn(&Request) -> String) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Adds a text reply.
    #[must_use]
    pub fn reply(self, purpose: Purpose, text: impl Into<String>) -> Self {
        self.stream_of(purpose, said(text.into()))
    }

    /// Adds a failure.
    #[must_use]
    pub fn fail(self, purpose: Purpose, error: ModelError) -> Self {
        self.stream_of(purpose, vec![Err(error)])
    }

    /// Adds a reply as raw stream events, such as tool calls, usage, or an error in mid-stream.
    #[must_use]
    pub fn stream_of(self, purpose: Purpose, pieces: ScriptedReply) -> Self {
        self.state()
            .replies
            .entry(purpose)
            .or_default()
            .push_back(pieces);
        self
    }

    /// All requests, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// All requests for one purpose, in order.
    pub fn requests_for(&self, purpose: Purpose) -> Vec<Request> {
        let mut requests = self.requests();
        requests.retain(|request| request.purpose == purpose);
        requests
    }

    /// How many scripted replies are left.
    pub fn n_unused(&self) -> usize {
        self.state().replies.values().map(VecDeque::len).sum()
    }

    fn state(&self) -> MutexGuard<'_, ScriptState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for ScriptedModel {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: Self::NAME.to_owned(),
            context_window: self.context_window,
            concurrency: 2,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let mut state = self.state();
        state.requests.push(request.clone());
        let reply = state
            .replies
            .get_mut(&request.purpose)
            .and_then(VecDeque::pop_front);
        let pieces = match (reply, self.rule) {
            (Some(pieces), _) => pieces,
            (None, Some(rule)) => said(rule(request)),
            (None, None) => vec![Err(ModelError::Unavailable {
                model: Self::NAME.to_owned(),
                reason: format!("the script holds no further {:?} reply", request.purpose),
            })],
        };
        Box::pin(futures_util::stream::iter(pieces))
    }
}

impl Extractor for ScriptedModel {}

fn said(text: String) -> ScriptedReply {
    let done = ReplyEvent::Done {
        stop: StopReason::Stop,
        usage: None,
    };
    vec![Ok(ReplyEvent::Text(text)), Ok(done)]
}

#[cfg(test)]
mod tests {
    use base::model::complete;
    use base::{Assistant, Block};

    use super::*;

    fn request(purpose: Purpose) -> Request {
        Request {
            purpose,
            system: String::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            format: None,
            output_max: TokenCount(100),
            sampling: base::model::Sampling::Usual,
        }
    }

    #[tokio::test]
    async fn each_purpose_follows_its_own_script() {
        let refused = ModelError::Refused {
            model: "scripted".into(),
            reason: "no".into(),
        };
        let model = ScriptedModel::new()
            .reply(Purpose::Chat, "one")
            .fail(Purpose::Chat, refused.clone())
            .reply(Purpose::Flush, "note");
        let (chat, flush) = (request(Purpose::Chat), request(Purpose::Flush));
        let reply = |text: &str| {
            Ok(Assistant {
                content: vec![Block::Text(text.into())],
                ..Assistant::default()
            })
        };
        assert_eq!(complete(&model, &flush).await, reply("note"));
        assert_eq!(complete(&model, &chat).await, reply("one"));
        assert_eq!(complete(&model, &chat).await, Err(refused));
        let beyond = complete(&model, &flush).await;
        assert_eq!(
            beyond.unwrap_err().to_string(),
            "model scripted is unavailable: the script holds no further Flush reply"
        );
        assert_eq!(
            model.requests(),
            [&flush, &chat, &chat, &flush].map(Clone::clone)
        );
        let ruled = ScriptedModel::new().otherwise(|request| format!("{:?}!", request.purpose));
        assert_eq!(complete(&ruled, &chat).await, reply("Chat!"));
        assert_eq!(
            (model.requests_for(Purpose::Chat).len(), model.n_unused()),
            (2, 0)
        );
    }
}
