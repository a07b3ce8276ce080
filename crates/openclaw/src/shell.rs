//! Paths in commands that a person is to type.
//!
//! Runs nothing.

use std::path::Path;

/// A path as a shell reads it: quoted where it has to be.
pub(crate) fn word(path: &Path) -> String {
    let shown = path.display().to_string();
    // Only a NUL cannot be quoted, and no path holds one.
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
