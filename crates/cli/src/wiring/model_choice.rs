//! Turns the model settings into a connection.
//!
//! Sends nothing.

use std::num::NonZeroUsize;

use models::{Connection, Dialect};

use super::endpoint::{EndpointSettings, KeyFallback};
use crate::config::{Limited, ModelSettings, OtherModel, ProviderSetting};
use crate::environment::Environment;
use crate::host::Host;
use crate::prelude::*;

#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// The offline engine. If the owner has not chosen a provider, `offer` names one that could be turned on.
    Offline {
        offer: Option<String>,
    },
    Remote(Connection),
}

#[derive(Debug, Clone, Copy)]
pub struct ModelSource<'a> {
    pub settings: &'a ModelSettings,
    pub host: &'a Host,
    pub home: &'a Home,
}

impl<'a> ModelSource<'a> {
    pub fn new(settings: &'a ModelSettings, host: &'a Host, home: &'a Home) -> Self {
        Self {
            settings,
            host,
            home,
        }
    }
}

/// A provider with a well-known variable for its key.
struct KnownProvider {
    dialect: Dialect,
    setting: &'static str,
    variable: &'static str,
    /// The model to suggest if the settings name none.
    model: &'static str,
}

/// The variable with Ollama's address.
pub const OLLAMA_HOST_VARIABLE: &str = "OLLAMA_HOST";

const KNOWN: [KnownProvider; 3] = [
    KnownProvider {
        dialect: Dialect::Anthropic,
        setting: "anthropic",
        variable: "ANTHROPIC_API_KEY",
        model: "claude-sonnet-4-5",
    },
    KnownProvider {
        dialect: Dialect::OpenAi,
        setting: "openai",
        variable: "OPENAI_API_KEY",
        model: "gpt-5-mini",
    },
    KnownProvider {
        dialect: Dialect::Gemini,
        setting: "gemini",
        variable: "GEMINI_API_KEY",
        model: "gemini-2.5-flash",
    },
];

pub fn choose(source: ModelSource<'_>) -> Result<Choice> {
    choose_at("model", source)
}

/// The choice for a fallback model or for a purpose, whose settings are at `place`.
pub(crate) fn choose_other(
    place: &str,
    other: &OtherModel,
    source: ModelSource<'_>,
) -> Result<Choice> {
    let settings = &merged(other, source.settings);
    choose_at(place, ModelSource { settings, ..source })
}

/// Completes another model's settings with those of the first model, but only if it names no provider or server of
/// its own. A key must never be sent to another server.
fn merged(other: &OtherModel, first: &ModelSettings) -> ModelSettings {
    let is_elsewhere = other.provider.is_some() || other.base_url.is_some();
    let names_key = other.api_key_env.is_some() || other.api_key_file.is_some();
    let inherited = |setting: &Option<String>| setting.clone().filter(|_| !is_elsewhere);
    let key = |setting: &Option<String>| inherited(setting).filter(|_| !names_key);
    ModelSettings {
        provider: other.provider.unwrap_or(first.provider),
        name: other.name.clone(),
        base_url: other.base_url.clone().or(inherited(&first.base_url)),
        api_key_env: other.api_key_env.clone().or(key(&first.api_key_env)),
        api_key_file: other.api_key_file.clone().or(key(&first.api_key_file)),
        context_window: other.context_window,
        concurrency: match other.concurrency {
            Some(concurrency) => concurrency,
            None if is_elsewhere => Limited::MOST,
            None => first.concurrency,
        },
        ..first.clone()
    }
}

fn choose_at(place: &str, source: ModelSource<'_>) -> Result<Choice> {
    let settings = source.settings;
    let Some(dialect) = dialect_of(settings.provider) else {
        let is_open = settings.provider == ProviderSetting::Auto;
        return Ok(Choice::Offline {
            offer: is_open.then(|| offer(&source.host.environment)).flatten(),
        });
    };
    let name = settings.name.as_deref().map(str::trim).unwrap_or_default();
    if name.is_empty() {
        let hint = if place == "model" {
            hint_of_name(dialect)
        } else {
            format!(
                "choose one of the provider's models, as in `{place}: {{name: NAME}}` in config.yaml"
            )
        };
        return Err(CliError::new(
            ErrorKind::Config,
            format!("{place}.name is not set: a provider is chosen, but no model"),
        )
        .hint(hint));
    }
    let concurrency = usize::try_from(settings.concurrency.get()).unwrap_or(usize::MAX);
    Ok(Choice::Remote(Connection {
        context_window: settings
            .context_window
            .map(|window| TokenCount(window.get())),
        concurrency: NonZeroUsize::new(concurrency).unwrap_or(NonZeroUsize::MIN),
        ..connection(place, dialect, name, source)?
    }))
}

