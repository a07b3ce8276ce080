//! `openclaw config unset`: removes a setting from the owner's config.yaml.
//!
//! Checks the changed file together with all other layers before it writes a byte.

use cli::config::{self, Setting};
use serde::Serialize;

use super::set::edit;
use super::show::scalar;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw config unset model.baseUrl")]
pub(crate) struct Arguments {
    /// Setting or group, as in model.baseUrl
    #[arg(value_name = "KEY")]
    key: String,
    /// Check and show the change; write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct UnsetReport {
    key: String,
    path: String,
    changed: bool,
    dry_run: bool,
    /// The value that applies without it; `None` for a group.
    now: Option<Setting>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.as_str();
    config::find(key)?;
    let home = context.home()?;
    let edited = edit(context, &home, |path, text| {
        config::without_setting(path, text, key)
    })?;
    let report = UnsetReport {
        key: key.to_owned(),
        path: edited.path.display().to_string(),
        changed: edited.is_changed(),
        dry_run: arguments.dry_run,
        now: edited.config.values.get(key).cloned(),
    };
    if !report.dry_run {
        edited.write(context)?;
    }
    context.emit(&report)
}

impl Report for UnsetReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let UnsetReport { key, path, .. } = self;
        if !self.changed {
            return format!("{key} is not set in {path}\n");
        }
        let now = self.now.as_ref().map(|Setting { value, origin }| {
            format!("; without it the value is {} ({origin})", scalar(value))
        });
        format!("{key} is removed from {path}{}\n", now.unwrap_or_default())
    }
}
