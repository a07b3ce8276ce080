//! The layers of settings: default, user, workspace, environment, `--set`. Each overrides the layers before it.
//!
//! Every layer is validated, so that an invalid value is reported even if a higher layer overrides it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::disk::read_some;
use base::{Disk, TokenCount, shell_word};
use compaction::{WindowSource, check_window};
use models::SetUpError;
use serde::Deserialize;

use super::aliases;
use super::error::{meant_or_listing, not_utf8, unknown, wrong};
use super::settings::Settings;
use super::suggest::nearest;
use super::values::{ValueOrigin, Values, is_above, object_of, origin_of, values_of};
use super::workspace;
use super::yaml::{self, Lined, YamlError, YamlNode};
use crate::environment::{NOT_SETTINGS, PREFIX, Variable};
use crate::error::{CliError, ErrorKind, Result};
use crate::home::Home;

pub(crate) const DEFAULT_YAML: &str = include_str!("../../../../config/default.yaml");

/// The size of the largest configuration file, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, Clone, Copy)]
pub struct ConfigSources<'a> {
    pub disk: &'a dyn Disk,
    pub home: &'a Home,
    pub variables: &'a [Variable],
    /// The assignments of `--set`, in order.
    pub assignments: &'a [Assignment],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The dotted key of the setting.
    pub key: String,
    /// The value, as YAML.
    pub value: String,
}

