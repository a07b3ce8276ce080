//! Assembles the runtime of one home from settings, directories and engines.
//!
//! Makes no decisions of its own.

use std::time::Duration;

use agent::prompt::least_prefix;
use agent::{
    Door, FileAccess, HomeAccess, Hooks, IndexAccess, JobExecution, Jobs, KnownWindow, Metered,
    Models, PrivateSessions, Repository, Runtime, Sandbox, TURN_TIMEOUT,
};
use base::disk::MemoryDisk;
use base::{Clock, Origin, TokenCount, day};
use compaction::{Budget, BudgetError, Free, PrunedTools, WindowSettings};
use memory::{Audience, FileError, Misread, NoteFolder, Workspace, load_tombstones};
use models::ModelLoad;
use session::ResumeLimit;

use super::embedder::{ChosenEmbedder, choose_embedder};
use super::encryption::in_home;
use super::models::{Answering, answering};
use crate::config::{
    self, Config, ExecutionSetting, FilesSetting, SessionsSetting, SourceOrigin, ValueOrigin,
};
use crate::host::Host;
use crate::prelude::*;

/// The notice that is printed once if no model is configured.
pub const OFFLINE_NOTICE: &str = "Offline: replies quote your notes and sessions; no model is used. Choose \
    one with `openclaw config set model.provider NAME`.";

/// The notice that is printed once in a read-only sandbox.
const SANDBOX_NOTICE: &str = "Read-only sandbox: nothing is written. The conversation lasts until the program ends, \
    and memory is searched with the index as it is.";

/// The index access that the settings allow.
pub fn access(settings: &config::Settings) -> IndexAccess {
    if settings.sandbox.read_only {
        IndexAccess::ReadOnly
    } else {
        IndexAccess::ReadWrite
    }
}

/// The folders of notes elsewhere that the settings name.
pub fn note_folders(settings: &config::Settings, host: &Host, home: &Home) -> Arc<[NoteFolder]> {
    let sources = settings.memory.sources.iter();
    let folders = sources.map(|source| NoteFolder {
        name: source.name(),
        root: in_home(host, home, &source.path),
        origin: match source.origin {
            SourceOrigin::Owner => Origin::Owner,
            SourceOrigin::Untrusted => Origin::Untrusted,
        },
        ignore: source.ignore.clone(),
    });
    folders.collect()
}

/// The index access of an existing runtime.
pub fn access_of(runtime: &Runtime) -> IndexAccess {
    match runtime.sandbox {
        Some(_) => IndexAccess::ReadOnly,
        None => IndexAccess::ReadWrite,
    }
}

/// The embedder in the settings; warns if the bundled one replaces it.
pub fn embedder(context: &mut Context, home: &Home, held: ModelLoad) -> Result<ChosenEmbedder> {
    let config = context.config(home)?;
    let chosen = choose_embedder(&config.settings.memory.embedding, context.host, home, held)?;
    if let Some(stands_in) = &chosen.stands_in {
        context.output.warn(&stands_in.warning());
    }
    Ok(chosen)
}

/// The runtime for turns. Creates the workspace of a new home.
pub fn runtime(context: &mut Context, home: &Home, clock: Arc<dyn Clock>) -> Result<Runtime> {
    let runtime = runtime_as_it_is(context, home, clock)?;
    with_workspace(context, runtime)
}

/// Creates the workspace; in a sandbox prints a notice instead.
fn with_workspace(context: &mut Context, runtime: Runtime) -> Result<Runtime> {
    if runtime.sandbox.is_some() {
        context.output.tell_aside(SANDBOX_NOTICE);
        return Ok(runtime);
    }
    make_workspace(&runtime.home.workspace, context)?;
    Ok(runtime)
}

/// The memory interface for another program that works in the repository `here`.
pub fn door(
    context: &mut Context,
    home: &Home,
    (held, here): (ModelLoad, Option<Repository>),
) -> Result<Door> {
    let config = context.config(home)?;
    let timezone = context.timezone(&config);
    let answering = Answering::offline(&config, timezone);
    let clock = Arc::clone(&context.host.clock);
    let runtime = assembled(context, home, clock, answering)?;
    let runtime = with_workspace(context, runtime)?;
    // If the tombstones cannot be read, nothing is answered, because they say which text is forgotten.
    load_tombstones(&runtime.home.workspace)?;
    let chosen = embedder(context, home, held)?;
    let (host, access) = (context.host, access_of(&runtime));
    let folders = runtime.home.workspace.shared_folders();
    let knowledge = host.knowledge(home, folders, (runtime.home.timezone, access));
    let knowledge = chosen.equip(knowledge);
    Ok(Door::new(runtime, Arc::new(knowledge), here))
}

