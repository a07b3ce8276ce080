//! Sets or removes a setting in the text of a configuration file, keeping comments, order and layout.
//!
//! Writes no file, and returns only text that parses to exactly the intended settings.

use std::path::Path;
use std::str::FromStr;

use serde_json::{Map, Value};
use yaml_edit::path::YamlPath;
use yaml_edit::{Document, YamlFile};

use super::layers::{Assignment, parse_file, parse_value};
use super::values::with_value;
use super::yaml;
use crate::error::{CliError, ErrorKind, Result};

/// Sets a setting in the text of the file at `path`.
///
/// Tries several edits and parses each result; returns the first that changes this setting and nothing else.
pub fn with_setting(path: &Path, text: &str, assignment: &Assignment) -> Result<String> {
    let before = parse_file(path, text)?.node.into_value();
    let value = parse_value(&assignment.value, &assignment.origin())?;
    let value = value.node.into_value();
    let key = assignment.key.as_str();
    let meant = with_value(before.clone(), key, &value);
    if meant == before {
        return Ok(text.to_owned());
    }
    // The value is tried as typed first, then as JSON, which is valid YAML on one line, for values of several lines.
    let typed = Some(assignment.value.trim()).filter(|typed| !typed.is_empty());
    let written = typed.map(str::to_owned).into_iter();
    let written: Vec<String> = written.chain([value.to_string()]).collect();
    // A file that contains only comments has no document to edit, so the setting is appended.
    let appended = written
        .iter()
        .filter_map(|value| appended(text, key, value));
    let edited = written.iter().filter_map(|value| edited(text, key, value));
    let is_empty = before.as_object().is_some_and(Map::is_empty);
    let found = appended
        .filter(|_| is_empty)
        .chain(edited)
        .find(|text| says(text, &meant));
    found.ok_or_else(|| refused(key, ("set in", "set"), path))
}

/// The value of a setting in the text of the file at `path`; `None` if it is not set there.
pub fn setting_in(path: &Path, text: &str, key: &str) -> Result<Option<Value>> {
    let settings = parse_file(path, text)?.node.into_value();
    let mut names = key.split('.');
    let found = names.try_fold(&settings, |group, name| group.get(name));
    Ok(found.cloned())
}

/// Removes a setting from the text of the file at `path`, and any group that becomes empty.
pub fn without_setting(path: &Path, text: &str, key: &str) -> Result<String> {
    let before = parse_file(path, text)?.node.into_value();
    let Some(place) = outermost(&before, key) else {
        return Ok(text.to_owned());
    };
    let meant = without_value(before, place);
    let edited = removed(text, place);
    let bare = edited.as_deref().map(without_empty_braces);
    let mut ways = bare.into_iter().chain(edited);
    let edited = ways.find(|text| says(text, &meant));
    edited.ok_or_else(|| refused(key, ("removed from", "remove"), path))
}

/// The error for a change that would affect other settings.
fn refused(key: &str, (changed, change): (&str, &str), path: &Path) -> CliError {
    let path = path.display();
    let message = format!("{key} cannot be {changed} {path} without changing other settings");
    CliError::new(ErrorKind::Config, message).hint(format!("{change} it in an editor: {path}"))
}

/// The outermost group that contains only this setting, otherwise the setting itself; `None` if it is not set.
fn outermost<'k>(settings: &Value, key: &'k str) -> Option<&'k str> {
    let mut place = key;
    let mut group = settings;
    let mut begin = 0;
    loop {
        let rest = key.get(begin..)?;
        let name = rest.split('.').next()?;
        let end = begin + name.len();
        let members = group.as_object()?;
        group = members.get(name)?;
        if members.len() > 1 || begin == 0 {
            place = key.get(..end)?;
        }
        if end == key.len() {
            return Some(place);
        }
        begin = end + 1;
    }
}

fn removed(text: &str, place: &str) -> Option<String> {
    let file = YamlFile::from_str(text).ok()?;
    let document = file.documents().next()?;
    document.try_remove_path(place).ok()?;
    Some(file.to_string())
}

fn without_value(mut settings: Value, key: &str) -> Value {
    let (group, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut names = group.split('.').filter(|name| !name.is_empty());
    let place = names.try_fold(&mut settings, |place, name| place.get_mut(name));
    if let Some(group) = place.and_then(Value::as_object_mut) {
        group.remove(name);
    }
    settings
}

fn says(text: &str, meant: &Value) -> bool {
    yaml::parse_file(text).is_ok_and(|tree| tree.node.into_value() == *meant)
}

fn edited(text: &str, key: &str, value: &str) -> Option<String> {
    let file = YamlFile::from_str(text).ok()?;
    let document = file.documents().next()?;
    set(&document, key, value)?;
    Some(file.to_string())
}

fn appended(text: &str, key: &str, value: &str) -> Option<String> {
    let document = Document::from_str("").ok()?;
    set(&document, key, value)?;
    let text = without_empty_braces(text);
    let line_end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    Some(format!("{text}{line_end}{document}"))
}

/// Removes a line `{}` (the empty document), because settings cannot follow it.
fn without_empty_braces(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| line.trim() != "{}").collect()
}

fn set(document: &Document, key: &str, value: &str) -> Option<()> {
    let holder = Document::from_str(&format!("value: {value}\n")).ok()?;
    document.try_set_path(key, holder.get("value")?).ok()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
