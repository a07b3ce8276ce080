//! The layers: default, user, workspace, environment, `--set`, each over the one before.
//!
//! Checks after each layer, so that a wrong value is told even where a higher layer hides it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::disk::read_some;
use base::{Disk, TokenCount};
use compaction::{WindowSource, check_window};
use serde::Deserialize;
use serde_json::Value;

use super::aliases;
use super::error::ConfigError;
use super::origin::Origin;
use super::settings::Settings;
use super::suggest::nearest;
use super::tree::{Misfit, Tree, leaves};
use super::workspace;
use super::yaml;
use crate::environment::{NOT_SETTINGS, PREFIX, Variable};
use crate::home::Home;

pub(crate) const DEFAULT_YAML: &str = include_str!("../../../../config/default.yaml");

/// Longest configuration file in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) home: &'a Home,
    pub(crate) variables: &'a [Variable],
    /// What stood after `--set`, in order.
    pub(crate) assignments: &'a [Assignment],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assignment {
    /// The setting, its names joined by dots.
    pub(crate) key: String,
    /// Its value, as YAML.
    pub(crate) value: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    pub(crate) tree: Tree<Origin>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) warnings: Vec<String>,
}

pub(crate) fn load(sources: Sources<'_>) -> Result<Config, ConfigError> {
    let mut stack = Stack::of_defaults()?;
    let (user, foreign) = (sources.home.user_config(), sources.home.workspace_config());
    stack.lay_file(sources.disk, &user, |line| Origin::User {
        path: user.clone(),
        line,
    })?;
    stack.lay_file(sources.disk, &foreign, |line| Origin::Workspace {
        path: foreign.clone(),
        line,
    })?;
    workspace::check(&stack.tree)?;
    for variable in sources.variables {
        stack.lay_variable(variable)?;
    }
    for assignment in sources.assignments {
        stack.lay_assignment(assignment)?;
    }
    check_tiers(&stack)?;
    let warnings = warnings(&stack);
    Ok(Config {
        settings: stack.settings,
        tree: stack.tree,
        files: stack.files,
        warnings,
    })
}

/// Checks a setting by itself, over the defaults alone.
pub(crate) fn check(assignment: &Assignment) -> Result<(), ConfigError> {
    let mut stack = Stack::of_defaults()?;
    stack.known(&assignment.key)?;
    stack.lay_assignment(assignment)
}

/// The settings that a key names: that of the name, or those of the group.
pub(crate) fn find(key: &str) -> Result<Vec<String>, ConfigError> {
    Stack::of_defaults()?.find(key)
}

struct Stack {
    tree: Tree<Origin>,
    settings: Settings,
    /// Every setting, names joined by dots.
    keys: Vec<String>,
    files: Vec<PathBuf>,
}

impl Stack {
    fn of_defaults() -> Result<Self, ConfigError> {
        let path = Path::new("config/default.yaml");
        let tree = parse_file(path, DEFAULT_YAML)?.map_origin(&|_| Origin::Default);
        let settings = settings_of(&tree)?;
        let keys = leaves(&tree)
            .iter()
            .map(|leaf| leaf.path.join("."))
            .collect();
        Ok(Self {
            tree,
            settings,
            keys,
            files: Vec::new(),
        })
    }

