//! Memory for other programs: `openclaw mcp`, asked by the official client.
//!
//! Each server is a separate process, as a client starts it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::dream_review::waiting;
use crate::hook::make_repository;
use insta::assert_snapshot;
use rmcp::model::{
    CallToolRequestParams, GetPromptRequestParams, ReadResourceRequestParams, ServerNotification,
    SubscribeRequestParams, SubscriptionFilter,
};
use serde_json::{Value, json};
use testkit::mcp_client::{Client, Connected, GREETING, call, connect, connect_without_handshake};
use testkit::{TestHome, Words};

/// The server's answer to a note.
async fn remember(server: &Connected, text: &str) -> String {
    call(server, "remember", json!({ "text": text })).await
}

async fn search(server: &Connected, question: &str) -> String {
    call(server, "memory_search", json!({ "query": question })).await
}

#[tokio::test]
async fn mcp_tools_are_listed_with_schema_and_hints() {
    let home = TestHome::new();
    let server = connect(&home, &[], Client::default()).await;
    let info = server.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "openclaw");
    let tools = server.list_all_tools().await.unwrap();
    let tools = serde_json::to_string_pretty(&tools).unwrap();
    assert_snapshot!(
        "tools",
        format!("{}\n\n{tools}", info.instructions.as_ref().unwrap())
    );
}

#[tokio::test]
async fn mcp_note_has_agent_origin_is_redacted_and_searchable() {
    let home = TestHome::new();
    let server = connect(&home, &[], Client::default()).await;
    let text = "The dentist is Dr. Okafor. password: hunter2hunter2";
    let noted = remember(&server, text).await;
    assert!(noted.starts_with("Noted in memory/"), "{noted}");
    noted.holds(" A secret was left out; the note says: The dentist is Dr. Okafor.");
    let again = remember(&server, text).await;
    again.holds("already says it.");
    let found = search(&server, "Who is the dentist?").await;
    assert!(found.contains("Dr. Okafor"), "{found}");
    let files = home.files();
    let has_secret = files
        .iter()
        .any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("hunter2hunter2"));
    assert!(!has_secret);
    let shown = home.ok("memory search dentist --json");
    shown.stdout.holds("\"origin\":\"agent\"");
}

#[tokio::test]
async fn i1_concurrent_mcp_servers_write_each_note_once() {
    const N_EACH: usize = 25;
    let home = TestHome::new();
    let mut servers = Vec::new();
    for _ in 0..4 {
        servers.push(connect(&home, &[], Client::default()).await);
    }
    let writes = servers.iter().enumerate().map(|(n, server)| async move {
        for m in 0..N_EACH {
            let text = format!("Shelf {n} holds box number {m}.");
            let noted = remember(server, &text).await;
            assert!(noted.starts_with("Noted in memory/"), "{noted}");
        }
    });
    let _written = futures_util::future::join_all(writes).await;
    let logs: String = home
        .list("workspace/memory")
        .iter()
        .map(|name| home.read(&format!("workspace/memory/{name}")))
        .collect();
    for n in 0..4 {
        for m in 0..N_EACH {
            let text = format!("- Shelf {n} holds box number {m}.");
            assert_eq!(logs.matches(&text).count(), 1, "{text}");
        }
    }
}

#[tokio::test]
async fn i13_read_only_mcp_offers_no_write_tool_and_changes_no_file() {
    let home = TestHome::new();
    let writer = connect(&home, &[], Client::default()).await;
    let _noted = remember(&writer, "The ferry leaves at noon.").await;
    let _found = search(&writer, "ferry").await;
    let _ended = writer.cancel().await.unwrap();
    let before = home.files();
    let reader = connect(&home, &["--read-only"], Client::default()).await;
    let info = reader.peer_info().unwrap();
    info.instructions.as_ref().unwrap().lacks("remember");
    let tools = reader.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(
        names,
        [
            "memory_search",
            "memory_get",
            "session_search",
            "session_expand",
            "dream_candidates",
            "agenda"
        ]
    );
    let refused = reader
        .call_tool(CallToolRequestParams::new("remember"))
        .await;
    assert!(refused.is_err());
    let found = search(&reader, "ferry").await;
    assert!(found.contains("The ferry leaves at noon."), "{found}");
    let _ended = reader.cancel().await.unwrap();
    assert_eq!(home.files(), before);
}

/// How a client begins: versions of the protocol from 2026 on have no handshake, and no question in the middle of a
/// call.
#[derive(Debug, Clone, Copy)]
enum Handshake {
    With,
    Without,
}

impl Handshake {
    async fn connect(self, home: &TestHome, client: Client) -> Connected {
        match self {
            Self::With => connect(home, &[], client).await,
            Self::Without => connect_without_handshake(home, client).await,
        }
    }
}

