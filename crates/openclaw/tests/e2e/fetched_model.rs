//! Models that the owner names for vectors: how they are downloaded, and what happens if something is missing.
//!
//! No model is run: the runtime that runs them is not part of the program.

use std::path::Path;
use std::sync::Mutex;

use base::disk::MemoryDisk;
use models::OnnxModel;
use serde_json::json;
use testkit::{ChatServer, ServerAnswer, TestHome, Words, fields};

const BELOW: &str = "/Qdrant/all-MiniLM-L6-v2-onnx/resolve/main";

fn model() -> OnnxModel {
    OnnxModel::named("all-MiniLM-L6-v2", Path::new("/h/models")).unwrap()
}

/// The files on the disk after a download from a server that answers the requests for the graph with these answers, in
/// order; further files are correct.
fn fetch(
    graph: impl IntoIterator<Item = ServerAnswer>,
    n_tries: usize,
) -> (Vec<(String, String)>, Vec<String>) {
    let graph: Vec<ServerAnswer> = graph.into_iter().collect();
    let left = Mutex::new(graph.into_iter());
    let mut server = ChatServer::start([])
        .answering(&format!("GET {BELOW}/model.onnx"), move |_| {
            left.lock()
                .unwrap()
                .next()
                .unwrap_or_else(|| ServerAnswer::pieces(["gra", "ph"]))
        })
        .always(
            &format!("GET {BELOW}/special_tokens_map.json"),
            ServerAnswer::json(404, "{}"),
        )
        .always(
            "GET /elsewhere",
            ServerAnswer::pieces(["graph of elsewhere"]),
        );
    for file in ["tokenizer.json", "config.json", "tokenizer_config.json"] {
        server = server.always(
            &format!("GET {BELOW}/{file}"),
            ServerAnswer::json(200, file),
        );
    }
    let disk = MemoryDisk::new();
    let mut told = Vec::new();
    for _ in 0..n_tries {
        let mut last = (0, 0);
        let fetched = model().fetch(&disk, &server.url(""), &mut |done, known| {
            last = (done, known);
        });
        told.push(match fetched {
            Ok(()) => format!("{} of {} bytes", last.0, last.1),
            Err(error) => error.to_string().replace(&server.url(""), "http://it"),
        });
    }
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let name = |path: std::path::PathBuf| {
        let below = path.strip_prefix("/h/models/AllMiniLML6V2").unwrap();
        below.to_str().unwrap().to_owned()
    };
    let files = disk
        .snapshot()
        .into_iter()
        .map(|(path, bytes)| (name(path), text(bytes)));
    (files.collect(), told)
}

fn files(graph: &[&str]) -> Vec<(String, String)> {
    let small = ["config.json", "tokenizer.json", "tokenizer_config.json"];
    let mut files: Vec<(String, String)> = small
        .iter()
        .map(|name| ((*name).to_owned(), (*name).to_owned()))
        .collect();
    files.extend(
        graph
            .iter()
            .map(|graph| ("model.onnx".to_owned(), (*graph).to_owned())),
    );
    files.sort();
    files
}

#[test]
fn fetch_downloads_model_whole_and_once() {
    let (found, told) = fetch([], 2);
    assert_eq!(found, files(&["graph"]));
    assert_eq!(told, ["51 of 51 bytes", "0 of 0 bytes"]);
}

#[test]
fn fetch_follows_redirect() {
    let sent = ServerAnswer::json(302, "").with_header("location", "/elsewhere");
    let (found, _) = fetch([sent], 1);
    assert_eq!(found, files(&["graph of elsewhere"]));
}

#[test]
fn fetch_discards_partial_file_and_downloads_it_again() {
    let cut = ServerAnswer::pieces(["gra"]).cut();
    let (found, told) = fetch([cut.clone()], 1);
    let half: Vec<_> = found
        .iter()
        .filter(|(name, _)| name == "model.onnx")
        .collect();
    assert_eq!(half, Vec::<&(String, String)>::new());
    told[0].begins("cannot download http://it/Qdrant/");

    let (found, told) = fetch([cut, ServerAnswer::json(503, "busy")], 3);
    assert_eq!(
        told[1..],
        [
            format!("cannot download http://it{BELOW}/model.onnx: 503 Service Unavailable"),
            "5 of 5 bytes".to_owned()
        ]
    );
    // There is not even a half of one next to their places.
    assert_eq!(found, files(&["graph"]));
}

