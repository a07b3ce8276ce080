//! Who answers in this run, and how large a request may be.
//!
//! Asks a server for nothing but its window.

use std::sync::Arc;

use agent::Models;
use base::{Model, TokenCount, Tz};
use compaction::{WindowSource, check_window};
use models::{Connection, Dialect, OfflineEngine, RecordingModel, RemoteModel, ask_window};

use crate::app::Context;
use crate::config::Config;
use crate::error::{CliError, ErrorKind};
use crate::executor::wait_for;
use crate::home::Home;
use crate::model_choice::{Choice, Sources, choose};

/// Who answers.
#[derive(Debug)]
pub(crate) struct Answering {
    /// The models.
    pub(crate) models: Models,
    /// The most that a request and its reply may hold.
    pub(crate) window: TokenCount,
}

/// Makes the models that the owner chose; what they should know of that is said.
///
/// # Errors
///
/// Where what was chosen cannot be asked, or has too small a window.
pub(crate) fn answering(
    context: &mut Context<'_, '_>,
    home: &Home,
    config: &Config,
    timezone: Tz,
) -> Result<Answering, CliError> {
    let offline: Arc<dyn Model> = Arc::new(OfflineEngine::new(timezone));
    let configured = TokenCount(config.settings.compaction.context_window.get());
    let choice = choose(Sources {
        settings: &config.settings.model,
        environment: &context.host.environment,
        disk: context.host.disk.as_ref(),
        home,
    })?;
    let mut connection = match choice {
        Choice::Offline { offer } => {
            if let Some(offer) = offer {
                context.output.tell(&offer);
            }
            return Ok(Answering {
                models: Models {
                    primary: Arc::clone(&offline),
                    offline,
                },
                window: configured,
            });
        }
        Choice::Remote(connection) => connection,
    };
    let window = window(&mut connection, context)?;
    let primary = recorded(Arc::new(RemoteModel::new(connection)?), context)?;
    Ok(Answering {
        models: Models { primary, offline },
        window: window.map_or(configured, |window| window.min(configured)),
    })
}

/// The same model, with a trace of what it is asked and answers where `OPENCLAW_RECORD` names a file.
fn recorded(
    model: Arc<dyn Model>,
    context: &mut Context<'_, '_>,
) -> Result<Arc<dyn Model>, CliError> {
    let host = context.host;
    let Some(path) = host.environment.record.clone() else {
        return Ok(model);
    };
    context
        .output
        .note(&format!("recording to {}", path.display()));
    let recording = RecordingModel::new(model, Arc::clone(&host.disk), path)
        .map_err(|error| CliError::from(error).doing("making the trace of OPENCLAW_RECORD"))?;
    Ok(Arc::new(recording))
}

/// The window of a model: the one that is set, else the one that the server tells.
fn window(
    connection: &mut Connection,
    context: &mut Context<'_, '_>,
) -> Result<Option<TokenCount>, CliError> {
    let (window, source) = if let Some(window) = connection.context_window {
        (window, WindowSource::Configured)
    } else if let Some(window) = told_window(connection)? {
        (window, WindowSource::Detected)
    } else {
        warn_of_unknown_window(connection, context);
        return Ok(None);
    };
    let model = &connection.model;
    let checked = check_window(window, source).map_err(|error| {
        CliError::from_error(ErrorKind::Config, &error)
            .doing(format!("asking for the window of {model}"))
            .hint("give the model a larger window where its server is started")
            .hint("or take this one with `--set model.contextWindow=TOKENS`")
    })?;
    if let Some(warning) = checked {
        context.output.warn(&format!(
            "the window of {model} is {}; below {} tokens little of a conversation stays in view",
            warning.window, warning.recommended
        ));
    }
    context
        .output
        .note(&format!("the window of {model} is {window} tokens"));
    connection.context_window = Some(window);
    Ok(Some(window))
}

/// The windows of great providers are larger than what is taken; that of a server at home seldom is.
fn warn_of_unknown_window(connection: &Connection, context: &mut Context<'_, '_>) {
    if matches!(
        connection.dialect,
        Dialect::OpenAiCompatible | Dialect::Ollama
    ) {
        context.output.warn(&format!(
            "the server does not tell the window of {}; `--set model.contextWindow=TOKENS` says it, else \
             compaction.contextWindow is taken",
            connection.model
        ));
    }
}

fn told_window(connection: &Connection) -> Result<Option<TokenCount>, CliError> {
    Ok(wait_for(ask_window(connection))??)
}
