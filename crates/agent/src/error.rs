//! Why a turn gave no reply.
//!
//! Holds no policy.

use base::TokenCount;
use base::disk::DiskError;
use base::model::ModelError;
use compaction::BudgetError;
use memory::WorkspaceError;
use session::{AppendError, BeginTurnError, ReadError, SessionName, SessionNameError};

/// The most replies of one turn; a model that needs more is going in circles.
pub(crate) const N_ROUNDS_MAX: usize = 64;

/// A turn that did not come to its reply. Everything that was appended before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The session cannot be written to.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// The transcript cannot be opened.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The transcript cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The transcript cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The session cannot have such a name.
    #[error(transparent)]
    Name(#[from] SessionNameError),
    /// A workspace file cannot be read.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The window is too small for what every request begins with.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// Nothing more can leave the window.
    #[error(
        "the request does not fit the window by {excess} tokens, and nothing more can leave it"
    )]
    DoesNotFit {
        /// By how much it is too large.
        excess: TokenCount,
    },
    /// The provider refuses even what is left after everything else was tried.
    #[error(
        "the model refuses a request of about {tokens} tokens as larger than its window, and nothing more \
         can leave it"
    )]
    Refused {
        /// The request, in the tokens of the provider.
        tokens: TokenCount,
    },
    /// A flush failed before something that would have taken its messages out of reach.
    #[error(
        "session {name} holds messages that could not be written down; they stay where they are"
    )]
    NotWrittenDown {
        /// The session.
        name: SessionName,
    },
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model went on calling tools.
    #[error("the model called tools in {N_ROUNDS_MAX} replies and never came to an end")]
    TooManyRounds,
}
