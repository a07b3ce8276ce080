//! `openclaw session show`: the course of a session.
//!
//! Changes nothing.

use clap::Args;
use session::SessionName;

/// Arguments of `openclaw session show`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
}
