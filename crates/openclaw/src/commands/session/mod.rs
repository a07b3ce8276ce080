//! `openclaw session`: what was said.
//!
//! Reads transcripts and writes none.

pub(crate) mod list;
pub(crate) mod show;
pub(crate) mod verify;

use clap::Subcommand;

/// The commands of `openclaw session`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the sessions
    List(list::Arguments),
    /// Show the course of a session
    Show(show::Arguments),
    /// Check that transcripts are whole
    Verify(verify::Arguments),
}
