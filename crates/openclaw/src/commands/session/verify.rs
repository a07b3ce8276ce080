//! `openclaw session verify`: whether transcripts are whole.
//!
//! Repairs nothing.

use clap::Args;
use session::SessionName;

/// Arguments of `openclaw session verify`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session; without it all are checked
    #[arg(value_name = "NAME")]
    pub(crate) session: Option<SessionName>,
}
