//! Filters a server's tools to those that the assistant may call.
//!
//! Pure; does not rely on anything that a server says about itself.

use std::collections::BTreeSet;

use base::head;
use base::model::ToolSpec;
use rmcp::model::Tool;
use wildmatch::WildMatch;

/// Maximum number of tools of one server. Every request to the model contains all of them.
pub(crate) const TOOLS_MAX: usize = 64;

/// The longest tool name that providers accept, in characters.
const NAME_CHARS_MAX: usize = 64;

/// The longest description of a tool, in bytes.
const DESCRIPTION_BYTES_MAX: usize = 600;

/// The longest schema of a tool's arguments, in bytes.
const SCHEMA_BYTES_MAX: usize = 8_000;

/// Separates the server's name from the tool's name.
const SEPARATOR: &str = "__";

/// A tool that the assistant may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The tool as the assistant sees it.
    pub(crate) spec: ToolSpec,
    /// The tool's name on the server.
    pub(crate) name: String,
}

/// The allowed tools of a server, sorted by name, and the problems that were found.
pub(crate) fn listed(server: &str, allow: &[String], tools: &[Tool]) -> (Vec<Listed>, Vec<String>) {
    let mut problems = Vec::new();
    let mut names = BTreeSet::new();
    let mut listed: Vec<Listed> = Vec::new();
    let is_allowed = |tool: &&Tool| {
        let mut patterns = allow.iter();
        patterns.any(|pattern| WildMatch::new(pattern).matches(&tool.name))
    };
    for tool in tools.iter().filter(is_allowed) {
        let shown = format!("{:?}", head(&tool.name, NAME_CHARS_MAX));
        let Some(name) = full_name(server, &tool.name) else {
            problems.push(format!("the tool {shown} has a name that no model accepts"));
            continue;
        };
        let Some(parameters) = schema(tool) else {
            problems.push(format!(
                "the tool {shown} has an argument schema of more than {SCHEMA_BYTES_MAX} bytes"
            ));
            continue;
        };
        if !names.insert(name.clone()) {
            problems.push(format!("the tool {shown} is listed twice"));
            continue;
        }
        if listed.len() == TOOLS_MAX {
            problems.push(format!(
                "the server offers more than {TOOLS_MAX} tools; name those you need in `allow`"
            ));
            break;
        }
        listed.push(Listed {
            spec: ToolSpec {
                name,
                description: description(server, tool),
                parameters,
            },
            name: tool.name.to_string(),
        });
    }
    for pattern in allow {
        let wild = WildMatch::new(pattern);
        if !tools.iter().any(|tool| wild.matches(&tool.name)) {
            problems.push(format!(
                "`allow` names {pattern:?}, but it has no such tool"
            ));
        }
    }
    listed.sort_by(|a, b| a.spec.name.cmp(&b.spec.name));
    (listed, problems)
}

fn full_name(server: &str, tool: &str) -> Option<String> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let name = format!("{server}{SEPARATOR}{tool}");
    let fits = !tool.is_empty() && name.len() <= NAME_CHARS_MAX && name.chars().all(is_plain);
    fits.then_some(name)
}

fn schema(tool: &Tool) -> Option<String> {
    // Serializing a map of JSON values cannot fail.
    let schema = serde_json::to_string(&*tool.input_schema).unwrap_or_default();
    (schema.len() <= SCHEMA_BYTES_MAX).then_some(schema)
}

/// The description on one line. The server's name comes first, to show that the server wrote the text.
fn description(server: &str, tool: &Tool) -> String {
    let said = tool.description.as_deref().unwrap_or_default();
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    format!("{server}: {}", head(&said, DESCRIPTION_BYTES_MAX))
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
