//! Completes and quotes commands that we print for the user to type.

use std::path::Path;

/// Quotes a path for a shell if necessary.
pub fn word(path: &Path) -> String {
    let shown = path.display().to_string();
    // Quoting fails only on NUL, which no path contains.
    match shlex::try_quote(&shown) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => shown,
    }
}

/// The beginning of the name of each of our programs.
const PROGRAM: &str = "openclaw";

/// Adds `--home` to each command of our programs that a text begins with or has in backquotes.
pub fn at_home(text: &str, home: &Path) -> String {
    let mut parts = text.split(PROGRAM);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let begins = shown.is_empty() || shown.ends_with('`');
        let names = ["-fleet ", " "].iter();
        let name = names.copied().find(|name| part.starts_with(name));
        let (name, part) = part.split_at(name.map_or(0, str::len));
        shown.push_str(PROGRAM);
        shown.push_str(name);
        // An option here is either `--home` itself, or needs no home.
        if begins && !name.is_empty() && !part.starts_with('-') {
            shown.push_str("--home ");
            shown.push_str(&word(home));
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
    fn at_home_adds_home_option_to_commands() {
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
            let home = Path::new("my home");
            assert_eq!(at_home(text, home), named);
            assert_eq!(at_home(named, home), named);
        }
    }

    #[test]
    fn shell_word_quotes_path_as_single_word() {
        for path in ["/home/me/a b; rm -r c.md", "$(id)", "it's", "plain.md"] {
            let read = shlex::split(&word(Path::new(path)));
            assert_eq!(read, Some(vec![path.to_owned()]));
        }
        assert_eq!(word(Path::new("/srv/claw")), "/srv/claw");
    }
}
