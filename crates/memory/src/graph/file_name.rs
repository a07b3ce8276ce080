//! File names of entities: readable, and valid on every file system.

use base::short_hash;
use unicode_normalization::UnicodeNormalization;

/// Maximum length of a file stem in bytes.
const BYTES_MAX: usize = 120;

/// The entity name if it is a valid file name, else a similar name with a hash.
pub(super) fn stem_of(name: &str) -> String {
    if is_fit(name) {
        name.to_owned()
    } else {
        hashed_stem(name, name)
    }
}

/// A valid file name similar to `name`, followed by the hash of `hashed`.
pub(super) fn hashed_stem(name: &str, hashed: &str) -> String {
    let fit: String = name
        .nfc()
        .map(|it| {
            if is_fit_char(it) && it != '.' {
                it
            } else {
                '-'
            }
        })
        .scan(0, |n_bytes, it| {
            *n_bytes += it.len_utf8();
            (*n_bytes <= BYTES_MAX / 2).then_some(it)
        })
        .collect();
    let fit = fit.trim_matches([' ', '-']);
    let gap = if fit.is_empty() { "" } else { "-" };
    format!("{fit}{gap}{}", short_hash(hashed))
}

/// Folds case and compatibility forms: stems with different results are different files on every file system.
pub(super) fn folded(stem: &str) -> String {
    stem.to_lowercase()
        .nfkc()
        .collect::<String>()
        .to_lowercase()
}

fn is_fit(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= BYTES_MAX
        && name.chars().all(is_fit_char)
        && !name.starts_with(['.', ' '])
        && !name.ends_with(['.', ' '])
        && !is_device(name)
        && name.nfc().eq(name.chars())
}

/// Whether a character has no special meaning in a file name or link.
fn is_fit_char(character: char) -> bool {
    !character.is_control()
        && (character == ' ' || !character.is_whitespace())
        && !r#"<>:"/\|?*#^[]"#.contains(character)
}

/// Whether Windows reserves the name for a device.
fn is_device(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or_default().trim_end();
    let name = name.to_uppercase();
    let numbered = name
        .strip_prefix("COM")
        .or_else(|| name.strip_prefix("LPT"));
    let is_numbered = numbered.is_some_and(|number| number.chars().count() == 1);
    is_numbered || ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&name.as_str())
}
