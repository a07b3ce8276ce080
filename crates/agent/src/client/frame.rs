//! The client's settings for every request of a turn: system text, tools, reply format.
//!
//! The system text is the client's word, never the owner's.

use base::model::{ReplyFormat, Sampling, ToolSpec};
use base::{TokenCount, escaped, estimate_text};

const CLIENT: &str = include_str!("../prompts/client.md");

/// A client's settings for every request of a turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClientFrame {
    pub(super) system: Option<String>,
    pub(super) tools: Vec<ToolSpec>,
    /// Token limit of the reply.
    pub(crate) output_max: Option<TokenCount>,
    /// How the reply is sampled.
    pub(crate) sampling: Sampling,
    /// Format of the reply.
    pub(crate) format: Option<ReplyFormat>,
}

impl ClientFrame {
    /// The client's system text, fenced and escaped.
    pub(crate) fn text(&self) -> Option<String> {
        let said = escaped(self.system.as_deref()?.trim());
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
