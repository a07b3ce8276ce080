//! Runs every strategy over every session, scaled to the same window.

use std::io::Write;
use std::path::PathBuf;

use base::TokenCount;
use compaction::{Middle, Permille, Replace, Strategy, Tiered};

use super::measure::{CompactionFigures, measure};
use super::table;
use super::talk::BenchTalk;
use crate::Result;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The sessions: transcripts, or recordings in JSON Lines
    #[arg(required_unless_present = "beam", value_name = "FILE")]
    sessions: Vec<PathBuf>,
    /// BEAM chats, whose questions are asked afterwards
    #[arg(long, value_name = "FILE")]
    beam: Option<PathBuf>,
    /// The window, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 32_000)]
    window: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let executor = tokio::runtime::Builder::new_current_thread().build()?;
    let window = TokenCount(arguments.window);
    let mut talks = match &arguments.beam {
        Some(path) => BenchTalk::of_beam(path)?,
        None => Vec::new(),
    };
    for path in &arguments.sessions {
        talks.push(BenchTalk::at(path)?);
    }
    writeln!(out, "{}", table::HEAD)?;
    for strategy in strategies(window) {
        let mut found: Vec<CompactionFigures> = Vec::new();
        for talk in &talks {
            found.push(measure(talk, window, strategy, &executor)?);
        }
        writeln!(out, "{}", table::line(strategy.as_str(), &found))?;
        out.flush()?;
    }
    Ok(())
}

/// Every strategy, with its default sizes scaled to `window`.
fn strategies(window: TokenCount) -> [Strategy; 5] {
    [
        Strategy::Handoff,
        Strategy::Replace(Replace {
            threshold: Some(Permille(880).of(window)),
        }),
        Strategy::Tiered(Tiered::default()),
        Strategy::Middle(Middle {
            threshold: Permille(400).of(window),
            ..Middle::default()
        }),
        Strategy::Off,
    ]
}
