//! Takes secrets out of a text before the program writes it anywhere that lasts.
//!
//! Never touches the transcript itself: what was said stays as it was said.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// One kind of secret: the word in its placeholder and the pattern that finds it.
///
/// Where the pattern has a group named `secret`, only that group is replaced.
struct Rule {
    kind: &'static str,
    pattern: &'static str,
}

/// The kind of the rule whose findings are checked by their last digit.
const CARD: &str = "card-number";

const PASSWORD: &str = "password";

/// Fewer characters are no password: `the password is 12 characters long`.
const PASSWORD_CHARS_MIN: usize = 4;

/// Most specific first: the first rule that matches a text names it.
const RULES: &[Rule] = &[
    Rule {
        kind: "private-key",
        pattern: r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
    },
    Rule {
        kind: "anthropic-key",
        pattern: r"\bsk-ant-[A-Za-z0-9_-]{16,}",
    },
    Rule {
        kind: "openai-key",
        pattern: r"\bsk-(?:proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{20,}",
    },
    Rule {
        kind: "github-token",
        pattern: r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})",
    },
    Rule {
        kind: "gitlab-token",
        pattern: r"\bglpat-[A-Za-z0-9_-]{20,}",
    },
    Rule {
        kind: "slack-token",
        pattern: r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    },
    Rule {
        kind: "aws-key",
        pattern: r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    },
    Rule {
        kind: "google-key",
        pattern: r"\bAIza[A-Za-z0-9_-]{35}",
    },
    Rule {
        kind: "stripe-key",
        pattern: r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    },
    Rule {
        kind: "huggingface-token",
        pattern: r"\bhf_[A-Za-z0-9]{30,}",
    },
    Rule {
        kind: "npm-token",
        pattern: r"\bnpm_[A-Za-z0-9]{36}\b",
    },
    Rule {
        kind: "jwt",
        pattern: r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    },
    Rule {
        kind: "bearer-token",
        pattern: r"(?i)\bbearer\s+(?P<secret>[A-Za-z0-9._~+/-]{20,}=*)",
    },
    Rule {
        kind: "url-password",
        pattern: r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:(?P<secret>[^\s/@]{3,})@",
    },
    Rule {
        kind: PASSWORD,
        // A literal in quotes after a telling name; a call or a variable is code, not a secret.
        pattern: r#"(?i)\b[\w-]*(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token)["']?\s*(?:[:=]|=>)\s*["'](?P<secret>[^"'\s]{6,})["']"#,
    },
    Rule {
        kind: PASSWORD,
        // The same said in prose, "my password for the bank is hunter2": what holds a figure or a sign is no word.
        pattern: r#"(?i)\b(?:password|passphrase|passcode|pin code|api key|secret key|access token|passwort|kennwort|mot de passe|contraseña)(?:\s+(?:for|of|to|on|at|für|von)\s+[^\s.;:!?=]+(?:\s+[^\s.;:!?=]+){0,3}?)?\s*(?:=|:|\bis\b|\bwas\b|\bist\b|\blautet\b|\best\b|\bes\b)\s*(?:(?:now|still|jetzt)\s+)?["'`\u{201c}]?(?P<secret>[^\s,;()"'`]*[\d!@#$%^&*+~](?:[^\s,;()"'`]*[^\s,;()"'`.?])?)"#,
    },
    Rule {
        kind: PASSWORD,
        pattern: r#"(?i)\b(?:changed|set|reset)\s+(?:my|our|the)\s+(?:[a-z-]+\s+){0,2}(?:password|passphrase|passcode)(?:\s+(?:for|of|on|at)\s+[^\s.;:!?=]+(?:\s+[^\s.;:!?=]+){0,3}?)?\s+to\s+["'`\u{201c}]?(?P<secret>[^\s,;()"'`]*[\d!@#$%^&*+~](?:[^\s,;()"'`]*[^\s,;()"'`.?])?)"#,
    },
    Rule {
        kind: PASSWORD,
        // Assignments without quotes, as in a .env file; the value must look random.
        pattern: r"\b[A-Z][A-Z0-9_]*(?:PASSWORD|SECRET|TOKEN|API_KEY|ACCESS_KEY)\s*=\s*(?P<secret>[^\s'\x22(){}\[\]<>$]{8,})",
    },
    Rule {
        kind: CARD,
        // In groups or without; an IBAN is met from its country on, and is no card.
        pattern: r"\b(?:[A-Z]{2}\d{2} ?)?[2-6]\d{3}(?:[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}|[ -]?\d{6}[ -]?\d{5})\b",
    },
    Rule {
        kind: "pin",
        pattern: r"(?i)\b(?:pin|cvv2?|cvc2?|security code)\b(?:\s+(?:code|number))?(?:\s+(?:of|for|to|on)\s+[^\d.;:!?]{1,40}?)?\s*(?:=|:|\bis\b|\bwas\b|\bto\b)?\s*(?:\bnow\b\s*|\bstill\b\s*)?(?P<secret>\d(?:[ -]?\d){2,7})\b",
    },
    Rule {
        kind: "pin",
        pattern: r"(?i)\b(?P<secret>\d{3,8})\s+is\s+(?:my|our|the|his|her)\s+(?:[a-z'-]+\s+){0,3}?(?:pin|cvv2?|cvc2?)\b",
    },
    Rule {
        kind: "access-code",
        // `The alarm code is 4711#`.
        pattern: r"(?i)\b(?:alarm|door|safe|entry|entrance|access|lockbox|key ?box|keysafe|garage|keypad|intercom|building|vault)(?:'s|\u{2019}s)?(?:\s+[a-z]+)?\s+(?:code|combination)\b(?:\s+(?:of|for|to|on|at|in)\s+[^\d.;:!?]{1,40}?)?\s*(?:=|:|\bis\b|\bwas\b|(?:\bchanged\s+)?\bto\b)\s*(?:\bnow\b\s*|\bstill\b\s*)?(?P<secret>[#*]?[A-Z]?\d(?:[ -]?\d){2,11}[A-Z]?[#*]?)",
    },
    Rule {
        kind: "access-code",
        // `The code for the safe is 12-34-56`.
        pattern: r"(?i)\b(?:code|combination)\s+(?:of|for|to|on|at)\s+(?:[a-z'-]+\s+){0,3}?(?:alarm|door|safe|entrance|lockbox|key ?box|garage|keypad|intercom|building|vault|house|flat)\b[^\d.;:!?]{0,40}?(?:=|:|\bis\b|\bwas\b)\s*(?:\bnow\b\s*|\bstill\b\s*)?(?P<secret>[#*]?[A-Z]?\d(?:[ -]?\d){2,11}[A-Z]?[#*]?)",
    },
    Rule {
        kind: "national-id",
        // The United States, Switzerland and the United Kingdom, by their form alone.
        pattern: r"\b(?:[0-8]\d{2}-\d{2}-\d{4}|756[. ]\d{4}[. ]\d{4}[. ]\d{2}|[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D])\b",
    },
    Rule {
        kind: "national-id",
        pattern: r"(?i)\b(?:social security|social insurance|national insurance|ssn|ahv|nino|national id)\b(?:\s+(?:number|no\.?|nr\.?))?\s*(?:=|:|\bis\b|\bwas\b)?\s*(?P<secret>[A-Z]{0,2}\d(?:[ .-]?\d){5,13}[A-D]?)\b",
    },
];

static PATTERNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    // A pattern that does not compile is left out here and caught by the test that counts them.
    RULES
        .iter()
        .filter_map(|rule| {
            Regex::new(rule.pattern)
                .ok()
                .map(|pattern| (rule.kind, pattern))
        })
        .collect()
});

/// Replaces each secret by a placeholder that names its kind, as in `[REDACTED:aws-key]`.
///
/// Text without a secret is returned as it came. Redacting twice changes nothing.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for (kind, pattern) in PATTERNS.iter() {
        let replaced = pattern.replace_all(&text, |found: &Captures<'_>| placeholder(kind, found));
        if let Cow::Owned(changed) = replaced {
            text = Cow::Owned(changed);
        }
    }
    text
}

fn placeholder(kind: &str, found: &Captures<'_>) -> String {
    let Some(found_at) = found.get(0) else {
        return String::new();
    };
    let whole = found_at.as_str();
    if kind == CARD && !is_card(whole) {
        return whole.to_owned();
    }
    let mark = format!("[REDACTED:{kind}]");
    match found.name("secret") {
        Some(secret) if secret.as_str().starts_with("[REDACTED:") => whole.to_owned(),
        Some(secret)
            if kind == PASSWORD && secret.as_str().chars().count() < PASSWORD_CHARS_MIN =>
        {
            whole.to_owned()
        }
        Some(secret) => {
            let before = whole.get(..secret.start() - found_at.start());
            let behind = whole.get(secret.end() - found_at.start()..);
            [before.unwrap_or(""), &mark, behind.unwrap_or("")].concat()
        }
        None => mark,
    }
}

/// Whether the last digit of a number fits those before it, as those of cards do (Luhn).
fn is_card(number: &str) -> bool {
    if number.starts_with(char::is_alphabetic) {
        return false;
    }
    let digits = number.chars().rev().filter_map(|c| c.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, twice) if twice > 9 => twice - 9,
            (_, twice) => twice,
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
