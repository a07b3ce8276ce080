//! The settings of a home that a fleet serves. Other people may have written them.
//!
//! Such a home must not name files, programs or variables of the worker, and keys must not be sent to an address that
//! it chose.

use std::path::Path;

use serde_json::{Map, Value};

use super::layers::{Config, settings_of};
use super::values::ValueOrigin;
use crate::error::Result;

/// Settings that name a file, a folder or a variable of the machine; given by the last name of their key.
const NAMES: [&str; 6] = [
    "apiKeyEnv",
    "apiKeyFile",
    "folder",
    "recipientFile",
    "passphraseFile",
    "identityFile",
];

/// The setting that may name a folder of the machine instead of a model.
const EMBEDDING_MODEL: &str = "memory.embedding.model";

/// The group of the first model. The other models in the list use its address unless they name their own.
const MODEL: &str = "model";

/// Groups of settings that name programs, and the setting that names folders of notes.
const PROGRAMS: [&str; 4] = ["hooks.", "mcp.", "memory.sources", "promises."];

/// The settings that name API keys, in a group or in an entry of a list.
const KEYS: [&str; 2] = ["apiKeyEnv", "apiKeyFile"];

impl Config {
    /// The settings without those that a home in a fleet must not set. Also returns the keys of the settings that
    /// were removed.
    pub fn of_served_home(mut self) -> Result<(Self, Vec<String>)> {
        let defaults = Self::of_defaults()?.values;
        let mut left_out = Vec::new();
        let is_own = |origin: &ValueOrigin| matches!(origin, ValueOrigin::User { .. });
        let own_addresses: Vec<String> = self
            .values
            .iter()
            .filter(|(_, setting)| is_own(&setting.origin) && !setting.value.is_null())
            .filter_map(|(key, _)| key.strip_suffix(".baseUrl").map(str::to_owned))
            .collect();
        for (key, setting) in &mut self.values {
            let (group, name) = key.rsplit_once('.').unwrap_or(("", key));
            let names_machine = NAMES.contains(&name)
                || PROGRAMS.iter().any(|program| key.starts_with(program))
                || key == EMBEDDING_MODEL && is_folder(&setting.value);
            let is_to_own_address =
                KEYS.contains(&name) && own_addresses.iter().any(|own| own == group);
            let default = defaults.get(key);
            let is_set = default.is_none_or(|default| default.value != setting.value);
            if is_set && (is_own(&setting.origin) && names_machine || is_to_own_address) {
                setting.value = default.map_or(Value::Null, |default| default.value.clone());
                setting.origin = ValueOrigin::Default;
                left_out.push(key.clone());
                continue;
            }
            let is_model = key.split('.').next() == Some(MODEL);
            let has_foreign_address = is_model && own_addresses.iter().any(|own| own == MODEL);
            let loses_keys: &dyn Fn(&Map<String, Value>) -> bool = if is_own(&setting.origin) {
                &|_| true
            } else if has_foreign_address {
                &names_no_server
            } else {
                &|_| false
            };
            if without_keys(&mut setting.value, loses_keys) {
                left_out.push(key.clone());
            }
        }
        self.settings = settings_of(&self.values)?;
        Ok((self, left_out))
    }
}

/// Whether the value is a path outside the home.
fn is_folder(value: &Value) -> bool {
    let path = value.as_str().unwrap_or_default();
    path.starts_with('~') || Path::new(path).is_absolute()
}

/// Whether a model in a list uses the address of the first model.
fn names_no_server(entry: &Map<String, Value>) -> bool {
    let is_named = |name: &str| entry.get(name).is_some_and(|value| !value.is_null());
    !is_named("provider") && !is_named("baseUrl")
}

