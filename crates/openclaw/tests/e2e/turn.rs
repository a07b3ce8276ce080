//! The turn: its stages in order, the lines that it appends, and the requests to the model.
//!
//! Shows every request whole.

use std::sync::Arc;

use agent::{Event, TurnError};
use base::disk::MemoryDisk;
use base::model::{Purpose, ReplyEvent};
use base::{Block, Message, Origin, StopReason, ToolOutcome};
use compaction::WindowEvent;
use insta::assert_snapshot;
use testkit::context_view;

use crate::pipeline::{Double, Home, MAIN, call, done, extract, matter, put, said, unavailable};

const NOON: &str = "2026-04-20T12:00:00Z";

fn home(model: &Arc<Double>, window: u64) -> (MemoryDisk, Home) {
    let disk = MemoryDisk::new();
    for (path, text) in [
        ("AGENTS.md", "Be brief.\n"),
        ("USER.md", "Lives in Lisbon.\n"),
        ("MEMORY.md", "- The fence is green.\n"),
        (
            "memory/2026-04-19.md",
            "# 2026-04-19\n\n- Bought a brush.\n",
        ),
        ("memory/2026-04-12.md", "# 2026-04-12\n\n- Long ago.\n"),
    ] {
        put(&disk, &format!("workspace/{path}"), text.as_bytes());
    }
    let home = Home::new(disk.clone(), window).with_models(model, model);
    (disk, home)
}

const FENCE: &str = r#"{"path":"fence.txt"}"#;

/// The kind of an event, in one word.
fn word(event: &Event) -> &'static str {
    match event {
        Event::Window(WindowEvent::FlushStarted { .. }) => "flush",
        Event::Window(WindowEvent::FlushEnded { .. }) => "flushed",
        Event::Window(WindowEvent::CompactStarted { .. }) => "compact",
        Event::Window(WindowEvent::CompactEnded { .. }) => "compacted",
        Event::ReplyDelta(_) => "reply",
        Event::ToolStarted { .. } => "started",
        Event::ToolEnded { .. } => "ended",
        Event::Window(WindowEvent::ContextWarning { .. } | WindowEvent::CompactDropped { .. })
        | Event::FallbackModel { .. }
        | Event::AskedAgain { .. }
        | Event::ThinkingDelta(_)
        | Event::Recalled { .. }
        | Event::WaitingForTurn { .. }
        | Event::Message { .. }
        | Event::MemoryChanged(_)
        | Event::Notice(_)
        | Event::ReminderDue(_)
        | Event::Warning(_) => "other",
    }
}

#[test]
fn turn_appends_question_calls_results_and_reply() {
    let model = Double::new(|request| {
        let has_results = request
            .messages
            .iter()
            .any(|it| matches!(it, Message::ToolResult(_)));
        if has_results {
            return said("There is no such tool.");
        }
        Ok(vec![
            ReplyEvent::Text("Let me look.".into()),
            call("c1", "read", FENCE),
            call("c2", "paint", FENCE),
            done(StopReason::ToolUse),
        ])
    });
    let (_, home) = home(&model, 20_000);
    let (reply, events) = home.turn(MAIN, NOON, "Which colour has the fence?");
    assert_eq!(
        Message::Assistant(reply.unwrap()).text(),
        "There is no such tool."
    );
    let told: Vec<&str> = events.iter().map(word).collect();
    assert_eq!(
        told,
        ["reply", "started", "ended", "started", "ended", "reply"]
    );
    let transcript = home.transcript(MAIN);
    let stored: Vec<(&str, Option<Origin>, String)> = transcript
        .stored()
        .into_iter()
        .map(|(_, stored)| (stored.message.role(), stored.origin, stored.message.text()))
        .collect();
    let (owner, agent, tool) = (
        Some(Origin::Owner),
        Some(Origin::Agent),
        Some(Origin::Untrusted),
    );
    assert_eq!(
        stored,
        [
            ("user", owner, "Which colour has the fence?".to_owned()),
            ("assistant", agent, "Let me look.".to_owned()),
            (
                "toolResult",
                tool,
                "There is no tool named \"read\".".to_owned()
            ),
            (
                "toolResult",
                tool,
                "There is no tool named \"paint\".".to_owned()
            ),
            ("assistant", agent, "There is no such tool.".to_owned()),
        ]
    );
    let outcomes: Vec<(String, ToolOutcome)> = transcript
        .messages()
        .into_iter()
        .filter_map(|message| match message {
            Message::ToolResult(result) => Some((result.call_id.to_string(), result.outcome)),
            Message::User { .. } | Message::Assistant(_) => None,
        })
        .collect();
    let failed = ToolOutcome::Failure;
    assert_eq!(
        outcomes,
        [("c1".to_owned(), failed), ("c2".to_owned(), failed)]
    );
    transcript.assert_no_errors();
}

