//! Whether somebody agreed to a forgetting, or can be asked.
//!
//! Asks nobody itself.

use memory::OwnerLines;

use crate::prelude::*;

/// Where the owner is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    HasAgreed,
    IsThere,
    IsAway,
}

impl Owner {
    /// Where the owner is, who has not agreed yet.
    pub(super) fn found(context: &Context) -> Self {
        if matches!(context.host.environment.stdin, Stream::Terminal(_)) {
            Self::IsThere
        } else {
            Self::IsAway
        }
    }
}

/// What happens with a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Forget(OwnerLines),
    Ask,
    Refuse,
}
