//! Measures memory: how well it finds what was said, how fast, and how it grows.
//!
//! Never asserts a figure: it tells them, and people judge.

mod compaction;
mod dreaming;
mod facts;
mod head;
mod home;
mod labelled;
mod peer;
mod retrieval;
mod scale;
mod temporal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Benchmarks and evaluations.
#[derive(Debug, Parser)]
#[command(name = "bench", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare what the strategies of compaction keep of sessions that are named by path
    Compaction(compaction::Arguments),
    /// Dream through a year of made-up notes
    Dreaming(dreaming::Arguments),
    /// Tell which labelled sentences the offline engine notes
    Facts(facts::Arguments),
    /// Learn which sentences are worth a note
    Head(head::Arguments),
    /// Ask another program the same questions about the same notes, in turn
    Peer(peer::Arguments),
    /// Score the ranking on evaluation sets that are named by path
    Retrieval(retrieval::Arguments),
    /// Build and search memories of several sizes
    Scale(scale::Arguments),
    /// Score how times in questions are read
    Temporal(temporal::Arguments),
}

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    match Arguments::parse().command {
        Command::Compaction(arguments) => ended(compaction::run(&arguments, &mut out)),
        Command::Dreaming(arguments) => ended(dreaming::run(&arguments, &mut out)),
        Command::Facts(arguments) => ended(facts::run(&arguments, &mut out)),
        Command::Head(arguments) => ended(head::run(&arguments, &mut out)),
        Command::Peer(arguments) => ended(peer::run(&arguments, &mut out)),
        Command::Retrieval(arguments) => ended(retrieval::run(&arguments, &mut out)),
        Command::Scale(arguments) => ended(scale::run(&arguments, &mut out)),
        Command::Temporal(arguments) => ended(temporal::run(&arguments, &mut out)),
    }
}

fn ended<E: std::error::Error>(done: Result<(), E>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => tell(&error),
    }
}

fn tell(error: &dyn std::error::Error) -> ExitCode {
    use std::io::Write;
    let mut stderr = std::io::stderr().lock();
    let mut cause = error.source();
    let mut line = format!("error: {error}");
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    match writeln!(stderr, "{line}") {
        Ok(()) | Err(_) => ExitCode::FAILURE,
    }
}
