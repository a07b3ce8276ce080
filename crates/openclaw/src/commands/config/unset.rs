//! `openclaw config unset`: takes a setting out of the owner's config.yaml.
//!
//! Checks the file as it would be through all layers before a byte of it changes.

use std::sync::Arc;

use serde::Serialize;

use super::set::{plainly, read, refuse_where_nothing_is_written, settings_with, text_of, write};
use super::show::scalar;
use crate::config::{self, Config, Origin, leaves};
use crate::output;
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The setting or group of settings, its names joined by dots
    #[arg(value_name = "KEY")]
    key: String,
    /// Check it, say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    key: String,
    path: String,
    changed: bool,
    dry_run: bool,
    /// What applies without it; `None` for a group.
    now: Option<Now>,
}

#[derive(Debug, Serialize)]
struct Now {
    value: Value,
    origin: Origin,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.as_str();
    config::find(key)?;
    refuse_where_nothing_is_written(context)?;
    let home = context.home()?;
    let disk = Arc::clone(&context.host.disk);
    // A config.yaml that is a link stays one.
    let path = disk.resolve(&home.user_config())?;
    let before = read(&*disk, &path)?;
    let text = text_of(&path, before.as_deref())?;
    let edited = config::without_setting(&path, &text, key).map_err(plainly)?;
    let config = settings_with(context, &home, edited.as_bytes())?;
    let report = Report {
        key: key.to_owned(),
        path: path.display().to_string(),
        changed: edited != text,
        dry_run: arguments.dry_run,
        now: now(&config, key),
    };
    if report.changed && !report.dry_run {
        write(&*disk, &path, before.as_deref(), edited.as_bytes())?;
    }
    context.emit(&report)
}

fn now(config: &Config, key: &str) -> Option<Now> {
    let found = leaves(&config.tree);
    let leaf = found.iter().find(|leaf| leaf.path.join(".") == key)?;
    Some(Now {
        value: leaf.value.clone(),
        origin: leaf.origin.clone(),
    })
}

impl output::Report for Report {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let Report { key, path, .. } = self;
        if !self.changed {
            return format!("{key} is not set in {path}\n");
        }
        let done = if self.dry_run {
            "would be taken"
        } else {
            "is taken"
        };
        match &self.now {
            Some(Now { value, origin }) => format!(
                "{key} {done} out of {path}; without it, it is {} ({origin})\n",
                scalar(value)
            ),
            None => format!("{key} {done} out of {path}\n"),
        }
    }
}
