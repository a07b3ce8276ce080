//! The API: what a program can read, note, forget and decide, as JSON.
//!
//! Every path of the description answers, and none without the token.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use testkit::mcp_client::GREETING;
use testkit::{HttpService, TestHome, Words, each};

#[test]
fn api_note_is_found_and_forgotten_only_with_plan_token() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let note = json!({ "text": "The dentist is Dr. Okafor." });
    let noted = service.post_json("/api/memory/notes", &note);
    let path = noted["path"].as_str().unwrap().to_owned();
    let again = service.post_json("/api/memory/notes", &note);
    assert!(again["line"].is_null(), "{again}");
    let search = "/api/memory/search?query=who%20is%20the%20dentist";
    let found = service.get_json(search);
    assert_eq!(
        found["results"][0]["text"], "- The dentist is Dr. Okafor.",
        "{found}"
    );
    assert_eq!(found["results"][0]["origin"], "owner");
    let lines = service.get_json(&format!("/api/memory/lines?path={path}"));
    lines["text"].as_str().unwrap().holds("Okafor");
    let what = json!({ "what": "the dentist" });
    let plan = service.post_json("/api/memory/forget", &what);
    let item = &plan["items"][0];
    assert_eq!(item["text"], "- The dentist is Dr. Okafor.", "{plan}");
    assert_eq!([&item["action"], &item["keeper"]], ["hide", "owner"]);
    let guess = service.post("/api/memory/forget/confirm", &json!({ "token": "guess" }));
    let guess = guess.with_status(404).json();
    assert_eq!(guess["error"]["hints"], json!(["ask for a plan again"]));
    let n_found = || {
        service.get_json(search)["results"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(n_found(), 1);
    let token = json!({ "token": plan["token"] });
    let done = service.post_json("/api/memory/forget/confirm", &token);
    assert_eq!(service.get(search).json()["results"], json!([]));
    assert_eq!(done["items"][0]["action"], "hide");
    home.read(&format!("workspace/{path}")).holds("Okafor");
    let id = done["id"].as_str().unwrap();
    let command = format!(
        "openclaw --home {} memory forget --undo {id}",
        home.path().display()
    );
    assert_eq!(done["undo"], json!(command));
    let listed = service.get_json("/api/memory/forgotten");
    assert_eq!(listed["forgotten"][0]["id"], id);
    assert_eq!(listed["forgotten"][0]["files"], json!([path]));
    assert!(!listed.to_string().contains("Okafor"), "{listed}");
    let undo = json!({ "id": id });
    service.post_json("/api/memory/forget/undo", &undo);
    assert_eq!(n_found(), 1);
    let again = service
        .post("/api/memory/forget/undo", &undo)
        .with_status(404);
    let hint = format!(
        "`openclaw --home {} memory forget --list`",
        home.path().display()
    );
    again.body.holds(&hint);
    let own = json!({ "what": "the dentist", "removeOwnLines": true });
    let plan = service.post_json("/api/memory/forget", &own);
    assert_eq!(plan["items"][0]["action"], "remove");
    service.post_json(
        "/api/memory/forget/confirm",
        &json!({ "token": plan["token"] }),
    );
    home.read(&format!("workspace/{path}")).lacks("Okafor");
}

#[test]
fn api_errors_have_hints_of_commands() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let at_home = format!("`openclaw --home {} ", home.path().display());
    let correct = json!({ "line": "zebra", "text": "A zebra has stripes" });
    for (answered, hint) in [
        (
            service.post("/api/memory/correct", &correct),
            "about` prints",
        ),
        (
            service.post("/api/dreams/undo", &json!({})),
            "dream log` shows",
        ),
        (
            service.get("/api/dreams/candidates/zz"),
            "dream list --all` lists",
        ),
        (
            service.get("/api/sessions/zz/expand"),
            "session list` lists",
        ),
        (
            service.get("/api/memory/lines?path=/etc/passwd"),
            "memory search QUESTION` shows",
        ),
    ] {
        let error = answered.json();
        let told = error["error"]["hints"][0].as_str().unwrap_or_default();
        told.begins(&format!("{at_home}{hint}"));
    }
    let days = service.get("/api/memory/agenda?days=x").with_status(400);
    days.body.holds("days: it is not a whole number");
}

#[test]
fn api_status_reports_failed_backup() {
    let home = TestHome::new();
    let settings = "backup: {schedule: \"* * * * *\", folder: ../gone}\n";
    home.write("config.yaml", settings);
    let service = HttpService::begin(&home, &[]);
    let failure = || {
        let status = service.get("/api/status").with_status(200).json();
        Some(status["backup"]["failure"].as_str()?.to_owned())
    };
    let failure = (0..TRIES_MAX).find_map(|_| failure()).unwrap();
    assert!(failure.contains("there is no folder"), "{failure}");
}

/// Attempts to start a dream before a session must be free.
const TRIES_MAX: usize = 100;

