//! Rates by its characters how much a token looks like a secret.
//!
//! Uses no words of any language.

use std::sync::LazyLock;

use regex::Regex;

/// How much a token looks like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SecretLikeness {
    /// A number with a unit, a date, an address or a variable, which is never a secret.
    Never,
    /// A plain word, which is a secret only if the text says so.
    Plain,
    /// Joined words, or a text that is too long for a word.
    Odd,
    /// Letters with digits or symbols, which also occur in names of things.
    Weak,
    /// A mix of characters that occurs only in secrets.
    Strong,
}

/// Minimum length of a password in characters, because of texts such as `the password is 12 characters long`.
pub(super) const PASSWORD_CHARS_MIN: usize = 4;

/// Maximum length of a password in characters. Longer tokens are data.
pub(super) const PASSWORD_CHARS_MAX: usize = 128;

/// A token that consists only of letters is not a word if it has at least this many characters.
const WORD_CHARS_MAX: usize = 20;

/// A mixed token with at least this many characters is not the name of a thing.
const STRONG_CHARS_MIN: usize = 7;

/// Minimum number of words joined to one password; below, of letters in each word, and of letters in total.
const JOINED_WORDS_MIN: usize = 3;
const JOINED_WORD_CHARS_MIN: usize = 3;
const JOINED_CHARS_MIN: usize = 13;

/// Symbols that do not occur in words of any language.
const SIGNS: &[char] = &[
    '!', '#', '$', '%', '^', '*', '~', '\u{a7}', '&', '+', '@', '?', '|',
];

/// Symbols that may also join words: `Q&A`, `black+white`, `a@b`.
const JOINING_SIGNS: &[char] = &['&', '+', '@', '?', '|'];

/// Tokens that are never secrets: numbers with units and ordinals, dates, times, versions, addresses, paths,
/// variables, calls.
static NEVER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r"[\d.,:/+-]+",
        r"[\d.,:]+(?:-?\p{L}{1,3}\.?|%)",
        r"\d+-\p{L}+",
        r"v?\d+(?:\.\d+)+[\w-]*",
        r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\S*",
        r"[^\s@]+@[^\s@]+\.[\p{L}.]{2,}",
        r"(?:\S*://|www\.)\S*",
        r"[~.]{0,2}/\S*",
        r"[\w.-]+(?:/[\w.-]+)+",
        r"\$\S*|%\S*%?",
        r"\w+(?:::\w+)+",
        r"\S*[()]\S*",
    ];
    Regex::new(&format!("^(?:{})$", forms.join("|"))).ok()
});

/// Constants and types of code.
static OF_CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new("^(?:true|false|null|[Ss]tring[!?]?|[Bb]oolean|&(?:str|mut|self|String))$").ok()
});

/// Whether a token is a constant or a type of code, or a mask such as `****`. Such a token is not a secret even in
/// quotes: `"password": "string"`.
pub(super) fn is_of_code(token: &str) -> bool {
    is_mask(token) || OF_CODE.as_ref().is_some_and(|form| form.is_match(token))
}

/// Whether a token repeats one symbol.
fn is_mask(token: &str) -> bool {
    let mut characters = token.chars();
    let first = characters.next();
    first.is_some_and(|first| !first.is_alphanumeric() && characters.all(|c| c == first))
}

/// A word followed by a number, as in `iPhone15`, `Garden-22` or `argon2id`.
static NAME_WITH_NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:\p{L}+(?:-\p{L}+)*[-_. ]?\d+\p{Lu}?|\p{Ll}{4,}\d\p{Ll}{1,2})$").ok()
});

/// The hash of a version, short or complete, as programs print it: `9d41e7c`.
static HASH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64})$").ok());

/// A host name, as in `wiki2.firma.intern`.
static HOST: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:[\p{Ll}\d-]+\.){2,}\p{Ll}{2,}$").ok());

