//! The tidy rules that look at the project as a whole: files, crates, dependencies, prompts.
//!
//! Pure: each takes what was read and returns what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use super::file_rules::Finding;
use super::source::{Source, has_extension};

/// Crates of the workspace and the crates of the workspace that they depend on.
pub(super) type Edges = BTreeMap<String, BTreeSet<String>>;

/// Folders of other places that the project must not mention; assembled so that this file does not mention them either.
const FOREIGN_FOLDERS: [&str; 2] = [concat!("shared", "/"), concat!("seeds", "/")];

/// Lines of the page that newcomers read first.
const ARCHITECTURE_LINES_MAX: usize = 300;

/// Every Rust file is reached from a target by `mod` lines.
pub(super) fn are_reached(sources: &[Source], targets: &[String]) -> Vec<Finding> {
    let by_path: BTreeMap<&str, &Source> = sources
        .iter()
        .map(|source| (source.path.as_str(), source))
        .collect();
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<String> = targets.to_vec();
    while let Some(path) = waiting.pop() {
        if let Some(source) = by_path.get(path.as_str())
            && reached.insert(path.clone())
        {
            let folder = if targets.contains(&path) || source.file_name() == "mod.rs" {
                source.folder()
            } else {
                path.trim_end_matches(".rs")
            };
            waiting.extend(modules(source, folder));
        }
    }
    sources
        .iter()
        .filter(|source| !reached.contains(&source.path))
        .map(|source| format!("{}:1: no `mod` line reaches this file", source.path))
        .collect()
}

/// The possible paths of the modules of a file, below `below` unless they name a path.
fn modules(source: &Source, below: &str) -> Vec<String> {
    let mut path_attribute = None;
    let mut found = Vec::new();
    for (code, text) in source.code.lines().zip(source.text.lines()) {
        if code.trim().starts_with("#[path = ") {
            path_attribute = text.split('"').nth(1);
        } else if let Some(name) = module_name(code) {
            match path_attribute.take() {
                Some(path) => found.push(format!("{}/{path}", source.folder())),
                None => found.extend([
                    format!("{below}/{name}.rs"),
                    format!("{below}/{name}/mod.rs"),
                ]),
            }
        }
    }
    found
}

fn module_name(line: &str) -> Option<&str> {
    let (before, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
    let is_module = before.is_empty() || before.starts_with("pub");
    is_module.then_some(name)
}

/// Crates depend on each other as the table says, and in no other way.
pub(super) fn follow_the_table(found: &Edges, table: &Edges) -> Vec<Finding> {
    let names: BTreeSet<&String> = found.keys().chain(table.keys()).collect();
    names
        .into_iter()
        .filter(|name| found.get(*name) != table.get(*name))
        .map(|name| {
            let (found, expected) = (found.get(name), table.get(name));
            format!("crate {name} depends on {found:?}, the table says {expected:?}")
        })
        .collect()
}

/// Every direct dependency has its reason next to it; a path to a crate of ours needs none.
pub(super) fn have_reasons((path, manifest): (&str, &str)) -> Vec<Finding> {
    let mut is_dependencies = false;
    let mut findings = Vec::new();
    for (line_number, line) in (1..).zip(manifest.lines()) {
        if line.starts_with('[') {
            is_dependencies = line.trim_end_matches(']').ends_with("dependencies");
        } else if is_dependencies && line.contains('=') && !line.starts_with('#') {
            let is_ours = line.contains("path = ");
            let has_reason = line
                .rsplit_once(" # ")
                .is_some_and(|(_, reason)| !reason.trim().is_empty());
            if !is_ours && !has_reason {
                findings.push(format!("{path}:{line_number}: no reason beside {line:?}"));
            }
        }
    }
    findings
}

/// Every prompt is loaded in exactly one place.
pub(super) fn load_each_prompt_once(prompts: &[String], sources: &[Source]) -> Vec<Finding> {
    prompts
        .iter()
        .filter_map(|prompt| {
            let n_loads: usize = sources.iter().map(|source| n_loads(source, prompt)).sum();
            (n_loads != 1).then(|| format!("{prompt}:1: loaded by {n_loads} `include_str!`"))
        })
        .collect()
}

fn n_loads(source: &Source, prompt: &str) -> usize {
    let call = concat!("include_", "str!(\"");
    source
        .text
        .split(call)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|path| resolve(source.folder(), path) == prompt)
        .count()
}

