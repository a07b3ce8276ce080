//! Asks at a terminal who is to answer, and writes the choice down.
//!
//! Asks nothing where nobody is there, or where a choice is recorded already.

use std::io::BufRead;

use base::disk::{read_all, replace};
use models::{USUAL_PLACES, local_servers};

use crate::app::Context;
use crate::config::ProviderSetting;
use crate::environment::Stream;
use crate::error::CliError;
use crate::executor::wait_for;
use crate::first_choice::{chosen, model_question, offers, pick, question, written};
use crate::home::Home;
use crate::output::Format;

/// Longest settings file that is written to.
const CONFIG_BYTES_MAX: u64 = 1 << 20;

/// Asks, and says what came of it.
///
/// # Errors
///
/// Where the settings cannot be read or written.
pub(super) fn ask(home: &Home, context: &mut Context<'_, '_>) -> Result<(), CliError> {
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
            "Nobody was chosen; the offline engine answers, and nothing leaves this machine.",
        );
        return Ok(());
    };
    let named = match model_question(offer) {
        Some(question) => self::answer(&question, context)?,
        None => String::new(),
    };
    let Some(chosen) = chosen(offer, &named) else {
        context
            .output
            .tell_aside("No model was named, so nothing was written; `openclaw init` asks again.");
        return Ok(());
    };
    let path = home.user_config();
    let disk = host.disk.as_ref();
    let bytes = read_all(disk, &path, CONFIG_BYTES_MAX)?;
    let config = String::from_utf8_lossy(&bytes).into_owned();
    match written(&config, &chosen) {
        Some(text) => {
            replace(disk, &path, text.as_bytes())?;
            let (name, provider) = (&chosen.name, chosen.provider);
            context
                .output
                .tell_aside(&format!("{name} of {provider} answers; {} says so.", path.display()));
        }
        None => context.output.tell_aside(&format!(
            "{} has settings of a model already: set model.provider to {} and model.name to {} there.",
            path.display(),
            chosen.provider,
            chosen.name
        )),
    }
    Ok(())
}

fn answer(question: &str, context: &mut Context<'_, '_>) -> Result<String, CliError> {
    context.output.ask(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(answer)
}
