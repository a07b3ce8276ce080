//! A conversation as a client sends it.
//!
//! A client's system text is its own word, never the owner's.

use std::sync::Arc;

use base::model::{ReplyFormat, Sampling, ToolSpec};
use base::{Message, TokenCount};

use super::frame::ClientFrame;

/// A conversation as a client sends it, in full each time.
#[derive(Debug, Clone)]
pub struct ClientConversation {
    /// The messages, oldest first; the newest waits for a reply.
    pub messages: Vec<Message>,
    /// The client's system text.
    pub system: Option<String>,
    /// Tools whose calls the client answers.
    pub tools: Vec<ToolSpec>,
    /// Token limit of the reply, if the client sets one.
    pub output_max: Option<TokenCount>,
    /// How the reply is sampled.
    pub sampling: Sampling,
    /// Format of the reply, if the client sets one.
    pub format: Option<ReplyFormat>,
}

impl ClientConversation {
    /// The client's settings that apply to every request of the turn.
    pub(crate) fn frame(&self) -> Arc<ClientFrame> {
        let system = self.system.clone();
        Arc::new(ClientFrame {
            system: system.filter(|system| !system.trim().is_empty()),
            tools: self.tools.clone(),
            output_max: self.output_max,
            sampling: self.sampling,
            format: self.format.clone(),
        })
    }

    /// The newest user message.
    pub(crate) fn question(&self) -> String {
        let mut asked = self.messages.iter().rev();
        let asked = asked.find(|it| matches!(it, Message::User { .. }));
        asked.map(Message::text).unwrap_or_default()
    }
}
