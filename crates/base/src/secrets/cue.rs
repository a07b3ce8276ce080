//! Decides which matches of the search are cues: whole words, and names of settings that end in one.
//!
//! Does not look at the secrets; `prose` does.

use super::likeness::{PASSWORD_CHARS_MIN, SecretLikeness, likeness};
use super::patterns::{PATTERNS, SecretCue};
use crate::is_unspaced;

/// Maximum number of letters in an inflection after a cue, as in `passwords` or `Passwortes`.
const ENDING_CHARS_MAX: usize = 3;

/// Minimum number of letters of a cue that may have an ending. The next constant is the minimum for a cue that may end
/// a compound. For example, `pine` is not `pin`.
const LONG_CUE_CHARS: usize = 5;
const COMPOUND_CUE_CHARS: usize = 7;

/// Maximum number of letters of a compound before its cue. No compound is longer.
const COMPOUND_CHARS_MAX: usize = 64;

/// The cues that are whole words, each including its ending. Nested cues are left out.
pub(super) fn whole_cues(text: &str, cues: &[SecretCue]) -> Vec<SecretCue> {
    let whole = cues.iter().filter_map(|cue| whole_cue(text, cue));
    let mut kept: Vec<SecretCue> = Vec::new();
    for cue in whole {
        if kept.last().is_none_or(|last| last.end <= cue.start) {
            kept.push(cue);
        }
    }
    kept
}

fn whole_cue(text: &str, cue: &SecretCue) -> Option<SecretCue> {
    let word = text.get(cue.start..cue.end)?;
    if word.ends_with(is_unspaced) {
        return Some(cue.clone());
    }
    let n_chars = word.chars().count();
    let is_letter = |c: char| c.is_alphabetic() && !is_unspaced(c);
    let before = text.get(..cue.start)?;
    let compound = before.chars().rev().take(COMPOUND_CHARS_MAX);
    let compound = compound.take_while(|c| is_letter(*c));
    let n_compound: usize = compound.map(char::len_utf8).sum();
    let prefix = before.get(..before.len() - n_compound)?;
    let is_compound = n_compound > 0;
    let joint = prefix.chars().next_back();
    let is_name = joint.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | '$' | '@'))
        || joint == Some('_') && !opens_emphasis(prefix);
    let behind = text.get(cue.end..)?;
    // `smtp_password: maplewood7` is a cue. A number in code is more often a count or a part than a secret.
    let announced = PATTERNS.announced(cue);
    let is_setting = announced.is_some_and(|it| !it.is_number) && is_value_behind(behind);
    if is_name && !is_setting && !prefix.ends_with(". ")
        || is_compound && n_chars < COMPOUND_CUE_CHARS
    {
        return None;
    }
    let ending = behind.chars().take_while(|c| is_letter(*c));
    let ending = ending.take(ENDING_CHARS_MAX + 1).map(char::len_utf8);
    let (n_ending, n_ending_chars) = ending.fold((0, 0), |(n, chars), len| (n + len, chars + 1));
    if n_ending > 0 && (n_chars < LONG_CUE_CHARS || n_ending_chars > ENDING_CHARS_MAX) {
        return None;
    }
    let rest = behind.get(n_ending..)?;
    let mut follows = rest.chars();
    let is_code = match (follows.next(), follows.next()) {
        (Some('_'), _) => rest
            .trim_start_matches('_')
            .starts_with(char::is_alphanumeric),
        (Some('(' | '['), _) => true,
        (Some('.' | '-' | '/'), Some(next)) => next.is_alphanumeric(),
        (Some(next), _) => next.is_ascii_digit(),
        (None, _) => false,
    };
    let end = cue.end + n_ending;
    (!is_code).then(|| SecretCue { end, ..cue.clone() })
}

/// Whether trailing underscores are emphasis and not part of a name, as in `__PIN__`.
fn opens_emphasis(text: &str) -> bool {
    let bare = text.trim_end_matches('_');
    !bare.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '$'))
}

/// Whether the value of a setting follows its name, as in `: maplewood7` or `="maplewood7"`, and ends its line. Code
/// has blanks around its signs; there, the value counts only if it is not a name.
fn is_value_behind(behind: &str) -> bool {
    let is_quote = |c: char| c == '"' || c == '\'';
    let behind = behind.strip_prefix(is_quote).unwrap_or(behind);
    let spaced = behind.strip_prefix(" = ").filter(|it| {
        let value = it.lines().next().unwrap_or_default().trim();
        likeness(value.trim_matches(is_quote)) == SecretLikeness::Strong
    });
    let value = spaced.or_else(|| behind.strip_prefix('=')).or_else(|| {
        let value = behind.strip_prefix(": ");
        value.or_else(|| {
            behind
                .strip_prefix(':')
                .filter(|it| it.starts_with(is_quote))
        })
    });
    let Some(line) = value.and_then(|it| it.lines().next()) else {
        return false;
    };
    let value = line.trim_end_matches([',', '}', ']', ' ', '\r']);
    let inner = value.trim_matches(is_quote);
    let is_quoted = value.starts_with(is_quote) && value.ends_with(is_quote);
    inner.chars().count() >= PASSWORD_CHARS_MIN
        && (is_quoted && !inner.contains(is_quote)
            || !inner.contains(|c: char| c.is_whitespace() || "\"'(){}[]<>;|$`,".contains(c)))
}
