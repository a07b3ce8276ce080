//! `openclaw completions`: what a shell needs to complete commands.
//!
//! Installs nothing.

use clap_complete::{Shell, generate};

use crate::cli;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "Load them with, for example: source <(openclaw completions bash)")]
pub(crate) struct Arguments {
    /// The shell
    pub(crate) shell: CompletedShell,
}

// The values have no help of their own: they are names that their users know.
/// A shell that can be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CompletedShell {
    Bash,
    Zsh,
    Fish,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let shell = match arguments.shell {
        CompletedShell::Bash => Shell::Bash,
        CompletedShell::Zsh => Shell::Zsh,
        CompletedShell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut cli::command(), "openclaw", &mut script);
    context.output.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