/// Creates the workspace and the home unless they exist.
pub fn make_workspace(workspace: &Workspace, context: &mut Context) -> Result<()> {
    // Another process may create the workspace between the two calls; `init` then writes nothing.
    if !workspace.is_made()? && !workspace.init()?.written.is_empty() {
        let made = format!("created {}", workspace.root().display());
        context.output.note(&made);
    }
    Ok(())
}

/// Warns about invalid UTF-8 in the files that are part of a session's prompt.
pub fn warn_of_misread(context: &mut Context, runtime: &Runtime, name: &SessionName) -> Result<()> {
    let audience = if runtime.is_primary(name) {
        Audience::PrimarySession
    } else {
        Audience::EverySession
    };
    let today = day(context.host.clock.now(), runtime.home.timezone);
    let misread = runtime.home.workspace.misread_in_prompts(audience, today)?;
    for Misread { path, line } in misread {
        context.output.warn(&format!(
            "{path} is not UTF-8 at line {line}: unreadable bytes are replaced when shown, and the file is \
             unchanged; `openclaw doctor` says how to fix it"
        ));
    }
    Ok(())
}

/// The runtime for turns, without creating anything.
pub fn runtime_as_it_is(
    context: &mut Context,
    home: &Home,
    clock: Arc<dyn Clock>,
) -> Result<Runtime> {
    let config = context.config(home)?;
    let timezone = context.timezone(&config);
    let answering = answering(context, home, &config, timezone)?;
    assembled(context, home, clock, answering)
}

fn assembled(
    context: &mut Context,
    home: &Home,
    clock: Arc<dyn Clock>,
    answering: Answering,
) -> Result<Runtime> {
    let config = context.config(home)?;
    let timezone = context.timezone(&config);
    let sandbox = sandbox(&config);
    let mut host = context.host.clone();
    if sandbox.is_some() {
        host.disk = Arc::new(MemoryDisk::above(host.disk));
    }
    let folders = note_folders(&config.settings, &host, home);
    let workspace = Arc::new(host.workspace(home).with_folders(folders));
    let models = metered(answering.models, &workspace, (context, timezone));
    let settings = settings_within(&config, answering.window);
    let sessions = host.sessions(home, Arc::clone(&clock));
    let access = HomeAccess::new((clock, timezone), sessions, workspace)
        .called(context.output.modes.invocation.clone());
    let mut runtime = Runtime::new(access, models, settings);
    let known_window = KnownWindow::at(Arc::clone(&host.disk), home.window_record());
    runtime.engine.known_window = Arc::new(known_window);
    if sandbox.is_none() {
        runtime.jobs = Arc::new(jobs(&config));
    }
    let memory = &config.settings.memory;
    runtime.memory.recall_budget = TokenCount(memory.recall.budget_tokens.get());
    runtime.memory.private_sessions = match memory.sessions {
        SessionsSetting::All => PrivateSessions::All,
        SessionsSetting::Primary => PrivateSessions::Primary,
    };
    runtime.tools.files = match config.settings.tools.files {
        FilesSetting::Write => FileAccess::Write,
        FilesSetting::Read => FileAccess::Read,
        FilesSetting::None => FileAccess::None,
    };
    runtime.sandbox = sandbox;
    runtime.hooks = hooks(&config);
    runtime.turn_timeout = TURN_TIMEOUT;
    Ok(runtime)
}

/// Wraps the models so that the tokens that they use are recorded.
fn metered(
    models: Models,
    workspace: &Arc<Workspace>,
    (context, timezone): (&Context, Tz),
) -> Models {
    models.metered(|model| {
        let clock = Arc::clone(&context.host.clock);
        Arc::new(Metered::new(model, Arc::clone(workspace), clock, timezone))
    })
}

