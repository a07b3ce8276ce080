//! `openclaw config path`: where the owner's settings lie.
//!
//! Reads nothing.

use clap::Args;
use serde::Serialize;

use crate::app::Context;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::Format;

/// Arguments of `openclaw config path`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

#[derive(Debug, Serialize)]
struct Paths {
    user: String,
    workspace: String,
}

/// Prints the place, whether there is a file or not.
pub(crate) fn run(_: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let paths = Paths {
        user: home.user_config().display().to_string(),
        workspace: home.workspace_config().display().to_string(),
    };
    match context.output.format() {
        Format::Json => context.output.object(&paths)?,
        Format::Human => context.output.text(&format!("{}\n", paths.user))?,
    }
    Ok(Exit::Done)
}
