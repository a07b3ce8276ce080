//! Secrets are found in the forms in which people paste them; prose and code are left as they are.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::{Clock, SystemClock};

/// A key built from parts, so that secret scanners do not report this file.
fn key(prefix: &str, length: usize) -> String {
    let random = "a1B2c3D4e5F6g7H8i9J0".repeat(4);
    format!("{prefix}{random:.length$}")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(redact(text), expected);
    // Redacting twice changes nothing.
    assert_eq!(redact(expected), expected);
}

/// Checks a text in which each secret is enclosed in `<<` and `>>`, with its kind after `|`.
#[track_caller]
fn check_marked(told: &str) {
    let told = told.replace(">>", "<<");
    let parts = told.split("<<").enumerate();
    let (text, expected): (String, String) = parts
        .map(|(at, part)| match part.rsplit_once('|') {
            Some((secret, kind)) if at % 2 == 1 => (secret, format!("[REDACTED:{kind}]")),
            Some(_) | None => (part, part.to_owned()),
        })
        .unzip();
    check(&text, &expected);
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
            [key("eyJ", 10), key("eyJ", 20), key("", 20)].join("."),
            "jwt",
        ),
    ];
    for (secret, kind) in cases {
        check_marked(&format!("use <<{secret}|{kind}>> please"));
    }
}

#[test]
fn i14_redact_takes_only_secret_part() {
    for told in [
        "Authorization: Bearer <<abcdefghijklmnopqrstuvwx==|bearer-token>>",
        "postgres://anna:<<hunter2|url-password>>@db/prod",
        r#"{"api_key": "<<q8f3-zz91|password>>"}"#,
        "password = '<<correct-horse|password>>'",
        "My password is <<hunter22|password>>, remember it",
        "DB_PASSWORD=<<s3cr3t-value|password>>\nPORT=1",
    ] {
        check_marked(told);
    }
}

#[test]
fn i14_password_in_prose_is_redacted_whole() {
    for told in [
        "my password is <<hunter2|password>>",
        "My laptop's password is <<hunter2|password>>.",
        "my password: <<foo-bar-9|password>>, as ever",
        "My bank password is <<Abc.def9|password>>",
        "My password for the bank is <<Xy7!kkPq|password>>",
        "The wifi password at home is <<hunter2-Giraffe|password>>",
        "The password for bank1 is <<bank1|password>>",
        "The password is now `<<Geheim!|password>>`",
        "I changed my mail password to <<hunter2|password>>",
        "Mein Passwort ist <<Geheim123!|password>>",
        "Das Passwort für das WLAN lautet <<Garten#Tor|password>>",
    ] {
        check_marked(told);
    }
}

#[test]
fn i14_private_key_is_redacted_whole_even_if_cut_off() {
    let begin = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc";
    check_marked(&format!("<<{begin}|private-key>>"));
    let end = "-----END RSA PRIVATE KEY-----";
    check_marked(&format!("a <<{begin}\n{end}|private-key>> b"));
}

#[test]
fn i14_keys_are_recognised_by_prefix_and_context() {
    let hex = "0f1e2d3c4b5a6978".repeat(4);
    let base64 = key("Zx9", 70);
    let otp = "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP".to_owned();
    let words = [
        "aisle", "advice", "broom", "cabin", "dawn", "eager", "fabric", "gadget", "habit", "icon",
        "jacket", "kidney",
    ];
    let numbered = (1..)
        .zip(words)
        .map(|(number, word)| format!("{number}. {word}"));
    let numbered = numbered.collect::<Vec<_>>().join(" ");
    for (before, secret, behind) in [
        ("hooks.slack.com/services/", key("T0/B0/", 24), ""),
        ("aws_secret_access_key = ", key("wJ/", 37), "\n"),
        ("", key("GOCSPX-", 28), ""),
        ("", key("whsec_", 32), ""),
        ("", key("pypi-", 60), ""),
        ("", format!("SG.{}.{}", key("", 22), key("", 43)), ""),
        ("TWILIO_AUTH_TOKEN=", hex.get(..32).unwrap().to_owned(), ""),
        ("", format!("key-{}", hex.get(..32).unwrap()), ""),
        ("", format!("dop_v1_{hex}"), ""),
        ("bot ", format!("123456789:{}", key("", 35)), ""),
        ("AccountKey=", key("", 60) + "==", ";Endpoint=x"),
        ("", format!("shpat_{}", hex.get(..32).unwrap()), ""),
        ("", key("hvs.", 30), ""),
        ("", key("gsk_", 50), ""),
        ("redis://:", "pw77".to_owned(), "@cache:6379"),
        ("SECRET_KEY = \"", "django-7x!q".to_owned(), "\""),
        ("curl -u anna:", "hunter2".to_owned(), " https://a.io"),
        ("Authorization: Basic ", "YW5uYTpodW50ZXIy".to_owned(), ""),
        ("IBAN ", "DE89 3704 0044 0532 0130 00".to_owned(), ""),
        ("My 2FA setup key: ", "JBSWY3DPEHPK3PXP".to_owned(), ""),
        ("SECRET_KEY_BASE=", hex.clone(), ""),
        ("client_secret: ", "q7Zp2mXw9Kd".to_owned(), ""),
        ("x-api-key: ", "q7Zp2mXw9Kd".to_owned(), ""),
        (
            "The login for the NAS is admin / ",
            "q7Zp!mXw".to_owned(),
            "",
        ),
        (
            "Zugangsdaten f\u{fc}rs Forum: ada / ",
            "q7Zp!mXw".to_owned(),
            "",
        ),
        ("The wallet words: ", words.join(" "), ""),
        ("Recovery: ", numbered, ""),
        ("", otp, ""),
        ("private key ", format!("0x{hex}"), ""),
        ("", base64, ""),
    ] {
        let shown = redact(&format!("{before}{secret}{behind}")).into_owned();
        assert!(!shown.contains(&secret), "{shown}");
        let is_kept = shown.starts_with(before) && shown.ends_with(behind);
        assert!(is_kept, "{shown}");
    }
}