#[test]
fn i17_password_in_address_is_not_shown() {
    let disk = MemoryDisk::new();
    // Nobody listens there.
    let url = "http://ann:hunter22@127.0.0.1:9/models";
    let fetched = model().fetch(&disk, url, &mut |_, _| {});
    let told = fetched.unwrap_err().to_string();
    let expected = "cannot download http://127.0.0.1:9/models/Qdrant/";
    assert!(told.starts_with(expected), "{told}");
    assert!(!told.contains("hunter22"), "{told}");
    assert_eq!(models::shown_address(url), "http://127.0.0.1:9/models");
    for plain in ["https://it", "the server", "http://it/v1 "] {
        assert_eq!(models::shown_address(plain), plain);
    }
}

const LOG: &str = "# 2026-04-20\n\n## 09:00\n\n- Milo eats tuna.\n";

#[test]
fn bundled_model_replaces_model_that_cannot_run() {
    let home = TestHome::init();
    home.note("2026-04-20", LOG);
    let library = home.input("runtime.so", "no library");
    // Every file that a model needs is there.
    for file in [
        "model.onnx",
        "tokenizer.json",
        "config.json",
        "tokenizer_config.json",
    ] {
        home.write(&format!("models/mine/{file}"), r#"{"hidden_size":8}"#);
    }
    let directory = home.path().join("models/mine");
    let settings = format!(
        "memory: {{embedding: {{provider: fastembed, model: {}}}}}\n",
        directory.display()
    );
    home.write("config.yaml", settings);
    for command in [
        &["memory", "search", "--json", "what does Milo eat"][..],
        &["memory", "index"],
        &["memory", "status"],
        &["chat", "-m", "what does Milo eat"],
    ] {
        let mut started = home.command(command);
        started.env("ORT_DYLIB_PATH", &library);
        let run = home.finish(started).with_code(0);
        let told = format!("{}{}", run.stdout, run.stderr);
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_told = told.contains("cannot run the embedding model mine: ");
        let is_lame = told.contains("words only");
        assert!(is_told && !is_lame, "{told}");
        if command.contains(&"--json") {
            let answer = &run.json_lines()[0];
            assert_eq!(
                fields(answer, ["mode", "degraded"]),
                json!(["hybrid", "embedder-missing"])
            );
        }
    }
}

#[test]
fn bundled_model_replaces_missing_model_and_reports_it() {
    let home = TestHome::init();
    home.note("2026-04-20", LOG);
    home.write(
        "config.yaml",
        "memory: {embedding: {provider: fastembed, model: /nowhere}}\n",
    );
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("ORT_DYLIB_PATH", "/nowhere/runtime.so");
        home.finish(command)
    };
    let search = run(&["memory", "search", "--json", "what does Milo eat"]).with_code(0);
    let answer = search.json();
    let found = &answer["results"][0]["text"];
    assert_eq!(
        (&answer["mode"], &answer["degraded"], found),
        (
            &json!("hybrid"),
            &json!("embedder-missing"),
            &json!("- Milo eats tuna.")
        )
    );
    search.stderr.holds("/nowhere has no model.onnx");
    let told = run(&["chat", "--json", "-m", "what does Milo eat"]).json_lines();
    let recall = told.iter().find(|it| it["event"] == "recall").unwrap();
    assert_eq!(recall["degraded"], json!("embedder-missing"));
    run(&["memory", "search", "--strict", "what does Milo eat"]).with_code(3);
    run(&["memory", "status"]).stdout.holds("the stand-in: ");
    run(&["memory", "add", "Milo is nine."]).with_code(0);
}
