//! What `init` asks once at a terminal: who is to answer, of those that were found.
//!
//! Chooses nothing itself, and looks at no key.

use models::{Dialect, LocalServer};

use crate::environment::Environment;
use crate::model_choice::{known_keys, suggested_model};
use crate::output::add_line;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Offer {
    /// A provider whose key is in the environment.
    Key {
        provider: &'static str,
        variable: &'static str,
    },
    Local(LocalServer),
}

/// What was chosen, as the settings say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) provider: &'static str,
    pub(crate) name: String,
    pub(crate) base_url: Option<String>,
    /// Servers on one's own machine mostly answer one call at a time.
    pub(crate) concurrency: Option<u64>,
}

/// Who could answer: those whose keys are set, then the servers that were found.
pub(crate) fn offers(environment: &Environment, local: Vec<LocalServer>) -> Vec<Offer> {
    let keys = known_keys(environment);
    let keys = keys.map(|(provider, variable)| Offer::Key { provider, variable });
    keys.chain(local.into_iter().map(Offer::Local)).collect()
}

pub(crate) fn question(offers: &[Offer]) -> String {
    let lines = (1..).zip(offers).map(|(number, offer)| match offer {
        Offer::Key { provider, variable } => {
            format!("  {number}  {provider}: {variable} is set\n")
        }
        Offer::Local(server) => {
            let models = server.models.join(", ");
            format!(
                "  {number}  a server on this machine, {}: {models}\n",
                server.base_url
            )
        }
    });
    let lines: String = lines.collect();
    format!(
        "Who should answer? What you say is sent there, but nothing before you choose.\n\n{lines}\n\
         Number, or Enter to stay offline: "
    )
}

pub(crate) fn pick<'o>(offers: &'o [Offer], answer: &str) -> Option<&'o Offer> {
    let number: usize = answer.trim().parse().ok()?;
    offers.get(number.checked_sub(1)?)
}

/// The question for the model, where one has to be named.
pub(crate) fn model_question(offer: &Offer) -> Option<String> {
    match offer {
        Offer::Key { provider, .. } => {
            let suggested = suggested_model(provider).unwrap_or_default();
            Some(format!("Which model of {provider}? [{suggested}] "))
        }
        Offer::Local(server) if server.models.len() > 1 => {
            let first = server.models.first().map_or("", String::as_str);
            Some(format!("Which of its models? [{first}] "))
        }
        Offer::Local(_) => None,
    }
}

/// The choice of an offer with the model that was named, or the suggested one where none was; `None` for one
/// that a server does not have.
pub(crate) fn chosen(offer: &Offer, named: &str) -> Option<Chosen> {
    let named = named.trim();
    match offer {
        Offer::Key { provider, .. } => {
            let suggested = suggested_model(provider);
            let name = Some(named)
                .filter(|named| !named.is_empty())
                .or(suggested)?;
            Some(Chosen {
                provider,
                name: name.to_owned(),
                base_url: None,
                concurrency: None,
            })
        }
        Offer::Local(server) => {
            let mut models = server.models.iter();
            let name = if server.models.len() == 1 || named.is_empty() {
                models.next()
            } else {
                models.find(|model| *model == named)
            };
            let is_usual = server.dialect == Dialect::Ollama
                && server.dialect.default_base_url() == Some(server.base_url.as_str());
            Some(Chosen {
                provider: match server.dialect {
                    Dialect::Ollama => "ollama",
                    Dialect::Anthropic
                    | Dialect::OpenAi
                    | Dialect::OpenAiCompatible
                    | Dialect::Gemini => "openai-compatible",
                },
                name: name?.clone(),
                base_url: (!is_usual).then(|| server.base_url.clone()),
                concurrency: Some(1),
            })
        }
    }
}

/// The settings file with the choice at its end; a file that has a model already is for its owner to edit.
pub(crate) fn written(config: &str, chosen: &Chosen) -> Option<String> {
    let has_model = config.lines().any(|line| line.starts_with("model:"));
    if has_model {
        return None;
    }
    // JSON strings are YAML strings.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut text = config.trim_end().to_owned();
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    add_line!(text, "model:\n  provider: {}", chosen.provider);
    add_line!(text, "  name: {}", quoted(&chosen.name));
    if let Some(base_url) = &chosen.base_url {
        add_line!(text, "  baseUrl: {}", quoted(base_url));
    }
    if let Some(concurrency) = chosen.concurrency {
        add_line!(text, "  concurrency: {concurrency} # calls at a time");
    }
    Some(text)
}

#[cfg(test)]
#[path = "first_choice_tests.rs"]
mod tests;