#[test]
fn text_about_logins_wallets_and_headers_stays() {
    for text in [
        "The login page is old / slow but works.",
        "My login for the club is through Google / Apple accounts.",
        "The wallet words of the year: big, red and made of leather.",
        "Recovery: 1. rest 2. eat 3. walk 4. sleep",
        "Send the x-api-key: see the documentation for it.",
        "client_secret: stored in the vault",
        "The user list: anna / jonas",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn i14_parts_of_private_key_are_redacted() {
    let line = key("MIIEvQ", 58);
    for text in [
        format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{line}\n{line}"),
        format!("{line}\n{line}\n-----END OPENSSH PRIVATE KEY-----"),
        format!("see {line} there"),
    ] {
        assert!(!redact(&text).contains(&line), "{text}");
    }
    let text = format!("a\n-----BEGIN PRIVATE KEY-----\n{line}\n-----END PRIVATE KEY-----\nb");
    assert_eq!(redact_lines(&text), "a\n[REDACTED:private-key]\n\n\nb");
}

#[test]
fn i14_pins_codes_cards_and_national_ids_are_redacted() {
    for told in [
        "My card PIN is <<9931|pin>> and the CVV is <<123|pin>>.",
        "My PIN is <<4821|pin>>.",
        "The PIN of my bank card is now <<4821|pin>>",
        "<<4821|pin>> is my debit card PIN",
        "cvc: <<042|pin>>",
        "My credit card number is <<4539 1488 0343 6467|card-number>>.",
        "Amex <<3782-822463-10005|card-number>>",
        "pay with <<4539148803436467|card-number>>",
        "The alarm code is <<4711#|access-code>>.",
        "The code for the safe is <<12-34-56|access-code>>.",
        "The front door code is <<A1234|access-code>>",
        "The combination of my safe is <<7 3 1 9|access-code>>",
        "The door code changed to <<5521*|access-code>>",
        "My social security number is <<756.1234.5678.97|national-id>>.",
        "SSN <<078-05-1120|national-id>>",
        "National insurance: <<AB 12 34 56 C|national-id>>",
        "my social insurance number is <<1237 010180|national-id>>",
    ] {
        check_marked(told);
    }
}

#[test]
fn harmless_numbers_are_not_redacted() {
    for text in [
        "My locker is number 44, my gym card number is 7731",
        "My plate is ZH 123456 and my phone number is +41 79 555 01 23",
        "The order is 4539 1488 0343 6468",
        "The postal code is 8001, the area code is 0664",
        "It stops with exit code 137 and error code: 404",
        "Pin 13 of the header is ground",
        "My car insurance is with Mobiliar, policy 88-1234",
        "The discount code is 2024",
        "Call 0800-12-3456 or come on 2026-04-12",
    ] {
        check(text, text);
    }
}

#[test]
fn code_and_prose_about_passwords_are_not_redacted() {
    for text in [
        "password = data.get('password')",
        "the password is wrong",
        "the password is 12 characters long",
        "the password of my brother is secret",
        "I set my password to something long",
        "Das Passwort ist zu kurz",
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
    fn i16_redact_is_idempotent_for_any_text(text in "(?s).*") {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str());
    }
}

#[test]
fn i14_placeholder_with_key_inside_is_redacted() {
    let key = format!("AKIA{}", "A1B2C3D4E5F6G7H8");
    check_marked(&format!("use [REDACTED:<<{key}|aws-key>>] please"));
    check_marked("key [REDACTED:api-key] and password [REDACTED:password]");
}

/// The time to redact a text of `n_bytes`.
fn time(unit: &str, n_bytes: usize) -> Duration {
    let text = unit.repeat(n_bytes / unit.len());
    let clock = SystemClock::default();
    redact(&text);
    clock.monotonic()
}

#[test]
fn redact_takes_linear_time() {
    let key = format!("AKIA{} ", "A1B2C3D4E5F6G7H8");
    let prose = ["password is hunter2 ", "password", "pass: a "];
    for unit in [&key, "<!-- n:"].into_iter().chain(prose) {
        // The text is sixteen times as long, so quadratic time would be 256 times as long in each attempt. Other work
        // on the machine can spoil some attempts.
        let is_linear = || time(unit, 128 << 10) < time(unit, 8 << 10) * 64;
        assert!((0..10).any(|_| is_linear()), "{unit:?}");
    }
}

#[test]
fn note_comment_next_to_secret_is_kept() {
    let mark = "<!-- n:0198f3a2b4c5 e:0198f3a2-77aa-7bcd-9e01-23456789abcd h:f3442740 o:owner -->";
    let secret = "<<hunter22|password>>";
    check_marked(&format!("- my password is {secret} {mark}\n- Tea {mark}"));
}
