//! The addresses of requests, and the settings that are rejected before anything is sent.
//!
//! Sends nothing.

use super::*;

fn to(dialect: Dialect, url: &str) -> Connection {
    Connection {
        base_url: Some(url.to_owned()),
        ..Connection::new(dialect, "m")
    }
}

#[track_caller]
fn check(url: &str, expected: &str) {
    let found = match to(Dialect::OpenAiCompatible, url).address() {
        Ok(url) => url.to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected);
}

#[test]
fn model_address_gets_final_slash_or_is_rejected() {
    check("http://localhost:8080/v1", "http://localhost:8080/v1/");
    check(" https://example.org ", "https://example.org/");
    check(
        "localhost:8080",
        "invalid model address \"localhost:8080\": it must begin with http:// or https://",
    );
    check(
        "example",
        "invalid model address \"example\": relative URL without a base",
    );
    check(
        "ftp://me:hunter22@example.org",
        "invalid model address \"ftp://example.org/\": it must begin with http:// or https://",
    );
}

#[test]
fn is_this_machine_accepts_only_loopback_hosts() {
    let is_here = |url: &str| is_this_machine(&Url::parse(url).unwrap());
    for host in ["localhost:1", "127.0.0.9", "[::1]:80"] {
        assert!(is_here(&format!("http://{host}/")), "{host}");
    }
    for host in ["localhost.example.org", "10.0.0.1"] {
        assert!(!is_here(&format!("http://{host}/")), "{host}");
    }
}

#[test]
fn route_rejects_missing_address_or_key_before_sending() {
    let error = |connection: &Connection| route(connection).unwrap_err().to_string();
    let compatible = Connection::new(Dialect::OpenAiCompatible, "m");
    assert_eq!(error(&compatible), "no model server is configured");
    for dialect in [Dialect::Anthropic, Dialect::OpenAi, Dialect::Gemini] {
        let error = error(&Connection::new(dialect, "m"));
        assert_eq!(error, "the model needs a key: no key was given");
    }
    let ollama = route(&Connection::new(Dialect::Ollama, "m")).unwrap();
    assert_eq!(ollama.base_url.as_str(), "http://localhost:11434/");
}

#[test]
fn i14_key_is_hidden_in_debug_of_model_connection_and_route() {
    let connection = Connection {
        key: crate::ApiKey::new("hunter2").unwrap(),
        ..Connection::new(Dialect::OpenAi, "m")
    };
    let model = crate::RemoteModel::new(connection.clone()).unwrap();
    let shown = format!("{model:?} {connection:?} {:?}", route(&connection).unwrap());
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn remote_limits_match_original_programs() {
    assert_eq!(Patience::default().silence.as_secs(), 720);
    assert_eq!(IDLE_CONNECTIONS, 5);
    assert_eq!(Connection::new(Dialect::OpenAi, "m").concurrency.get(), 10);
}
