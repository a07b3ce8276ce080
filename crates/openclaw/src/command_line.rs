//! The command line: its commands and help.
//!
//! Never acts on an argument.

use clap::{Parser, Subcommand};
use cli::arguments::{GlobalArguments, command};
use cli::{completions, man};

use crate::commands::{
    about, agenda, backup, chat, config, connect, demo, doctor, dream, hook, init, mcp, memory,
    replay, restore, serve, service, session, why,
};

/// A personal assistant with a memory you can trust
#[derive(Debug, Parser)]
#[command(name = "openclaw", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a home: the workspace and config.yaml
    Init(init::Arguments),
    /// Chat with the assistant
    Chat(chat::Arguments),
    /// Play a sample conversation into a throwaway home, and explain it
    Demo(demo::Arguments),
    /// Replay a recorded conversation through the real pipeline
    Replay(replay::Arguments),
    /// List, show, import, rewind, check and delete sessions
    #[command(subcommand)]
    Session(session::Command),
    /// Search notes and sessions, and maintain the index
    #[command(subcommand)]
    Memory(memory::Command),
    /// Print what is known about you, theme by theme
    About(about::Arguments),
    /// Print the history of a line of memory, a note or a message
    Why(why::Arguments),
    /// Print what is coming up
    Agenda(agenda::Arguments),
    /// Propose lasting memories, and review them
    Dream(dream::Arguments),
    /// Serve programs and browsers over HTTP, and dream when a dream is due
    Serve(serve::Arguments),
    /// Run `openclaw serve` in the background at every login
    #[command(subcommand)]
    Service(service::Command),
    /// Serve this memory to other programs over MCP
    Mcp(mcp::Arguments),
    /// Add this memory to another program's settings
    Connect(connect::Arguments),
    /// Answer a coding agent's hook
    Hook(hook::Arguments),
    /// Diagnose problems and print the commands that fix them
    Doctor(doctor::Arguments),
    /// Back up the whole home to one file
    Backup(backup::Arguments),
    /// Create a home from a backup
    Restore(restore::Arguments),
    /// Show and change settings
    #[command(subcommand)]
    Config(config::Command),
    /// Print shell completions
    #[command(after_help = "\
Examples:
  source <(openclaw completions bash)
  openclaw completions fish > ~/.config/fish/completions/openclaw.fish")]
    Completions(completions::Arguments),
    /// Print the manual page, or write one per command
    #[command(after_help = "\
Examples:
  openclaw man | man -l -
  openclaw man ~/.local/share/man/man1")]
    Man(man::Arguments),
}

/// All commands, as help, completions and the manual show them.
pub(crate) fn tree() -> clap::Command {
    command::<Cli>()
}

#[cfg(test)]
#[path = "command_line_tests.rs"]
mod tests;
