//! The offers of `init`, its questions, and the meaning of an answer.
//!
//! Does no I/O.

use cli::config::Assignment;
use cli::environment::Environment;
use cli::output::add_line;
use cli::wiring::{known_keys, suggested_model};
use models::{Dialect, LocalServer, shown_address};

use crate::prelude::*;

/// Maximum number of models listed for a server; the owner can type any other.
const LISTED_MAX: usize = 20;

/// Maximum number of models named next to a server.
const NAMED_MAX: usize = 3;

/// Default model for Ollama to download: it calls tools and runs on most machines.
pub(super) const DOWNLOAD: &str = "qwen3:4b";

/// A local server or a provider that could answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Offer {
    Local(LocalServer),
    /// A provider whose key is in the environment.
    Key {
        provider: &'static str,
        variable: &'static str,
    },
}

/// Local servers, then providers whose keys are set.
pub(super) fn offers(environment: &Environment, local: Vec<LocalServer>) -> Vec<Offer> {
    let keys = known_keys(environment);
    let keys = keys.map(|(provider, variable)| Offer::Key { provider, variable });
    local.into_iter().map(Offer::Local).chain(keys).collect()
}

/// The number that an empty answer selects: the first local server with a model, since nothing leaves the
/// machine, or else 0.
fn default(offers: &[Offer]) -> usize {
    let is_ready =
        |offer: &Offer| matches!(offer, Offer::Local(server) if !server.models.is_empty());
    offers
        .iter()
        .position(is_ready)
        .map_or(0, |place| place + 1)
}

pub(super) fn question(offers: &[Offer]) -> String {
    let lines = (1..).zip(offers).map(|(number, offer)| match offer {
        Offer::Local(server) => {
            let (place, models) = (named(server), in_short(&server.models));
            format!("  {number}  {place}: {models}\n")
        }
        Offer::Key { provider, variable } => {
            format!(
                "  {number}  {provider}, with the key in {variable}; your messages are sent there\n"
            )
        }
    });
    let lines: String = lines.collect();
    format!(
        "Which model should answer?\n\n{lines}  0  none: stay offline, where replies quote your notes\n\nNumber [{}]: ",
        default(offers)
    )
}

fn named(server: &LocalServer) -> String {
    let program = match server.dialect {
        Dialect::Ollama => "Ollama",
        Dialect::Anthropic | Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Gemini => {
            "the server"
        }
    };
    format!("{program} at {}", shown_address(&server.base_url))
}

fn in_short(models: &[String]) -> String {
    let first = models.iter().take(NAMED_MAX).map(|name| printable(name));
    let first = first.collect::<Vec<_>>().join(", ");
    match models.len() {
        0 => "no models yet, but it can download one".to_owned(),
        n_models if n_models > NAMED_MAX => format!("{first} and {} more", n_models - NAMED_MAX),
        _ => first,
    }
}

/// What an answer selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Picked<'o> {
    Offer(&'o Offer),
    Nobody,
}

/// The choice that an answer means; `None` if the answer is not a number in the list.
pub(super) fn pick<'o>(offers: &'o [Offer], answer: &str) -> Option<Picked<'o>> {
    let number: usize = match answer.trim() {
        "" => default(offers),
        typed => typed.parse().ok()?,
    };
    match number.checked_sub(1) {
        None => Some(Picked::Nobody),
        Some(place) => offers.get(place).map(Picked::Offer),
    }
}

/// The models of a server to choose from; an empty answer selects the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModelMenu {
    pub(super) names: Vec<String>,
    /// Whether the server listed them; it then has no others.
    pub(super) is_listed: bool,
}

impl ModelMenu {
    pub(super) fn of(offer: &Offer, listed: Option<Vec<String>>) -> Self {
        let suggested = match offer {
            Offer::Local(_) => None,
            Offer::Key { provider, .. } => suggested_model(provider),
        };
        let is_listed = listed.as_ref().is_some_and(|listed| !listed.is_empty());
        let mut names = listed.unwrap_or_default();
        if let Some(suggested) = suggested {
            let is_there = names.iter().any(|name| name == suggested);
            names.retain(|name| name != suggested);
            if is_there || names.is_empty() {
                names.insert(0, suggested.to_owned());
            }
        }
        Self { names, is_listed }
    }

    pub(super) fn first(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// The question for a model; `None` if there is only one.
    pub(super) fn question(&self) -> Option<String> {
        let first = printable(self.first());
        if !self.is_listed {
            return Some(format!("Model name [{first}]: "));
        }
        if self.names.len() < 2 {
            return None;
        }
        let mut text = String::from("Which model?\n\n");
        for (number, name) in (1..).zip(self.names.iter().take(LISTED_MAX)) {
            add_line!(text, " {number:>2}  {}", printable(name));
        }
        if let Some(n_more @ 1..) = self.names.len().checked_sub(LISTED_MAX) {
            add_line!(text, "     and {n_more} more, by name");
        }
        Some(format!("{text}\nNumber or name [{first}]: "))
    }

    /// The model name that an answer selects; `None` if it is a number that is not in the list.
    pub(super) fn named(&self, answer: &str) -> Option<String> {
        let answer = answer.trim();
        if answer.is_empty() {
            return Some(self.first().to_owned());
        }
        match answer.parse::<usize>() {
            Ok(number) if self.is_listed => self.names.get(number.checked_sub(1)?).cloned(),
            Ok(_) | Err(_) => Some(answer.to_owned()),
        }
    }
}

/// The settings that record a choice.
pub(super) fn settings(offer: &Offer, name: &str) -> Vec<Assignment> {
    // JSON strings are YAML strings.
    let quoted = |text: &str| Value::from(text).to_string();
    let set = |key: &str, value: String| Assignment {
        key: format!("model.{key}"),
        value,
    };
    match offer {
        Offer::Key { provider, .. } => vec![
            set("provider", (*provider).to_owned()),
            set("name", quoted(name)),
        ],
        Offer::Local(server) => {
            let is_ollama = server.dialect == Dialect::Ollama;
            let is_usual = server.dialect.default_base_url() == Some(server.base_url.as_str());
            let provider = if is_ollama {
                "ollama"
            } else {
                "openai-compatible"
            };
            let place = (!is_usual).then(|| set("baseUrl", quoted(&server.base_url)));
            [
                set("provider", provider.to_owned()),
                set("name", quoted(name)),
            ]
            .into_iter()
            .chain(place)
            // Local servers mostly answer one call at a time.
            .chain([set("concurrency", "1".to_owned())])
            .collect()
        }
    }
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod tests;
