//! Opens everything that a chat needs: the home (created if new), an index that can answer, and tool servers.
//!
//! Sends nothing to the model.

use std::sync::Mutex;

use agent::service::{ActivitySnapshot, Edits, take_in_edits};
use agent::{Knowledge, PrivateSessions, Runtime};
use base::{Embedder, SessionId};
use cli::host::Host;
use cli::serving::edits_news_in_words;
use cli::wiring::tool_servers;
use mcp::{ServerProblem, Servers};
use memory::load_tombstones;
use models::ModelLoad;
use search::{Degraded, SearchOptions};
use session::{ReadError, SessionSnapshot};

use crate::commands::memory::Bar;
use crate::prelude::*;

pub(super) struct Opened {
    pub(super) home: Home,
    pub(super) runtime: Runtime,
    pub(super) name: SessionName,
    pub(super) dreaming: dreaming::DreamSettings,
    pub(super) degraded: Option<Degraded>,
    /// Why recall was incomplete in the last reply, as reported then.
    pub(super) told: Mutex<Option<Degraded>>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Opened {
    /// Memory with an index handle of its own, so that no other user of the index waits for it.
    pub(super) fn own_knowledge(&self, host: &Host) -> Knowledge {
        let access = wiring::access_of(&self.runtime);
        let folders = self.runtime.home.workspace.shared_folders();
        let timezone = self.runtime.home.timezone;
        host.knowledge(&self.home, folders, (timezone, access))
            .with_embedder(self.embedder.clone())
    }

    /// The current state of the session file, from which activity is detected.
    pub(super) fn activity_snapshot(&self) -> ActivitySnapshot {
        ActivitySnapshot::of(&self.runtime, &self.name)
    }

    /// Whether other people may talk here, who must not see or change the owner's memory.
    pub(super) fn is_for_others(&self) -> bool {
        !self.runtime.is_primary(&self.name)
    }

    /// The session as it is now; `None` before its first message.
    pub(super) fn snapshot(&self) -> Result<Option<SessionSnapshot>> {
        let limit = self.runtime.resume_limit();
        if_begun(self.runtime.home.sessions.read(&self.name, limit))
    }
}

/// Opens the home and creates missing parts, with a progress bar for a long sync of the index.
pub(super) fn open(
    name: &SessionName,
    (held, is_isolated): (ModelLoad, bool),
    context: &mut Context,
) -> Result<Opened> {
    let home = context.home()?;
    let mut runtime = wiring::runtime(context, &home, Arc::clone(&context.host.clock))?;
    if is_isolated {
        runtime.memory.private_sessions = PrivateSessions::Isolated;
    }
    runtime = runtime.entering(name)?;
    // Fail before a message is saved: no turn can answer without the tombstones.
    load_tombstones(&runtime.home.workspace)?;
    if runtime.sandbox.is_none() {
        take_in(&runtime, context);
    }
    wiring::warn_of_misread(context, &runtime, name)?;
    let dreaming = wiring::dreaming_settings(context, &home)?;
    let chosen = wiring::embedder(context, &home, held)?;
    let access = wiring::access_of(&runtime);
    let host = context.host;
    let folders = runtime.home.workspace.shared_folders();
    let knowledge = host.knowledge(&home, folders, (runtime.home.timezone, access));
    let knowledge = chosen.equip(knowledge);
    let refreshed = refresh(&knowledge, context);
    if let Err(reason) = &refreshed {
        let warning = format!("cannot search memory: {reason}");
        context.output.warn(&warning);
    }
    // A sandbox cannot sync the index. If it cannot read it either, disable recall after this one warning
    // instead of warning at each message.
    let is_sandbox = runtime.sandbox.is_some();
    runtime.memory.knowledge = (!is_sandbox || refreshed.is_ok()).then(|| Arc::new(knowledge));
    let degraded = refreshed.unwrap_or_default().filter(|_| !is_sandbox);
    Ok(Opened {
        dreaming,
        home,
        runtime,
        name: name.clone(),
        degraded,
        told: Mutex::default(),
        embedder: chosen.embedder,
    })
}

/// Applies the owner's decisions in `DREAMS.md` before a prompt shows `MEMORY.md`.
fn take_in(runtime: &Runtime, context: &mut Context) {
    let news = take_in_edits(&runtime.home);
    if news.as_ref().is_ok_and(Edits::is_empty) {
        return;
    }
    let (text, is_warning) = edits_news_in_words(news);
    if is_warning {
        context.output.warn(&text);
    } else {
        context.output.tell_aside(&text);
    }
}

/// Syncs the index as far as a search does, and builds one that was never complete. If that fails, the chat
/// continues, and recall reports the problem.
fn refresh(knowledge: &Knowledge, context: &mut Context) -> Result<Option<Degraded>, String> {
    let mut bar = Bar::new(context);
    let mut on_progress = |progress| bar.tell(progress);
    // Any search syncs the index.
    let answer = knowledge.search("", &SearchOptions::default(), &mut on_progress);
    let answer = answer.map_err(|error| CliError::from(error).one_line())?;
    Ok(answer.degraded)
}

/// Id of the session when the chat last looked; `None` before its first message.
pub(super) struct SeenSession(Option<SessionId>);

impl SeenSession {
    pub(super) fn first(opened: &Opened) -> Self {
        Self(find(opened).ok().flatten())
    }

