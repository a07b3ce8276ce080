//! The command line: its commands and help.
//!
//! Parses arguments, but executes nothing.

use clap::{Parser, Subcommand};
use cli::arguments::{GlobalArguments, command};
use cli::{completions, man};

use crate::commands::{exchange, list, rekey, serve, verify};

/// Copies homes of openclaw to and from a bucket or a vault, and serves many of them
#[derive(Debug, Parser)]
#[command(name = "openclaw-fleet", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Copy this home into a bucket, a vault or a folder of homes
    Push(exchange::PushArguments),
    /// Copy a home from a bucket, a vault or a folder of homes to this machine
    Pull(exchange::PullArguments),
    /// List the homes at an address, and who is using each
    List(list::Arguments),
    /// Check homes in a bucket or a vault for damage
    Verify(verify::Arguments),
    /// Change the key that opens a home in a bucket or a vault
    Rekey(rekey::Arguments),
    /// Serve many homes of a bucket or a folder over HTTP, each with its own token
    Serve(serve::Arguments),
    /// Print shell completions
    #[command(after_help = "\
Examples:
  source <(openclaw-fleet completions bash)
  openclaw-fleet completions fish > ~/.config/fish/completions/openclaw-fleet.fish")]
    Completions(completions::Arguments),
    /// Print the manual page, or write one per command
    #[command(after_help = "\
Examples:
  openclaw-fleet man | man -l -
  openclaw-fleet man ~/.local/share/man/man1")]
    Man(man::Arguments),
}

/// All commands, for help, completions and the manual.
pub(crate) fn tree() -> clap::Command {
    command::<Cli>()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use cli::arguments::parse;
    use cli::reference::help_of;

    use super::*;

    #[test]
    fn command_tree_is_valid_and_help_fits_80_columns() {
        tree().debug_assert();
        for line in help_of(tree()).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn serve_rejects_zero_cache_size_and_zero_open_homes() {
        for option in ["--cache-size", "--open"] {
            let of = |value| {
                let line = format!("openclaw-fleet serve file:///h --tokens t {option} {value}");
                parse::<Cli>(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
            };
            assert!(of("0").is_err() && of("1").is_ok(), "{option}");
        }
    }
}
