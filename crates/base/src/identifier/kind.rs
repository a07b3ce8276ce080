//! Classifies a token as an identifier by its characters.
//!
//! Looks at single tokens; `run` finds identifiers of several words.

use std::ops::Range;

use super::token::IdentifierToken;

/// The kind of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdentifierKind {
    /// A URL or an e-mail address.
    Address,
    /// A path or a file name.
    Path,
    /// The name of an error.
    Failure,
    /// A sum of money.
    Sum,
    /// A percentage.
    Share,
    Date,
    Version,
    /// A hash, a ticket or a booking code.
    Code,
    /// A name from code.
    Name,
    /// Any other number, including a unit that is written without a space.
    Number,
}

impl IdentifierKind {
    /// Whether the identifier is meaningful without its context. A bare number or a name from code is not.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Name | Self::Number)
    }
}

const EXTENSIONS: &[&str] = &[
    "py", "rs", "js", "ts", "tsx", "jsx", "mjs", "html", "htm", "css", "scss", "json", "jsonl",
    "yaml", "yml", "sql", "md", "toml", "txt", "csv", "tsv", "pdf", "doc", "docx", "xls", "xlsx",
    "ppt", "pptx", "png", "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4", "wav", "zip", "gz",
    "tar", "sh", "bat", "ps1", "log", "lock", "db", "sqlite", "env", "ini", "cfg", "conf", "xml",
    "go", "java", "kt", "c", "h", "cpp", "hpp", "cs", "rb", "php", "swift", "vue", "ipynb", "tex",
    "bib", "key", "pem", "exe",
];

const FAILURE_ENDINGS: &[&str] = &["Error", "Exception", "Failure", "Fault", "Warning", "Panic"];

#[rustfmt::skip]
const FAILURES: &[&str] = &[
    "ENOENT", "EACCES", "EPERM", "ENOSPC", "EADDRINUSE", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT",
    "SIGSEGV", "SIGKILL", "NXDOMAIN",
];

/// The identifier in a token, with its range in the line.
pub(super) fn kind_of(
    line: &str,
    token: &IdentifierToken,
) -> Option<(Range<usize>, IdentifierKind)> {
    let text = line.get(token.range.clone())?;
    if let Some(mark) = text.find("://") {
        let scheme = text.get(..mark)?;
        let bare = scheme.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        let host = text.get(mark + 3..)?;
        let has_host = host.starts_with(char::is_alphanumeric);
        let start = token.range.start + bare.len();
        // Trailing template characters are not part of the address.
        let end = token.range.start + text.trim_end_matches(['$', '=', '?', '&']).len();
        return (bare.len() < mark && has_host).then_some((start..end, IdentifierKind::Address));
    }
    // Outside of an address, `=` separates a key from its value.
    if let Some((key, value)) = text.split_once('=') {
        let start = token.range.start + key.len() + 1;
        let kind = kind_of_word(value, Some('='))?;
        return Some((start..token.range.end, kind));
    }
    let kind = kind_of_word(text, token.before)?;
    Some((token.range.clone(), kind))
}

fn kind_of_word(word: &str, before: Option<char>) -> Option<IdentifierKind> {
    let n_digits = word.bytes().filter(u8::is_ascii_digit).count();
    if n_digits > 0
        && let Some(kind) = kind_with_digits(word, n_digits)
    {
        return Some(kind);
    }
    if is_email(word) {
        Some(IdentifierKind::Address)
    } else if before != Some('<') && is_path(word) || is_file(word) {
        Some(IdentifierKind::Path)
    } else if is_failure(word) {
        Some(IdentifierKind::Failure)
    } else if is_name(word) {
        Some(IdentifierKind::Name)
    } else {
        word.starts_with(|c: char| c.is_ascii_digit())
            .then_some(IdentifierKind::Number)
    }
}

fn kind_with_digits(word: &str, n_digits: usize) -> Option<IdentifierKind> {
    let is_amount = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b".,kKmMbB+".contains(&byte))
    };
    let signs = ['$', '\u{20ac}', '\u{a3}', '\u{a5}', '\u{5143}', '\u{5186}'];
    let bare = word
        .strip_prefix(signs)
        .or_else(|| word.strip_suffix(signs));
    if bare.is_some_and(is_amount) {
        Some(IdentifierKind::Sum)
    } else if word.strip_suffix('%').is_some_and(is_amount) {
        Some(IdentifierKind::Share)
    } else if is_numeric_date(word) {
        Some(IdentifierKind::Date)
    } else if is_failure(word) {
        Some(IdentifierKind::Failure)
    } else if is_version(word) {
        Some(IdentifierKind::Version)
    } else if is_code(word, n_digits) {
        Some(IdentifierKind::Code)
    } else {
        None
    }
}

