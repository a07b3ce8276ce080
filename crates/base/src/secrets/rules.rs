//! Finds secrets by their format.
//!
//! Ignores the words around them; `prose` uses those.

use regex::Match;

use super::SecretSpan;
use super::check;
use super::likeness::is_of_code;
use super::patterns::{Hits, PATTERNS, Rule, SecretCheck};

/// Number of bytes before a match to which `unless` is applied.
const BEFORE_BYTES: usize = 48;

/// The secrets that match a rule, in the order of the rules.
pub(super) fn find(text: &str, hits: &Hits) -> Vec<SecretSpan<'static>> {
    let mut found = Vec::new();
    for rule in PATTERNS.rules(hits) {
        let Some(pattern) = rule.pattern() else {
            continue;
        };
        let captures = pattern.captures_iter(text);
        let secrets = captures.filter_map(|found| {
            let secret = found.name("secret").or_else(|| found.get(0))?;
            is_secret(rule, text, secret).then(|| SecretSpan {
                kind: &rule.kind,
                range: secret.range(),
            })
        });
        found.extend(secrets);
    }
    found
}

fn is_secret(rule: &Rule, text: &str, secret: Match<'_>) -> bool {
    let before = text.get(..secret.start()).unwrap_or("");
    let behind = text.get(secret.end()..).unwrap_or("");
    let secret = secret.as_str();
    let near = before.ceil_char_boundary(before.len().saturating_sub(BEFORE_BYTES));
    !secret.contains('\0')
        && !is_of_code(secret)
        && check::entropy(secret) >= rule.entropy
        && rule
            .check
            .is_none_or(|check| holds(check, secret, (before, behind)))
        && !rule.is_ruled_out(before.get(near..).unwrap_or(""))
}

fn holds(check: SecretCheck, secret: &str, (before, behind): (&str, &str)) -> bool {
    match check {
        SecretCheck::Card => check::is_card(secret) && !check::is_in_number(before, behind),
        SecretCheck::Iban => check::is_iban(secret),
        SecretCheck::Figures => check::holds_figures(secret),
        SecretCheck::Mixed => check::is_mixed(secret),
    }
}
