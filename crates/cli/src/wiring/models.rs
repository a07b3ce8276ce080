//! Builds the models of this run, and determines the context window.
//!
//! The only requests that it sends ask servers for their context windows.

use std::pin::pin;
use std::time::Duration;

use agent::Models;
use base::Model;
use compaction::{WindowSource, check_window};
use models::{
    Connection, Dialect, OfflineEngine, RemoteModel, SetUpError, WindowReply, ask_window,
    shown_address,
};
use tokio::task::JoinSet;

use super::model_choice::{Choice, ModelSource, choose, choose_other, missing};
use crate::config::{Config, ModelSettings, OtherModel};
use crate::executor::wait_for;
use crate::prelude::*;

/// How long to wait for the servers' windows before a message names the servers.
const QUIET_MAX: Duration = Duration::from_secs(1);

/// The models of this run.
#[derive(Debug)]
pub(crate) struct Answering {
    pub models: Models,
    /// Maximum number of tokens of a request and its reply.
    pub window: TokenCount,
}

impl Answering {
    /// Only the offline engine, for callers that use no model. Connects to no server and reads no key.
    pub(crate) fn offline(config: &Config, timezone: Tz) -> Self {
        let engine = Arc::new(OfflineEngine::new(timezone));
        Self {
            models: Models::new(Arc::clone(&engine) as _, engine),
            window: TokenCount(config.settings.compaction.context_window.get()),
        }
    }
}

/// The role of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    First,
    Fallback,
    Flush,
    Summarise,
    Consolidate,
}

/// A model that the owner chose.
struct ChosenModel {
    slot: Slot,
    /// The connection to its server; `None` for the offline engine.
    connection: Option<Connection>,
    /// Whether its server could not be reached.
    is_down: bool,
}

impl ChosenModel {
    fn of(slot: Slot, choice: Choice) -> Self {
        Self {
            slot,
            connection: match choice {
                Choice::Offline { .. } => None,
                Choice::Remote(connection) => Some(connection),
            },
            is_down: false,
        }
    }
}

impl Slot {
    /// The setting that chooses the model.
    fn place(self) -> &'static str {
        match self {
            Self::First => "model",
            Self::Fallback => "model.fallbacks",
            Self::Flush => "model.purposes.flush",
            Self::Summarise => "model.purposes.summarise",
            Self::Consolidate => "model.purposes.consolidate",
        }
    }
}

/// Builds the models that the owner chose, and prints notices and warnings about them.
pub(crate) fn answering(
    context: &mut Context,
    home: &Home,
    config: &Config,
    timezone: Tz,
) -> Result<Answering> {
    let configured = TokenCount(config.settings.compaction.context_window.get());
    let mut window = configured;
    let mut all = chosen(context, home, config)?;
    ask_windows(&mut all, context)?;
    let offline = Arc::new(OfflineEngine::new(timezone));
    let mut models = Models::new(Arc::clone(&offline) as _, Arc::clone(&offline) as _);
    for chosen in all {
        let model = match chosen.connection {
            None => Arc::clone(&offline) as Arc<dyn Model>,
            Some(mut connection) => {
                if chosen.is_down {
                    warn_of_server(chosen.slot, &connection, context);
                } else {
                    tell_window(chosen.slot, &connection, configured, context)?;
                }
                // `compaction.contextWindow` caps the window of every model.
                let own = connection.context_window.map(|own| own.min(configured));
                connection.context_window = own;
                if chosen.slot == Slot::First {
                    window = own.unwrap_or(configured);
                }
                let model = RemoteModel::new(connection);
                let model = model.map_err(|error| read(chosen.slot, error))?;
                Arc::new(model)
            }
        };
        match chosen.slot {
            Slot::First => models.primary = model,
            Slot::Fallback => models.others.chat.push(model),
            Slot::Flush => models.others.flush.push(model),
            Slot::Summarise => models.others.summarise.push(model),
            Slot::Consolidate => models.others.consolidate.push(model),
        }
    }
    Ok(Answering { models, window })
}

/// The models in the settings, of which the primary model comes first.
fn chosen(context: &mut Context, home: &Home, config: &Config) -> Result<Vec<ChosenModel>> {
    let settings = &config.settings.model;
    let source = ModelSource::new(settings, context.host, home);
    let first = choose(source)?;
    if let Choice::Offline { offer: Some(offer) } = &first {
        context.output.tell(offer);
    }
    let mut all = vec![ChosenModel::of(Slot::First, first)];
    for (slot, other) in others(settings) {
        let choice = choose_other(slot.place(), other, source)?;
        all.push(ChosenModel::of(slot, choice));
    }
    Ok(all)
}

/// The other models after the first, in order.
fn others(settings: &ModelSettings) -> impl Iterator<Item = (Slot, &OtherModel)> {
    let purposes = &settings.purposes;
    let lists = [
        (Slot::Fallback, &settings.fallbacks),
        (Slot::Flush, &purposes.flush),
        (Slot::Summarise, &purposes.summarise),
        (Slot::Consolidate, &purposes.consolidate),
    ];
    let models = lists.map(|(slot, list)| list.0.iter().map(move |other| (slot, other)));
    models.into_iter().flatten()
}