    pub(super) fn look(&mut self, opened: &Opened) {
        if let Ok(now) = find(opened) {
            self.0 = now;
        }
    }

    /// Whether the session was deleted, or replaced by another one.
    pub(super) fn is_gone(&self, opened: &Opened) -> bool {
        let (Some(was), Ok(now)) = (&self.0, find(opened)) else {
            return false;
        };
        // A session whose header was quarantined has its name as id; it is still the same session.
        now.is_none_or(|now| now != *was && now.as_str() != opened.name.as_str())
    }
}

fn find(opened: &Opened) -> Result<Option<SessionId>> {
    let lineage = if_begun(opened.runtime.home.sessions.lineage(&opened.name))?;
    Ok(lineage.map(|lineage| lineage.session))
}

/// The content of a session; `None` if the session does not exist yet.
pub(super) fn if_begun<T>(read: Result<T, ReadError>) -> Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(ReadError::NotFound(..) | ReadError::NotBegun(..)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The error for a session that was deleted during the chat.
pub(super) fn failure(name: &SessionName) -> CliError {
    let message =
        format!("session {name} was deleted while this chat was open; nothing was sent or written");
    CliError::new(ErrorKind::NotFound, message)
        .hint(format!("start a new one with `openclaw chat -s {name}`"))
}

/// Starts the configured tool servers; warns about those that fail and continues without them.
pub(super) async fn start(
    opened: &mut Opened,
    context: &mut Context<'_, '_>,
) -> Result<Option<Arc<Servers>>> {
    let runtime = &mut opened.runtime;
    let is_wanted = runtime.is_primary(&opened.name)
        && runtime.sandbox.is_none()
        && !runtime.engine.models.is_offline();
    if !is_wanted {
        return Ok(None);
    }
    let settings = context.settings_of(&opened.home)?.mcp;
    let (settings, missing) = tool_servers(&settings, &context.host.environment)?;
    let (servers, problems) = Servers::start(settings).await;
    for ServerProblem { server, what } in missing.into_iter().chain(problems) {
        context
            .output
            .warn(&format!("tool server {server}: {what}"));
    }
    if servers.is_empty() {
        return Ok(None);
    }
    let servers = Arc::new(servers);
    runtime.tools.servers = Some(Arc::clone(&servers) as _);
    Ok(Some(servers))
}

pub(super) async fn end(servers: Option<Arc<Servers>>) {
    if let Some(servers) = servers {
        servers.close().await;
    }
}
