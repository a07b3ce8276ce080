//! The nine tools of the reference memory server, kept in one file: `openclaw mcp --dialect graph`.
//!
//! Answers are compared whole with those of the reference server, because clients rely on its texts.

use std::time::Duration;

use insta::assert_snapshot;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, SubscribeRequestParams};
use serde_json::{Value, json};
use testkit::mcp_client::{Client, Connected, GREETING, call, connect};
use testkit::{TestHome, Words};

async fn graph(home: &TestHome) -> Connected {
    connect(home, &["--dialect", "graph"], Client::default()).await
}

/// The structured answer, which must agree with the text.
async fn told(server: &Connected, tool: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments}");
    };
    let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let result = server.call_tool(request).await.unwrap();
    assert_ne!(result.is_error, Some(true), "{result:?}");
    let structured = result.structured_content.unwrap();
    let text = &result.content.first().unwrap().as_text().unwrap().text;
    if let Some(message) = structured.get("message") {
        assert_eq!(message, text);
    } else {
        let text: Value = serde_json::from_str(text).unwrap();
        let only = structured.as_object().unwrap().values().next().unwrap();
        assert!(text == structured || text == *only, "{text} {structured}");
    }
    structured
}

async fn create(server: &Connected, entities: &[Value]) -> Value {
    told(server, "create_entities", json!({ "entities": entities })).await
}

async fn delete(server: &Connected, names: &[&str]) -> Value {
    told(server, "delete_entities", json!({ "entityNames": names })).await
}

fn entity(name: &str, kind: &str, observations: &[&str]) -> Value {
    json!({ "name": name, "entityType": kind, "observations": observations })
}

fn relation(from: &str, kind: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "relationType": kind })
}

#[tokio::test]
async fn graph_dialect_offers_tools_and_resource_of_reference_server() {
    let home = TestHome::new();
    let server = graph(&home).await;
    let tools = server.list_all_tools().await.unwrap();
    assert_snapshot!("graph_tools", serde_json::to_string_pretty(&tools).unwrap());
    let resources = server.list_all_resources().await.unwrap();
    let expected = json!([{
        "uri": "memory://knowledge-graph", "name": "knowledge-graph", "title": "Knowledge Graph",
        "description": "All entities of the graph with their observations, and all relations",
        "mimeType": "application/json",
    }]);
    assert_eq!(json!(resources), expected);
}

#[tokio::test]
async fn entities_observations_and_relations_are_created_and_read() {
    let home = TestHome::new();
    let server = graph(&home).await;
    let ann = entity(
        "Ann",
        "person",
        &[
            "sings",
            "two\nlines",
            "# [[x]] ^5c3dfe72",
            "\u{65e5}\u{672c}",
        ],
    );
    let acme = entity("Acme", "company", &[]);
    let both = json!({ "entities": [ann, acme] });
    assert_eq!(told(&server, "create_entities", both.clone()).await, both);
    let text = call(&server, "create_entities", both).await;
    assert_eq!(text, "[]");
    let links = json!({ "relations": [relation("Ann", "works at", "Acme"), relation("Acme", "near", "Nowhere")] });
    assert_eq!(
        told(&server, "create_relations", links.clone()).await,
        links
    );
    let again = told(&server, "create_relations", links.clone()).await;
    assert_eq!(again, json!({ "relations": [] }));
    let new = json!({ "observations": [{ "entityName": "Ann", "contents": ["sings", "swims"] }] });
    let added = json!({ "results": [{ "entityName": "Ann", "addedObservations": ["swims"] }] });
    assert_eq!(told(&server, "add_observations", new).await, added);
    let bad = json!({ "observations": [
        { "entityName": "Ann", "contents": ["lost"] }, { "entityName": "Bob", "contents": ["x"] },
    ] });
    let refused = call(&server, "add_observations", bad).await;
    assert_eq!(refused, "error: Entity with name Bob not found");

    let ann = entity(
        "Ann",
        "person",
        &[
            "sings",
            "two\nlines",
            "# [[x]] ^5c3dfe72",
            "\u{65e5}\u{672c}",
            "swims",
        ],
    );
    let works = relation("Ann", "works at", "Acme");
    let near = relation("Acme", "near", "Nowhere");
    let whole = json!({ "entities": [ann, acme], "relations": [works, near] });
    assert_eq!(told(&server, "read_graph", json!({})).await, whole);
    for query in ["PERSON", "swim", "ann"] {
        let found = told(&server, "search_nodes", json!({ "query": query })).await;
        assert_eq!(
            found,
            json!({ "entities": [ann], "relations": [works] }),
            "{query}"
        );
    }
    let opened = told(
        &server,
        "open_nodes",
        json!({ "names": ["Acme", "acme", "none"] }),
    )
    .await;
    assert_eq!(
        opened,
        json!({ "entities": [acme], "relations": [works, near] })
    );
    let refused = call(&server, "open_nodes", json!({ "names": "Ann" })).await;
    refused.begins("error: The arguments cannot be read");
}

