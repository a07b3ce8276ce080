//! Suggestions for misspelt names.

use strsim::{jaro_winkler, normalized_damerau_levenshtein};

/// The lowest similarity, from 0 to 1, at which a name is suggested.
const LIKENESS_MIN: f64 = 0.6;

/// The candidate most similar to `name`, if there is one that is similar enough.
///
/// Ignores case and separators: `context_window` equals `contextWindow`.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = plain(name);
    candidates
        .into_iter()
        .map(|candidate| (likeness(&name, &plain(candidate)), candidate))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// The similarity of two names. Edit distance counts most; a common prefix decides ties.
fn likeness(a: &str, b: &str) -> f64 {
    0.9 * normalized_damerau_levenshtein(a, b) + 0.1 * jaro_winkler(a, b)
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_suggests_setting_for_misspelt_name() {
        let names = ["contextWindow", "keepRecentTokens", "timezone"];
        for (typed, meant) in [
            ("contextWindw", Some("contextWindow")),
            ("context_window", Some("contextWindow")),
            ("TimeZone", Some("timezone")),
            ("keepRecent", Some("keepRecentTokens")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, names), meant, "{typed}");
        }
    }
}