    fn find(&self, key: &str) -> Result<Vec<String>, ConfigError> {
        let is_meant = |known: &&String| {
            let rest = known.strip_prefix(key);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let found: Vec<String> = self.keys.iter().filter(is_meant).cloned().collect();
        if found.is_empty() {
            let path: Vec<String> = key.split('.').map(str::to_owned).collect();
            return Err(ConfigError::NoSuchSetting {
                key: key.to_owned(),
                meant: self.meant_by(&path),
            });
        }
        Ok(found)
    }

    /// Fails where a key names no single setting.
    fn known(&self, key: &str) -> Result<(), ConfigError> {
        let found = self.find(key)?;
        match found.into_iter().next() {
            Some(first) if first != key => Err(ConfigError::Group {
                key: key.to_owned(),
                first,
            }),
            Some(_) | None => Ok(()),
        }
    }

    fn lay_file(
        &mut self,
        disk: &dyn Disk,
        path: &Path,
        origin: impl Fn(u64) -> Origin,
    ) -> Result<(), ConfigError> {
        let Some(bytes) = read_some(disk, path, FILE_BYTES_MAX)? else {
            return Ok(());
        };
        let text = String::from_utf8(bytes).map_err(|_| ConfigError::NotUtf8 {
            what: path.display().to_string(),
        })?;
        self.files.push(path.to_owned());
        self.lay(parse_file(path, &text)?.map_origin(&origin))
    }

    fn lay_variable(&mut self, variable: &Variable) -> Result<(), ConfigError> {
        let name = &variable.name;
        let Some(key) = self.keys.iter().find(|key| variable_of(key) == *name) else {
            let known: Vec<_> = self.keys.iter().map(|key| variable_of(key)).collect();
            let known = known.iter().map(String::as_str).chain(NOT_SETTINGS);
            // What all have in common says nothing of what is meant.
            let meant = nearest(
                name.trim_start_matches(PREFIX),
                known.map(|name| name.trim_start_matches(PREFIX)),
            );
            return Err(ConfigError::UnknownVariable {
                variable: name.clone(),
                meant: meant.map(|name| format!("{PREFIX}{name}")),
            });
        };
        let Some(value) = &variable.value else {
            return Err(ConfigError::NotUtf8 {
                what: format!("the variable {name}"),
            });
        };
        let origin = Origin::Environment {
            variable: name.clone(),
        };
        self.lay(tree_of_setting(key, value, &origin)?)
    }

    fn lay_assignment(&mut self, assignment: &Assignment) -> Result<(), ConfigError> {
        let Assignment { key, value } = assignment;
        let origin = Origin::Set {
            assignment: format!("{key}={value}"),
        };
        self.lay(tree_of_setting(key, value, &origin)?)
    }

    fn lay(&mut self, layer: Tree<Origin>) -> Result<(), ConfigError> {
        self.tree
            .overlay(aliases::resolve(layer)?)
            .map_err(|misfit| self.explain(misfit))?;
        self.settings = settings_of(&self.tree)?;
        Ok(())
    }

    fn explain(&self, misfit: Misfit<Origin>) -> ConfigError {
        let (path, origin) = (misfit.path, misfit.origin);
        let key = path.join(".");
        match misfit.found {
            None => ConfigError::Unknown {
                meant: self.meant_by(&path),
                key,
                origin,
            },
            Some(found) => ConfigError::Wrong {
                key,
                origin,
                problem: format!("expected settings by name, found {found}"),
            },
        }
    }

    /// A setting of the same last name in another group, else the path with each name put right, else a
    /// setting like the whole key.
    fn meant_by(&self, path: &[String]) -> Option<String> {
        let typed = path.join(".");
        let named_so = |wanted: &str| -> Option<String> {
            let group = path.first().filter(|_| path.len() > 1);
            let named = || self.keys.iter().filter(|key| last_name(key) == wanted);
            // Several groups may have a setting of that name.
            let in_group = named().find(|key| key.split('.').next() == group.map(String::as_str));
            let alike = || nearest(&typed, named().map(String::as_str));
            let found = in_group.map(String::as_str).or_else(alike);
            let found = found.or_else(|| named().next().map(String::as_str));
            found.map(str::to_owned)
        };
        let last = path.last()?;
        named_so(last)
            .or_else(|| self.put_right(path))
            .or_else(|| {
                let like = nearest(last, self.keys.iter().map(|key| last_name(key)))?;
                named_so(like)
            })
            .or_else(|| nearest(&typed, self.keys.iter().map(String::as_str)).map(str::to_owned))
    }

    /// The setting or group to which the path leads where each name is the one most like it.
    fn put_right(&self, path: &[String]) -> Option<String> {
        let mut found = String::new();
        for name in path {
            let below = self.keys.iter().filter_map(|key| key.strip_prefix(&found));
            let names = below.filter_map(|rest| rest.split('.').next());
            let names: BTreeSet<&str> = names.collect();
            let name = match names.get(name.as_str()) {
                Some(name) => name,
                None => nearest(name, names)?,
            };
            found = format!("{found}{name}.");
        }
        found.pop();
        Some(found)
    }
}

fn last_name(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

pub(super) fn parse_file(path: &Path, text: &str) -> Result<Tree<u64>, ConfigError> {
    yaml::parse_file(text).map_err(|error| ConfigError::Syntax {
        path: path.to_owned(),
        line: error.line,
        column: error.column,
        problem: error.problem,
    })
}

fn tree_of_setting(key: &str, value: &str, origin: &Origin) -> Result<Tree<Origin>, ConfigError> {
    let value = yaml::parse(value).map_err(|error| ConfigError::ValueSyntax {
        origin: origin.clone(),
        problem: error.problem,
    })?;
    let value = value.map_origin(&|_| origin.clone());
    Ok(Tree::of_setting(key, value))
}

fn settings_of(tree: &Tree<Origin>) -> Result<Settings, ConfigError> {
    let value: Value = tree.node.clone().into_value();
    let mut track = serde_path_to_error::Track::new();
    let deserializer = serde_path_to_error::Deserializer::new(value, &mut track);
    Settings::deserialize(deserializer).map_err(|error| {
        let key = track.path().to_string();
        ConfigError::Wrong {
            origin: tree.innermost(&key).origin.clone(),
            key,
            problem: error.to_string(),
        }
    })
}

/// The variable of a setting: `OPENCLAW_COMPACTION__CONTEXT_WINDOW` for `compaction.contextWindow`.
pub(crate) fn variable_of(key: &str) -> String {
    let mut variable = PREFIX.to_owned();
    for character in key.chars() {
        if character == '.' {
            variable.push_str("__");
        } else {
            if character.is_ascii_uppercase() {
                variable.push('_');
            }
            variable.push(character.to_ascii_uppercase());
        }
    }
    variable
}

/// Only once all layers are laid: one may set what another completes.
fn check_tiers(stack: &Stack) -> Result<(), ConfigError> {
    let Some(problem) = stack.settings.compaction.problem_of_tiers() else {
        return Ok(());
    };
    let key = "compaction.tiered";
    let tiers = stack.tree.find(key);
    let leaves = tiers.map(leaves).unwrap_or_default();
    let set = leaves.iter().find(|leaf| *leaf.origin != Origin::Default);
    Err(ConfigError::Wrong {
        key: key.to_owned(),
        origin: set.map_or(Origin::Default, |leaf| leaf.origin.clone()),
        problem,
    })
}

fn warnings(stack: &Stack) -> Vec<String> {
    let window = stack.settings.compaction.context_window.get();
    let key = "compaction.contextWindow";
    let origin = &stack.tree.innermost(key).origin;
    let checked = check_window(TokenCount(window), WindowSource::Configured);
    // A window that the owner set is warned about and never refused.
    let small = checked.ok().flatten().map(|warning| {
        format!(
            "{key} is {} in {origin}; below {} tokens little of a conversation stays in view",
            warning.window, warning.recommended,
        )
    });
    small.into_iter().collect()
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
