//! The owner's tool servers, from outside: the model's view of them, and the effect of servers that fail.
//!
//! The servers are a few lines of shell and a scripted HTTP server on this machine.

use std::process::Command;

use base::disk::{OsDisk, read_all};
use testkit::{
    ChatServer, ProgramRun, ServerAnswer, TestHome, Transcript, Words, pid_file, tool_server,
};

use crate::chat_with_model::{calls, home, posts, reply, server};

const KEY: &str = "hunter2-and-more";

fn asks(tool: &str) -> ServerAnswer {
    calls("c1", tool, &serde_json::json!({ "city": "Bonn" }))
}

/// A chat in which the model calls the tool once; returns the run and the answer to the model's call.
fn chat_with(mcp: impl Fn(&TestHome) -> String, tool: &str) -> (TestHome, ProgramRun, String) {
    let model = server([asks(tool), reply("Done.")]);
    let home = home(&model.url("/v1"));
    let mcp = format!("mcp.servers=[{}]", mcp(&home));
    let arguments = ["chat", "-m", "How is the weather?", "--set", mcp.as_str()];
    let mut command = home.command(&arguments);
    command.env("SOME_KEY", KEY);
    let run = home.finish(command).with_code(0);
    let asked = model.asked();
    let body = &asked.last().unwrap().body;
    let mut told = body["messages"].as_array().unwrap().iter();
    let told = told.rfind(|it| it["role"] == "tool").unwrap();
    let told = told["content"].as_str().unwrap().to_owned();
    (home, run, told)
}

fn chat(mode: &str, extra: &str) -> (TestHome, ProgramRun, String) {
    chat_with(|home| tool_server(home, mode, extra), "box__weather")
}

const ALWAYS: &str = ", approval: always";

#[test]
fn server_tool_is_offered_called_and_answer_is_marked() {
    let model = server([asks("box__weather"), reply("It rains.")]);
    let home = home(&model.url("/v1"));
    let more = ", approval: always, allow: [weather]";
    let mcp = format!("mcp.servers=[{}]", tool_server(&home, "well", more));
    let run = home.run(&["chat", "-m", "How is the weather?", "--set", &mcp]);
    assert_eq!(run.with_code(0).stdout, "It rains.\n");
    let bodies = posts(&model);
    let tools = bodies[0].body["tools"].as_array().unwrap();
    let offered: Vec<_> = tools
        .iter()
        .map(|tool| &tool["function"])
        .filter(|tool| tool["name"].as_str().unwrap().starts_with("box__"))
        .collect();
    insta::assert_snapshot!(serde_json::to_string_pretty(&offered).unwrap());
    let told = bodies[1].body["messages"].to_string();
    told.holds(r#"<from server=\"box\">\nIt rains.\n</from>"#);
    let said = Transcript::read(&home, "main").messages();
    let roles: Vec<&str> = said.iter().map(|it| it.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "assistant"]);
    let pid = read_all(&OsDisk, &pid_file(&home), 100).unwrap();
    let pid = String::from_utf8(pid).unwrap();
    let alive = Command::new("kill").args(["-0", pid.trim()]).output();
    assert!(!alive.unwrap().status.success(), "the server goes on");
}

#[test]
fn i14_tool_server_gets_only_passed_keys_and_leaks_none() {
    let (_, _, told) = chat("environment", ALWAYS);
    assert!(!told.contains("SOME_KEY") && !told.contains(KEY), "{told}");
    let (home, run, told) = chat("environment", ", approval: always, passEnv: [SOME_KEY]");
    told.holds("SOME_KEY");
    told.holds("[REDACTED]");
    assert!(!run.transcript().contains(KEY));
    for (path, bytes) in home.files() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY), "{}", path.display());
    }
}

#[test]
fn failing_tool_server_is_reported_and_turn_continues() {
    let told = |mode: &str, more: &str| {
        let (home, run, told) = chat(mode, more);
        crate::held::verify_is_clean(&home, "main");
        assert_eq!(run.stdout, "Done.\n", "{mode}");
        format!("{mode}: {told}")
    };
    let soon = ", approval: always, timeoutSeconds: 3";
    let all = [
        told("die", ALWAYS),
        told("nonsense", soon),
        told("flood", soon),
        told("silent", soon),
        told("well", ""),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn unstartable_tool_server_is_reported_and_chat_continues() {
    let missing = |_: &TestHome| "{name: none, command: /no/such/program}".to_owned();
    let (_, run, told) = chat_with(missing, "none__weather");
    assert_eq!(told, "There is no tool named \"none__weather\".");
    let (_, rude, _) = chat("rude", "");
    let (_, mute, _) = chat("mute", ", timeoutSeconds: 1");
    let (_, unnamed, _) = chat("well", ", allow: [snow]");
    let all = [run, rude, mute, unnamed].map(|run| run.stderr);
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn tool_servers_stay_off_in_isolated_sandbox_and_workspace() {
    let model = server([reply("Hello."), reply("Hello.")]);
    let home = home(&model.url("/v1"));
    let server = tool_server(&home, "well", "");
    let mcp = format!("mcp.servers=[{server}]");
    assert_eq!(
        home.ok(&[
            "chat",
            "--isolated",
            "-s",
            "other",
            "-m",
            "Hi",
            "--set",
            &mcp
        ])
        .stdout,
        "Hello.\n"
    );
    let sandbox = ["--set", "sandbox.readOnly=true"];
    let read_only = home.run(&["chat", "-m", "Hi", "--set", &mcp, sandbox[0], sandbox[1]]);
    assert_eq!(read_only.with_code(0).stdout, "Hello.\n");
    home.write(
        "workspace/config.yaml",
        format!("mcp:\n  servers: [{server}]\n"),
    );
    let run = home.run("chat -m Hi").with_code(1);
    run.stderr.holds("mcp.servers cannot be set by a workspace");
    assert!(read_all(&OsDisk, &pid_file(&home), 100).is_err());
}

#[test]
fn http_tool_server_receives_token_and_answers() {
    let answer = |id: u32, result: &str| {
        ServerAnswer::json(
            200,
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        )
    };
    let none = ServerAnswer::json(405, "");
    let tools = ChatServer::start([
        answer(0, r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}"#),
        ServerAnswer::json(202, ""),
        answer(1, r#"{"tools":[{"name":"weather","inputSchema":{"type":"object"}}]}"#),
        answer(2, &format!(r#"{{"content":[{{"type":"text","text":"It snows, {KEY}."}}]}}"#)),
    ])
    .always("GET /mcp", none.clone())
    .always("DELETE /mcp", none);
    let url = tools.url("/mcp");
    let mcp = |_: &TestHome| {
        format!("{{name: web, url: \"{url}\", tokenEnv: SOME_KEY, approval: always}}")
    };
    let (_, run, told) = chat_with(mcp, "web__weather");
    assert_eq!(
        told, "<from server=\"web\">\nIt snows, [REDACTED].\n</from>",
        "{}",
        run.stderr
    );
    let bearer = format!("Bearer {KEY}");
    let posts = posts(&tools);
    assert_eq!(posts.len(), 4);
    assert!(
        posts
            .iter()
            .all(|it| it.header("authorization") == Some(&bearer))
    );
    assert_eq!(posts[3].body["params"]["arguments"]["city"], "Bonn");
}
