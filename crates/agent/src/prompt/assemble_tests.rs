//! The exact prompt on the first day, on the hundredth day, and in a session that does not see memory.

use std::sync::Arc;

use base::{Message, TokenCount};
use insta::assert_snapshot;

use super::*;
use crate::prompt::context_parts;
use crate::test_kit::{Home, Script, home, main};

/// A request, word for word.
fn exact(request: &Request) -> String {
    let tools: Vec<&str> = request.tools.iter().map(|it| it.name.as_str()).collect();
    let messages = request.messages.iter();
    let messages = messages.map(|it| format!("=== {}\n{}", it.role(), it.text()));
    let messages = messages.collect::<Vec<_>>().join("\n");
    let (system, tools) = (request.system.trim_end(), tools.join(", "));
    format!("=== system\n{system}\n=== tools\n{tools}\n{messages}\n")
}

fn talk(n_replies: usize) -> (Arc<Script>, Home) {
    let script = Script::replies(n_replies);
    let home = home(Arc::clone(&script) as _);
    home.runtime.home.workspace.init().unwrap();
    // What the templates say is theirs to change.
    home.write("AGENTS.md", "# How to work here\n\nBe careful.\n");
    home.write("SOUL.md", "# Tone\n\nBe brief.\n");
    (script, home)
}

#[tokio::test]
async fn prompt_on_first_day() {
    let (script, home) = talk(1);
    home.write("USER.md", "");
    home.say("2026-03-02T08:00:00Z", "Good morning!").await;
    assert_snapshot!(exact(&script.requests()[0]));
}

async fn hundredth_day() -> (Arc<Script>, Home) {
    let (script, home) = talk(6);
    home.write("USER.md", "- Name: Kim\n");
    home.write("MEMORY.md", "# Long-term memory\n\n- Kim's sister is Ann\n");
    let log = |day: &str, note: &str| {
        let hash = base::short_hash(note);
        let note = format!("# {day}\n\n- {note} <!-- n:1 e:a h:{hash} o:agent -->\n");
        home.write(&format!("memory/{day}.md"), &note);
    };
    log("2025-12-01", "The train to Lyon leaves from platform 7");
    log("2026-03-01", "Kim packed for Lyon");
    log("2026-03-02", "Kim asked for a window seat");
    home.say("2026-02-20T08:00:00Z", "Ann lives in Lyon.").await;
    let seat = "I want a window seat.";
    home.say("2026-03-02T07:00:00Z", seat).await;
    let platform = "Which platform does the train to Lyon leave from?";
    home.say("2026-03-02T18:30:00Z", platform).await;
    (script, home)
}

#[tokio::test]
async fn prompt_on_hundredth_day() {
    let (script, _home) = hundredth_day().await;
    let mut chats = script.requests();
    chats.retain(|request| request.purpose == Purpose::Chat);
    assert_snapshot!(exact(chats.last().unwrap()));
}

#[tokio::test]
async fn prompt_of_session_without_memory() {
    let (script, home) = hundredth_day().await;
    let platform = "Which platform does the train leave from?";
    home.say_in("work", "2026-03-02T18:31:00Z", platform).await;
    assert_snapshot!(exact(script.requests().last().unwrap()));
}

#[tokio::test]
async fn i6_context_parts_add_up_to_request_tokens() {
    let (_script, home) = hundredth_day().await;
    let context = assemble(&home.runtime, &main(), home.turn().view()).unwrap();
    let parts = context_parts(&context);
    let sum: TokenCount = parts.iter().map(|part| part.tokens).sum();
    assert_eq!(sum, context.tokens());
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let expected =
        "instructions, AGENTS.md, SOUL.md, USER.md, MEMORY.md, tools, messages, time, recent logs";
    assert_eq!(names.join(", "), expected);
}

#[test]
fn assemble_names_cut_files() {
    let (_script, home) = talk(0);
    home.write("MEMORY.md", &"- a long memory\n".repeat(5_000));
    let context = assemble(&home.runtime, &main(), &View::default()).unwrap();
    assert_eq!(context.cut_files, ["MEMORY.md"]);
    let suffix = Message::user(context.suffix.clone());
    assert_eq!(context.to_request().messages, [suffix]);
}
