//! Secrets are found in the forms in which people paste them, and prose and code are left alone.

use proptest::prelude::*;

use super::*;

/// Built from parts, so that no scanner takes this file for a leak.
fn key(prefix: &str, length: usize) -> String {
    format!(
        "{prefix}{}",
        "a1B2c3D4e5F6g7H8i9J0".repeat(4).get(..length).unwrap()
    )
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(redact(text), expected);
    assert_eq!(
        redact(expected),
        expected,
        "redacting twice changes nothing"
    );
}

#[test]
fn i14_every_rule_compiles() {
    assert_eq!(PATTERNS.len(), RULES.len());
}

#[test]
fn i14_keys_of_known_services_are_named() {
    let cases = [
        (key("sk-ant-", 40), "anthropic-key"),
        (key("sk-proj-", 40), "openai-key"),
        (key("ghp_", 36), "github-token"),
        (key("github_pat_", 40), "github-token"),
        (key("glpat-", 20), "gitlab-token"),
        (key("xoxb-", 20), "slack-token"),
        (key("AIza", 35), "google-key"),
        (key("sk_live_", 24), "stripe-key"),
        (key("hf_", 34), "huggingface-token"),
        (key("npm_", 36), "npm-token"),
        (format!("AKIA{}", "A1B2C3D4E5F6G7H8"), "aws-key"),
        (
            format!("{}.{}.{}", key("eyJ", 10), key("eyJ", 20), key("", 20)),
            "jwt",
        ),
    ];
    for (secret, kind) in cases {
        check(
            &format!("use {secret} please"),
            &format!("use [REDACTED:{kind}] please"),
        );
    }
}

#[test]
fn i14_only_the_secret_part_is_taken_out() {
    check(
        "Authorization: Bearer abcdefghijklmnopqrstuvwx==",
        "Authorization: Bearer [REDACTED:bearer-token]",
    );
    check(
        "postgres://anna:hunter2@db/prod",
        "postgres://anna:[REDACTED:url-password]@db/prod",
    );
    check(
        r#"{"api_key": "q8f3-zz91"}"#,
        r#"{"api_key": "[REDACTED:password]"}"#,
    );
    check(
        "password = 'correct-horse'",
        "password = '[REDACTED:password]'",
    );
    check(
        "My password is hunter22, remember it",
        "My password is [REDACTED:password], remember it",
    );
    check(
        "DB_PASSWORD=s3cr3t-value\nPORT=1",
        "DB_PASSWORD=[REDACTED:password]\nPORT=1",
    );
}

#[test]
fn i14_a_private_key_goes_whole_even_when_cut_off() {
    let begin = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc";
    check(begin, "[REDACTED:private-key]");
    check(
        &format!("a {begin}\n-----END RSA PRIVATE KEY----- b"),
        "a [REDACTED:private-key] b",
    );
}

#[test]
fn code_and_prose_are_left_alone() {
    for text in [
        "password = data.get('password')",
        "the password is wrong",
        "user.password = generate_password_hash(password)",
        "https://example.org/a:b@c",
        "task-1234 uses RS256 and sk-learn",
        "token_count = estimate(text)",
        "SECRET_KEY = os.environ['SECRET_KEY']",
    ] {
        check(text, text);
    }
}

proptest! {
    #[test]
    fn i16_any_text_can_be_redacted(text in "(?s).*") {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str());
    }
}
