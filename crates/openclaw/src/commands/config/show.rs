//! `openclaw config show`: every setting, its value and where the value comes from.
//!
//! The text for people is YAML that can be used as a configuration file.

use crate::config::{Config, Leaf, Origin, leaves};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config).name();
    match context.output.format() {
        Format::Json => context
            .output
            .object(&listing(&leaves(&config.tree), timezone))?,
        Format::Human => context.output.text(&yaml(&config, timezone))?,
    }
    Ok(Exit::Done)
}

/// The settings in their order, and the zone that `timezone` comes to.
pub(super) fn listing(settings: &[Leaf<'_, Origin>], timezone: &str) -> Value {
    let settings: Vec<Value> = settings.iter().map(line).collect();
    json!({ "settings": settings, "timezone": timezone })
}

pub(super) fn line(leaf: &Leaf<'_, Origin>) -> Value {
    json!({ "key": leaf.path.join("."), "value": leaf.value, "origin": leaf.origin })
}

/// One line a setting, and one an item of a long list; origins as comments in a column of their own.
fn yaml(config: &Config, timezone: &str) -> String {
    let settings = leaves(&config.tree);
    let widths = settings.iter().map(|leaf| setting(leaf).len());
    let width = widths.filter(|width| *width <= COLUMN_MAX).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    let mut groups: &[&str] = &[];
    for leaf in &settings {
        let inner = leaf.path.split_last().map_or(&[][..], |(_, groups)| groups);
        let n_open = groups.iter().zip(inner).take_while(|(a, b)| a == b).count();
        for (depth, group) in inner.iter().enumerate().skip(n_open) {
            add_line!(text, "{}{group}:", indent(depth));
        }
        groups = inner;
        let mut origin = leaf.origin.short();
        if leaf.path == ["timezone"] && leaf.value != timezone {
            origin = format!("{origin}; comes to {timezone}");
        }
        let (setting, items) = match (setting(leaf), leaf.value) {
            (long, Value::Array(items)) if long.len() > COLUMN_MAX => (named(leaf), &items[..]),
            (setting, _) => (setting, &[][..]),
        };
        add_line!(text, "{setting:width$}  # {origin}");
        for item in items {
            let item = scalar(item);
            add_line!(text, "{}- {item}", indent(leaf.path.len()));
        }
    }
    text
}

/// A setting that is longer pushes no other's origin out of a narrow window.
const COLUMN_MAX: usize = 48;

fn named(leaf: &Leaf<'_, Origin>) -> String {
    let depth = leaf.path.len().saturating_sub(1);
    let name = leaf.path.last().copied().unwrap_or_default();
    format!("{}{name}:", indent(depth))
}

fn setting(leaf: &Leaf<'_, Origin>) -> String {
    format!("{} {}", named(leaf), scalar(leaf.value))
}

/// Text that reads as itself in YAML stands bare; everything else as JSON, which is YAML.
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
