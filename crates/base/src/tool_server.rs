//! The tool server port: programs of the owner that provide tools.
//!
//! Knows no protocol and starts no process.

use std::fmt::Debug;
use std::pin::Pin;

use crate::model::ToolSpec;

/// The tools of the owner's servers.
pub trait ToolServers: Send + Sync + Debug {
    /// Descriptions of the tools. Content and order stay fixed while the program runs, so that the prefix of every
    /// request stays byte-identical.
    fn specs(&self) -> Vec<ToolSpec>;

    /// The server that offers a tool; `None` if no server does.
    fn offer(&self, tool: &str) -> Option<ToolOffer>;

    /// Calls a tool and returns the server's own text. Dropping the future cancels the call.
    fn call<'a>(&'a self, tool: &'a str, arguments: &'a str) -> ToolAnswer<'a>;
}

/// The answer of a server's tool, or why the call failed.
pub type ToolAnswer<'a> = Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;

/// The server that offers a tool, and whether the owner must consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOffer {
    /// The server, as the owner named it.
    pub server: String,
    /// Whether to ask the owner first.
    pub consent: Consent,
}

/// Whether the owner is asked before a tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Before each call.
    Ask,
    /// Never: the owner has consented to all calls.
    Given,
}