/// The window settings, limited to the model's `window`.
fn settings_within(config: &Config, window: TokenCount) -> WindowSettings {
    WindowSettings {
        context_window: config.settings.compaction.window_of_strategy(window),
        ..settings(config)
    }
}

/// Changes a running runtime to the models of a configuration.
pub fn change_models(
    context: &mut Context,
    (home, config): (&Home, &Config),
    runtime: &mut Runtime,
) -> Result<()> {
    let timezone = runtime.home.timezone;
    let answering = answering(context, home, config, timezone)?;
    runtime.engine.settings = settings_within(config, answering.window);
    let workspace = &runtime.home.workspace;
    runtime.engine.models = metered(answering.models, workspace, (context, timezone));
    Ok(())
}

/// The owner's hooks; `None` if there are none.
fn hooks(config: &Config) -> Option<Arc<dyn Hooks>> {
    let hooks = config.settings.hooks.clone();
    let is_none = hooks.before_compaction.is_empty() && hooks.after_compaction.is_empty();
    (!is_none).then(|| Arc::new(hooks) as _)
}

/// The sandbox settings, if the sandbox is on.
fn sandbox(config: &Config) -> Option<Sandbox> {
    let settings = &config.settings.sandbox;
    let warn_at = settings.compaction.warn_at_token_threshold;
    let warn_at = warn_at.map(|tokens| TokenCount(tokens.get()));
    settings.read_only.then(|| Sandbox::new(warn_at))
}

/// Whether flushes and compactions run in the background, and their deadline.
fn jobs(config: &Config) -> Jobs {
    let compaction = &config.settings.compaction;
    let execution = match compaction.execution {
        ExecutionSetting::Background => JobExecution::Background,
        ExecutionSetting::Inline => JobExecution::Inline,
    };
    let longest = Duration::from_secs(compaction.deadline_seconds.get());
    Jobs::new(execution, longest)
}

/// Limits how much of a session is read when it is resumed.
pub fn resume_limit(config: &Config) -> ResumeLimit {
    agent::resume_limit(&settings(config))
}

/// The dream settings, without printing warnings.
pub fn dreaming_settings(context: &Context, home: &Home) -> Result<dreaming::DreamSettings> {
    Ok(context.settings_of(home)?.dreaming.to_library())
}

/// Checks that the window leaves room for a conversation next to the prefix. The limit of the model's server is not
/// known here; a chat asks the server for it.
pub fn check_room(
    config: &Config,
    workspace: &Workspace,
) -> Result<Result<(), BudgetError>, FileError> {
    if !workspace.is_made()? {
        return Ok(Ok(()));
    }
    let prefix = least_prefix(workspace)?;
    let mut settings = settings(config);
    if let Some(window) = &config.settings.model.context_window {
        settings.context_window = settings.context_window.min(TokenCount(window.get()));
    }
    Ok(Budget::new(&settings).check_prefix(&settings, prefix))
}

pub fn settings(config: &Config) -> WindowSettings {
    let compaction = &config.settings.compaction;
    let sandbox = &config.settings.sandbox;
    let rounds = if sandbox.read_only {
        sandbox.compaction.prune_after_rounds.get()
    } else {
        compaction.prune_after_rounds.get()
    };
    // A small window may reduce default values, but not values that the owner set.
    let free = |key: &str, tokens: u64| {
        if config::origin_of(&config.values, key) == ValueOrigin::Default {
            Free::Default(TokenCount(tokens))
        } else {
            Free::Set(TokenCount(tokens))
        }
    };
    let floor = compaction.reserve_tokens_floor.get();
    let threshold = compaction.soft_threshold_tokens.get();
    WindowSettings {
        context_window: compaction.window_of_strategy(TokenCount(compaction.context_window.get())),
        reserve_tokens_floor: free("compaction.reserveTokensFloor", floor),
        soft_threshold_tokens: free("compaction.softThresholdTokens", threshold),
        keep_recent_tokens: TokenCount(compaction.keep_recent_tokens.get()),
        prune_after_rounds: usize::try_from(rounds).unwrap_or(usize::MAX),
        pruned_tools: PrunedTools {
            allow: compaction.prune_allow.clone(),
            deny: compaction.prune_deny.clone(),
        },
        strategy: compaction.to_strategy(),
        warns_at_half: compaction.context_warnings,
    }
}
