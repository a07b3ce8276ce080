//! The owner's permissions for the tools of a conversation, and the traits that ask for consent.

use std::fmt::Debug;
use std::sync::Arc;

use base::tool_server::ToolServers;

/// The tools available besides those of memory.
#[derive(Debug, Clone, Default)]
pub struct ToolAccess {
    /// Access to workspace files.
    pub files: FileAccess,
    /// The owner's tool servers.
    pub servers: Option<Arc<dyn ToolServers>>,
    /// Asks the owner for consent to their calls; `None` if the owner cannot be asked.
    pub approver: Option<Arc<dyn Approver>>,
}

/// The assistant's access to workspace files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum FileAccess {
    /// No access.
    #[default]
    None,
    /// List and read.
    Read,
    /// Also write and edit.
    Write,
}

/// Asks the owner whether a server's tool may be called.
pub trait Approver: Send + Sync + Debug {
    /// Shows the call and waits for the owner's answer.
    fn ask(&self, call: &OutsideCall<'_>) -> OwnerAnswer;
}

/// A call that needs the owner's consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideCall<'a> {
    /// The server, by the owner's name for it.
    pub server: &'a str,
    /// The tool, by the name that the assistant uses.
    pub tool: &'a str,
    /// JSON text as the model wrote it.
    pub arguments: &'a str,
}

/// The owner's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OwnerAnswer {
    /// Consent.
    Yes,
    /// Refusal.
    No,
    /// The owner could not be asked.
    NobodyThere,
}