/// Removes the API key settings from those entries of a list for which `loses_keys` returns true. Returns whether
/// there were any.
fn without_keys(value: &mut Value, loses_keys: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
    let entries = value.as_array_mut().into_iter().flatten();
    let entries = entries.filter_map(Value::as_object_mut);
    let entries = entries.filter(|entry| loses_keys(entry));
    entries.fold(false, |found, entry| {
        let before = entry.len();
        entry.retain(|name, _| !KEYS.contains(&name.as_str()));
        found || entry.len() < before
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_kit::read;
    use super::*;

    /// The settings that result from a worker's settings and those of a home that it serves. Also returns the removed
    /// keys.
    fn served(home: &str, worker: &[(&str, &str)]) -> (Config, Vec<String>) {
        let read = read(&[("config.yaml", home)], &[], worker);
        read.unwrap().of_served_home().unwrap()
    }

    #[test]
    fn i14_served_home_loses_settings_that_name_workers_secrets() {
        let home = "\
model:
  provider: openai-compatible
  name: m
  baseUrl: https://example.org/v1
  apiKeyEnv: WORKER_SECRET
  apiKeyFile: /etc/token
  fallbacks: [{provider: openai-compatible, name: n, baseUrl: 'https://example.org/v1', apiKeyFile: /etc/token}]
  purposes: {flush: [{name: n, apiKeyEnv: WORKER_SECRET}]}
hooks: {beforeCompaction: [touch ran]}
backup: {folder: /mnt/other}
promises: {notify: [touch, ran]}
homes: {identityFile: ~/.age}
memory: {embedding: {apiKeyEnv: WORKER_SECRET}}
mcp: {servers: [{name: box, command: box-server}]}
";
        let (config, left_out) = served(home, &[]);
        assert_eq!(
            left_out,
            [
                "model.apiKeyEnv",
                "model.apiKeyFile",
                "model.fallbacks",
                "model.purposes.flush",
                "hooks.beforeCompaction",
                "backup.folder",
                "promises.notify",
                "homes.identityFile",
                "mcp.servers",
                "memory.embedding.apiKeyEnv",
            ]
        );
        let settings = format!("{:?}", config.settings);
        for name in [
            "WORKER_SECRET",
            "/etc/token",
            "touch ran",
            "/mnt/other",
            ".age",
            "box-server",
        ] {
            assert!(!settings.contains(name), "{name}");
        }
        assert!(settings.contains("https://example.org/v1"));
    }

    #[test]
    fn i14_workers_key_goes_only_to_workers_address() {
        let key = ("model.apiKeyEnv", "WORKER_KEY");
        let (config, left_out) = served("model: {baseUrl: 'https://example.org/v1'}", &[key]);
        assert_eq!(config.settings.model.api_key_env, None);
        assert_eq!(left_out, ["model.apiKeyEnv"]);
        let address = ("model.baseUrl", "https://model.internal/v1");
        let own = "model: {baseUrl: 'https://example.org/v1', apiKeyEnv: OTHER}";
        let (config, left_out) = served(own, &[key, address]);
        assert_eq!(
            config.settings.model.api_key_env.as_deref(),
            Some("WORKER_KEY")
        );
        assert!(left_out.is_empty(), "{left_out:?}");
    }

    #[test]
    fn i14_workers_key_of_fallback_is_not_sent_to_homes_address() {
        let bare = "[{name: n, apiKeyEnv: WORKER_KEY}]";
        let elsewhere = "[{provider: anthropic, name: n, apiKeyEnv: OTHER_KEY}, {name: o, baseUrl: 'https://model.internal/v1', apiKeyFile: /key}]";
        let worker = [
            ("model.fallbacks", bare),
            ("model.purposes.flush", bare),
            ("model.purposes.consolidate", elsewhere),
        ];
        let (config, left_out) = served("model: {baseUrl: 'https://example.org/v1'}", &worker);
        assert_eq!(left_out, ["model.fallbacks", "model.purposes.flush"]);
        let settings = format!("{:?}", config.settings);
        assert!(!settings.contains("WORKER_KEY"), "{settings}");
        assert!(settings.contains("OTHER_KEY"), "{settings}");
        assert!(settings.contains("/key"), "{settings}");
        let (config, left_out) = served("model: {name: m}", &worker);
        assert!(left_out.is_empty(), "{left_out:?}");
        assert!(format!("{:?}", config.settings).contains("WORKER_KEY"));
    }

    #[test]
    fn i14_served_home_cannot_use_workers_folder_as_model() {
        for (model, is_left_out) in [
            ("/etc/models", true),
            ("~/models", true),
            ("bge-small-en", false),
        ] {
            let home = format!("memory: {{embedding: {{model: {model}}}}}");
            let (_, left_out) = served(&home, &[]);
            let expected: &[&str] = if is_left_out {
                &["memory.embedding.model"]
            } else {
                &[]
            };
            assert_eq!(left_out, expected, "{model}");
        }
    }
}
