//! From the tools that a server lists to those that the assistant may call.
//!
//! Pure; believes nothing that a server says of itself.

use std::collections::BTreeSet;

use base::head;
use base::model::ToolSpec;
use rmcp::model::Tool;
use wildmatch::WildMatch;

/// The most tools of one server: each stands in every request.
pub(crate) const TOOLS_MAX: usize = 64;

/// The longest name that providers take.
const NAME_CHARS_MAX: usize = 64;

/// The longest description, in bytes.
const DESCRIPTION_BYTES_MAX: usize = 600;

/// The longest schema of arguments, in bytes.
const SCHEMA_BYTES_MAX: usize = 8_000;

/// Parts the name of a server from that of a tool.
const SEPARATOR: &str = "__";

/// A tool of a server that may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// As the assistant knows it.
    pub(crate) spec: ToolSpec,
    /// As the server knows it.
    pub(crate) name: String,
}

/// The tools of a server that the owner allows, by name, and what is wrong with the others.
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
            problems.push(format!("the tool {shown} has a name that no model takes"));
            continue;
        };
        let Some(parameters) = schema(tool) else {
            problems.push(format!(
                "the tool {shown} wants arguments of more than {SCHEMA_BYTES_MAX} bytes of schema"
            ));
            continue;
        };
        if !names.insert(name.clone()) {
            problems.push(format!("the tool {shown} is listed twice"));
            continue;
        }
        if listed.len() == TOOLS_MAX {
            problems.push(format!(
                "more than {TOOLS_MAX} tools are allowed; `allow` can name those that are wanted"
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
            problems.push(format!("it has no tool {pattern:?}, which `allow` names"));
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
    // A map of JSON values always has a form in JSON.
    let schema = serde_json::to_string(&*tool.input_schema).unwrap_or_default();
    (schema.len() <= SCHEMA_BYTES_MAX).then_some(schema)
}

/// On one line, with the server that says so: it is not the program's word.
fn description(server: &str, tool: &Tool) -> String {
    let said = tool.description.as_deref().unwrap_or_default();
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    format!("{server}: {}", head(&said, DESCRIPTION_BYTES_MAX))
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
