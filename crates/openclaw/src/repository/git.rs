//! Reads where a directory's Git repository is and which remote it names, from `.git` alone.
//!
//! Never runs git: its answer depends on the `PATH`, the environment and the owner of the files.

use std::io;

use base::Disk;
use base::disk::{DiskError, FileStat, OsDisk, read_all};

use crate::prelude::*;

/// The result of a search for a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// The directory is in a repository.
    Repository(GitRepository),
    /// The directory is in a repository with this root, whose configuration is damaged.
    Damaged(PathBuf, String),
    /// No directory above it holds one.
    Nothing,
    /// The directory does not exist, and no repository is above it.
    Gone,
    /// Something on the way cannot be read.
    Unreadable(String),
}

/// A repository on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitRepository {
    /// The folder that holds its files; for a bare repository its own.
    pub(super) root: PathBuf,
    /// The address of its remote `origin`.
    pub(super) remote: Option<String>,
}

/// Name of the folder, or in a worktree of the file, that marks a repository.
const MARK: &str = ".git";

/// Name of the configuration in Git's directory.
const CONFIG: &str = "config";

/// Maximum bytes of each file read.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The repository of a directory: the one whose folder is nearest above it.
pub(super) fn find(directory: &Path) -> Found {
    search(directory).unwrap_or_else(|error| Found::Unreadable(error.to_string()))
}

fn search(directory: &Path) -> Result<Found, DiskError> {
    let whole = std::path::absolute(directory).map_err(DiskError::on("find", directory))?;
    let is_there = stat(&whole)?.is_some();
    let whole = OsDisk.resolve(&whole)?;
    for folder in whole.ancestors() {
        let Some(own) = own_directory(folder)? else {
            continue;
        };
        let path = shared_directory(&own)?.join(CONFIG);
        let config = text(&path)?.unwrap_or_default();
        let (root, remote) = (folder.to_owned(), remote_in(&config));
        return Ok(match damaged_line(&config) {
            Some(number) if remote.is_none() => {
                let reason = format!("{} is damaged in line {number}", path.display());
                Found::Damaged(root, reason)
            }
            Some(_) | None => Found::Repository(GitRepository { root, remote }),
        });
    }
    Ok(if is_there {
        Found::Nothing
    } else {
        Found::Gone
    })
}

/// Git's directory for the repository in this folder; `None` if it holds none.
fn own_directory(folder: &Path) -> Result<Option<PathBuf>, DiskError> {
    let mark = folder.join(MARK);
    match stat(&mark)? {
        Some(found) if found.is_dir => return Ok(is_git_directory(&mark)?.then_some(mark)),
        Some(_) => {
            let text = text(&mark)?.unwrap_or_default();
            let place = text.trim().strip_prefix("gitdir:").map(str::trim);
            return Ok(place.map(|place| folder.join(place)));
        }
        None => {}
    }
    // A bare repository has no folder of its own for Git.
    let has_objects = stat(&folder.join("objects"))?.is_some_and(|it| it.is_dir);
    Ok((has_objects && is_git_directory(folder)?).then(|| folder.to_owned()))
}

fn is_git_directory(directory: &Path) -> Result<bool, DiskError> {
    Ok(stat(&directory.join("HEAD"))?.is_some())
}

/// The directory that a worktree shares with its repository.
fn shared_directory(own: &Path) -> Result<PathBuf, DiskError> {
    let shared = text(&own.join("commondir"))?;
    Ok(shared.map_or_else(|| own.to_owned(), |place| own.join(place.trim())))
}

/// A file's state; one below a file or a missing directory does not exist.
fn stat(path: &Path) -> Result<Option<FileStat>, DiskError> {
    match OsDisk.stat(path) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        found => found,
    }
}

/// A file's text; `None` if it does not exist.
fn text(path: &Path) -> Result<Option<String>, DiskError> {
    match read_all(&OsDisk, path, FILE_BYTES_MAX) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The last address that a configuration gives the remote `origin`.
fn remote_in(config: &str) -> Option<String> {
    let joined = config.replace("\\\r\n", "").replace("\\\n", "");
    let mut is_origin = false;
    let mut address = None;
    for line in joined.lines().map(str::trim) {
        let line = match line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            Some((section, rest)) => {
                is_origin = is_of_origin(section);
                rest.trim()
            }
            None => line,
        };
        if let Some((key, value)) = line.split_once('=')
            && is_origin
            && key.trim().eq_ignore_ascii_case("url")
        {
            address = Some(unquoted(value.trim())).filter(|value| !value.is_empty());
        }
    }
    address
}

/// The number of the first line that no configuration can contain.
fn damaged_line(config: &str) -> Option<usize> {
    let config = config.strip_prefix('\u{feff}').unwrap_or(config);
    let mut goes_on = false;
    let place = config.lines().position(|line| {
        let is_sound = goes_on || is_line(line.trim());
        goes_on = line.ends_with('\\');
        !is_sound || line.contains('\0')
    });
    place.map(|place| place + 1)
}

