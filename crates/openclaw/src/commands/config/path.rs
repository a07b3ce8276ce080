//! `openclaw config path`: where the owner's settings lie.
//!
//! Reads nothing.

use clap::Args;
use serde_json::{Value, json};

use crate::app::Context;
use crate::environment::Stream;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::home::Home;
use crate::output::Report;

#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    context.emit(&home)
}

/// Where the files lie, whether they are there or not.
impl Report for Home {
    const INDENT: Option<&'static str> = None;

    fn json(&self) -> Value {
        json!({
            "user": self.user_config().display().to_string(),
            "workspace": self.workspace_config().display().to_string(),
        })
    }

    fn human(&self, _: Stream) -> String {
        format!("{}\n", self.user_config().display())
    }
}
