//! The commands of `openclaw config`.
//!
//! Do nothing themselves.

use clap::Subcommand;

use super::{get, path, schema, set, show, unset};
use crate::prelude::*;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print every setting, its value and where the value comes from
    Show(show::Arguments),
    /// Print the value of a setting
    Get(get::Arguments),
    /// Set a value in the owner's config.yaml; comments and order stay
    Set(set::Arguments),
    /// Take a setting out of the owner's config.yaml, so that what stands below it applies
    Unset(unset::Arguments),
    /// Print where the owner's config.yaml lies
    Path(path::Arguments),
    /// Print the JSON schema of a configuration file
    Schema(schema::Arguments),
}

pub(crate) fn run(command: &Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Show(arguments) => show::run(arguments, context),
        Command::Get(arguments) => get::run(arguments, context),
        Command::Set(arguments) => set::run(arguments, context),
        Command::Unset(arguments) => unset::run(arguments, context),
        Command::Path(arguments) => path::run(arguments, context),
        Command::Schema(arguments) => schema::run(arguments, context),
    }
}