/// `2024-03-15`, `15.3.2024`, `3/15/2024`, with or without a time after a `T`.
fn is_numeric_date(word: &str) -> bool {
    let day = word.split('T').next().unwrap_or_default();
    ['-', '.', '/'].into_iter().any(|separator| {
        let parts: Vec<&str> = day.split(separator).collect();
        let years = parts.iter().filter(|part| part.len() == 4).count();
        parts.len() == 3
            && years == 1
            && parts.iter().all(|part| is_digits(part) && part.len() <= 4)
    }) || is_unspaced_date(word)
}

/// A Chinese or Japanese date: numbers followed by the characters for year, month and day.
fn is_unspaced_date(word: &str) -> bool {
    let parts = word.split(['\u{5e74}', '\u{6708}', '\u{65e5}']);
    word.contains('\u{6708}') && parts.filter(|part| !part.is_empty()).all(is_digits)
}

/// Three or more numbers joined by dots, or a number after `v`; both also after a package name and `@`.
fn is_version(word: &str) -> bool {
    let word = word.rsplit('@').next().unwrap_or(word);
    let word = word.trim_start_matches(['^', '~']);
    let core = word.split(['-', '+']).next().unwrap_or_default();
    let numbers = core.strip_prefix('v').unwrap_or(core);
    let n_parts = numbers.split('.').count();
    numbers.split('.').all(is_digits) && (n_parts >= 3 || core.starts_with('v'))
}

/// A hash, a UUID, a ticket such as `#12` or `ABC-12`, a booking code such as `4WQ150`.
fn is_code(word: &str, n_digits: usize) -> bool {
    let is_hex = word
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f' | b'-'));
    let is_ticket = |mark: &str, number: &str| {
        (2..=8).contains(&mark.len())
            && mark.bytes().all(|b| b.is_ascii_uppercase())
            && is_digits(number)
    };
    let is_booking = (5..=12).contains(&word.len())
        && n_digits < word.len()
        && word
            .bytes()
            .all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    is_hex
        && word.len() >= 7
        && !word.starts_with('-')
        && (n_digits >= 8 || n_digits + word.matches('-').count() < word.len())
        || word.strip_prefix('#').is_some_and(is_digits)
        || word
            .split_once('-')
            .is_some_and(|(mark, number)| is_ticket(mark, number))
        || is_ticket(letters, word.get(letters.len()..).unwrap_or_default())
        || is_booking
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_email(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        let end = host.rsplit('.').next().unwrap_or_default();
        !name.is_empty()
            && host.contains('.')
            && end.len() >= 2
            && end.bytes().all(|b| b.is_ascii_alphabetic())
    })
}

fn is_path(word: &str) -> bool {
    let has_letter = word.chars().any(char::is_alphabetic);
    let mut roots = ["/", "./", "../", "~/"].into_iter();
    let is_rooted = roots.any(|root| word.starts_with(root));
    let is_windows = word.get(1..3) == Some(":\\");
    let is_named = word.rsplit('/').next().is_some_and(is_file);
    let is_deep = word.matches('/').count() >= 2 && word.contains(['_', '.', '-']);
    has_letter && (is_windows || word.contains('/') && (is_rooted || is_named || is_deep))
}

fn is_file(word: &str) -> bool {
    let Some((stem, extension)) = word.rsplit_once('.') else {
        return false;
    };
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@');
    let is_plain = stem.chars().all(is_of_name);
    is_plain && EXTENSIONS.contains(&extension) && (!stem.is_empty() || extension.len() > 2)
}

fn is_failure(word: &str) -> bool {
    let is_word = word.chars().all(|c| c.is_ascii_alphanumeric());
    let is_named = FAILURE_ENDINGS.iter().any(|ending| {
        word.strip_suffix(ending)
            .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_lowercase()))
    });
    let number = word.strip_prefix('E');
    let is_numbered = number.is_some_and(|rest| rest.len() == 4 && is_digits(rest));
    is_word && (is_named || is_numbered) || FAILURES.contains(&word)
}

/// `snake_case`, `camelCase`, `host:port`.
fn is_name(word: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_plain = word.chars().all(is_of_name);
    let is_snake = word.trim_matches('_').contains('_');
    let is_camel = word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().skip(2).any(|c| c.is_ascii_uppercase());
    let is_port = word.split_once(':').is_some_and(|(host, port)| {
        is_digits(port) && port.len() >= 2 && host.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    is_plain && (is_snake || is_camel) || is_port
}
