//! The name of the file of an entity: readable, and fit for every file system.
//!
//! Looks at no disk.

use base::short_hash;
use unicode_normalization::UnicodeNormalization;

/// Longest name in bytes, without its end.
const BYTES_MAX: usize = 120;

/// The name of an entity where it can be that of a file; otherwise one that is like it, with a hash.
pub(super) fn stem_of(name: &str) -> String {
    if is_fit(name) {
        name.to_owned()
    } else {
        hashed_stem(name, name)
    }
}

/// A name that is like that of the entity, with the hash of a text.
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

/// Names that differ in this differ on every file system.
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

/// What neither a file system nor a link takes for something else.
fn is_fit_char(character: char) -> bool {
    !character.is_control()
        && (character == ' ' || !character.is_whitespace())
        && !r#"<>:"/\|?*#^[]"#.contains(character)
}

/// Whether Windows keeps the name for a device.
fn is_device(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or_default().trim_end();
    let name = name.to_uppercase();
    let numbered = name
        .strip_prefix("COM")
        .or_else(|| name.strip_prefix("LPT"));
    let is_numbered = numbered.is_some_and(|number| number.chars().count() == 1);
    is_numbered || ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&name.as_str())
}
