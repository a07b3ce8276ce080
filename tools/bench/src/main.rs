//! Benchmarks and evaluations of memory: retrieval quality, speed and scaling.
//!
//! Prints figures for people to judge, and never asserts one.

mod called;
mod compaction;
mod facts;
mod head;
mod home;
mod hook;
mod labelled;
mod peer;
mod retrieval;
mod scale;
mod temporal;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The result of a measurement, or the reason why it failed.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Benchmarks and evaluations.
#[derive(Debug, Parser)]
#[command(name = "bench", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare what the compaction strategies keep of the given sessions
    Compaction(compaction::Arguments),
    /// Show which labelled sentences the offline engine notes
    Facts(facts::Arguments),
    /// Train the weights that tell which sentences are worth a note
    Head(head::Arguments),
    /// Time a coding agent's hook against a search on the same prompts
    Hook(hook::Arguments),
    /// Ask another program the same questions about the same notes, in turn
    Peer(peer::Arguments),
    /// Score the ranking on the given evaluation sets
    Retrieval(retrieval::Arguments),
    /// Build and search memories of several sizes
    Scale(scale::Arguments),
    /// Score how well times in questions are parsed
    Temporal(temporal::Arguments),
}

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let done = match Arguments::parse().command {
        Command::Compaction(arguments) => compaction::run(&arguments, &mut out),
        Command::Facts(arguments) => facts::run(&arguments, &mut out),
        Command::Head(arguments) => head::run(&arguments, &mut out),
        Command::Hook(arguments) => hook::run(&arguments, &mut out),
        Command::Peer(arguments) => peer::run(&arguments, &mut out),
        Command::Retrieval(arguments) => retrieval::run(&arguments, &mut out),
        Command::Scale(arguments) => scale::run(&arguments, &mut out),
        Command::Temporal(arguments) => temporal::run(&arguments, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let line = format!("error: {}\n", one_line(error.as_ref()));
            std::io::stderr().write_all(line.as_bytes()).ok();
            ExitCode::FAILURE
        }
    }
}

/// An error and its causes on one line.
fn one_line(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line = format!("{line}: {error}");
        cause = error.source();
    }
    line
}
