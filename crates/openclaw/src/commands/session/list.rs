//! `openclaw session list`: the sessions of a home.
//!
//! Changes nothing.

use clap::Args;

/// Arguments of `openclaw session list`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {}