/// The settings that the chosen models still lack, each as an error with the next command to type.
pub fn lacking(source: ModelSource<'_>) -> Vec<CliError> {
    let others = others(source.settings);
    let failed = others.filter_map(|(slot, other)| choose_other(slot.place(), other, source).err());
    missing(source).into_iter().chain(failed).collect()
}

/// Asks servers concurrently for the windows that are not configured, and checks the answers.
fn ask_windows(all: &mut [ChosenModel], context: &mut Context) -> Result<()> {
    let is_open = |chosen: &ChosenModel| {
        let connection = chosen.connection.as_ref();
        connection.is_some_and(|connection| connection.context_window.is_none())
    };
    if !all.iter().any(is_open) {
        return Ok(());
    }
    let told = wait_for(async {
        let mut asked = JoinSet::new();
        for (idx, chosen) in all.iter().enumerate().filter(|(_, chosen)| is_open(chosen)) {
            if let Some(connection) = chosen.connection.clone() {
                asked.spawn(async move { (idx, ask_window(&connection).await) });
            }
        }
        let mut answers = pin!(asked.join_all());
        tokio::select! {
            biased;
            told = &mut answers => return told,
            () = tokio::time::sleep(QUIET_MAX) => tell_asked(all, context),
        }
        answers.await
    })?;
    for (idx, window) in told {
        let Some(chosen) = all.get_mut(idx) else {
            continue;
        };
        let asked = window.map_err(|error| read(chosen.slot, error))?;
        chosen.is_down = asked == WindowReply::Unreachable;
        if let (Some(connection), WindowReply::Window(window)) = (chosen.connection.as_mut(), asked)
        {
            let (model, place) = (&connection.model, chosen.slot.place());
            check_window(window, WindowSource::Detected).map_err(|error| {
                let take = format!("or accept this one with `--set {place}.contextWindow=TOKENS`");
                CliError::from_error(ErrorKind::Config, &error)
                    .doing(format!("asking for the window of {model}"))
                    .hint("start the server with a larger window for the model")
                    .hint(take)
            })?;
            connection.context_window = Some(window);
        }
    }
    Ok(())
}

/// Prints the names of the servers that have not answered yet. A busy or dead server can take long to time out.
fn tell_asked(all: &[ChosenModel], context: &mut Context) {
    let open = all.iter().filter_map(|chosen| chosen.connection.as_ref());
    for connection in open.filter(|connection| connection.context_window.is_none()) {
        let (server, model) = (server(connection), &connection.model);
        let asking = format!("Asking {server} for the window of {model}...");
        context.output.tell_aside(&asking);
    }
}

/// A server's address for display.
pub fn server(connection: &Connection) -> String {
    let place = connection.base_url.as_deref();
    let place = place.or_else(|| connection.dialect.default_base_url());
    shown_address(place.unwrap_or("the server"))
}

/// Adds the name of the setting to an error, except for the primary model.
fn read(slot: Slot, error: SetUpError) -> CliError {
    let failure = CliError::from(error);
    if slot == Slot::First {
        return failure;
    }
    failure.doing(format!("reading {}", slot.place()))
}

/// Prints notices and warnings about a model's window.
fn tell_window(
    slot: Slot,
    connection: &Connection,
    configured: TokenCount,
    context: &mut Context,
) -> Result<()> {
    let model = &connection.model;
    let Some(window) = connection.context_window else {
        warn_of_unknown_window(slot, connection, context);
        return Ok(());
    };
    let checked = check_window(window, WindowSource::Configured)
        .map_err(|error| CliError::from_error(ErrorKind::Config, &error))?;
    // A small configured window was already reported when the settings were loaded.
    if let Some(warning) = checked.filter(|_| window < configured) {
        context.output.warn(&format!(
            "the window of {model} is {}; below {} tokens, little of a conversation stays in view",
            warning.window, warning.recommended
        ));
    }
    context
        .output
        .note(&format!("the window of {model} is {window} tokens"));
    Ok(())
}

/// Warns about an unreachable server before the first request fails.
fn warn_of_server(slot: Slot, connection: &Connection, context: &mut Context) {
    let (server, model, place) = (server(connection), &connection.model, slot.place());
    context.output.warn(&format!(
        "{server} cannot be reached, so {model} cannot answer; start the server, or check {place}.baseUrl"
    ));
}

/// Warns about self-hosted servers only. Hosted models have larger windows than the configured one, but self-hosted
/// models often do not.
fn warn_of_unknown_window(slot: Slot, connection: &Connection, context: &mut Context) {
    if matches!(
        connection.dialect,
        Dialect::OpenAiCompatible | Dialect::Ollama
    ) {
        context.output.warn(&format!(
            "the server does not report the window of {}; set contextWindow in {}, \
             or compaction.contextWindow applies",
            connection.model,
            slot.place()
        ));
    }
}
