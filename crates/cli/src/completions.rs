//! The command `completions`: prints a shell completion script.
//!
//! Installs nothing.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap_complete::{Shell, generate};

use crate::prelude::*;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Shell to complete for
    #[arg(value_parser = PossibleValuesParser::new(["bash", "zsh", "fish"]).try_map(|shell| shell.parse::<Shell>()))]
    shell: Shell,
}

pub fn run(
    arguments: &Arguments,
    mut command: clap::Command,
    context: &mut Context,
) -> Result<Exit> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    generate(arguments.shell, &mut command, name, &mut script);
    context.output.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