#[test]
fn api_candidate_is_accepted_and_undone() {
    let home = TestHome::new();
    home.ok("chat -m 'I prefer green tea in the morning.'");
    let service = HttpService::begin(
        &home,
        &[
            "--set",
            "dreaming.promotion=review",
            "--set",
            "dreaming.triggers=[]",
        ],
    );
    let before = home.memory();
    let dream = || {
        let run = service.post("/api/dreams/run", &json!({}));
        run.with_status(200).json()
    };
    // A dream leaves a session alone while the service that has just begun holds its lock.
    let dreamt = (0..TRIES_MAX)
        .map(|_| dream())
        .find(|dreamt| dreamt["outcome"] != "nothing new");
    assert_eq!(dreamt.unwrap()["outcome"], "dreamt");
    let waiting = service.get_json("/api/dreams/candidates");
    let candidate = &waiting["candidates"][0];
    candidate["evidence"][0]["quote"]
        .as_str()
        .unwrap()
        .holds("green tea");
    let path = format!(
        "/api/dreams/candidates/{}",
        candidate["id"].as_str().unwrap()
    );
    let accepted = service.post_json(&path, &json!({ "decision": "accept" }));
    assert_eq!(accepted["status"], "accepted");
    assert!(home.memory().contains("green tea"));
    let again = service.post_json(&path, &json!({ "decision": "accept" }));
    assert_eq!(
        (&again["ids"], &again["already"][0]["status"]),
        (&json!([]), &json!("accepted"))
    );
    service
        .post(&path, &json!({ "decision": "reject" }))
        .with_status(409);
    service
        .post("/api/dreams/undo", &json!({}))
        .with_status(200);
    assert_eq!(home.memory(), before);
}

#[test]
fn openapi_paths_answer_only_with_token() {
    let home = TestHome::new();
    home.ok("chat -m Hello");
    let service = HttpService::begin(&home, &[]);
    let document = service.get_json("/api/openapi.json");
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 18, "{:?}", paths.keys());
    for (path, methods) in paths {
        let path = path.replace("{name}", "main").replace("{id}", "none");
        for method in methods.as_object().unwrap().keys() {
            let line = format!("{} {path}", method.to_uppercase());
            service.ask(&line, &[], "").with_status(401);
            if path == "/api/events" {
                continue;
            }
            let asked = service.ask(&line, &[&service.bearer()], "");
            let is_routed = asked.status != 405 && !asked.body.contains("there is nothing at");
            assert!(is_routed, "{line}: {asked:?}");
        }
    }
    let status = service.get_json("/api/status");
    assert_eq!(
        (status["offline"].as_bool(), status["sessions"].as_u64()),
        (Some(true), Some(1))
    );
    let shown = service.get_json("/api/sessions/main");
    assert_eq!(shown["items"][0]["text"], "Hello");
    let course = service.get_json("/api/sessions/main/timeline");
    let told = home.ok("session show main --json").json();
    assert_eq!(course["days"], told["days"]);
    assert_eq!(course["messages"], 2);
    let tokens = each(course["moments"].as_array().unwrap(), "/tokens");
    assert_eq!(Value::from(tokens), told["contextTokens"]);
    for path in ["/api/sessions/nobody", "/api/sessions/nobody/timeline"] {
        service.get(path).with_status(404);
    }
    let metrics = service.get("/metrics").with_status(200);
    metrics.body.holds("\nopenclaw_sessions 1\n");
    let vectors = json!({ "model": "openclaw", "input": ["tea", "rain"] });
    let vectors = service.post_json("/v1/embeddings", &vectors);
    assert_eq!(vectors["data"].as_array().unwrap().len(), 2);
}

#[test]
fn mcp_works_over_http() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let (greeting, ready) = GREETING.trim_end().split_once('\n').unwrap();
    let bearer = service.bearer();
    let headers = [
        &*bearer,
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
    ];
    let greeted = service
        .ask("POST /mcp", &headers, greeting)
        .with_status(200);
    assert!(greeted.body.contains("\"serverInfo\""), "{}", greeted.body);
    let session = format!(
        "Mcp-Session-Id: {}",
        greeted.header("mcp-session-id").unwrap()
    );
    let headers = [headers[0], headers[1], headers[2], &session];
    service.ask("POST /mcp", &headers, ready).with_status(202);
    let remember = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "remember", "arguments": { "text": "The car stands in the yard." },
    } });
    let noted = service
        .ask("POST /mcp", &headers, &remember.to_string())
        .with_status(200);
    assert!(noted.body.contains("Noted in memory/"), "{}", noted.body);
    let found = service
        .get("/api/memory/search?query=where%20is%20the%20car")
        .json();
    assert_eq!(
        found["results"][0]["text"], "- The car stands in the yard.",
        "{found}"
    );
    assert_eq!(found["results"][0]["origin"], "agent");
    service.ask("DELETE /mcp", &headers, "").with_status(204);
}

#[test]
fn event_listeners_are_limited_and_leave_room_for_requests() {
    let home = TestHome::init();
    let service = HttpService::begin(&home, &[]);
    let request = service.request("GET /api/events", &[&service.bearer()], "");
    let listeners: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(&service.at).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut first = [0; 12];
            stream.read_exact(&mut first).unwrap();
            assert_eq!(&first, b"HTTP/1.1 200");
            stream
        })
        .collect();
    service.get("/api/events").with_status(429);
    service.get("/api/status").with_status(200);
    drop(listeners);
}