#[test]
fn endless_tool_calls_end_turn_with_error() {
    let model = Double::new(|request| {
        if request.purpose == Purpose::Chat {
            Ok(vec![call("c1", "read", FENCE), done(StopReason::ToolUse)])
        } else {
            extract(request)
        }
    });
    let (_, home) = home(&model, 20_000);
    let (result, _) = home.turn(MAIN, NOON, "Which colour has the fence?");
    assert!(
        matches!(result, Err(TurnError::TooManyRounds)),
        "{result:?}"
    );
    let transcript = home.transcript(MAIN);
    assert_eq!(
        transcript.course().last(),
        Some(&"toolResult"),
        "no call is left open"
    );
    transcript.assert_no_errors();
}

#[test]
fn i1_question_is_kept_when_model_fails() {
    let model = Double::new(|_| Err(unavailable()));
    let (disk, home) = home(&model, 20_000);
    let (result, _) = home.turn(MAIN, NOON, "Which colour has the fence?");
    assert_eq!(
        result.unwrap_err().to_string(),
        "model double is unavailable: no route to host"
    );
    assert_eq!(
        home.transcript(MAIN).messages(),
        [Message::user("Which colour has the fence?")]
    );

    let model = Double::new(|_| said("Green."));
    let home = Home::new(disk, 20_000).with_models(&model, &model);
    home.say(MAIN, NOON, "Are you there?");
    assert_eq!(
        home.transcript(MAIN).course(),
        ["user", "user", "assistant"]
    );
}

#[test]
fn turn_flushes_and_compacts_before_reply() {
    let model = Double::new(extract);
    let (_, home) = home(&model, 2_600);
    let text = "the fence needs paint ".repeat(35);
    let events: Vec<Event> = (0..6).flat_map(|_| home.say(MAIN, NOON, &text)).collect();
    let words: Vec<&str> = events
        .iter()
        .map(word)
        .filter(|word| *word != "reply")
        .collect();
    assert_eq!(words, ["flush", "flushed", "compact", "compacted"]);
    let purposes: Vec<Purpose> = model.requests().iter().map(|it| it.purpose).collect();
    let place = purposes
        .iter()
        .position(|it| *it == Purpose::Flush)
        .unwrap();
    assert_eq!(
        purposes[place - 1..=place + 2],
        [
            Purpose::Chat,
            Purpose::Flush,
            Purpose::Summarise,
            Purpose::Chat
        ]
    );
    // The question, the flush, the compaction, the reply.
    let transcript = home.transcript(MAIN);
    let course = transcript.course();
    let place = course.iter().position(|it| *it == "intent").unwrap();
    assert_eq!(
        course[place - 1..place + 5],
        ["user", "intent", "meta", "compaction", "meta", "assistant"]
    );
}

/// The view with `[ID]` in place of ids, which differ from run to run.
fn normalised(view: &str) -> String {
    let pattern = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    let ids = regex::Regex::new(pattern).unwrap();
    ids.replace_all(view, "[ID]").into_owned()
}

#[test]
fn i8_first_request_shows_context_but_stores_question_only() {
    let model = Double::new(extract);
    let (_, home) = home(&model, 20_000);
    home.say(MAIN, NOON, "Which colour has the fence?");
    let asked = model.requests_for(Purpose::Chat).pop().unwrap();
    assert_snapshot!(context_view(&asked));
    // What was shown for this request alone is stored nowhere.
    let question = Message::user("Which colour has the fence?");
    assert_eq!(home.transcript(MAIN).messages()[0], question);
}

/// The request after which messages left the window, in a session.
fn after_compaction(session: &str, window: u64) -> String {
    let model = Double::new(extract);
    let (_, home) = home(&model, window);
    for number in 0..6 {
        home.say(session, NOON, &matter(number, 35));
    }
    assert_eq!(home.transcript(session).compactions().len(), 1);
    let asked = model.requests_for(Purpose::Chat).pop().unwrap();
    let is_suffix = |block: &Block| matches!(block, Block::Text(text) if text.starts_with("<now>"));
    let n_suffixes = asked
        .messages
        .iter()
        .flat_map(Message::content)
        .filter(|it| is_suffix(it));
    assert_eq!(n_suffixes.count(), 1);
    normalised(&context_view(&asked))
}

#[test]
fn main_session_request_after_compaction_matches_snapshot() {
    assert_snapshot!(after_compaction(MAIN, 2_600));
}

#[test]
fn secondary_session_request_after_compaction_matches_snapshot() {
    assert_snapshot!(after_compaction("other", 2_300));
}

#[test]
fn oversized_message_notice_is_shown_once() {
    let model = Double::new(extract);
    let (_, home) = home(&model, 16_000);
    let notices = |text: &str| -> Vec<String> {
        let events = home.say(MAIN, NOON, text);
        let notices = events.into_iter().filter_map(|event| {
            if let Event::Notice(text) = event {
                Some(text)
            } else {
                None
            }
        });
        notices.collect()
    };
    let told = "Your message takes 4,504 tokens, too many for this window: the model sees only 3,999 of them, from its \
                beginning and its end. The transcript keeps all of it.";
    assert_eq!(notices(&"a long tale ".repeat(1_500)), [told]);
    assert_eq!(notices("And then?"), Vec::<String>::new());
}
