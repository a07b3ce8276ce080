//! Access by HTTP: the tests try every way around the token, the host and the limits.
//!
//! A rejected request must not have had an effect.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use testkit::{Answered, HttpService, TestHome, Words, answered};

const JSON: &str = "Content-Type: application/json";

#[test]
fn requests_without_valid_token_are_rejected() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    assert_eq!(
        service.ask("GET /health", &[], "").with_status(200).body,
        "ok\n"
    );
    for path in [
        "/v1/models",
        "/api/status",
        "/metrics",
        "/mcp",
        "/api/nothing",
    ] {
        let closed = service
            .ask(&format!("GET {path}"), &[], "")
            .with_status(401);
        assert_eq!(closed.header("www-authenticate"), Some("Bearer"), "{path}");
    }
    let page = service
        .ask("GET /", &["Accept: text/html"], "")
        .with_status(303);
    assert_eq!(page.header("location"), Some("/sign-in"));
    let token = service.token.clone();
    assert_eq!(token.len(), 64);
    for wrong in [
        String::new(),
        "Authorization: Bearer".to_owned(),
        format!(
            "Authorization: Bearer {}",
            token.trim_start_matches(|it| token.starts_with(it))
        ),
        format!("Authorization: Bearer {token}0"),
        format!("Authorization: Basic {token}"),
        format!("Authorization: {token}"),
    ] {
        service.ask("GET /no/such", &[&wrong, "Accept: */*", "X: y"], "");
        let headers: Vec<&str> = [wrong.as_str()]
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect();
        service.ask("GET /v1/models", &headers, "").with_status(401);
    }
    let address = format!("GET /no/such?token={token}");
    assert_ne!(service.ask(&address, &[], "").status, 200);
    service.get("/no/such").with_status(404);
    let told = service.end();
    assert!(!told.contains(&token), "{told}");
}

#[test]
fn token_guesses_are_limited_and_owner_is_not_locked_out() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let guess = |number: u32| {
        let header = format!("Authorization: Bearer guess-{number}");
        service.ask("GET /no/such", &[&header], "").status
    };
    let statuses: Vec<u16> = (0..40).map(guess).collect();
    assert!(statuses.starts_with(&[401; 10]), "{statuses:?}");
    assert!(
        statuses.iter().filter(|status| **status == 429).count() > 20,
        "{statuses:?}"
    );
    let form = "token=guess";
    let sent = service.ask(
        "POST /sign-in",
        &["Content-Type: application/x-www-form-urlencoded"],
        form,
    );
    assert_eq!((sent.status, sent.header("retry-after")), (429, Some("5")));
    service.get("/no/such").with_status(404);
}

#[test]
fn foreign_host_and_origin_headers_are_rejected() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &["--set", "timezone=UTC"]);
    let bearer = service.bearer();
    // A name that somebody else lets lead here.
    for host in [
        "evil.example",
        "evil.example:18789",
        "127.0.0.1.nip.io",
        "localhost.evil.example",
        "",
    ] {
        let host = format!("Host: {host}");
        let turned = service.ask("GET /health", &[&host, &bearer], "");
        assert!(matches!(turned.status, 400 | 421), "{turned:?}");
    }
    let twice = ["Host: localhost", "Host: evil.example"];
    assert_ne!(service.ask("GET /health", &twice, "").status, 200);
    service
        .ask("GET /health", &["Host: localhost:9"], "")
        .with_status(200);
    let own = format!("Origin: http://{}", service.at);
    for (origin, status) in [
        ("Origin: https://evil.example", 403),
        ("Origin: null", 403),
        ("Origin: http://127.0.0.1:1", 403),
        (own.as_str(), 200),
    ] {
        let asked = service.ask("GET /health", &[origin, &bearer], "");
        assert_eq!(asked.status, status, "{origin}");
    }
    for method in ["OPTIONS", "POST"] {
        let asked = service.ask(
            &format!("{method} /no/such"),
            &["Origin: https://evil.example"],
            "",
        );
        assert_eq!(asked.status, 403);
        assert_eq!(asked.header("access-control-allow-origin"), None);
    }
}

