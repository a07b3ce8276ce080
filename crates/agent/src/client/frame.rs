//! What a client brings that stands around every request of a turn: what it says of itself, and its tools.
//!
//! That is its own word, never the owner's.

use base::model::{Format, Sampling, ToolSpec};
use base::{TokenCount, escaped, estimate_text};

const CLIENT: &str = include_str!("../prompts/client.md");

/// What of a conversation stands around every request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClientFrame {
    pub(super) system: Option<String>,
    pub(super) tools: Vec<ToolSpec>,
    /// The most that the reply may hold.
    pub(crate) output_max: Option<TokenCount>,
    /// How its words are chosen.
    pub(crate) sampling: Sampling,
    /// The form of the reply.
    pub(crate) format: Option<Format>,
}

impl ClientFrame {
    /// What the client says of itself, between marks.
    pub(crate) fn text(&self) -> Option<String> {
        let said = escaped(self.system.as_deref()?.trim());
        Some(format!("\n{CLIENT}<client>\n{said}\n</client>\n"))
    }

    /// What the form of the reply takes of the request.
    pub(crate) fn format_tokens(&self) -> TokenCount {
        let schema = self.format.as_ref().map(|format| &format.schema);
        schema.map_or(TokenCount::ZERO, |schema| estimate_text(schema))
    }

    /// Our tools and those of the client, which go before ours of the same name.
    pub(crate) fn offer(&self, own: Vec<ToolSpec>) -> Vec<ToolSpec> {
        let own = own.into_iter().filter(|spec| !self.answers(&spec.name));
        own.chain(self.tools.iter().cloned()).collect()
    }

    /// Whether the client answers calls of this tool.
    pub(crate) fn answers(&self, tool: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == tool)
    }
}