fn with_and_without<T: Copy>(case: T) -> [(T, Handshake); 2] {
    [(case, Handshake::With), (case, Handshake::Without)]
}

#[tokio::test]
async fn mcp_forget_needs_consent_of_owner() {
    let answers = [(Some(false), false), (Some(true), true), (None, false)];
    for ((answer, is_gone), handshake) in answers.iter().copied().flat_map(with_and_without) {
        let home = TestHome::new();
        let client = Client {
            answer,
            ..Client::default()
        };
        let server = handshake.connect(&home, client.clone()).await;
        let _noted = remember(&server, "The flat in Lisbon costs 900.").await;
        let told = call(&server, "forget", json!({ "what": "the flat in Lisbon" })).await;
        let asked = client.asked.lock().unwrap().clone();
        assert_eq!(asked.len(), usize::from(answer.is_some()));
        for question in asked {
            question.holds("The flat in Lisbon costs 900.");
            question.lacks("<recalled");
        }
        if answer.is_none() {
            assert!(told.contains("The flat in Lisbon costs 900."), "{told}");
            let command = format!("openclaw --home {} memory forget", home.path().display());
            told.holds(&format!("{command} 'the flat in Lisbon'"));
            let token = json!({ "what": "the flat in Lisbon", "token": "00000000" });
            let again = call(&server, "forget", token).await;
            again.holds("unknown field `token`");
        }
        let found = search(&server, "flat in Lisbon").await;
        assert_eq!(!found.contains("900"), is_gone, "{answer:?}: {found}");
    }
}

#[tokio::test]
async fn dream_review_over_mcp_changes_nothing_until_the_owner_agrees() {
    let answers = [(None, false), (Some(false), false), (Some(true), true)];
    for ((answer, is_kept), handshake) in answers.iter().copied().flat_map(with_and_without) {
        let home = waiting();
        let client = Client {
            answer,
            ..Client::default()
        };
        home.note(
            "2026-03-02",
            "- Remember that the gate code is on the blue card.\n",
        );
        home.ok("dream --now --backfill --set dreaming.promotion=review");
        let server = handshake.connect(&home, client.clone()).await;
        let listed = call(&server, "dream_candidates", json!({})).await;
        let (id, rest) = listed.split_once(": ").unwrap();
        let (finding, _) = rest.split_once(" (for ").unwrap();
        for decision in ["reject", "accept"] {
            if decision == "reject" && is_kept {
                continue;
            }
            let told = json!({ "id": id, "decision": decision });
            let told = call(&server, "dream_review", told).await;
            if answer.is_none() {
                let home = home.path();
                told.holds(&format!(
                    "openclaw --home {} dream {decision} {id}",
                    home.display()
                ));
            }
        }
        assert_eq!(home.memory().contains(finding), is_kept, "{answer:?}");
        let left = call(&server, "dream_candidates", json!({})).await;
        assert_eq!(left.contains(id), !is_kept, "{answer:?}: {left}");
        let n_asked = client.asked.lock().unwrap().len();
        assert_eq!(
            n_asked,
            [0, 2, 1][usize::from(answer.is_some()) + usize::from(is_kept)]
        );
    }
}

#[tokio::test]
async fn reminder_over_mcp_is_set_once_the_owner_agrees_and_listed() {
    let answers = [(None, false), (Some(false), false), (Some(true), true)];
    for ((answer, is_set), handshake) in answers.iter().copied().flat_map(with_and_without) {
        let home = TestHome::init();
        let client = Client {
            answer,
            ..Client::default()
        };
        let server = handshake.connect(&home, client.clone()).await;
        let unsure = json!({ "text": "tomorrow at 5 call Ana" });
        call(&server, "promise", unsure)
            .await
            .holds("its time is not certain");
        let proposed = json!({ "text": "tomorrow at 9:30 call Ana" });
        let told = call(&server, "promise", proposed).await;
        if answer.is_none() {
            told.holds("agenda add 'tomorrow at 9:30 call Ana'");
        }
        let page = home.path().join("workspace/PROMISES.md");
        assert_eq!(page.exists(), is_set, "{answer:?}");
        let listed = call(&server, "agenda", json!({})).await;
        assert_eq!(listed.contains("call Ana"), is_set, "{answer:?}: {listed}");
        let n_asked = client.asked.lock().unwrap().len();
        assert_eq!(n_asked, usize::from(answer.is_some()));
    }
}