#[tokio::test]
async fn delete_removes_relations_and_ignores_missing_entities() {
    let home = TestHome::new();
    let server = graph(&home).await;
    let ann = entity("Ann", "person", &["sings", "two\nlines"]);
    create(&server, &[ann, entity("Acme", "company", &[])]).await;
    let near = relation("Acme", "near", "Nowhere");
    let links = json!({ "relations": [relation("Ann", "works at", "Acme"), near] });
    told(&server, "create_relations", links).await;
    let old = json!({ "deletions": [
        { "entityName": "Ann", "observations": ["two\nlines", "never said"] },
        { "entityName": "Bob", "observations": ["x"] },
    ] });
    let done = json!({ "success": true, "message": "Observations deleted successfully" });
    assert_eq!(told(&server, "delete_observations", old).await, done);
    let done = json!({ "success": true, "message": "Relations deleted successfully" });
    assert_eq!(
        told(&server, "delete_relations", json!({ "relations": [near] })).await,
        done
    );
    let done = json!({ "success": true, "message": "Entities deleted successfully" });
    assert_eq!(delete(&server, &["Acme", "Nobody"]).await, done);
    let ann = entity("Ann", "person", &["sings"]);
    let left = json!({ "entities": [ann], "relations": [] });
    assert_eq!(told(&server, "read_graph", json!({})).await, left);
}

#[tokio::test]
async fn open_and_search_nodes_return_relations_of_both_sides() {
    let home = TestHome::new();
    let server = graph(&home).await;
    let nothing = json!({ "entities": [], "relations": [] });
    for (tool, key) in [
        ("create_entities", "entities"),
        ("create_relations", "relations"),
    ] {
        let empty = json!({ key: [] });
        assert_eq!(told(&server, tool, empty.clone()).await, empty);
    }
    assert_eq!(told(&server, "read_graph", json!({})).await, nothing);
    let files = home.list("workspace/memory");
    assert!(!files.contains(&"graph.md".to_owned()), "{files:?}");

    let names = ["Dan", "Eva", "Fay"];
    let all = names.map(|name| entity(name, "person", &[]));
    create(&server, &all).await;
    let links = [("Dan", "Eva"), ("Eva", "Fay"), ("Fay", "Fay")];
    let links = links.map(|(from, to)| relation(from, "knows", to));
    told(&server, "create_relations", json!({ "relations": links })).await;
    let [dan, eva, fay] = links;
    for (name, expected) in [
        ("Dan", vec![&dan]),
        ("Eva", vec![&dan, &eva]),
        ("Fay", vec![&eva, &fay]),
        ("Nobody", vec![]),
    ] {
        for (tool, arguments) in [
            ("open_nodes", json!({ "names": [name] })),
            ("search_nodes", json!({ "query": name.to_uppercase() })),
        ] {
            let found = told(&server, tool, arguments).await;
            assert_eq!(found["relations"], json!(expected), "{tool} {name}");
        }
    }
    delete(&server, &["Fay"]).await;
    let left = told(&server, "read_graph", json!({})).await;
    assert_eq!(left["relations"], json!([dan]));
}

#[tokio::test]
async fn graph_page_is_searchable_and_keeps_lines_of_the_owner() {
    let home = TestHome::new();
    let server = graph(&home).await;
    let page = "workspace/memory/graph.md";
    create(&server, &[entity("Ann", "person", &["plays the cello"])]).await;
    let text = home.read(page);
    text.holds("- Ann (person) ^");
    text.holds("- Ann: plays the cello ^");
    home.write(page, format!("{text}- keeps bees\n\nMet in Graz.\n"));
    let new =
        json!({ "observations": [{ "entityName": "Ann", "contents": ["owns a sailing boat"] }] });
    told(&server, "add_observations", new).await;
    home.read(page).holds("\n- keeps bees\n\nMet in Graz.\n");
    let whole = json!({
        "entities": [entity("Ann", "person", &["plays the cello", "owns a sailing boat"])],
        "relations": [],
    });
    assert_eq!(told(&server, "read_graph", json!({})).await, whole);
    for (question, origin) in [("sailing boat", "agent"), ("keeps bees", "owner")] {
        let found = home.ok(&["memory", "search", question, "--json"]).json();
        let results = found["results"].as_array().unwrap();
        let is_meant = |it: &&Value| it["text"].as_str().unwrap().contains(question);
        let result = results.iter().find(is_meant).unwrap();
        let told = (&result["path"], &result["origin"]);
        let expected = (&json!("memory/graph.md"), &json!(origin));
        assert_eq!(told, expected, "{found}");
    }
    let done = json!({ "success": true, "message": "Entities deleted successfully" });
    assert_eq!(delete(&server, &["Ann"]).await, done);
    let left = home.read(page);
    left.holds("- keeps bees\n\nMet in Graz.\n");
    left.lacks("Ann");
}

