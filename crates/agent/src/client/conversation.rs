//! A conversation as a client sends it, with the client's settings for every request of the turn.
//!
//! A client's system text is its own word, never the owner's.

use base::model::{ReplyFormat, Sampling, ToolSpec};
use base::{Message, TokenCount, escaped, estimate_text};

use super::branch::question_of;

const CLIENT: &str = include_str!("../prompts/client.md");

/// A conversation as a client sends it, in full each time.
#[derive(Debug, Clone, PartialEq)]
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
    /// Whether the client shows its reader text below the reply. A client that asks for JSON does not.
    pub shows_notices: bool,
}

impl ClientConversation {
    /// The newest user message, without the text that the client added.
    pub(crate) fn question(&self) -> String {
        let mut asked = self.messages.iter().rev();
        let asked = asked.find(|it| matches!(it, Message::User { .. }));
        asked.map(question_of).unwrap_or_default()
    }

    /// The client's system text, fenced and escaped.
    pub(crate) fn text(&self) -> Option<String> {
        let said = self.system.as_deref().map(str::trim);
        let said = escaped(said.filter(|said| !said.is_empty())?);
        Some(format!("\n{CLIENT}<client>\n{said}\n</client>\n"))
    }

    /// Size of the reply format in a request.
    pub(crate) fn format_tokens(&self) -> TokenCount {
        let schema = self.format.as_ref().map(|format| &format.schema);
        schema.map_or(TokenCount::ZERO, |schema| estimate_text(schema))
    }

    /// Our tools and the client's; a client's tool replaces ours of the same name.
    pub(crate) fn offer(&self, own: Vec<ToolSpec>) -> Vec<ToolSpec> {
        let own = own.into_iter().filter(|spec| !self.answers(&spec.name));
        own.chain(self.tools.iter().cloned()).collect()
    }

    /// Whether the client answers calls of this tool.
    pub(crate) fn answers(&self, tool: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == tool)
    }
}