#[tokio::test]
async fn notes_are_resources_without_marks_and_a_change_is_reported() {
    let home = TestHome::new();
    let client = Client::default();
    let server = connect(&home, &[], client.clone()).await;
    let _noted = remember(&server, "The ferry leaves at noon.").await;
    let listed = server.list_all_resources().await.unwrap();
    let uris: Vec<_> = listed.iter().map(|resource| resource.uri.clone()).collect();
    assert_eq!(uris.len(), 3, "{uris:?}");
    assert_eq!(uris[0], "openclaw:///about");
    assert_eq!(uris[1], "openclaw:///MEMORY.md");
    let read = ReadResourceRequestParams::new(uris[2].clone());
    let read = server.read_resource(read).await.unwrap();
    let text = serde_json::to_string(&read.contents).unwrap();
    assert!(text.contains("The ferry leaves at noon."), "{text}");
    assert!(!text.contains("<!--"), "{text}");
    for uri in [
        "openclaw:///../config.yaml",
        "openclaw:///SOUL.md",
        "file:///etc/passwd",
    ] {
        let refused = server
            .read_resource(ReadResourceRequestParams::new(uri))
            .await;
        assert!(refused.is_err(), "{uri}");
    }
    #[expect(
        deprecated,
        reason = "clients of the protocol's earlier versions subscribe like this"
    )]
    server
        .subscribe(SubscribeRequestParams::new(uris[1].clone()))
        .await
        .unwrap();
    home.write_memory("# Long-term memory\n\n- I live in Graz.\n");
    tokio::time::timeout(Duration::from_mins(1), client.updated.notified())
        .await
        .unwrap();
}

#[tokio::test]
async fn client_without_handshake_is_notified_of_watched_note() {
    let home = TestHome::new();
    let server = connect_without_handshake(&home, Client::default()).await;
    let wanted = SubscriptionFilter::builder()
        .resources_list_changed()
        .resource_subscription("openclaw:///MEMORY.md")
        .build();
    let mut stream = server.listen(wanted.clone()).await.unwrap();
    assert_eq!(*stream.acknowledged(), wanted);
    home.write_memory("# Long-term memory\n\n- I live in Graz.\n");
    loop {
        let told = tokio::time::timeout(Duration::from_mins(1), stream.next()).await;
        if let ServerNotification::ResourceUpdatedNotification(update) =
            told.unwrap().unwrap().unwrap()
        {
            assert_eq!(update.params.uri, "openclaw:///MEMORY.md");
            break;
        }
    }
}

#[tokio::test]
async fn chatgpt_dialect_searches_and_fetches() {
    let home = TestHome::new();
    let server = connect(&home, &["--dialect", "chatgpt"], Client::default()).await;
    home.note(
        "2026-03-02",
        "# 2026-03-02\n\n- The ferry leaves at noon.\n",
    );
    let found = call(&server, "search", json!({ "query": "ferry" })).await;
    let found: Value = serde_json::from_str(&found).unwrap();
    let id = found["results"][0]["id"].as_str().unwrap();
    assert_eq!(id, "memory/2026-03-02.md:3");
    let fetched = call(&server, "fetch", json!({ "id": id })).await;
    let fetched: Value = serde_json::from_str(&fetched).unwrap();
    let keys: BTreeSet<&str> = fetched
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, BTreeSet::from(["id", "title", "text", "url"]));
    fetched["text"]
        .as_str()
        .unwrap()
        .holds("The ferry leaves at noon.");
}

#[test]
fn i16_mcp_server_answers_after_invalid_lines() {
    let home = TestHome::new();
    let mut child = home.spawn("mcp");
    let unknown = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "memory_search", "arguments": { "query": 7 } },
    });
    let ping = json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" });
    let wrong = json!({
        "jsonrpc": "2.0", "id": 4, "method": "tools/call",
        "params": { "name": "memory_search", "arguments": "ferry" },
    });
    let other = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/hide" });
    let lines = format!(
        "{GREETING}no json\n[1, 2]\n{{\"a\": \u{1F600}\n{unknown}\n{wrong}\n{other}\n{ping}\n"
    );
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let stdout = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of(0)["result"]["serverInfo"]["name"], "openclaw");
    assert_eq!(of(2)["result"]["isError"], true, "{stdout}");
    let reason = of(2)["result"]["content"][0]["text"].as_str().unwrap();
    reason.begins("The arguments cannot be read: `query`: invalid type: integer `7`");
    let codes = |code: i64| {
        answers
            .iter()
            .filter(|it| it["error"]["code"] == code)
            .count()
    };
    assert_eq!(codes(-32700), 2, "{stdout}");
    assert_eq!(of(3)["result"], json!({}));
    assert_eq!(of(4)["error"]["code"], -32602, "{stdout}");
    let reason = of(4)["error"]["message"].as_str().unwrap();
    reason.holds("tools/call: invalid type: string \"ferry\"");
    assert_eq!(of(5)["error"]["code"], -32601, "{stdout}");
}

/// The number of the line of the log of 2 March 2026 that has this text.
fn line_of(home: &TestHome, text: &str) -> usize {
    let log = home.read("workspace/memory/2026-03-02.md");
    1 + log.lines().position(|line| line.contains(text)).unwrap()
}