/// Whether a line has the form of a heading, a setting or a comment.
fn is_line(line: &str) -> bool {
    if let Some(heading) = line.strip_prefix('[') {
        let end = if heading.contains('"') { "\"]" } else { "]" };
        let section = heading.split_once(end);
        return section.is_some_and(|(name, rest)| !name.is_empty() && is_line(rest.trim()));
    }
    let key = line
        .split(['=', '#', ';'])
        .next()
        .unwrap_or_default()
        .trim();
    let is_comment = line.is_empty() || line.starts_with(['#', ';']);
    let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_comment || is_name && key.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether a section's heading, without its brackets, names the remote `origin`.
fn is_of_origin(section: &str) -> bool {
    let Some((kind, name)) = section.split_once(|c: char| c.is_whitespace() || c == '.') else {
        return false;
    };
    kind.eq_ignore_ascii_case("remote") && name.trim().trim_matches('"') == "origin"
}

/// A value without its quotation marks, escapes and comment.
fn unquoted(value: &str) -> String {
    let mut text = String::new();
    let (mut is_quoted, mut characters) = (false, value.chars());
    while let Some(character) = characters.next() {
        match character {
            '"' => is_quoted = !is_quoted,
            '\\' => text.extend(characters.next()),
            '#' | ';' if !is_quoted => break,
            other => text.push(other),
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_is_read_from_any_valid_spelling() {
        let plain = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.org:acme/tools.git\n\tfetch = +refs/heads/*\n";
        for (config, expected) in [
            (plain, Some("git@example.org:acme/tools.git")),
            ("[Remote \"origin\"] URL=\"a b\" ; note", Some("a b")),
            ("[remote.origin]\nurl = a#b", Some("a")),
            (
                "[remote \"origin\"]\nurl = one\nurl = two\\\n/three",
                Some("two/three"),
            ),
            (
                "[remote \"Origin\"]\nurl = one\n[remote \"fork\"]\nurl = two",
                None,
            ),
            (
                "url = one\n[remote]\nurl = two\n[remotes \"origin\"]\nurl = three",
                None,
            ),
            ("[remote \"origin\"]\npushurl = one\n; url = two", None),
            ("[remote \"origin\"]\nurl =", None),
            ("", None),
        ] {
            assert_eq!(remote_in(config).as_deref(), expected, "{config}");
        }
    }

    #[test]
    fn damage_is_found_only_in_lines_that_git_rejects() {
        for (config, expected) in [
            ("", None),
            (
                "[core]\n\tbare = false\n\tignoreCase\n# note\n\n[a]b=c ; d",
                None,
            ),
            (
                "\u{feff}[remote \"a]b\"]\nurl = \"x\\\ny z]\" # z\n[alias] l = log {}",
                None,
            ),
            ("[core]\r\n\tbare = false\r\n", None),
            ("[remote \"origin\"\n url = x", Some(1)),
            ("[core]\n\u{1}\u{2}garbage", Some(2)),
            ("[core]\nbare = \0", Some(2)),
            ("[]\na = b", Some(1)),
            ("<<<<<<< HEAD\n[core]", Some(1)),
        ] {
            assert_eq!(damaged_line(config), expected, "{config:?}");
        }
    }

    /// Creates empty folders and files with text below a new directory.
    fn files(made: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in made {
            let path = root.path().join(path);
            OsDisk.create_dir(path.parent().unwrap()).unwrap();
            base::disk::replace(&OsDisk, &path, text.as_bytes()).unwrap();
        }
        root
    }

    #[test]
    fn find_locates_repository_worktree_and_bare_repository() {
        let config = "[remote \"origin\"]\nurl = u";
        let root = files(&[
            ("main/.git/HEAD", ""),
            ("main/.git/config", config),
            ("main/src/deep/file", ""),
            ("main/.git/worktrees/side/HEAD", ""),
            ("main/.git/worktrees/side/commondir", "../..\n"),
            ("side/.git", "gitdir: ../main/.git/worktrees/side\n"),
            ("bare.git/HEAD", ""),
            ("bare.git/config", config),
            ("bare.git/objects/keep", ""),
            ("empty/.git/keep", ""),
            ("outside/HEAD", ""),
        ]);
        let base = OsDisk.resolve(root.path()).unwrap();
        let found = |place: &str| find(&base.join(place));
        let repository = |place: &str| {
            let root = base.join(place);
            let remote = Some("u".to_owned());
            Found::Repository(GitRepository { root, remote })
        };
        for (place, expected) in [
            ("main", repository("main")),
            ("main/src/deep", repository("main")),
            ("main/gone/deep", repository("main")),
            ("main/src/deep/file", repository("main")),
            ("side", repository("side")),
            ("bare.git", repository("bare.git")),
            ("empty", Found::Nothing),
            ("outside", Found::Nothing),
            ("gone", Found::Gone),
        ] {
            assert_eq!(found(place), expected, "{place}");
        }
    }
}
