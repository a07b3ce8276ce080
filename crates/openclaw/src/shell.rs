//! Quotes paths in commands that we print for the user to type.

use std::path::Path;

/// Quotes a path for a shell if necessary.
pub(crate) fn word(path: &Path) -> String {
    let shown = path.display().to_string();
    // Quoting fails only on NUL, which no path contains.
    match shlex::try_quote(&shown) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_with_blanks_and_marks_is_one_word() {
        for path in ["/home/me/a b; rm -r c.md", "$(id)", "it's", "plain.md"] {
            let read = shlex::split(&word(Path::new(path)));
            assert_eq!(read, Some(vec![path.to_owned()]));
        }
        assert_eq!(word(Path::new("/srv/claw")), "/srv/claw");
    }
}
