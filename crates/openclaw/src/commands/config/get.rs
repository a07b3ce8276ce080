//! `openclaw config get`: the value of one setting, or of a group.
//!
//! Reads all layers and changes none.

use std::fmt::Write;

use super::show::{line, listing, scalar};
use crate::config::{Leaf, Origin, find, leaves};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The setting, its names joined by dots, or a group of them
    #[arg(value_name = "KEY")]
    key: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.as_str();
    let keys = find(key)?;
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config).name();
    let found: Vec<Leaf<'_, Origin>> = leaves(&config.tree)
        .into_iter()
        .filter(|leaf| keys.contains(&leaf.path.join(".")))
        .collect();
    match (context.output.format(), found.as_slice()) {
        (Format::Json, [leaf]) if leaf.path.join(".") == key => {
            context.output.object(&line(leaf))?;
        }
        (Format::Json, found) => context.output.object(&listing(found, timezone))?,
        (Format::Human, found) => context.output.text(&human(key, found))?,
    }
    Ok(Exit::Done)
}

/// Bare, so that a script can take it as it is.
fn human(key: &str, found: &[Leaf<'_, Origin>]) -> String {
    let mut text = String::new();
    for leaf in found {
        let name = leaf.path.join(".");
        let value = match leaf.value.as_str() {
            Some(value) if name == key => value.to_owned(),
            Some(_) | None => scalar(leaf.value),
        };
        // Writing to a String cannot fail.
        if name == key {
            writeln!(text, "{value}").unwrap_or_default();
        } else {
            writeln!(text, "{name}: {value}").unwrap_or_default();
        }
    }
    text
}
