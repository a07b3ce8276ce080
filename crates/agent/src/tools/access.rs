//! What the owner allows the tools of a conversation, and the traits that ask for consent.

use std::fmt::Debug;
use std::sync::Arc;

use base::Locator;
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

/// Finds passages, asks the owner for consent, and forgets them.
pub trait Forgetting: Send + Sync + Debug {
    /// Finds the passages to forget.
    fn find(&self, what: &str) -> Result<ForgetFound, String>;

    /// Shows the owner the passages and asks for consent.
    fn ask(&self, found: &[ForgetPlace]) -> OwnerAnswer;

    /// Forgets the passages to which the owner agreed.
    ///
    /// # Errors
    ///
    /// Why it failed; passages forgotten before the error stay forgotten.
    fn forget(&self, found: &[ForgetPlace]) -> Result<(), String>;

    /// The command for the owner to type if they cannot be asked here.
    fn command(&self, what: &str) -> String;
}

/// The passages that would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgetFound {
    /// The passages.
    pub places: Vec<ForgetPlace>,
    /// Number of matches beyond the limit of one request.
    pub n_more: usize,
}

/// A passage that would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetPlace {
    /// Its place.
    pub place: Locator,
    /// Its text.
    pub text: String,
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
