//! Finds the home, and lists the files of its directories.
//!
//! Never reads a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use base::HomeLayout as Home;
use base::disk::{DiskError, FileStat};
use base::{Disk, HomeParts};

use crate::environment::Environment;
use crate::error::{CliError, ErrorKind};

/// The layout of a home: its local and derived parts, which backups leave out, and the files that are written first
/// in a new home.
pub const LAYOUT: HomeParts = HomeParts {
    local: &["index", "models", "state/locks", "state/token"],
    derived: &["index"],
    // Session names never begin with `@`, so this cannot collide with a session's lock.
    lock: "state/locks/@serve.lock",
    signs: &["config.yaml", "workspace", "sessions"],
};

/// Finds the home: `--home`, otherwise `OPENCLAW_HOME`, otherwise `~/.openclaw`. Expands `~`, because a shell does
/// not expand it in `--home=~/x`.
pub fn find_home(option: Option<&Path>, environment: &Environment) -> Result<Home, CliError> {
    let user_home = environment.user_home.as_ref();
    let expanded = |path: &Path| match path.to_str() {
        Some(text) => environment.expand_home(text),
        None => path.to_owned(),
    };
    let named = option.or(environment.openclaw_home.as_deref());
    named.map_or(Ok(()), refuse_address)?;
    named
        .map(|path| Home::new(expanded(path)))
        .or_else(|| Some(Home::of_user(user_home?)))
        .ok_or_else(|| {
            CliError::new(ErrorKind::Usage, "the home directory is unknown")
                .doing("looking for `--home`, OPENCLAW_HOME and HOME")
                .hint("pass `--home DIR`")
        })
}

/// Rejects the address of a remote home, which would otherwise become a directory of that name.
fn refuse_address(path: &Path) -> Result<(), CliError> {
    let text = path.to_string_lossy();
    if !text.contains("://") && !text.starts_with("vault:") {
        return Ok(());
    }
    let message = format!("{text} is the address of a home elsewhere, but this needs a directory");
    Err(CliError::new(ErrorKind::Usage, message).hint(
        "copy that home to this machine with `openclaw-fleet --home DIR pull ADDRESS NAME`, then use `--home DIR`",
    ))
}

/// All files below a directory. Follows links, but lists each directory only once.
pub fn files_below(
    disk: &dyn Disk,
    directory: PathBuf,
) -> Result<Vec<(PathBuf, FileStat)>, DiskError> {
    let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
    let mut waiting = vec![directory];
    while let Some(directory) = waiting.pop() {
        if !seen.insert(disk.resolve(&directory)?) {
            continue;
        }
        for name in disk.list(&directory)? {
            let path = directory.join(name);
            match disk.stat(&path)? {
                Some(stat) if stat.is_dir => waiting.push(path),
                Some(stat) => files.push((path, stat)),
                None => {}
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(option: Option<&str>, openclaw: Option<&str>, user: Option<&str>, expected: &str) {
        let environment = Environment {
            openclaw_home: openclaw.map(PathBuf::from),
            user_home: user.map(PathBuf::from),
            ..Environment::default()
        };
        let found = find_home(option.map(Path::new), &environment);
        let found = found.map_or_else(
            |error| error.message,
            |home| home.root().display().to_string(),
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn home_is_taken_from_option_then_variable_then_user_home() {
        check(Some("here"), Some("/env"), Some("/root"), "here");
        check(None, Some("/env"), Some("/root"), "/env");
        check(None, None, Some("/root"), "/root/.openclaw");
        check(None, None, None, "the home directory is unknown");
        check(Some("~/mine"), None, Some("/root"), "/root/mine");
        for address in ["vault:///srv/vault/anna", "s3://claw/anna", "vault:/x/anna"] {
            let refused =
                format!("{address} is the address of a home elsewhere, but this needs a directory");
            check(Some(address), None, Some("/root"), &refused);
            check(None, Some(address), Some("/root"), &refused);
        }
        check(None, Some("~/mine"), Some("/root"), "/root/mine");
    }
}