#[test]
fn browser_signs_in_by_cookie_without_token_in_page() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let form = service.ask("GET /sign-in", &[], "").with_status(200);
    check_headers(&form);
    assert!(!form.body.contains(&service.token));
    let body = format!("token={}", service.token);
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let refused = service
        .ask("POST /sign-in", &[kind], "token=guess")
        .with_status(401);
    assert!(refused.body.contains("wrong token"), "{refused:?}");
    assert!(refused.body.contains(r#"name="token""#), "{refused:?}");
    let entered = service
        .ask("POST /sign-in", &[kind], &body)
        .with_status(303);
    assert_eq!(entered.header("location"), Some("/"));
    let set = entered.header("set-cookie").unwrap();
    set.ends("; Path=/; HttpOnly; SameSite=Strict");
    assert!(!set.contains(&service.token));
    let cookie = format!("Cookie: other=1; {}", set.split(';').next().unwrap());
    service.ask("GET /no/such", &[&cookie], "").with_status(404);
    // A change takes more than what a browser sends by itself.
    let own = format!("Origin: http://{}", service.at);
    service
        .ask("POST /sign-out", &[&cookie], "")
        .with_status(403);
    service
        .ask("POST /sign-out", &[&cookie, &own], "csrf=")
        .with_status(403);
    service
        .ask(
            "POST /sign-out",
            &[&cookie, &own, "X-CSRF-Token: guess"],
            "",
        )
        .with_status(403);
    service.ask("GET /no/such", &[&cookie], "").with_status(404);
    let forged = "Cookie: openclaw_session=0123";
    assert_eq!(service.ask("GET /no/such", &[forged], "").status, 303);
}

#[track_caller]
fn check_headers(answer: &Answered) {
    for (name, value) in [
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
    let policy = answer.header("content-security-policy").unwrap();
    policy.holds("default-src 'none'");
    policy.holds("frame-ancestors 'none'");
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn answers_carry_security_headers() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    check_headers(&service.get("/no/such"));
    check_headers(&service.ask("GET /v1/models", &[], "").with_status(401));
    check_headers(
        &service
            .ask("GET /health", &["Host: evil.example"], "")
            .with_status(421),
    );
}

#[test]
fn paths_outside_and_oversized_requests_are_rejected() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let token = &service.token;
    for path in [
        "/../state/token",
        "/page/../../state/token",
        "/%2e%2e/state/token",
        "/page/%2e%2e%2f%2e%2e%2fstate%2ftoken",
        "//state/token",
        "/state/token",
        "/api/../state/token",
        "/api/memory/lines?path=../state/token",
        "/api/memory/lines?path=%2e%2e%2fstate%2ftoken",
        "/api/memory/lines?path=/etc/passwd",
        "/api/sessions/..%2f..%2fstate%2ftoken",
    ] {
        let asked = service.get(path);
        assert!(matches!(asked.status, 400 | 404), "{path}: {asked:?}");
        assert!(!asked.body.contains(token), "{path}");
    }
    let bearer = service.bearer();
    // What is within the bound is read to its end.
    let long = serde_json::json!({ "messages": [], "x": "x".repeat(3 << 20) });
    let asked = service.post("/v1/chat/completions", &long).with_status(400);
    assert!(asked.body.contains("missing field `model`"), "{asked:?}");
    // It is refused by what it announces, and what follows is not waited for.
    let announced = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\n{bearer}\r\n{JSON}\r\nConnection: close\r\nContent-Length: 99999999999\r\n\r\n",
        service.at
    );
    service.send(announced.as_bytes()).with_status(413);
    // So is one that announces nothing and continues.
    let mut stream = TcpStream::connect(&service.at).unwrap();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\n{bearer}\r\n{JSON}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
        service.at
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let n_taken = (0..1_000)
        .take_while(|_| stream.write_all(chunk.as_bytes()).is_ok())
        .count();
    assert!(n_taken < 1_000);
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n",
        "x".repeat(1_000_000),
        service.at
    );
    assert_ne!(service.send(long.as_bytes()).status, 200);
    assert_eq!(
        service.send(b"\x16\x03\x01\x02\x00nonsense\r\n\r\n").status,
        400
    );
}

/// Far longer than a service waits for data that is sent slowly.
const PATIENCE: Duration = Duration::from_mins(2);

/// The answer of a service before it closes the connection by itself.
#[track_caller]
fn answer_before_the_end(stream: &mut TcpStream) -> Answered {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("it waits for ever"),
        Ok(_) | Err(_) => answered(&mut bytes.as_slice()),
    }
}

#[test]
fn slow_clients_time_out_without_blocking_others() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let mut body = TcpStream::connect(&service.at).unwrap();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\n{}\r\n{JSON}\r\nContent-Length: 100\r\n\r\n{{",
        service.at,
        service.bearer()
    );
    body.write_all(head.as_bytes()).unwrap();
    let bearer = service.bearer();
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(&service.at).unwrap();
        stream
            .write_all(b"GET /health HTTP/1.1\r\nHost: loc")
            .unwrap();
        slow.push(stream);
    }
    service.ask("GET /health", &[&bearer], "").with_status(200);
    assert_ne!(answer_before_the_end(&mut slow.remove(0)).status, 200);
    answer_before_the_end(&mut body).with_status(408);
}

#[test]
fn serve_rejects_remote_address_weak_token_and_second_service() {
    let home = TestHome::new();
    let logged = home.run("serve --qr").with_code(2);
    logged.stderr.holds("so it needs a terminal");
    let remote = home.run("serve --listen 0.0.0.0:0").with_code(2);
    remote.stderr.holds("--allow-remote");
    let mut weak = home.command("serve --listen 127.0.0.1:0");
    let weak = weak.env("OPENCLAW_TOKEN", "hunter2").output().unwrap();
    let told = String::from_utf8_lossy(&weak.stderr);
    assert_eq!(weak.status.code(), Some(1), "{told}");
    told.holds("OPENCLAW_TOKEN");
    told.lacks("hunter2");
    let service = HttpService::begin(&home, &[]);
    let taken = home.run(&["serve", "--listen", &service.at]);
    assert_eq!(taken.code, Some(4), "{}", taken.stderr);
}
