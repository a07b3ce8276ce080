//! The port of tool servers: programs of the owner's that bring tools of their own.
//!
//! Knows no protocol and starts nothing.

use std::fmt::Debug;
use std::pin::Pin;

use crate::model::ToolSpec;

/// The tools that the owner's servers bring.
pub trait ToolServers: Send + Sync + Debug {
    /// How they are described: the same, in the same order, as long as the program runs, so that what every
    /// request begins with stays the same to the byte.
    fn specs(&self) -> Vec<ToolSpec>;

    /// Whose tool this is; `None` where nobody brings one of that name.
    fn offer(&self, tool: &str) -> Option<ToolOffer>;

    /// Answers a call; the text is the server's and nobody else's word. Dropping it gives the call up.
    fn call<'a>(&'a self, tool: &'a str, arguments: &'a str) -> ToolAnswer<'a>;
}

/// What a tool of a server answers, or why it does not.
pub type ToolAnswer<'a> = Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;

/// Whose tool it is, and whether it may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOffer {
    /// The server, as the owner named it.
    pub server: String,
    /// Whether the owner is asked.
    pub consent: Consent,
}

/// Whether the owner is asked before a tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Before each call.
    Ask,
    /// They have said yes to all.
    Given,
}
