//! Which repository a conversation belongs to, and who may see it.
//!
//! The name of a session carries its repository, so that no list of them can be lost.

use base::short_hash;
use session::SessionName;

use crate::SessionSource;

/// A repository: the owner's clones of it, on whatever machine, are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository(String);

const PREFIX: &str = "repo-";
const HASH_LEN: usize = 8;

impl Repository {
    /// The repository of this remote, whether it is reached by HTTPS or SSH, and with whatever credentials.
    pub fn of_remote(url: &str) -> Self {
        Self(short_hash(&normalised(url)))
    }

    /// A repository without a remote, at this path.
    pub fn of_path(path: &str) -> Self {
        Self(short_hash(path))
    }

    /// The repository that the name of a session carries.
    pub(crate) fn of_session(name: &str) -> Option<Self> {
        let (hash, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
        let is_hash = hash.len() == HASH_LEN && hash.chars().all(|digit| digit.is_ascii_hexdigit());
        is_hash.then(|| Self(hash.to_owned()))
    }

    /// The name of a session of this repository; `rest` tells it from the others.
    ///
    /// # Errors
    ///
    /// Where `rest` cannot stand in a name.
    pub fn session_name(&self, rest: &str) -> Result<SessionName, session::SessionNameError> {
        format!("{PREFIX}{}-{rest}", self.0).parse()
    }
}

/// Who looks into memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// The owner, in a chat or at the command line.
    Owner,
    /// Another program, in a repository or in none.
    Program(Option<Repository>),
}

impl Viewer {
    /// Whether they may see what stands at this path: a program sees no conversation of another repository.
    pub(crate) fn sees(&self, path: &str) -> bool {
        let name = SessionSource::name_of(path);
        let there = name.and_then(|name| Repository::of_session(name.as_str()));
        match self {
            Self::Owner => true,
            Self::Program(here) => there.is_none() || there == *here,
        }
    }
}

/// Host and path of a remote.
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
mod tests {
    use super::*;

    #[test]
    fn one_remote_is_one_repository_however_it_is_reached() {
        let same = [
            "https://github.com/acme/Tools.git",
            "https://anna:secret@github.com/acme/tools/",
            "git@github.com:acme/tools.git",
            "ssh://git@github.com:22/acme/tools",
        ];
        for url in same {
            assert_eq!(normalised(url), "github.com/acme/tools", "{url}");
        }
        assert_ne!(
            Repository::of_remote("git@github.com:acme/tools"),
            Repository::of_remote("git@github.com:acme/tool")
        );
    }

    #[test]
    fn a_conversation_is_seen_in_its_repository_and_by_the_owner() {
        let [own, other] = ["a", "b"].map(Repository::of_path);
        let name = own.session_name("claude-code-0198f3aa").unwrap();
        let path = SessionSource::path_of(&name);
        assert_eq!(Repository::of_session(name.as_str()), Some(own.clone()));
        for (viewer, is_seen) in [
            (Viewer::Owner, true),
            (Viewer::Program(Some(own)), true),
            (Viewer::Program(Some(other)), false),
            (Viewer::Program(None), false),
        ] {
            assert_eq!(viewer.sees(&path), is_seen, "{viewer:?}");
            for free in [
                "MEMORY.md",
                "memory/2026-03-02.md",
                "sessions/main.jsonl",
                "sessions/repo-x.jsonl",
            ] {
                assert!(viewer.sees(free), "{free}");
            }
        }
    }
}
