//! The tool server port: programs of the owner that provide tools.
//!
//! Independent of protocols; starts no process.

use std::fmt::Debug;
use std::pin::Pin;

use crate::model::ToolSpec;

/// The tools of the owner's servers.
pub trait ToolServers: Send + Sync + Debug {
    /// Descriptions of the tools. Content and order do not change while the program runs, so that the prefix of every
    /// request stays byte-identical.
    fn specs(&self) -> Vec<ToolSpec>;

    /// The server that offers a tool; `None` if no server does.
    fn offer(&self, tool: &str) -> Option<ToolOffer>;

    /// Calls a tool; returns the server's text. Dropping the future cancels the call.
    fn call<'a>(&'a self, tool: &'a str, arguments: &'a str) -> ToolAnswer<'a>;
}

/// The answer of a server's tool, or the reason why the call failed.
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
    /// The owner is asked before each call.
    Ask,
    /// The owner is not asked, because they consented to all calls.
    Given,
}
