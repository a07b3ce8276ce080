//! The list of patterns can be read, and each of its patterns compiles.

use super::*;

#[test]
fn i14_every_pattern_compiles() {
    let list: List = serde_saphyr::from_str(TEXT).unwrap();
    let broken: Vec<&str> = list
        .rules
        .iter()
        .filter(|rule| {
            let unless = rule.unless.as_deref().unwrap_or("");
            rule.pattern().is_none() || compile(unless).is_none()
        })
        .map(|rule| rule.pattern.as_str())
        .collect();
    assert_eq!(broken, [""; 0]);
}

#[test]
fn a_plain_text_compiles_no_pattern() {
    let patterns = Patterns::new(serde_saphyr::from_str(TEXT).unwrap());
    let hits = patterns.hits("We had soup for lunch, then a walk along the river until it rained.");
    let rules: Vec<&str> = patterns
        .rules(&hits)
        .map(|rule| rule.kind.as_str())
        .collect();
    assert_eq!(rules, [""; 0]);
    assert_eq!(hits.cues, []);
}

#[test]
fn a_word_is_found_in_any_case() {
    for text in [
        "Contraseña",
        "CONTRASEÑA",
        "contraseña",
        "ПАРОЛЬ",
        "Passwort",
        // Each accent a character of its own.
        "contrasen\u{303}a",
    ] {
        let hits = PATTERNS.hits(text);
        assert_eq!(hits.cues.first().map(|cue| cue.start), Some(0), "{text}");
    }
}