impl Assignment {
    pub(super) fn origin(&self) -> ValueOrigin {
        ValueOrigin::Set {
            assignment: format!("{}={}", self.key, self.value),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub settings: Settings,
    /// Every setting, with its value and origin.
    pub values: Values,
    pub files: Vec<PathBuf>,
    pub warnings: Vec<String>,
}

pub fn load(sources: ConfigSources<'_>) -> Result<Config> {
    let mut config = Config::of_defaults()?;
    let (user, foreign) = (sources.home.user_config(), sources.home.workspace_config());
    config.lay_file(sources.disk, &user, |line| ValueOrigin::User {
        path: user.clone(),
        line,
    })?;
    config.lay_file(sources.disk, &foreign, |line| ValueOrigin::Workspace {
        path: foreign.clone(),
        line,
    })?;
    workspace::check(&config.values)?;
    for variable in sources.variables {
        config.lay_variable(variable)?;
    }
    for assignment in sources.assignments {
        config.lay_assignment(assignment)?;
    }
    check_tiers(&config)?;
    check_sources(&config)?;
    config.warnings = warnings(&config);
    Ok(config)
}

/// Checks the assignments of `--set` against the defaults. For commands that read no settings, too.
pub fn check_assignments(assignments: &[Assignment]) -> Result<()> {
    let mut config = Config::of_defaults()?;
    for assignment in assignments {
        config.lay_assignment(assignment)?;
    }
    Ok(())
}

/// Checks one assignment against the defaults, ignoring all other layers.
pub fn check(assignment: &Assignment) -> Result<()> {
    let mut config = Config::of_defaults()?;
    let key = &assignment.key;
    config.known(key)?;
    config.lay_assignment(assignment)?;
    let text = config.values.get(key).and_then(|it| it.value.as_str());
    let address = text.filter(|_| last_name(key) == "baseUrl");
    let problem = match address.map(models::address) {
        Some(Err(SetUpError::BaseUrl { problem, .. })) => problem,
        Some(Err(error)) => error.to_string(),
        Some(Ok(_)) | None => return Ok(()),
    };
    Err(wrong(key, &assignment.origin(), &problem))
}

/// The settings that a key names: a single setting, or all settings in a group.
pub fn find(key: &str) -> Result<Vec<String>> {
    Config::of_defaults()?.find(key)
}

impl Config {
    pub(super) fn of_defaults() -> Result<Self> {
        let path = Path::new("config/default.yaml");
        let read = parse_file(path, DEFAULT_YAML)?;
        let values = values_of(read, &|_| true, &|_| ValueOrigin::Default);
        Ok(Self {
            settings: settings_of(&values)?,
            values,
            files: Vec::new(),
            warnings: Vec::new(),
        })
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Whether a key is a group of settings.
    fn is_group(&self, key: &str) -> bool {
        self.keys().any(|known| is_above(key, known))
    }

    fn find(&self, key: &str) -> Result<Vec<String>> {
        let found = self
            .keys()
            .filter(|known| *known == key || is_above(key, known));
        let found: Vec<String> = found.map(str::to_owned).collect();
        if found.is_empty() {
            return Err(unknown(key, self.meant_by(key)));
        }
        Ok(found)
    }

    /// Fails unless the key names a single setting.
    fn known(&self, key: &str) -> Result<()> {
        let found = self.find(key)?;
        match found.into_iter().next() {
            Some(first) if first != key => {
                let message = format!("{key} is a group of settings");
                Err(CliError::new(ErrorKind::Config, message)
                    .hint(format!("name one of its settings, such as {first}")))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn lay_file(
        &mut self,
        disk: &dyn Disk,
        path: &Path,
        origin: impl Fn(u64) -> ValueOrigin,
    ) -> Result<()> {
        let Some(bytes) = read_some(disk, path, FILE_BYTES_MAX)? else {
            return Ok(());
        };
        let text = String::from_utf8(bytes).map_err(|_| not_utf8(path.display()))?;
        self.files.push(path.to_owned());
        self.lay(parse_file(path, &text)?, &origin)
    }

    fn lay_variable(&mut self, variable: &Variable) -> Result<()> {
        let name = &variable.name;
        let Some(key) = self.keys().find(|key| variable_of(key) == *name) else {
            let known: Vec<_> = self.keys().map(variable_of).collect();
            let known = known.iter().map(String::as_str).chain(NOT_SETTINGS);
            // The names are compared without the prefix, which would make all of them look alike.
            let meant = nearest(
                name.trim_start_matches(PREFIX),
                known.map(|name| name.trim_start_matches(PREFIX)),
            );
            let meant = meant.map(|name| format!("{PREFIX}{name}"));
            let message = format!("the variable {name} does not match any setting");
            return Err(CliError::new(ErrorKind::Config, message)
                .doing("reading the environment")
                .hint(meant_or_listing(meant)));
        };
        let Some(value) = &variable.value else {
            return Err(not_utf8(format_args!("the variable {name}")));
        };
        let origin = ValueOrigin::Environment {
            variable: name.clone(),
        };
        self.lay(setting_read(key, value, &origin)?, &|_| origin.clone())
    }

    fn lay_assignment(&mut self, assignment: &Assignment) -> Result<()> {
        let Assignment { key, value } = assignment;
        let origin = assignment.origin();
        self.lay(setting_read(key, value, &origin)?, &|_| origin.clone())
    }

    /// Applies a layer: its settings override those of earlier layers.
    fn lay(&mut self, read: Lined, origin: &dyn Fn(u64) -> ValueOrigin) -> Result<()> {
        let is_group = |key: &str| self.is_group(key) || aliases::is_group(key);
        let layer = values_of(read, &is_group, origin);
        for (key, setting) in aliases::resolve(layer)? {
            if let Some(known) = self.values.get_mut(&key) {
                *known = setting;
            } else if !self.is_group(&key) {
                let failure = unknown(&key, self.meant_by(&key));
                let failure = failure.doing(format!("reading {}", setting.origin));
                return Err(if let ValueOrigin::User { path, .. } = &setting.origin {
                    let path = shell_word(path);
                    failure.hint(format!("`${{EDITOR:-nano}} {path}` opens the settings"))
                } else {
                    failure
                });
            } else if !setting.value.is_null() {
                let problem = format!("expected a group of settings, found {}", setting.value);
                return Err(wrong(&key, &setting.origin, &problem));
            }
            // A null group sets nothing; an example is a group whose lines are all comments.
        }
        self.settings = settings_of(&self.values)?;
        Ok(())
    }

    /// The suggestion for a misspelt key. In this order: a setting with the same last name, the key with each name
    /// corrected, a setting with a similar last name, a setting similar to the whole key.
    fn meant_by(&self, typed: &str) -> Option<String> {
        let named_so = |wanted: &str| -> Option<String> {
            let group = typed.split_once('.').map(|(group, _)| group);
            let named = || self.keys().filter(|key| last_name(key) == wanted);
            // Several groups may have a setting with this name; the typed group is preferred.
            let in_group = named().find(|key| key.split('.').next() == group);
            let found = in_group.or_else(|| nearest(typed, named()));
            found.or_else(|| named().next()).map(str::to_owned)
        };
        let last = last_name(typed);
        named_so(last)
            .or_else(|| self.put_right(typed))
            .or_else(|| named_so(nearest(last, self.keys().map(last_name))?))
            .or_else(|| nearest(typed, self.keys()).map(str::to_owned))
    }

    /// Replaces each name in a key with the nearest one at its level.
    fn put_right(&self, typed: &str) -> Option<String> {
        let mut found = String::new();
        for name in typed.split('.') {
            let below = self.keys().filter_map(|key| key.strip_prefix(&found));
            let names = below.filter_map(|rest| rest.split('.').next());
            let names: BTreeSet<&str> = names.collect();
            let name = match names.get(name) {
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

pub(super) fn parse_file(path: &Path, text: &str) -> Result<Lined> {
    yaml::parse_file(text).map_err(|error| {
        let YamlError {
            problem,
            line,
            column,
        } = error;
        let path = path.display();
        let message =
            format!("{path} is not valid YAML at line {line}, column {column}: {problem}");
        CliError::new(ErrorKind::Config, message).hint(format!(
            "correct line {line} of {path} in an editor, then repeat the command"
        ))
    })
}

/// Parses a value from the command line or a variable.
pub(super) fn parse_value(value: &str, origin: &ValueOrigin) -> Result<Lined> {
    yaml::parse(value).map_err(|error| {
        let message = format!("the value of {origin} is not valid YAML: {}", error.problem);
        CliError::new(ErrorKind::Config, message).hint("put the value in quotes if it is text")
    })
}

/// Parses a setting as if it were the only one in a file.
fn setting_read(key: &str, value: &str, origin: &ValueOrigin) -> Result<Lined> {
    let read = parse_value(value, origin)?;
    Ok(key.rsplit('.').fold(read, |inner, name| Lined {
        line: inner.line,
        node: YamlNode::Group([(name.to_owned(), inner)].into()),
    }))
}

pub(super) fn settings_of(values: &Values) -> Result<Settings> {
    let mut track = serde_path_to_error::Track::new();
    let deserializer = serde_path_to_error::Deserializer::new(object_of(values), &mut track);
    Settings::deserialize(deserializer).map_err(|error| {
        let key = track.path().to_string();
        wrong(&key, &origin_of(values, &key), &error.to_string())
    })
}

/// The variable that sets a key: `OPENCLAW_COMPACTION__CONTEXT_WINDOW` for `compaction.contextWindow`.
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

/// Checks the order of the tiers after all layers, because one layer may set only some of the thresholds.
fn check_tiers(config: &Config) -> Result<()> {
    let Some(problem) = config.settings.compaction.problem_of_tiers() else {
        return Ok(());
    };
    let key = "compaction.tiered";
    let mut tiers = config.values.iter().filter(|(of, _)| is_above(key, of));
    let set = tiers.find(|(_, setting)| setting.origin != ValueOrigin::Default);
    let origin = set.map_or(&ValueOrigin::Default, |(_, setting)| &setting.origin);
    Err(wrong(key, origin, &problem))
}

/// Checks the names of the folders of notes, which search shows: each is valid, and none is used twice.
fn check_sources(config: &Config) -> Result<()> {
    let key = "memory.sources";
    let refused = |problem: &str| wrong(key, &origin_of(&config.values, key), problem);
    let mut known = BTreeSet::new();
    for source in &config.settings.memory.sources {
        let name = source.name();
        memory::check_folder_name(&name).map_err(|error| refused(&error.to_string()))?;
        if !known.insert(name.clone()) {
            let problem = format!("two folders have the name {name:?}; give one of them a `name`");
            return Err(refused(&problem));
        }
    }
    Ok(())
}

fn warnings(config: &Config) -> Vec<String> {
    let window = config.settings.compaction.context_window.get();
    let key = "compaction.contextWindow";
    let origin = origin_of(&config.values, key);
    let checked = check_window(TokenCount(window), WindowSource::Configured);
    // A small window causes a warning and no error, because the owner chose it.
    let small = checked.ok().flatten().map(|warning| {
        format!(
            "{key} is {} in {origin}; below {} tokens, little of a conversation stays in view",
            warning.window, warning.recommended,
        )
    });
    small.into_iter().collect()
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
