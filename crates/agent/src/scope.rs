//! Which repository a conversation belongs to, and who may see it.
//!
//! The name of a session carries its repository, so that no list of them can be lost.

use base::{LineRange, SessionId, scope_of, short_hash};
use memory::candidates::{Candidate, Evidence};
use memory::{Workspace, WorkspacePath, lines_known_from, sessions_of};
use session::SessionName;

use crate::session_source::SessionSource;

/// A repository: the owner's clones of it, on whatever machine, are one. Holds what names of its sessions begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository(String);

impl Repository {
    /// The repository of this remote, whether it is reached by HTTPS or SSH, and with whatever credentials.
    pub fn of_remote(url: &str) -> Self {
        Self::of_path(&normalised(url))
    }

    /// A repository without a remote, at this path.
    pub fn of_path(path: &str) -> Self {
        Self(format!("repo-{}-", short_hash(path)))
    }

    /// The repository whose sessions have names that begin with this.
    pub(crate) fn of_scope(scope: String) -> Self {
        Self(scope)
    }

    /// The repository that the name or the id of a session carries.
    pub(crate) fn of_session(name: &str) -> Option<Self> {
        scope_of(name).map(|scope| Self(scope.to_owned()))
    }

    /// What names of its sessions begin with.
    pub fn scope(&self) -> &str {
        &self.0
    }

    /// What is noted outside of its sessions is known from this.
    pub fn notes(&self) -> SessionId {
        SessionId::new(format!("{}notes", self.0))
    }

    /// The name of a session of this repository; `rest` distinguishes it from the others.
    ///
    /// # Errors
    ///
    /// Where `rest` cannot stand in a name.
    pub fn session_name(&self, rest: &str) -> Result<SessionName, session::SessionNameError> {
        format!("{}{rest}", self.0).parse()
    }
}

/// Who looks into memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Viewer {
    /// The owner, in a chat or at the command line.
    Owner,
    /// Another program, in a repository or in none: what is known from another repository is hidden from it.
    Program(Option<Repository>),
}

impl Viewer {
    /// Whether they may see this path, judged by the path alone.
    pub fn sees(&self, path: &str) -> bool {
        SessionSource::name_of(path).is_none_or(|name| self.sees_session(name.as_str()))
    }

    /// Whether they may see what was said in a session, by its name or its id.
    pub(crate) fn sees_session(&self, name: &str) -> bool {
        let there = Repository::of_session(name);
        match self {
            Self::Owner => true,
            Self::Program(here) => there.is_none() || there == *here,
        }
    }

    /// Whether they may see a candidate: all that it is known from.
    pub fn sees_candidate(&self, workspace: &Workspace, candidate: &Candidate) -> bool {
        let evidence: Vec<_> = candidate.evidence.iter().map(Evidence::reference).collect();
        let mut sessions = sessions_of(workspace, &evidence).into_iter();
        *self == Self::Owner || sessions.all(|name| self.sees_session(&name))
    }

    /// The lines of a note that they may not see; all of one that cannot be read.
    pub(crate) fn hidden_lines(&self, workspace: &Workspace, path: &str) -> Vec<LineRange> {
        if *self == Self::Owner {
            return Vec::new();
        }
        let path: Result<WorkspacePath, _> = path.parse();
        let known = path.map(|path| lines_known_from(workspace, &path));
        let Ok(Ok(known)) = known else {
            return vec![LineRange {
                start: 1,
                end: usize::MAX,
            }];
        };
        let hidden = known
            .into_iter()
            .filter(|(_, name)| !self.sees_session(name));
        hidden.map(|(lines, _)| lines).collect()
    }
}

fn normalised(url: &str) -> String {
    let url = url.trim();
    let rest = url.split_once("://").map_or_else(
        // `git@host:path`, as scp writes it.
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
