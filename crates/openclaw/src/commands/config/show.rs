//! `openclaw config show` and `config get`: print settings with their values and origins.
//!
//! Reads all layers and changes none.

use cli::config::{Setting, Values, find};

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw config get model.name
  openclaw config get compaction")]
pub(crate) struct Arguments {
    /// Setting or group, as in compaction.contextWindow
    #[arg(value_name = "KEY")]
    key: String,
}

pub(super) fn show(context: &mut Context) -> Result<Exit> {
    let (values, timezone) = values(context)?;
    match context.output.format() {
        OutputFormat::Json => context.output.object(&listing(&values, timezone))?,
        OutputFormat::Human => context.output.text(&yaml(&values, timezone))?,
    }
    Ok(Exit::Done)
}

pub(super) fn get(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.as_str();
    let keys = find(key)?;
    let (mut found, timezone) = values(context)?;
    found.retain(|own, _| keys.contains(own));
    match (context.output.format(), found.get_key_value(key)) {
        (OutputFormat::Json, Some(setting)) => context.output.object(&line(setting))?,
        (OutputFormat::Json, None) => context.output.object(&listing(&found, timezone))?,
        // The bare value, so that a script can use it directly.
        (OutputFormat::Human, Some((_, Setting { value, .. }))) => {
            let bare = value.as_str().map_or_else(|| scalar(value), str::to_owned);
            context.output.text(&format!("{bare}\n"))?;
        }
        (OutputFormat::Human, None) => {
            let lines = found
                .iter()
                .map(|(key, setting)| format!("{key}: {}\n", scalar(&setting.value)));
            context.output.text(&lines.collect::<String>())?;
        }
    }
    Ok(Exit::Done)
}

/// The settings in their order, and the zone that `timezone` resolves to.
fn values(context: &mut Context) -> Result<(Values, &'static str)> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config).name();
    Ok((config.values, timezone))
}

fn listing(values: &Values, timezone: &str) -> Value {
    let settings: Vec<Value> = values.iter().map(line).collect();
    json!({ "settings": settings, "timezone": timezone })
}

fn line((key, setting): (&String, &Setting)) -> Value {
    json!({ "key": key, "value": setting.value, "origin": setting.origin })
}

/// Renders settings as a configuration file: one line per setting, and one per item of a long list, with the
/// origins as aligned comments.
fn yaml(values: &Values, timezone: &str) -> String {
    let widths = values.iter().map(|(key, own)| setting(key, own).len());
    let width = widths.filter(|width| *width <= COLUMN_MAX).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    let mut groups: Vec<&str> = Vec::new();
    for (key, own) in values {
        let mut inner: Vec<&str> = key.split('.').collect();
        inner.pop();
        let n_open = groups
            .iter()
            .zip(&inner)
            .take_while(|(a, b)| a == b)
            .count();
        for (depth, group) in inner.iter().enumerate().skip(n_open) {
            add_line!(text, "{}{group}:", indent(depth));
        }
        groups = inner;
        let mut origin = own.origin.short();
        if key == "timezone" && own.value != timezone {
            origin = format!("{origin}; resolves to {timezone}");
        }
        let (setting, items) = match (setting(key, own), &own.value) {
            (long, Value::Array(items)) if long.len() > COLUMN_MAX => (named(key), &items[..]),
            (setting, _) => (setting, &[][..]),
        };
        add_line!(text, "{setting:width$}  # {origin}");
        for item in items {
            let item = scalar(item);
            add_line!(text, "{}- {item}", indent(groups.len() + 1));
        }
    }
    text
}

/// Longer settings are not aligned; they would push all origins out of a narrow window.
const COLUMN_MAX: usize = 48;

fn named(key: &str) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    format!("{}{name}:", indent(key.matches('.').count()))
}

fn setting(key: &str, own: &Setting) -> String {
    format!("{} {}", named(key), scalar(&own.value))
}

/// Prints text bare if YAML parses it as the same text, and everything else as JSON, which is YAML.
pub(super) fn scalar(value: &Value) -> String {
    let is_plain = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "/_-+".contains(character))
            && !["true", "false", "null"].contains(&text.to_lowercase().as_str())
    };
    match value.as_str() {
        Some(text) if is_plain(text) => text.to_owned(),
        Some(_) | None => value.to_string(),
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
