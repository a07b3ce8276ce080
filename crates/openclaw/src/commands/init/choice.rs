//! Asks at a terminal which model should answer, tests it, and records the choice.
//!
//! Contacts no server outside this machine before the owner has chosen it.

use std::io::BufRead;

use cli::config::{Assignment, ProviderSetting};
use cli::executor::wait_for;
use cli::wiring::{Choice, ModelSource, OLLAMA_HOST_VARIABLE, choose, try_model};
use models::{list_models, local_servers};

use super::offer::{DOWNLOAD, ModelMenu, Offer, Picked, offers, pick, question, settings};
use super::pull::pull;
use crate::commands::config::record;
use crate::prelude::*;

/// Whether the owner is at a terminal and can be asked.
pub(super) fn is_anybody_there(context: &Context) -> bool {
    let environment = &context.host.environment;
    environment.stdin.is_terminal()
        && environment.stderr.is_terminal()
        && context.output.format() == OutputFormat::Human
}

pub(super) fn ask(home: &Home, context: &mut Context) -> Result<()> {
    if !is_anybody_there(context) {
        return Ok(());
    }
    let environment = &context.host.environment;
    let chosen = context.settings_of(home)?.model;
    if chosen.provider != ProviderSetting::Auto {
        let name = chosen
            .name
            .unwrap_or_else(|| "the offline engine".to_owned());
        context.output.tell_aside(&format!(
            "Your settings use {name}. Start with `openclaw chat`, or choose another model with \
             `openclaw config set model.name NAME`."
        ));
        return Ok(());
    }
    let ollama_host = environment.others.get(OLLAMA_HOST_VARIABLE);
    let offers = offers(environment, wait_for(local_servers(ollama_host))?);
    if offers.is_empty() {
        context.output.tell_aside(
            "No model server is running on this machine and no API key is set, so replies quote your notes. \
             Start with `openclaw chat`; run `openclaw init` again once you have a model.",
        );
        return Ok(());
    }
    let picked = ask_until(&question(&offers), context, |answer| pick(&offers, answer))?;
    let told = match picked {
        Some(Picked::Offer(offer)) => take(offer, home, context)?,
        Some(Picked::Nobody) | None => STAYS_OFFLINE.to_owned(),
    };
    context.output.tell_aside(&told);
    Ok(())
}

const STAYS_OFFLINE: &str = "Offline: replies quote your notes and nothing leaves this machine. Start with \
     `openclaw chat`; run `openclaw init` to choose a model later.";

const AGAIN: &str = "Nothing was saved; run `openclaw init` to try again.";

/// Lets the owner choose a model of the offer, tries it and records it; returns the result with the next step.
fn take(offer: &Offer, home: &Home, context: &mut Context) -> Result<String> {
    let Some(name) = model_of(offer, home, context)? else {
        return Ok(AGAIN.to_owned());
    };
    let chosen = settings(offer, &name);
    context.output.tell_aside(&format!("Trying {name}..."));
    if let Err(error) = tried(&chosen, home, context) {
        context.output.report(&error);
        return Ok(AGAIN.to_owned());
    }
    let path = record(&chosen, home, context)?;
    let path = path.display();
    Ok(format!(
        "Saved {name} in {path}. Start with `openclaw chat`."
    ))
}

/// Fails if the model that these settings choose does not answer.
fn tried(chosen: &[Assignment], home: &Home, context: &Context) -> Result<()> {
    let settings = context.load(home, chosen)?.settings.model;
    wait_for(try_model(ModelSource::new(&settings, context.host, home)))?
}

/// Asks for a model of an offer and downloads it if necessary; `None` if the owner ends up without one.
fn model_of(offer: &Offer, home: &Home, context: &mut Context) -> Result<Option<String>> {
    let listed = match offer {
        Offer::Local(server) if server.models.is_empty() => {
            let question = format!(
                "Which model should Ollama download? See ollama.com/library for a list.\n\
                 The default is about 2.5 GB; Ctrl-C cancels. [{DOWNLOAD}]: "
            );
            let Some(named) = answer(&question, context)? else {
                return Ok(None);
            };
            let name = match named.trim() {
                "" => DOWNLOAD,
                named => named,
            };
            return pull(server, name, context);
        }
        Offer::Local(server) => Some(server.models.clone()),
        Offer::Key { .. } => listed(offer, home, context)?,
    };
    let models = ModelMenu::of(offer, listed);
    let Some(question) = models.question() else {
        return Ok(Some(models.first().to_owned()));
    };
    let Some(name) = ask_until(&question, context, |answer| models.named(answer))? else {
        return Ok(None);
    };
    match offer {
        Offer::Local(server) if server.is_ollama() && !server.has(&name) => {
            let question = format!(
                "Ollama does not have {}. Download it? [y/N]: ",
                printable(&name)
            );
            let agreed = answer(&question, context)?.unwrap_or_default();
            if agreed.trim().eq_ignore_ascii_case("y") {
                pull(server, &name, context)
            } else {
                Ok(None)
            }
        }
        Offer::Local(_) | Offer::Key { .. } => Ok(Some(name)),
    }
}

/// The models that the chosen provider lists; its key is sent nowhere else.
fn listed(offer: &Offer, home: &Home, context: &Context) -> Result<Option<Vec<String>>> {
    // The settings need a model name; listing models does not send it.
    let config = context.load(home, &settings(offer, "any"))?;
    let source = ModelSource::new(&config.settings.model, context.host, home);
    match choose(source)? {
        Choice::Remote(connection) => Ok(wait_for(list_models(&connection))??),
        Choice::Offline { .. } => Ok(None),
    }
}

/// Asks until `meant` understands the answer; `None` at the end of the input.
fn ask_until<T>(
    question: &str,
    context: &mut Context,
    meant: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>> {
    while let Some(answer) = answer(question, context)? {
        if let Some(meant) = meant(&answer) {
            return Ok(Some(meant));
        }
        let typed = printable(answer.trim());
        let told = format!("`{typed}` is not a number in the list.\n");
        context.output.ask(&told);
    }
    Ok(None)
}

/// Reads the owner's answer; `None` at the end of the input.
pub(super) fn answer(question: &str, context: &mut Context) -> Result<Option<String>> {
    context.output.ask(&format!("\n{question}"));
    let mut answer = String::new();
    let n_bytes = std::io::stdin().lock().read_line(&mut answer)?;
    Ok((n_bytes > 0).then_some(answer))
}