fn resolve(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The prompt files among all files.
pub(super) fn prompts(files: &[(String, String)]) -> Vec<String> {
    files
        .iter()
        .map(|(path, _)| path)
        .filter(|path| path.starts_with("crates/") && path.contains("/src/"))
        .filter(|path| path.contains("/prompts/") && has_extension(path, "md"))
        .cloned()
        .collect()
}

/// The project speaks of itself alone.
pub(super) fn speaks_of_itself((path, text): (&str, &str)) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line_number, line) in (1..).zip(text.lines()) {
        for folder in FOREIGN_FOLDERS {
            if line.contains(folder) {
                findings.push(format!("{path}:{line_number}: {folder:?}"));
            }
        }
    }
    findings
}

/// Links between pages lead to files that are there.
pub(super) fn lead_somewhere((path, text): (&str, &str), files: &BTreeSet<&str>) -> Vec<Finding> {
    let folder = path.rsplit_once('/').map_or("", |split| split.0);
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next());
    targets
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .map(|target| resolve(folder, target.trim_end_matches('/')))
        .filter(|target| {
            let below = format!("{target}/");
            !files.contains(target.as_str()) && !files.iter().any(|file| file.starts_with(&below))
        })
        .map(|target| format!("{path}:1: a link to {target:?}, which is not there"))
        .collect()
}

/// If a table says what shows each of its rows, each row names an existing test or a decision.
pub(super) fn name_what_shows_them((path, text): (&str, &str), sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut is_shown = false;
    for (line_number, line) in (1..).zip(text.lines()) {
        let Some(row) = line.strip_prefix('|') else {
            is_shown = false;
            continue;
        };
        if row.trim_end().ends_with("| shown by |") || row.starts_with("---") {
            is_shown |= !row.starts_with("---");
            continue;
        }
        let cell = row.trim_end_matches(['|', ' ']).rsplit(" | ").next();
        let cell = cell.filter(|_| is_shown).unwrap_or_default();
        let quoted = cell.split('`').skip(1).step_by(2);
        let tests: Vec<(&str, &str)> = quoted.filter_map(|it| it.split_once(": ")).collect();
        if is_shown && tests.is_empty() && !cell.contains("](decisions/") {
            findings.push(format!("{path}:{line_number}: no test and no decision"));
        }
        for (file, test) in tests {
            let source = sources.iter().find(|it| it.path == path_of(file));
            if !source.is_some_and(|it| it.code.contains(&format!("fn {test}("))) {
                findings.push(format!("{path}:{line_number}: no test {file}: {test}"));
            }
        }
    }
    findings
}

/// `session/view_tests` is a file of a crate, `e2e/chat` one of the end-to-end tests, `fleet/e2e/vault` one of those of
/// another program.
fn path_of(file: &str) -> String {
    match file.split_once('/') {
        Some(("e2e", _)) | None => format!("crates/openclaw/tests/{file}.rs"),
        Some((name, rest)) if rest.starts_with("e2e/") => {
            format!("crates/{name}/tests/{rest}.rs")
        }
        Some((name, rest)) => format!("crates/{name}/src/{rest}.rs"),
    }
}

/// Manifests that other programs read carry the version of the workspace.
pub(super) fn has_version((path, text): (&str, &str), version: &str) -> Vec<Finding> {
    let manifest: serde_json::Value = serde_json::from_str(text).unwrap();
    match manifest["version"].as_str() {
        Some(own) if own != version => {
            vec![format!("{path}:1: version {own}, not {version}")]
        }
        Some(_) | None => Vec::new(),
    }
}

/// The architecture page stays short enough to be read.
pub(super) fn is_a_short_page((path, text): (&str, &str)) -> Vec<Finding> {
    let n_lines = text.lines().count();
    if path == "docs/architecture.md" && n_lines > ARCHITECTURE_LINES_MAX {
        vec![format!(
            "{path}:1: {n_lines} lines, at most {ARCHITECTURE_LINES_MAX}"
        )]
    } else {
        Vec::new()
    }
}
