//! `openclaw replay`: a recorded conversation through the real pipeline.
//!
//! Holds no stage of the pipeline.

use std::path::PathBuf;

use clap::Args;
use session::SessionName;

/// Arguments of `openclaw replay`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The recording: a session file or JSON Lines of messages; - reads stdin
    pub(crate) file: PathBuf,
    /// The session to write
    #[arg(short, long, value_name = "NAME", default_value = "main")]
    pub(crate) session: SessionName,
    /// Go on where an earlier replay of this recording stopped
    #[arg(long)]
    pub(crate) resume: bool,
}
