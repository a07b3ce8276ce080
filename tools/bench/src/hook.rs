//! Compares the latency of the prompt hook with that of a search for the same prompt, with one process per call, on a
//! home with synthetic notes and conversations.
//!
//! Prints figures and asserts none. A home named with `--home` is built once and reused.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Disk;
use base::disk::OsDisk;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::Result;
use crate::called::CalledProgram;
use crate::scale::{MadeUp, MadeUpSection, at_least_one, notes, quantile};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program
    #[arg(long, value_name = "FILE", default_value = "target/release/openclaw")]
    program: PathBuf,
    /// How many passages: four fifths in daily logs, the others messages of conversations
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = at_least_one())]
    passages: usize,
    /// How many prompts, each given to the hook and to a search in turn
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = at_least_one())]
    prompts: usize,
    /// Where to build and keep the home; an existing one is used as it is
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

/// Number of messages per conversation.
const CONVERSATION_MESSAGES: usize = 100;

/// Number of questions per prompt, because a prompt is longer than a question.
const PROMPT_QUESTIONS: usize = 2;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let vanishing = tempfile::tempdir()?;
    let home = arguments.home.as_deref().unwrap_or(vanishing.path());
    let mut made_up = MadeUp::new()?;
    // The texts are generated even for an existing home, in another place: they are deterministic, and the questions
    // are made from them.
    let is_there = OsDisk.stat(&home.join("index"))?.is_some();
    let folder = if is_there { vanishing.path() } else { home };
    let asked = write_home(&mut made_up, folder, arguments.passages)?;
    let called = CalledProgram::ours(&arguments.program, home);
    if !is_there {
        let (_, took) = called.run(&["memory", "index"], "")?;
        writeln!(out, "indexed in {:.1} s", took.as_secs_f64())?;
    }
    let mut times: [Vec<Duration>; 2] = [Vec::new(), Vec::new()];
    let mut n_answered = 0;
    for section in asked.iter().cycle().take(arguments.prompts) {
        let questions: Vec<String> = (0..PROMPT_QUESTIONS)
            .map(|_| made_up.question(section))
            .collect();
        let prompt = questions.join(" ");
        let told = json!({ "hook_event_name": "UserPromptSubmit", "cwd": home, "prompt": prompt });
        let [hook, search] = &mut times;
        let event = ["hook", "claude-code", "UserPromptSubmit"];
        let (answer, took) = called.run(&event, &told.to_string())?;
        n_answered += usize::from(!answer.is_empty());
        hook.push(took);
        let (_, took) = called.run(&["memory", "search", "--json", &prompt], "")?;
        search.push(took);
    }
    writeln!(
        out,
        "{n_answered} of {} prompts answered",
        arguments.prompts
    )?;
    let mut medians = Vec::new();
    for (name, times) in ["hook", "search"].into_iter().zip(&mut times) {
        times.sort_unstable();
        let at = |share: f64| quantile(times, share).as_secs_f64() * 1e3;
        medians.push(at(0.5));
        writeln!(
            out,
            "{name}: p50 {:.1} ms, p95 {:.1} ms, fastest {:.1}, slowest {:.1}",
            at(0.5),
            at(0.95),
            at(0.0),
            at(1.0),
        )?;
    }
    if let [hook, search] = medians.as_slice() {
        writeln!(out, "ratio of the medians {:.2}", hook / search)?;
    }
    Ok(())
}

/// Writes daily logs and conversations; returns the sections of the logs to ask about.
fn write_home(made_up: &mut MadeUp, home: &Path, n_passages: usize) -> Result<Vec<MadeUpSection>> {
    let n_said = n_passages / 5;
    let asked = notes(
        made_up,
        &OsDisk,
        &home.join("workspace/memory"),
        n_passages - n_said,
    )?;
    let sessions = home.join("sessions");
    OsDisk.create_dir(&sessions)?;
    let mut at = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(20_000);
    for number in 0..n_said.div_ceil(CONVERSATION_MESSAGES) {
        let mut said = Vec::with_capacity(CONVERSATION_MESSAGES);
        while said.len() < CONVERSATION_MESSAGES {
            said.extend(made_up.section().passages);
        }
        let text = conversation(number, &mut at, &said);
        OsDisk.append(
            &sessions.join(format!("talk-{number}.jsonl")),
            text.as_bytes(),
        )?;
    }
    Ok(asked)
}

/// A transcript in which the owner and the assistant alternate.
fn conversation(number: usize, at: &mut DateTime<Utc>, said: &[String]) -> String {
    let header = json!({
        "type": "session", "version": 3, "id": format!("talk-{number}"), "timestamp": at.to_rfc3339(), "cwd": ".",
    });
    let mut text = format!("{header}\n");
    let mut parent = None;
    for (idx, said) in said.iter().enumerate() {
        *at += TimeDelta::minutes(7);
        let id = format!("{number:04x}{idx:04x}");
        let role = if idx % 2 == 0 { "user" } else { "assistant" };
        let entry = json!({
            "type": "message", "id": id, "parentId": parent, "timestamp": at.to_rfc3339(),
            "message": { "role": role, "content": [{ "type": "text", "text": said }] },
        });
        // Writing to a `String` cannot fail.
        writeln!(text, "{entry}").unwrap_or_default();
        parent = Some(id);
    }
    text
}
