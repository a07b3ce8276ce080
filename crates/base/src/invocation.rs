//! Commands for the owner to type, each at the home that it is about.
//!
//! Runs nothing.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The beginning of the name of each of our programs.
const PROGRAM: &str = "openclaw";

/// How the owner calls the program for a home: a command to type names the home unless it is the default one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    home: Option<PathBuf>,
}

/// A text of ours with commands to type, such as what to do about an error. It is shown only
/// [at the home](Hint::at) that the commands are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint(Cow<'static, str>);

impl Invocation {
    /// With `--home` and this directory.
    pub fn at(home: impl Into<PathBuf>) -> Self {
        Self {
            home: Some(home.into()),
        }
    }

    /// The directory that commands name; `None` if they name none.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The command with these arguments, such as `openclaw --home DIR dream undo`.
    pub fn command(&self, arguments: &str) -> String {
        self.complete(&format!("{PROGRAM} {arguments}"))
    }

    /// Adds `--home` to each command of our programs that a text begins with or has in backquotes. For our own words
    /// only, since it would change commands in the owner's.
    pub fn complete(&self, text: &str) -> String {
        match &self.home {
            Some(home) => with_home(text, home),
            None => text.to_owned(),
        }
    }
}

impl Hint {
    /// A text with commands in backquotes, such as ``"`openclaw dream list` lists what waits"``.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self(text.into())
    }

    /// The text for the owner of the home that is called like this.
    pub fn at(&self, invocation: &Invocation) -> String {
        invocation.complete(&self.0)
    }
}

/// The text as written, for code that adds the home later.
impl From<Hint> for String {
    fn from(hint: Hint) -> Self {
        hint.0.into_owned()
    }
}

/// A path as one word of a shell.
pub fn shell_word(path: &Path) -> String {
    shell_quoted(&path.display().to_string())
}

/// A text as one word of a shell.
pub fn shell_quoted(text: &str) -> String {
    // Quoting fails only on NUL, which no argument can contain.
    match shlex::try_quote(text) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => text.to_owned(),
    }
}

fn with_home(text: &str, home: &Path) -> String {
    let mut parts = text.split(PROGRAM);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // In backquotes, or on the first line of a block of code.
        let begins = shown.is_empty() || shown.ends_with('`') || shown.ends_with("```\n");
        let names = ["-fleet ", " "].iter();
        let name = names.copied().find(|name| part.starts_with(name));
        let (name, part) = part.split_at(name.map_or(0, str::len));
        shown.push_str(PROGRAM);
        shown.push_str(name);
        // An option here is either `--home` itself, or needs no home.
        if begins && !name.is_empty() && !part.starts_with('-') {
            shown.push_str("--home ");
            shown.push_str(&shell_word(home));
            shown.push(' ');
        }
        shown.push_str(part);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hint_names_home_in_each_command() {
        for (text, named) in [
            (
                "create it with `openclaw init`, or see `openclaw --help`",
                "create it with `openclaw --home 'my home' init`, or see `openclaw --help`",
            ),
            (
                "openclaw backup /mnt; and check that `openclaw serve` is running",
                "openclaw --home 'my home' backup /mnt; and check that `openclaw --home 'my home' serve` is running",
            ),
            ("update openclaw first", "update openclaw first"),
            (
                "`openclaw-fleet list ADDRESS` of openclaw-fleet; see ~/.openclaw",
                "`openclaw-fleet --home 'my home' list ADDRESS` of openclaw-fleet; see ~/.openclaw",
            ),
        ] {
            let at_home = Invocation::at("my home");
            assert_eq!(Hint::new(text).at(&at_home), named);
            assert_eq!(at_home.complete(named), named);
            assert_eq!(Hint::new(text).at(&Invocation::default()), text);
        }
    }

    #[test]
    fn command_names_home_that_is_not_the_default() {
        let command = Invocation::at("/srv/claw").command("dream undo");
        assert_eq!(command, "openclaw --home /srv/claw dream undo");
        let command = Invocation::default().command("dream undo");
        assert_eq!(command, "openclaw dream undo");
    }

    #[test]
    fn shell_word_quotes_path_as_single_word() {
        for path in ["/home/me/a b; rm -r c.md", "$(id)", "it's", "plain.md"] {
            let read = shlex::split(&shell_word(Path::new(path)));
            assert_eq!(read, Some(vec![path.to_owned()]));
        }
        assert_eq!(shell_word(Path::new("/srv/claw")), "/srv/claw");
    }
}
