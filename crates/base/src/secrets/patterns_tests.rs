//! The list of patterns can be parsed, and each of its patterns compiles.

use super::*;

#[test]
fn i14_secret_patterns_compile() {
    let list: List = serde_saphyr::from_str(TEXT).unwrap();
    for rule in list.rules {
        let unless = rule.unless.as_deref().unwrap_or("");
        let is_sound = rule.pattern().is_some() && compile(unless).is_some();
        assert!(is_sound, "{}", rule.pattern);
    }
}

#[test]
fn plain_text_selects_no_pattern() {
    let patterns = Patterns::new(serde_saphyr::from_str(TEXT).unwrap());
    let hits = patterns.hits("We had soup for lunch, then a walk along the river until it rained.");
    assert_eq!(patterns.rules(&hits).count(), 0);
    assert_eq!(hits.cues, []);
}

#[test]
fn cue_matches_in_any_case_and_accent_form() {
    for text in [
        "Contraseña",
        "CONTRASEÑA",
        "contraseña",
        "ПАРОЛЬ",
        "Passwort",
        // Each accent is a separate character.
        "contrasen\u{303}a",
    ] {
        let hits = PATTERNS.hits(text);
        assert_eq!(hits.cues.first().map(|cue| cue.start), Some(0), "{text}");
    }
}