/// How much `token` looks like a secret.
pub(super) fn likeness(token: &str) -> SecretLikeness {
    let n_chars = token.chars().count();
    let is_form = |form: &LazyLock<Option<Regex>>| {
        let form = form.as_ref();
        form.is_some_and(|form| form.is_match(token))
    };
    if !(PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&n_chars)
        || is_form(&NEVER)
        || is_of_code(token)
    {
        return SecretLikeness::Never;
    }
    let inner = token.trim_end_matches(['!', '?']);
    let has = |is: fn(char) -> bool| token.contains(is);
    let has_letter = has(char::is_alphabetic);
    let (has_lower, has_upper) = (has(char::is_lowercase), has(char::is_uppercase));
    let has_digit = has(char::is_numeric);
    let has_sign = inner.contains(SIGNS);
    let has_odd_sign = inner.contains(|c| SIGNS.contains(&c) && !JOINING_SIGNS.contains(&c));
    let is_long = n_chars >= STRONG_CHARS_MIN;
    if !has_letter {
        return if has_digit && has_sign {
            SecretLikeness::Weak
        } else {
            SecretLikeness::Never
        };
    }
    let is_host = is_form(&HOST);
    let is_name = is_host || is_form(&NAME_WITH_NUMBER);
    let is_strong = has_digit && has_sign
        || has_digit && has_lower && has_upper && !is_name
        || is_long && has_odd_sign && !token.starts_with(SIGNS)
        || is_long && has_digit && !is_name && has_inner_digit(token);
    match () {
        () if is_strong && is_long && !is_form(&HASH) => SecretLikeness::Strong,
        () if (has_digit || has_sign) && !is_host => SecretLikeness::Weak,
        () if n_chars >= WORD_CHARS_MAX || n_chars >= 8 && has_hump(token) => SecretLikeness::Odd,
        () if is_joined(token) => SecretLikeness::Odd,
        () => SecretLikeness::Plain,
    }
}

/// Whether a token joins three or more complete words, as in `trout-lake-blue`. `up-to-date` and `one-time-only` are
/// ordinary words.
fn is_joined(token: &str) -> bool {
    let words: Vec<&str> = token.split(['-', '_']).collect();
    let n_chars = |word: &&str| word.chars().count();
    let is_whole = |word| n_chars(word) >= JOINED_WORD_CHARS_MIN;
    let are_whole = words.iter().all(is_whole);
    let n_all: usize = words.iter().map(n_chars).sum();
    words.len() >= JOINED_WORDS_MIN && are_whole && n_all >= JOINED_CHARS_MIN
}

/// Whether digits are directly between letters.
fn has_inner_digit(token: &str) -> bool {
    let kinds: Vec<Option<bool>> = token
        .chars()
        .map(|c| match c {
            _ if c.is_numeric() => Some(true),
            _ if c.is_alphabetic() => Some(false),
            _ => None,
        })
        .collect();
    let mut parts = kinds.chunk_by(|one, other| one == other);
    let is_letter =
        |part: Option<&[Option<bool>]>| part.and_then(<[_]>::first) == Some(&Some(false));
    let mut last = parts.next();
    let mut middle = parts.next();
    for next in parts {
        let is_digit = middle.and_then(<[_]>::first) == Some(&Some(true));
        if is_digit && is_letter(last) && is_letter(Some(next)) {
            return true;
        }
        (last, middle) = (middle, Some(next));
    }
    false
}

/// Whether an upper-case letter follows a lower-case letter.
fn has_hump(token: &str) -> bool {
    let characters: Vec<char> = token.chars().collect();
    characters.windows(2).any(|pair| match pair {
        [one, other] => one.is_lowercase() && other.is_uppercase(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_grades_tokens_by_mixture_of_characters() {
        for (token, expected) in [
            ("Moss#Garden", SecretLikeness::Strong),
            ("vX8-qq-Tarn", SecretLikeness::Strong),
            ("tr3acle-tart", SecretLikeness::Strong),
            ("kestrel77", SecretLikeness::Weak),
            ("FritzBox7590", SecretLikeness::Weak),
            ("purplemonkeydishwasherlamp", SecretLikeness::Odd),
            ("HappyHorse", SecretLikeness::Odd),
            ("trout-lake-blue", SecretLikeness::Odd),
            ("login.example.com", SecretLikeness::Plain),
            ("k8s.firma2.intern", SecretLikeness::Plain),
            ("well-known", SecretLikeness::Plain),
            ("hard-to-remember", SecretLikeness::Plain),
            ("12th", SecretLikeness::Never),
            ("2031-05-17", SecretLikeness::Never),
            ("anna@example.org", SecretLikeness::Never),
            ("src/auth/password2.rs", SecretLikeness::Never),
            ("128-bit", SecretLikeness::Never),
            ("100%", SecretLikeness::Never),
            ("true", SecretLikeness::Never),
            ("$DB_PASSWORD", SecretLikeness::Never),
        ] {
            assert_eq!(likeness(token), expected, "{token}");
        }
    }
}
