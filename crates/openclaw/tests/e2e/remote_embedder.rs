//! Passages compared by a server of vectors, and what happens when it fails.
//!
//! The server is on this machine; what a text means to it is which animal it names.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use base::{EmbedRole, Embedder, SystemClock};
use models::{ApiKey, Connection, Dialect, HttpEmbedder, Patience};
use serde_json::{Value, json};
use testkit::{ChatServer, ReceivedRequest, ServerAnswer, TestHome, Words, each, fields};

const PATH: &str = "POST /v1/embeddings";
const KEY: &str = "hunter2-and-more";

/// A text that names a cat has one direction, and a text that names a dog has another.
fn vector(text: &str) -> Vec<f32> {
    let text = text.to_lowercase();
    let names = |words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
    vec![
        names(&["cat", "milo", "feline"]),
        names(&["dog", "rex", "canine"]),
        0.1,
    ]
}

fn texts(asked: &ReceivedRequest) -> Vec<String> {
    let input = asked.body["input"].as_array().unwrap();
    input
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// How many texts each request held.
fn sizes(server: &ChatServer) -> Vec<usize> {
    let asked = server.asked();
    asked.iter().map(|asked| texts(asked).len()).collect()
}

fn vectors(texts: &[String]) -> ServerAnswer {
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .collect();
    ServerAnswer::json(200, &json!({ "data": data }).to_string())
}

/// A server that goes through a script first and then gives vectors.
fn server(script: impl IntoIterator<Item = ServerAnswer>) -> ChatServer {
    let script = std::sync::Mutex::new(
        script
            .into_iter()
            .collect::<std::collections::VecDeque<_>>(),
    );
    ChatServer::start([]).answering(PATH, move |asked| {
        let next = script.lock().unwrap().pop_front();
        next.unwrap_or_else(|| vectors(&texts(asked)))
    })
}

fn embedder(server: &ChatServer) -> HttpEmbedder {
    let server = Connection {
        base_url: Some(server.url("/v1")),
        key: ApiKey::new(KEY).unwrap(),
        key_source: "it is read from the variable SOME_KEY".to_owned(),
        patience: Patience {
            first_wait: Duration::from_millis(1),
            n_retries: 2,
            ..Patience::for_vectors()
        },
        ..Connection::new(Dialect::OpenAiCompatible, "some-model")
    };
    let per_minute = NonZeroU32::new(1_000_000);
    HttpEmbedder::new(server, per_minute, Arc::new(SystemClock::new())).unwrap()
}

fn embed(server: &ChatServer, texts: &[&str]) -> Result<Vec<Vec<f32>>, String> {
    let found = embedder(server).embed(EmbedRole::Passage, texts);
    found.map_err(|error| error.to_string())
}

#[test]
fn texts_are_sent_in_batches_and_each_once() {
    let server = server([]);
    let embedder = embedder(&server);
    let many: Vec<String> = (0..100).map(|n| format!("dog {n}")).collect();
    let mut all: Vec<&str> = many.iter().map(String::as_str).collect();
    all.push("a cat");
    all.push("a cat");
    let found = embedder.embed(EmbedRole::Passage, &all).unwrap();
    let expected: Vec<Vec<f32>> = all.iter().map(|text| vector(text)).collect();
    assert_eq!(found, expected);
    assert_eq!(
        embedder.embed(EmbedRole::Question, &["a cat"]).unwrap(),
        [vector("a cat")]
    );
    assert_eq!(sizes(&server), [64, 37]);
    let asked = &server.asked()[0];
    assert_eq!(
        asked.header("authorization"),
        Some("Bearer hunter2-and-more")
    );
    assert_eq!(
        (&asked.body["model"], &asked.body["encoding_format"]),
        (&json!("some-model"), &json!("float"))
    );
}

#[test]
fn embedder_retries_transient_failures_and_splits_batches() {
    let passing = [
        ServerAnswer::json(503, "{}"),
        ServerAnswer::json(429, "{}").with_header("retry-after", "0"),
    ];
    let busy = server(passing);
    assert_eq!(embed(&busy, &["cat"]), Ok(vec![vector("cat")]));
    assert_eq!(busy.asked().len(), 3);

    let torn = server([ServerAnswer::pieces([r#"{"data":[{"index":0,"#]).cut()]);
    assert_eq!(embed(&torn, &["cat"]), Ok(vec![vector("cat")]));

    let small = server([ServerAnswer::json(413, r#"{"error":"batch size 3 > 2"}"#)]);
    let three = ["cat", "dog", "bird"];
    assert_eq!(embed(&small, &three), Ok(three.map(vector).to_vec()));
    assert_eq!(sizes(&small), [3, 1, 2]);
}

#[test]
fn permanent_embedder_failure_is_reported_without_retry() {
    let check = |answer: ServerAnswer, expected: &str| {
        let server = server([answer]);
        assert_eq!(embed(&server, &["cat"]), Err(expected.to_owned()));
        assert_eq!(server.asked().len(), 1, "{expected}");
    };
    check(
        ServerAnswer::json(404, r#"{"error":{"message":"no such model"}}"#),
        "the embedder http (some-model) is unavailable: it has no such model or path (404 Not Found: no such model)",
    );
    // Some servers repeat the key that they refuse.
    check(
        ServerAnswer::json(401, r#"{"error":{"message":"wrong key hunter2-and-more"}}"#),
        "the embedder http (some-model) is unavailable: it rejected the key (401 Unauthorized: wrong key \
         [REDACTED:api-key]); it is read from the variable SOME_KEY",
    );
    check(
        ServerAnswer::json(200, r#"{"data":[]}"#),
        "the embedder http (some-model) returned unusable vectors: fewer than 1 vectors",
    );
}

const LOG: &str = "# 2026-04-20\n\n## 09:00\n\n- Milo eats tuna.\n- Rex barks at night.\n";

fn home(server: &ChatServer) -> TestHome {
    let home = TestHome::init();
    home.note("2026-04-20", LOG);
    let url = server.url("/v1");
    let config = format!(
        "memory: {{embedding: {{provider: http, model: some-model, baseUrl: \"{url}\"}}}}\n"
    );
    home.write("config.yaml", config);
    home
}

fn search(home: &TestHome, more: &[&str]) -> Value {
    let all = [&["memory", "search", "--json", "the feline"], more].concat();
    home.ok(&all).json()
}

fn found(answer: &Value) -> Vec<Value> {
    each(answer["results"].as_array().unwrap(), "/text")
}

#[test]
fn remote_embedder_finds_note_by_meaning() {
    let server = server([]);
    let home = home(&server);
    let answer = search(&home, &[]);
    assert_eq!(
        fields(&answer, ["mode", "degraded"]),
        json!(["hybrid", null])
    );
    assert_eq!(found(&answer)[0], "- Milo eats tuna.");
    let status = home.ok("memory status").stdout;
    assert!(status.contains("http (some-model)"), "{status}");
}

#[test]
fn search_falls_back_to_words_without_embedding_server() {
    let home = {
        let server = server([]);
        let home = home(&server);
        let _answer = search(&home, &[]);
        home
    };
    home.ok("memory add 'Milo is a feline of nine.'");
    let answer = search(&home, &[]);
    assert_eq!(
        fields(&answer, ["mode", "degraded"]),
        json!(["keyword", "embedder-failed"])
    );
    assert_eq!(found(&answer), ["- Milo is a feline of nine."]);
    let status = home.ok("memory status").stdout;
    status.holds("2 of 3 passages have a vector of the http (some-model) embedder");

    // Another embedder: its vectors are made, and then they are compared.
    let answer = search(&home, &["--set", "memory.embedding.provider=bundled"]);
    assert_eq!(
        fields(&answer, ["mode", "degraded"]),
        json!(["hybrid", null])
    );
}
