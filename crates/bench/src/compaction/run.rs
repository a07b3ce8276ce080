//! Runs every strategy over every session, each scaled to the same window.
//!
//! Chooses sizes alone; what is measured is elsewhere.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use agent::recording::RecordingError;
use base::TokenCount;
use compaction::{Middle, Replace, Share, Strategy, Tiered};
use memory::IndexError;

use super::measure::{Figures, measure};
use super::table;
use super::talk::Talk;
use crate::retrieval::set::SetError;

/// Arguments of `bench compaction`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The sessions: transcripts, or recordings in JSON Lines
    #[arg(required_unless_present = "beam", value_name = "FILE")]
    sessions: Vec<PathBuf>,
    /// The chats of BEAM, whose questions are asked afterwards
    #[arg(long, value_name = "FILE")]
    beam: Option<PathBuf>,
    /// The window, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 32_000)]
    window: u64,
}

/// A session could not be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CompactionError {
    /// The session cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The replay did not come to its end.
    #[error("{talk} cannot be replayed")]
    Replay {
        /// The session.
        talk: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A set cannot be read.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// What was replayed cannot be read.
    #[error("what was replayed cannot be read")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
    /// There is no executor.
    #[error("the executor cannot be started")]
    Executor(#[source] io::Error),
    /// The figures cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl CompactionError {
    pub(super) fn failed(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// Runs `bench compaction`.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), CompactionError> {
    let executor = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(CompactionError::Executor)?;
    let window = TokenCount(arguments.window);
    let mut talks = match &arguments.beam {
        Some(path) => Talk::of_beam(path)?,
        None => Vec::new(),
    };
    for path in &arguments.sessions {
        talks.push(Talk::at(path)?);
    }
    writeln!(out, "{}", table::HEAD)?;
    for strategy in strategies(window) {
        let mut found: Vec<Figures> = Vec::new();
        for talk in &talks {
            found.push(measure(talk, window, strategy, &executor)?);
        }
        writeln!(out, "{}", table::line(strategy.as_str(), &found))?;
        out.flush()?;
    }
    Ok(())
}

/// Every strategy, with the share of the window that its defaults have of the windows that they are for.
fn strategies(window: TokenCount) -> [Strategy; 5] {
    [
        Strategy::Handoff,
        Strategy::Replace(Replace {
            threshold: Some(Share(880).of(window)),
        }),
        Strategy::Tiered(Tiered::default()),
        Strategy::Middle(Middle {
            threshold: Share(400).of(window),
            ..Middle::default()
        }),
        Strategy::Off,
    ]
}
