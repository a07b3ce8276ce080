//! Many homes behind one address, in a folder and in a bucket: each token gives access to its own home, and one
//! worker at a time serves it.

use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::{Answered, HttpService, TestHome, Words};

use crate::moved_homes::{check, command};

const ANNA: &str = "anna-0123456789abcdef";
const BEN: &str = "ben-0123456789abcdef";

/// A worker with its own cache, on its own machine.
fn worker(machine: &TestHome, address: &str, more: &[&str]) -> HttpService {
    tokens(machine, &format!("anna: {ANNA}\nben: {BEN}\n"), 0o600);
    let serve = ["serve", address, "--listen", "127.0.0.1:0"];
    let tokens = ["--tokens", "tokens.yaml", "--cache", "cache"];
    HttpService::of(command(machine, &[&serve[..], &tokens, more].concat()))
}

fn tokens(machine: &TestHome, text: &str, mode: u32) {
    let file = machine.input("tokens.yaml", text);
    let mode = std::fs::Permissions::from_mode(mode);
    let closed = std::fs::set_permissions(file, mode);
    assert!(closed.is_ok(), "{closed:?}");
}

fn noted(service: &mut HttpService, token: &str, text: &str) -> Answered {
    token.clone_into(&mut service.token);
    service.post("/api/memory/notes", &json!({ "text": text }))
}

/// The search results that a token gives access to.
fn found(service: &mut HttpService, token: &str) -> Vec<String> {
    token.clone_into(&mut service.token);
    let answered = service.get("/api/memory/search?query=who%20is%20the%20dentist");
    let answer = answered.with_status(200).json();
    let texts = answer.pointer("/results").and_then(Value::as_array);
    let texts = texts.into_iter().flatten().filter_map(|it| it.get("text"));
    texts
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn token_gives_access_to_its_own_home_only() {
    check(|address| {
        let machine = TestHome::new();
        let mut service = worker(&machine, address, &[]);
        noted(&mut service, ANNA, "The dentist is Dr. Okafor.").with_status(200);
        noted(&mut service, BEN, "The dentist is Dr. Lindqvist.").with_status(200);
        assert_eq!(found(&mut service, ANNA), ["- The dentist is Dr. Okafor."]);
        assert_eq!(
            found(&mut service, BEN),
            ["- The dentist is Dr. Lindqvist."]
        );
        "neither-0123456789abcdef".clone_into(&mut service.token);
        service.get("/api/status").with_status(401);
        service.ask("GET /api/status", &[], "").with_status(401);
        service.ask("GET /health", &[], "").with_status(200);
        let evil = ["Host: evil.example", &service.bearer()];
        service.ask("GET /api/status", &evil, "").with_status(421);

        let form = ["Content-Type: application/x-www-form-urlencoded"];
        let refused = service
            .ask("POST /sign-in", &form, "token=guess")
            .with_status(401);
        assert!(refused.body.contains(r#"name="token""#), "{refused:?}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        let signed_in = service
            .ask("POST /sign-in", &form, &format!("token={BEN}"))
            .with_status(303);
        let cookie = signed_in
            .header("set-cookie")
            .unwrap()
            .split(';')
            .next()
            .unwrap();
        let cookie = format!("Cookie: {cookie}");
        let page = service.ask("GET /memory/search?q=dentist", &[&cookie], "");
        let page = page.with_status(200).body;
        page.holds("Lindqvist");
        page.lacks("Okafor");
        let told = service.end();
        told.ends("Stopped.\n");
        told.lacks("0123456789abcdef");

        // The first machine has no files of the home that the second one needs.
        let other = TestHome::new();
        let mut other = worker(&other, address, &[]);
        assert_eq!(found(&mut other, ANNA), ["- The dentist is Dr. Okafor."]);
    });
}

#[test]
fn home_is_served_by_one_worker_at_a_time() {
    check(|address| {
        let machines = [TestHome::new(), TestHome::new()];
        let mut first = worker(&machines[0], address, &[]);
        let mut second = worker(&machines[1], address, &[]);
        noted(&mut first, ANNA, "The dentist is Dr. Okafor.").with_status(200);
        let refused = noted(&mut second, ANNA, "The dentist is Dr. Haddad.").with_status(503);
        assert!(refused.header("retry-after").is_some(), "{refused:?}");
        assert_eq!(found(&mut second, BEN), [""; 0]);
        first.end();
        assert_eq!(found(&mut second, ANNA), ["- The dentist is Dr. Okafor."]);
        let told = second.end();
        assert!(told.contains("home anna: home anna is in use by"), "{told}");
    });
}

#[test]
fn idle_home_makes_room_for_other_home() {
    check(|address| {
        let machine = TestHome::new();
        let mut service = worker(&machine, address, &["--open", "1"]);
        for _ in 0..2 {
            noted(&mut service, ANNA, "The dentist is Dr. Okafor.").with_status(200);
            noted(&mut service, BEN, "The dentist is Dr. Lindqvist.").with_status(200);
        }
        assert_eq!(found(&mut service, ANNA), ["- The dentist is Dr. Okafor."]);
        service.end();
    });
}

#[test]
fn cold_home_is_served_without_index_until_first_search() {
    check(|address| {
        let first = TestHome::new();
        let mut service = worker(&first, address, &[]);
        noted(&mut service, ANNA, "The dentist is Dr. Okafor.").with_status(200);
        assert_eq!(found(&mut service, ANNA), ["- The dentist is Dr. Okafor."]);
        service.end();
        let second = TestHome::new();
        let index = second.folder().join("cache/open-homes/anna/index");
        let mut service = worker(&second, address, &[]);
        ANNA.clone_into(&mut service.token);
        service.get("/api/sessions").with_status(200);
        assert!(!index.exists());
        assert_eq!(found(&mut service, ANNA), ["- The dentist is Dr. Okafor."]);
        assert_eq!(index.exists(), address.starts_with("s3:"));
        service.end();
    });
}

#[test]
fn invalid_tokens_file_is_reported_without_tokens() {
    let machine = TestHome::new();
    let mut all = String::new();
    for (text, mode) in [
        (format!("anna: {ANNA}\n"), 0o644),
        (format!("anna: {ANNA}\nben: {ANNA}\n"), 0o600),
        (format!("- {ANNA}\n"), 0o600),
        ("# Of the family.\nanna: hunter2\n".to_owned(), 0o600),
        (format!("a/b: {ANNA}\n"), 0o600),
        ("{}\n".to_owned(), 0o600),
    ] {
        tokens(&machine, &text, mode);
        let arguments = "serve file:///homes --tokens tokens.yaml";
        let run = machine.fleet(arguments);
        assert_eq!(run.code, Some(1), "{}", run.transcript());
        all += &run.transcript();
    }
    for arguments in [
        &["serve", "file:///homes"][..],
        &["serve", "file:///homes", "--tokens", "missing.yaml"],
        &["serve", "ftp://there", "--tokens", "tokens.yaml"],
        &["serve", "vault:///srv/vault", "--tokens", "tokens.yaml"],
        &[
            "serve",
            "file:///homes",
            "--tokens",
            "tokens.yaml",
            "--listen",
            "0.0.0.0:1",
        ],
    ] {
        all += &machine.fleet(arguments).transcript();
    }
    all.lacks("0123456789abcdef");
    all.lacks("hunter2");
    assert_snapshot!(all);
}