#[tokio::test]
async fn forgotten_name_is_hidden_by_search_and_by_graph_until_undo() {
    let home = TestHome::new();
    let server = graph(&home).await;
    let all = [
        entity("Quillon", "person", &["restores church organs"]),
        entity("Bea", "person", &["rows"]),
    ];
    create(&server, &all).await;
    let links = json!({ "relations": [relation("Bea", "is married to", "Quillon")] });
    told(&server, "create_relations", links).await;
    let whole = told(&server, "read_graph", json!({})).await;
    home.ok("memory forget Quillon --yes");
    let left = json!({ "entities": [all[1]], "relations": [] });
    assert_eq!(told(&server, "read_graph", json!({})).await, left);
    home.read("workspace/memory/graph.md").lacks("Quillon");
    for question in [
        "Quillon",
        "who restores church organs",
        "whom did Bea marry",
    ] {
        home.ok(&["memory", "search", question])
            .stdout
            .lacks("Quillon");
    }
    home.ok("doctor").stdout.lacks("record");
    let id = home.ok("memory forget --list --json").json();
    let id = id["forgotten"][0]["id"].as_str().unwrap().to_owned();
    home.ok(&["memory", "forget", "--undo", &id]);
    assert_eq!(told(&server, "read_graph", json!({})).await, whole);
    home.ok("memory search Quillon")
        .stdout
        .holds("church organs");
}

#[tokio::test]
async fn graph_change_notifies_and_is_readable_as_resource() {
    let home = TestHome::new();
    let client = Client::default();
    let server = connect(&home, &["--dialect", "graph"], client.clone()).await;
    let uri = "memory://knowledge-graph";
    #[expect(
        deprecated,
        reason = "clients of the protocol's earlier versions subscribe like this"
    )]
    server
        .subscribe(SubscribeRequestParams::new(uri))
        .await
        .unwrap();
    create(&server, &[entity("Ann", "person", &[])]).await;
    tokio::time::timeout(Duration::from_mins(1), client.updated.notified())
        .await
        .unwrap();
    let read = server
        .read_resource(ReadResourceRequestParams::new(uri))
        .await
        .unwrap();
    let text = json!(read.contents)[0]["text"].as_str().unwrap().to_owned();
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        whole,
        json!({ "entities": [entity("Ann", "person", &[])], "relations": [] })
    );
    let other = ReadResourceRequestParams::new("openclaw:///MEMORY.md");
    assert!(server.read_resource(other).await.is_err());
}

#[tokio::test]
async fn i13_read_only_graph_offers_three_tools() {
    let home = TestHome::new();
    let arguments = ["--dialect", "graph", "--read-only"];
    let server = connect(&home, &arguments, Client::default()).await;
    let tools = server.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["read_graph", "search_nodes", "open_nodes"]);
    let write = CallToolRequestParams::new("delete_entities");
    assert!(server.call_tool(write).await.is_err());
}

#[tokio::test]
async fn i1_concurrent_graph_clients_lose_no_entity() {
    const N_EACH: usize = 20;
    let home = TestHome::new();
    let mut servers = Vec::new();
    for _ in 0..4 {
        servers.push(graph(&home).await);
    }
    let writes = servers.iter().enumerate().map(|(n, server)| async move {
        for m in 0..N_EACH {
            let new = [entity(&format!("e{n}-{m}"), "box", &["full"])];
            assert_eq!(create(server, &new).await, json!({ "entities": new }));
            let shared = json!({ "relations": [relation("hub", &format!("has {n}-{m}"), "x")] });
            assert_eq!(
                told(server, "create_relations", shared.clone()).await,
                shared
            );
        }
    });
    let _written = futures_util::future::join_all(writes).await;
    let whole = told(&servers[0], "read_graph", json!({})).await;
    assert_eq!(whole["entities"].as_array().unwrap().len(), 4 * N_EACH);
    assert_eq!(whole["relations"].as_array().unwrap().len(), 4 * N_EACH);
}

#[test]
fn i1_killed_graph_server_leaves_whole_files() {
    use std::io::{BufRead, BufReader, Write};
    let home = TestHome::new();
    let mut child = home.spawn("mcp --dialect graph");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(GREETING.as_bytes()).unwrap();
    let fact = "long ".repeat(2_000);
    for id in 1..=60 {
        let name = format!("e{id}");
        let arguments = json!({ "entities": [entity(&name, "box", &[&fact])] });
        let params = json!({ "name": "create_entities", "arguments": arguments });
        writeln!(
            stdin,
            "{}",
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
        )
        .unwrap();
    }
    stdin.flush().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let lines = stdout
        .lines()
        .map(Result::unwrap)
        .filter(|line| line.contains("structuredContent"));
    let acknowledged = lines.take(5).count();
    child.kill().unwrap();
    let _code = child.wait().unwrap();
    let page = home.read("workspace/memory/graph.md");
    let graph = home.read("state/graph.jsonl");
    for text in [page, graph] {
        assert!(text.matches(fact.trim()).count() >= acknowledged, "{text}");
        assert!(text.ends_with('\n'));
    }
}
