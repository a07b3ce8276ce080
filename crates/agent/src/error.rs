//! Errors of a turn.

use base::TokenCount;
use base::disk::DiskError;
use base::model::ModelError;
use compaction::BudgetError;
use memory::FileError;
use session::{AppendError, BeginTurnError, ReadError, SessionName, SessionNameError};

/// Limit of replies per turn; a model that needs more is looping.
pub(crate) const N_ROUNDS_MAX: usize = 64;

/// Why a turn gave no reply. Everything appended before the error stays.
#[derive(Debug, thiserror::Error)]
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
    /// The session name is invalid.
    #[error(transparent)]
    Name(#[from] SessionNameError),
    /// A file of memory cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The window is too small for the fixed parts of a request.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// Nothing more can leave the window.
    #[error("the request exceeds the window by {excess} tokens, and nothing more can be removed")]
    DoesNotFit {
        /// Tokens above the limit.
        excess: TokenCount,
    },
    /// The provider refuses the request even after everything else was tried.
    #[error(
        "the model rejects a request of about {tokens} tokens as too large for its window, and nothing more can be \
         removed"
    )]
    Refused {
        /// Size of the request, in the provider's tokens.
        tokens: TokenCount,
    },
    /// A flush failed before an operation that would have put its messages out of reach.
    #[error("the notes for session {name} could not be written; its messages stay where they are")]
    NotWrittenDown {
        /// The session.
        name: SessionName,
    },
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model never stopped calling tools.
    #[error("the model called tools in {N_ROUNDS_MAX} replies in a row without finishing")]
    TooManyRounds,
}
