//! Asks at a terminal who is to answer, and writes the choice down.
//!
//! Asks nothing where nobody is there, or where a choice is recorded already.

use std::io::BufRead;
use std::time::Duration;

use base::Message;
use base::disk::{read_all, replace};
use base::model::{ModelError, Purpose, Request, Sampling, complete};
use models::{RemoteModel, USUAL_PLACES, local_servers};

use crate::config::ProviderSetting;
use crate::executor::wait_for;
use crate::first_choice::{Chosen, chosen, model_question, offers, pick, question, written};
use crate::model_choice::{Choice, Sources, choose};
use crate::prelude::*;

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
    let choice = choose(Sources {
        settings: &settings,
        environment: &context.host.environment,
        disk: context.host.disk.as_ref(),
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
