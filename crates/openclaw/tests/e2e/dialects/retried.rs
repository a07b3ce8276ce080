//! The requests that are retried, and those that are not.
//!
//! Waits are as short as possible; the tests of the code that decides their lengths check them.

use std::time::Duration;

use models::{Connection, Dialect, Patience};
use testkit::{ChatServer, ServerAnswer, Words};

use super::talk::{connection, request, talk};

fn patient(server: &ChatServer) -> Connection {
    let connection = connection(Dialect::OpenAiCompatible, server, "/v1");
    Connection {
        patience: Patience {
            first_wait: Duration::from_millis(1),
            n_retries: 3,
            ..connection.patience
        },
        ..connection
    }
}

fn reply() -> ServerAnswer {
    ServerAnswer::events([
        r#"data: {"choices":[{"index":0,"delta":{"content":"Tea."},"finish_reason":"stop"}]}"#,
        "data: [DONE]",
    ])
}

fn failure(status: u16) -> ServerAnswer {
    ServerAnswer::json(status, r#"{"error":{"message":"not now"}}"#)
        .with_header("retry-after-ms", "1")
}

/// The outcome of a series of answers, and the number of requests.
fn came_of(answers: impl IntoIterator<Item = ServerAnswer>) -> (String, usize) {
    let server = ChatServer::start(answers);
    let said = talk(patient(&server), &request());
    (said, server.asked().len())
}

#[test]
fn transient_failures_are_retried() {
    let answers = [failure(429), failure(503), failure(529), reply()];
    let (said, n_asked) = came_of(answers);
    assert_eq!(n_asked, 4);
    insta::assert_snapshot!(said, @r#"
    again, for model some-model is rate-limited
    again, for model some-model is unavailable: 503 Service Unavailable: not now
    again, for model some-model is unavailable: 529: not now
    text "Tea."
    done Stop
    "#);
    let in_stream = r#"data: {"error":{"message":"later","type":"overloaded_error"}}"#;
    let (said, n_asked) = came_of([ServerAnswer::events([in_stream]), reply()]);
    assert_eq!(n_asked, 2);
    insta::assert_snapshot!(said, @r#"
    again, for model some-model is unavailable: later
    text "Tea."
    done Stop
    "#);
}

#[test]
fn silent_server_is_not_retried() {
    let (said, n_asked) = came_of([ServerAnswer::silence(), reply()]);
    assert_eq!(n_asked, 1);
    let expected =
        "error Unavailable: model some-model is unavailable: URL/ did not respond within 300ms";
    assert_eq!(said, expected);
}

#[test]
fn server_that_is_silent_after_its_headers_is_asked_once() {
    let silent = ServerAnswer::events([""; 0]).then_silence();
    let (said, n_asked) = came_of([silent.clone(), reply()]);
    assert_eq!(n_asked, 1, "{said}");
    said.holds("error Broken: ");
    said.holds("URL/ sent no content for 300ms");
    // A request that may be too large for the window is no exception.
    let server = ChatServer::start([silent, reply()]);
    let connection = Connection {
        context_window: Some(base::TokenCount(1_100)),
        ..patient(&server)
    };
    talk(connection, &request()).holds("URL/ sent no content for 300ms");
}

#[test]
fn failing_server_is_given_up_after_three_retries() {
    let (said, n_asked) = came_of([500, 500, 500, 500, 200].map(failure));
    assert_eq!(n_asked, 4);
    insta::assert_snapshot!(said, @"
    again, for model some-model is unavailable: 500 Internal Server Error: not now
    again, for model some-model is unavailable: 500 Internal Server Error: not now
    again, for model some-model is unavailable: 500 Internal Server Error: not now
    error Unavailable: model some-model is unavailable: 500 Internal Server Error: not now
    ");
}

#[test]
fn partial_reply_and_permanent_errors_are_not_retried() {
    let began = ServerAnswer::events([
        r#"data: {"choices":[{"index":0,"delta":{"content":"Te"},"finish_reason":null}]}"#,
        r#"data: {"error":{"message":"later","type":"overloaded_error"}}"#,
    ]);
    for first in [began, failure(400), failure(401), failure(413)] {
        assert_eq!(came_of([first, reply()]).1, 1);
    }
    let tomorrow = ServerAnswer::json(429, "{}").with_header("retry-after", "3600");
    assert_eq!(came_of([tomorrow, reply()]).1, 1);
}

#[test]
fn redirects_are_not_followed() {
    let elsewhere = ChatServer::start([reply()]);
    for status in [301, 302, 307, 308] {
        let moved =
            ServerAnswer::json(status, "{}").with_header("location", &elsewhere.url("/v1/"));
        let (said, n_asked) = came_of([moved, reply()]);
        assert!(said.starts_with("error "), "{status}: {said}");
        assert_eq!(n_asked, 1, "{status}: {said}");
    }
    assert_eq!(elsewhere.asked(), []);
}

/// At port 1 (TCPMUX, RFC 1078) no program listens. A port that another test has closed may be that of the next one.
const CLOSED: [&str; 2] = ["http://127.0.0.1:1/v1", "http://localhost:1/v1"];

#[test]
fn closed_local_port_is_tried_once() {
    for url in CLOSED {
        let connection = Connection {
            base_url: Some(url.to_owned()),
            ..patient(&ChatServer::start([]))
        };
        let said = talk(connection, &request());
        said.begins("error Unavailable: model some-model is unavailable: cannot reach URL/: Connection refused");
    }
}
