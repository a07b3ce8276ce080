//! Decides which repository a conversation belongs to and who may see it.
//!
//! Session names carry their repository, so no separate list can get lost.

use base::{LineRange, SessionId, scope_of, short_hash};
use memory::candidates::{Candidate, Evidence};
use memory::{Workspace, WorkspacePath, lines_known_from, sessions_of};
use session::{ReadError, SessionName, SessionStore};

use crate::knowledge::session_source::SessionSource;

/// A repository, the same for all clones on any machine. Holds the prefix of its session names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository(String);

impl Repository {
    /// The repository with this remote; protocol and credentials make no difference.
    pub fn of_remote(url: &str) -> Self {
        Self::of_path(&normalised(url))
    }

    /// A repository without a remote, at this path.
    pub fn of_path(path: &str) -> Self {
        Self(format!("repo-{}-", short_hash(path)))
    }

    /// The repository with this prefix of session names.
    pub(crate) fn of_scope(scope: String) -> Self {
        Self(scope)
    }

    /// The repository in the name or id of a session.
    pub fn of_session(name: &str) -> Option<Self> {
        scope_of(name).map(|scope| Self(scope.to_owned()))
    }

    /// The repository that a session is in, by its name or, for a file that was copied by hand, by its transcript.
    pub fn holding(sessions: &SessionStore, name: &SessionName) -> Option<Self> {
        let by_transcript = || Self::of_session(sessions.id(name).ok()?.as_str());
        Self::of_session(name.as_str()).or_else(by_transcript)
    }

    /// The prefix of its session names.
    pub fn scope(&self) -> &str {
        &self.0
    }

    /// The source recorded for notes taken outside its sessions.
    pub fn notes(&self) -> SessionId {
        SessionId::new(format!("{}notes", self.0))
    }

    /// The name of a session in this repository; `rest` distinguishes it from the others.
    ///
    /// # Errors
    ///
    /// If `rest` is not allowed in a name.
    pub fn session_name(&self, rest: &str) -> Result<SessionName, session::SessionNameError> {
        format!("{}{rest}", self.0).parse()
    }
}

/// Who reads memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Viewer {
    /// The owner, in a chat or at the command line.
    Owner,
    /// Another program, in a repository or in none; text from other repositories is hidden from it.
    Program(Option<Repository>),
}

impl Viewer {
    /// Whether the viewer may see this path, judged by the path alone.
    pub fn sees(&self, path: &str) -> bool {
        SessionSource::name_of(path).is_none_or(|name| self.sees_session(name.as_str()))
    }

    /// Whether the viewer may see this path, judged by the transcript too; false if the transcript cannot be read.
    pub fn may_read(&self, sessions: &SessionStore, path: &str) -> bool {
        let Some(name) = SessionSource::name_of(path).filter(|_| *self != Self::Owner) else {
            return true;
        };
        self.sees(path)
            && match sessions.id(&name) {
                Ok(id) => self.sees_session(id.as_str()),
                Err(ReadError::NotFound(..) | ReadError::NotBegun(..)) => true,
                Err(_) => false,
            }
    }

    /// Whether the viewer may see a session with this name or id.
    pub(crate) fn sees_session(&self, name: &str) -> bool {
        let there = Repository::of_session(name);
        match self {
            Self::Owner => true,
            Self::Program(here) => there.is_none() || there == *here,
        }
    }

    /// Whether the viewer may see all sessions that a candidate's evidence comes from.
    pub fn sees_candidate(&self, workspace: &Workspace, candidate: &Candidate) -> bool {
        let evidence: Vec<_> = candidate.evidence.iter().map(Evidence::reference).collect();
        let mut sessions = sessions_of(workspace, &evidence).into_iter();
        *self == Self::Owner || sessions.all(|name| self.sees_session(&name))
    }

    /// The lines of a conversation that the viewer must not see: what the model said from passages of other repositories;
    /// all lines if it cannot be read.
    pub(crate) fn hidden_messages(&self, sessions: &SessionStore, path: &str) -> Vec<LineRange> {
        let Some(name) = SessionSource::name_of(path).filter(|_| *self != Self::Owner) else {
            return Vec::new();
        };
        if !self.may_read(sessions, path) {
            return vec![LineRange::ALL];
        }
        let Ok(scoped) = sessions.scoped_lines(&name) else {
            return vec![LineRange::ALL];
        };
        let is_hidden = |scopes: &[String]| scopes.iter().any(|scope| !self.sees_session(scope));
        let hidden = scoped.into_iter().filter(|(_, scopes)| is_hidden(scopes));
        hidden.map(|(line, _)| LineRange::line(line)).collect()
    }

    /// The lines of a note that the viewer must not see; all lines if it cannot be read.
    pub(crate) fn hidden_lines(&self, workspace: &Workspace, path: &str) -> Vec<LineRange> {
        if *self == Self::Owner {
            return Vec::new();
        }
        let path: Result<WorkspacePath, _> = path.parse();
        let known = path.map(|path| lines_known_from(workspace, &path));
        let Ok(Ok(known)) = known else {
            return vec![LineRange::ALL];
        };
        let known = known.into_iter();
        let hidden = known.filter(|(_, name)| !self.sees_session(name));
        hidden.map(|(lines, _)| lines).collect()
    }
}

fn normalised(url: &str) -> String {
    let url = url.trim();
    let rest = url.split_once("://").map_or_else(
        // scp-like syntax, `git@host:path`.
        || url.replacen(':', "/", 1),
        |(_, rest)| rest.to_owned(),
    );
    let (host, path) = rest.split_once('/').unwrap_or((&rest, ""));
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host);
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    format!("{host}/{path}").to_lowercase()
}

#[cfg(test)]
#[path = "scope_tests.rs"]
mod tests;