#[tokio::test]
async fn note_of_program_is_updated_and_note_of_owner_stays() {
    let home = TestHome::init();
    home.note(
        "2026-03-01",
        "# 2026-03-01\n\n- The gate code of the office is 4711\n",
    );
    let server = connect(&home, &[], Client::default()).await;
    let noted = json!({ "text": "The office of Bea is in room 12.", "day": "2026-03-02" });
    let noted = call(&server, "remember", noted).await;
    noted.begins("Noted in memory/2026-03-02.md:");
    noted.holds(" for 2026-03-02.");
    let near = remember(&server, "The office of Bea is in room 14.").await;
    near.holds("memory/2026-03-02.md:");
    near.holds("says nearly the same");
    let place = near
        .split_whitespace()
        .find(|word| word.starts_with("memory/2026-03-02.md:"));
    let update = json!({ "text": "The office of Bea is in room 14.", "replaces": place.unwrap() });
    let updated = call(&server, "remember", update).await;
    updated.holds(" The old note was taken out; `openclaw --home ");
    home.read("workspace/memory/2026-03-02.md").lacks("room 12");
    // The place is that of the log after the old note has left it.
    let update = json!({ "text": "The desk of Bea is in room 15.", "day": "2026-03-02" });
    let noted = call(&server, "remember", update).await;
    let old = format!("memory/2026-03-02.md:{}", line_of(&home, "room 15"));
    noted.holds(&old);
    let update = json!({ "text": "Her desk is in room 16.", "day": "2026-03-02", "replaces": old });
    let updated = call(&server, "remember", update).await;
    updated.holds(&format!(
        "memory/2026-03-02.md:{} ",
        line_of(&home, "room 16")
    ));
    let found = search(&server, "office of Bea").await;
    found.holds("room 14");
    found.lacks("room 12");
    let log = home.read("workspace/memory/2026-03-01.md");
    let line = 1 + log.lines().position(|line| line.contains("4711")).unwrap();
    let update = json!({
        "text": "The gate code of the office is 0815.",
        "replaces": format!("memory/2026-03-01.md:{line}"),
    });
    let kept = call(&server, "remember", update).await;
    kept.holds(" stays, because it is in the owner's words");
    home.read("workspace/memory/2026-03-01.md").holds("4711");
    let wrong = json!({ "text": "Bea is away.", "replaces": "nowhere" });
    let wrong = call(&server, "remember", wrong).await;
    wrong.begins("error: ");
    wrong.holds("replaces");
}

#[tokio::test]
async fn roots_of_client_set_repository_of_its_notes() {
    let home = TestHome::init();
    let [ours, other] = ["lantern", "harbour"].map(|name| {
        let path = home.folder().join(name);
        make_repository(&path, &format!("https://example.org/acme/{name}"));
        path
    });
    let at = |roots: &[PathBuf]| Client {
        roots: roots.to_vec(),
        ..Client::default()
    };
    let server = connect(&home, &[], at(std::slice::from_ref(&ours))).await;
    let _noted = remember(&server, "The lantern ships from pier seven.").await;
    search(&server, "Where does the lantern ship from?")
        .await
        .holds("pier seven");
    for roots in [
        vec![other.clone()],
        Vec::new(),
        vec![home.folder().to_owned()],
    ] {
        let elsewhere = connect(&home, &[], at(&roots)).await;
        let found = search(&elsewhere, "Where does the lantern ship from?").await;
        found.lacks("pier seven");
    }
    let below = connect(&home, &[], at(&[home.folder().to_owned(), ours])).await;
    search(&below, "Where does the lantern ship from?")
        .await
        .holds("pier seven");
}

#[tokio::test]
async fn mcp_prompts_contain_memory() {
    let home = TestHome::init();
    home.write_memory("# Long-term memory\n\n## Facts\n\n- Bea lives in Graz.\n");
    let server = connect(&home, &[], Client::default()).await;
    let listed = server.list_all_prompts().await.unwrap();
    let names: Vec<_> = listed.iter().map(|prompt| prompt.name.as_str()).collect();
    assert_eq!(names, ["recall", "about_me"]);
    let mut shown = String::new();
    for (name, arguments) in [
        ("recall", json!({ "about": "Where Bea lives" })),
        ("about_me", json!({})),
    ] {
        let Value::Object(arguments) = arguments else {
            unreachable!()
        };
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let prompt = server.get_prompt(request).await.unwrap();
        let text = &prompt.messages[0].content.as_text().unwrap().text;
        write!(shown, "== {name}\n{text}\n").unwrap();
    }
    assert_snapshot!("prompts", shown);
    let missing = server
        .get_prompt(GetPromptRequestParams::new("recall"))
        .await;
    missing
        .unwrap_err()
        .to_string()
        .holds("recall: `about` must be a text");
}