/// The API dialect of a provider; `None` if the provider needs no network.
fn dialect_of(provider: ProviderSetting) -> Option<Dialect> {
    Some(match provider {
        ProviderSetting::Auto | ProviderSetting::Offline => return None,
        ProviderSetting::Anthropic => Dialect::Anthropic,
        ProviderSetting::OpenAi => Dialect::OpenAi,
        ProviderSetting::OpenAiCompatible => Dialect::OpenAiCompatible,
        ProviderSetting::Gemini => Dialect::Gemini,
        ProviderSetting::Ollama => Dialect::Ollama,
    })
}

/// The providers whose key variables are set, each with its variable. Never returns a key.
pub fn known_keys(environment: &Environment) -> impl Iterator<Item = (&'static str, &'static str)> {
    let known = KNOWN.iter().map(|known| (known.setting, known.variable));
    known.filter(|(_, variable)| environment.others.get(variable).is_some())
}

/// The model to suggest for a provider.
pub fn suggested_model(setting: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|known| known.setting == setting);
    known.map(|known| known.model)
}

/// The hint that says how to name a model of a provider.
fn hint_of_name(dialect: Dialect) -> String {
    let known = KNOWN.iter().find(|known| known.dialect == dialect);
    let name = known.map_or("NAME", |known| known.model);
    format!("`openclaw config set model.name {name}`")
}

/// The settings that the chosen model still lacks, each as an error with the next command to type.
pub(super) fn missing(source: ModelSource<'_>) -> Vec<CliError> {
    let settings = source.settings;
    let Some(dialect) = dialect_of(settings.provider) else {
        return Vec::new();
    };
    let lack = |what: String, next: String| CliError::new(ErrorKind::Config, what).hint(next);
    let mut parts = Vec::new();
    if settings
        .name
        .as_deref()
        .is_none_or(|name| name.trim().is_empty())
    {
        parts.push(lack(
            "no model is set yet".to_owned(),
            hint_of_name(dialect),
        ));
    }
    if settings.base_url.is_none() && dialect.default_base_url().is_none() {
        let next = "`openclaw config set model.baseUrl http://localhost:8080/v1`";
        parts.push(lack("no server is set yet".to_owned(), next.to_owned()));
    }
    let (place, setting) = match (&settings.api_key_env, &settings.api_key_file) {
        (None, Some(_)) => ("file", "model.apiKeyFile FILE"),
        (Some(_), _) | (None, None) => ("variable", "model.apiKeyEnv VARIABLE"),
    };
    let is_named = settings.api_key_env.is_some() || settings.api_key_file.is_some();
    match connection("model", dialect, "", source) {
        Ok(found) if found.key.is_none() && (is_named || dialect.needs_key()) => {
            let next = format!(
                "put the key in that {place}, or set another one with `openclaw config set {setting}`"
            );
            let what = format!("there is no key yet, because {}", found.key_source);
            parts.push(lack(what, next));
        }
        Ok(_) => {}
        Err(error) => parts.push(error),
    }
    parts
}

fn offer(environment: &Environment) -> Option<String> {
    let (setting, variable) = known_keys(environment).next()?;
    Some(format!(
        "answering offline, although {variable} is set: `openclaw init` lets you choose a provider and saves it; \
         `--set model.provider={setting} --set model.name=NAME` uses that provider for one run"
    ))
}

/// The connection to the chosen provider.
fn connection(
    group: &str,
    dialect: Dialect,
    model: &str,
    source: ModelSource<'_>,
) -> Result<Connection> {
    let settings = source.settings;
    let known = KNOWN.iter().find(|known| known.dialect == dialect);
    let endpoint = EndpointSettings {
        group,
        dialect,
        base_url: settings.base_url.as_deref(),
        model,
        variable: settings.api_key_env.as_deref(),
        file: settings.api_key_file.as_deref(),
        fallback: match (known, &settings.base_url) {
            (Some(known), None) => KeyFallback::Variable(known.variable),
            (Some(_), Some(_)) => KeyFallback::Elsewhere,
            (None, _) => KeyFallback::Optional,
        },
    };
    endpoint.connection(source.host, source.home)
}

#[cfg(test)]
#[path = "model_choice_tests.rs"]
mod tests;
