//! Dispatches `openclaw config`, and implements `path` and `schema`.
//!
//! Reads no layer.

use clap::Subcommand;

use super::{set, show, unset};
use crate::prelude::*;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print every setting with its value and origin
    Show,
    /// Print a setting
    Get(show::Arguments),
    /// Set a value in config.yaml, keeping comments and order
    Set(set::Arguments),
    /// Remove a setting from config.yaml
    Unset(unset::Arguments),
    /// Print the path of config.yaml
    Path,
    /// Print the JSON schema of config.yaml
    Schema,
}

pub(crate) fn run(command: &Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Show => show::show(context),
        Command::Get(arguments) => show::get(arguments, context),
        Command::Set(arguments) => set::run(arguments, context),
        Command::Unset(arguments) => unset::run(arguments, context),
        Command::Path => {
            let home = context.home()?;
            context.emit(&ConfigFiles(home))
        }
        Command::Schema => schema(context),
    }
}

/// The paths of the config files of a home, whether or not they exist.
struct ConfigFiles(Home);

impl Report for ConfigFiles {
    fn json(&self) -> Value {
        json!({
            "user": self.0.user_config().display().to_string(),
            "workspace": self.0.workspace_config().display().to_string(),
        })
    }

    fn human(&self, _: Stream) -> String {
        format!("{}\n", self.0.user_config().display())
    }
}

/// The generated schema; a test compares it with the settings.
const SCHEMA: &str = include_str!("../../../../../config/schema.json");

/// Prints the schema of config.yaml, for editors that check the file.
fn schema(context: &mut Context) -> Result<Exit> {
    match context.output.format() {
        OutputFormat::Json => {
            let schema: Value =
                serde_json::from_str(SCHEMA).map_err(|error| CliError::internal(&error))?;
            context.output.object(&schema)?;
        }
        OutputFormat::Human => context.output.text(SCHEMA)?,
    }
    Ok(Exit::Done)
}
