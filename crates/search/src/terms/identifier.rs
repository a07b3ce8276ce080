//! Recognises identifiers, which are searched as written: paths, versions, addresses, hashes, amounts, percentages.
//!
//! Never checks whether the thing exists.

/// Longest identifier in bytes; a longer one is found by its parts only.
pub(crate) const IDENTIFIER_BYTES_MAX: usize = 200;

/// The identifier in a run of non-space characters, without the punctuation around it.
///
/// ```text
/// (see src/main.rs). -> src/main.rs      $1,200, -> $1,200      12.5% -> 12.5%      well-known -> none
/// ```
pub(crate) fn identifier(chunk: &str) -> Option<&str> {
    let is_start =
        |character: char| character.is_alphanumeric() || "$\u{20ac}\u{a3}#@/~.".contains(character);
    let is_end = |character: char| character.is_alphanumeric() || "%/+#".contains(character);
    let text = chunk
        .trim_start_matches(|c| !is_start(c))
        .trim_end_matches(|c| !is_end(c));
    let text = if text.chars().skip(1).any(char::is_alphanumeric) {
        text.trim_end_matches(['#', '/'])
    } else {
        return None;
    };
    if text.len() > IDENTIFIER_BYTES_MAX {
        return None;
    }
    let is_plain = |character: char| character.is_alphabetic() || "-'\u{2019}".contains(character);
    let is_one_word = text.chars().all(char::is_alphanumeric);
    let is_identifier = !is_one_word && !text.chars().all(is_plain);
    is_identifier.then_some(text)
}

/// The file name at the end of a path or address: `login.html` of `a/login.html`.
pub(crate) fn file_name(identifier: &str) -> Option<&str> {
    let (_, name) = identifier.rsplit_once(['/', '\\'])?;
    let is_name = name.contains('.') && name.chars().any(char::is_alphanumeric);
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_is_found_without_surrounding_punctuation() {
        let cases = [
            ("(src/main.rs).", Some("src/main.rs")),
            ("$1,200,", Some("$1,200")),
            ("12.5%.", Some("12.5%")),
            ("`v1.2.3`", Some("v1.2.3")),
            ("https://a.example/x?y=1#", Some("https://a.example/x?y=1")),
            ("well-known", None),
            ("don't", None),
            ("9f8e7d6c", None),
            ("--", None),
            ("...", None),
            ("", None),
        ];
        for (chunk, expected) in cases {
            assert_eq!(identifier(chunk), expected, "{chunk}");
        }
        assert_eq!(file_name("a/login.html"), Some("login.html"));
        assert_eq!(file_name("a/b"), None);
    }
}
