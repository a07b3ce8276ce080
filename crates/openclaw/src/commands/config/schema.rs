//! `openclaw config schema`: what a configuration file may say, for editors that check it.
//!
//! Prints what was generated; a test compares it with the settings.

use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {}

const SCHEMA: &str = include_str!("../../../../../config/schema.json");

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    match context.output.format() {
        Format::Json => {
            let schema: Value = serde_json::from_str(SCHEMA)
                .map_err(|error| CliError::from_error(ErrorKind::Internal, &error))?;
            context.output.object(&schema)?;
        }
        Format::Human => context.output.text(SCHEMA)?,
    }
    Ok(Exit::Done)
}
