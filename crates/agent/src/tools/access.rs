//! What the owner allows the tools of a conversation, and how the owner is asked.
//!
//! Does nothing itself.

use std::fmt::Debug;
use std::sync::Arc;

use base::Locator;
use base::tool_server::ToolServers;

/// Which tools there are besides those of memory.
#[derive(Debug, Clone, Default)]
pub struct ToolAccess {
    /// What may be done with files of the workspace.
    pub files: FileAccess,
    /// The owner's servers.
    pub servers: Option<Arc<dyn ToolServers>>,
    /// Asks the owner about them; `None` if the owner cannot be asked.
    pub approver: Option<Arc<dyn Approver>>,
}

/// What the assistant may do with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum FileAccess {
    /// Nothing.
    #[default]
    None,
    /// List and read.
    Read,
    /// Write and edit too.
    Write,
}

/// Asks the owner whether a tool of a server may be called.
pub trait Approver: Send + Sync + Debug {
    /// Shows the call and waits for the owner's word.
    fn ask(&self, call: &OutsideCall<'_>) -> OwnerAnswer;
}

/// A call that the owner is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideCall<'a> {
    /// The server, as the owner named it.
    pub server: &'a str,
    /// The tool, as the assistant calls it.
    pub tool: &'a str,
    /// JSON text as the model wrote it.
    pub arguments: &'a str,
}

/// Finds what would be forgotten, asks the owner, and forgets.
pub trait Forgetting: Send + Sync + Debug {
    /// What would be forgotten.
    fn find(&self, what: &str) -> Result<ForgetFound, ForgetToolError>;

    /// Shows the owner what was found and asks whether it may go.
    fn ask(&self, found: &[ForgetPlace]) -> OwnerAnswer;

    /// Forgets what the owner agreed to.
    ///
    /// # Errors
    ///
    /// [`ForgetToolError`]; what was forgotten before it stays so.
    fn forget(&self, found: &[ForgetPlace]) -> Result<(), ForgetToolError>;

    /// The command for the owner to type if they cannot be asked here.
    fn command(&self, what: &str) -> String;
}

/// What would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgetFound {
    /// The passages.
    pub places: Vec<ForgetPlace>,
    /// How many more match than one request takes.
    pub n_more: usize,
}

/// A passage that would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetPlace {
    /// Where it stands.
    pub place: Locator,
    /// What it says.
    pub text: String,
}

/// What the owner said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OwnerAnswer {
    /// It may go.
    Yes,
    /// It stays.
    No,
    /// The owner could not be asked.
    NobodyThere,
}

/// Something was not forgotten.
#[derive(Debug, thiserror::Error)]
#[error("it was not forgotten: {reason}")]
pub struct ForgetToolError {
    /// Why.
    pub reason: String,
}
