//! Asks at a terminal who is to answer, and writes the choice down.
//!
//! Asks nothing where nobody is there, or where a choice is recorded already.

use std::io::BufRead;
use std::time::Duration;

use base::Message;
use base::disk::{read_all, replace};
use base::model::{ModelError, Purpose, Request, Sampling, complete};
use models::{Dialect, LocalServer, RemoteModel, USUAL_PLACES, local_servers};

use crate::config::ProviderSetting;
use crate::environment::Environment;
use crate::executor::wait_for;
use crate::output::add_line;
use crate::prelude::*;
use crate::wiring::{Choice, ModelSource, choose, known_keys, suggested_model};

const CONFIG_BYTES_MAX: u64 = 1 << 20;

pub(super) fn ask(home: &Home, context: &mut Context) -> Result<()> {
    let host = context.host;
    let environment = &host.environment;
    let is_terminal = |stream| matches!(stream, Stream::Terminal(_));
    let is_there = is_terminal(environment.stdin)
        && is_terminal(environment.stderr)
        && context.output.format() == Format::Human;
    if !is_there || context.settings_of(home)?.model.provider != ProviderSetting::Auto {
        return Ok(());
    }
    let local = wait_for(local_servers(&USUAL_PLACES))?;
    let offers = offers(environment, local);
    if offers.is_empty() {
        context.output.tell_aside(
            "No key is in the environment and no model server on this machine: the offline engine answers. \
             docs/providers.md says how to choose another.",
        );
        return Ok(());
    }
    let answer = answer(&question(&offers), context)?;
    let Some(offer) = pick(&offers, &answer) else {
        context.output.tell_aside(
            "No model was chosen: the offline engine answers, and nothing leaves this machine.",
        );
        return Ok(());
    };
    let named = match model_question(offer) {
        Some(question) => self::answer(&question, context)?,
        None => String::new(),
    };
    let Some(chosen) = chosen(offer, &named) else {
        context.output.tell_aside(
            "That server has no such model, so nothing was written. Run `openclaw init` to choose again.",
        );
        return Ok(());
    };
    let path = home.user_config();
    let disk = host.disk.as_ref();
    let bytes = read_all(disk, &path, CONFIG_BYTES_MAX)?;
    let config = String::from_utf8_lossy(&bytes).into_owned();
    match written(&config, &chosen) {
        Some(text) => {
            replace(disk, &path, text.as_bytes())?;
            tell_whether_it_answers(&chosen, home, context);
        }
        None => context.output.tell_aside(&format!(
            "{} has settings of a model already: `openclaw config set model.provider {}`, then \
             `openclaw config set model.name {}`.",
            path.display(),
            chosen.provider,
            chosen.name
        )),
    }
    Ok(())
}

/// How long the model may take for its first word.
const TRIED_FOR: Duration = Duration::from_secs(30);

/// Asks the model for one word: only a request that it accepted shows that it answers.
fn tell_whether_it_answers(chosen: &Chosen, home: &Home, context: &mut Context) {
    let (name, provider) = (&chosen.name, chosen.provider);
    let path = home.user_config();
    let path = path.display();
    let told = match tried(home, context) {
        Ok(()) => format!("{name} of {provider} answers; {path} says so."),
        Err(error) => {
            let reason = error.one_line();
            context.output.warn(&format!(
                "{path} names {name} of {provider}, but a first request failed: {reason}"
            ));
            "Correct that and run `openclaw chat hello` to try again, or run \
             `openclaw config set model.provider offline` to stay offline."
                .to_owned()
        }
    };
    context.output.tell_aside(&told);
}

fn tried(home: &Home, context: &Context) -> Result<()> {
    let settings = context.settings_of(home)?.model;
    let choice = choose(ModelSource {
        settings: &settings,
        host: context.host,
        home,
    })?;
    let Choice::Remote(mut connection) = choice else {
        return Ok(());
    };
    connection.patience.n_retries = 0;
    connection.patience.silence = TRIED_FOR;
    let model = RemoteModel::new(connection)?;
    let request = Request {
        purpose: Purpose::Chat,
        system: String::new(),
        messages: vec![Message::user("Answer with the word yes.")],
        format: None,
        tools: Vec::new(),
        output_max: TRIED_WITH,
        sampling: Sampling::Usual,
    };
    match wait_for(complete(&model, &request))? {
        // Whatever came of the reply, the request was accepted.
        Ok(_) | Err(ModelError::Broken { .. }) => Ok(()),
        Err(error) => Err(CliError::from_error(ErrorKind::Model, &error)),
    }
}

/// Enough for a word, and for a model that thinks before it.
const TRIED_WITH: TokenCount = TokenCount(256);

fn answer(question: &str, context: &mut Context) -> Result<String> {
    context.output.ask(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(answer)
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Offer {
    /// A provider whose key is in the environment.
    Key {
        provider: &'static str,
        variable: &'static str,
    },
    Local(LocalServer),
}

/// What was chosen, as the settings say it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Chosen {
    provider: &'static str,
    name: String,
    base_url: Option<String>,
    /// Servers on one's own machine mostly answer one call at a time.
    concurrency: Option<u64>,
}

/// Who could answer: those whose keys are set, then the servers that were found.
fn offers(environment: &Environment, local: Vec<LocalServer>) -> Vec<Offer> {
    let keys = known_keys(environment);
    let keys = keys.map(|(provider, variable)| Offer::Key { provider, variable });
    keys.chain(local.into_iter().map(Offer::Local)).collect()
}

fn question(offers: &[Offer]) -> String {
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

fn pick<'o>(offers: &'o [Offer], answer: &str) -> Option<&'o Offer> {
    let number: usize = answer.trim().parse().ok()?;
    offers.get(number.checked_sub(1)?)
}

/// The question for the model, where one has to be named.
fn model_question(offer: &Offer) -> Option<String> {
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
fn chosen(offer: &Offer, named: &str) -> Option<Chosen> {
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
fn written(config: &str, chosen: &Chosen) -> Option<String> {
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
#[path = "init_choice_tests.rs"]
mod tests;
