//! Turns with a scripted model: streaming, breaking off, tools, recall, and the day before.

use std::sync::Arc;

use base::model::{ModelError, ReplyEvent};
use base::test_kit::Words;
use base::{TokenCount, ToolCall, Usage};
use session::Payload;

use super::*;
use crate::test_kit::{Home, Script, cut_reply, done, home, main, offline_home};
use crate::turn::recall::RECALL_TYPE;

/// Takes a turn that the owner ends once this many pieces have come.
async fn stop_after(home: &Home, n_pieces: usize) -> Assistant {
    let (sender, receiver) = futures_util::future::abortable(std::future::pending::<()>());
    let handle = receiver;
    let stop = pin!(async move {
        // Ready once the owner aborts.
        assert!(sender.await.is_err());
    });
    let mut n_seen = 0;
    let mut on_event = |event| {
        if matches!(event, Event::ReplyDelta(_)) {
            n_seen += 1;
        }
        if n_seen >= n_pieces {
            handle.abort();
        }
    };
    if n_pieces == 0 {
        on_event(Event::Warning("now".into()));
    }
    let input = TurnInput::Owner(Message::user("Tell me all."));
    let reply = run_turn_until(&home.runtime, &main(), input, stop, &mut on_event).await;
    reply.unwrap()
}

fn text(piece: &str) -> ReplyEvent {
    ReplyEvent::Text(piece.into())
}

fn replies(home: &Home) -> Vec<Assistant> {
    let mut replies = Vec::new();
    for stored in home.messages(&main()) {
        if let Message::Assistant(reply) = stored.message {
            replies.push(reply);
        }
    }
    replies
}

#[tokio::test]
async fn reply_is_streamed_and_stored_with_usage() {
    let usage = Usage {
        input: TokenCount(12),
        output: TokenCount(3),
        ..Usage::default()
    };
    let end = ReplyEvent::Done {
        stop: StopReason::Stop,
        usage: Some(usage),
    };
    let thinking = ReplyEvent::Thinking("hm".into());
    let pieces = [thinking, text("Good "), text("morning."), end].map(Ok);
    let home = home(Arc::new(Script::new().streams(pieces.into())));
    let (reply, events) = home.say_in("main", "2026-03-02T08:00:00Z", "Hello").await;
    assert_eq!(reply, "Good morning.");
    let told = [
        Event::ThinkingDelta("hm".into()),
        Event::ReplyDelta("Good ".into()),
        Event::ReplyDelta("morning.".into()),
    ];
    assert_eq!(events, told);
    // Beside it stands what was counted before it was sent.
    let kept = replies(&home)[0].usage.unwrap();
    let estimate = kept.estimate;
    assert!(estimate > Some(TokenCount::ZERO));
    assert_eq!(kept, Usage { estimate, ..usage });
}

fn call() -> ReplyEvent {
    ReplyEvent::ToolCall(ToolCall {
        id: base::ToolCallId::new("c"),
        name: "memory_search".into(),
        arguments: "{}".into(),
    })
}

#[tokio::test]
async fn reply_broken_off_by_model_runs_no_tool_calls() {
    let end = ReplyEvent::Done {
        stop: StopReason::Aborted,
        usage: None,
    };
    let script = Script::new().streams([call(), text("One"), end].map(Ok).into());
    let home = home(Arc::new(script));
    assert_eq!(home.say("2026-03-02T08:00:00Z", "Hello").await, "One");
    let said = home.messages(&main()).into_iter();
    let roles: Vec<&str> = said.map(|stored| stored.message.role()).collect();
    assert_eq!(roles, ["user", "assistant"]);
}

#[tokio::test]
async fn i3_stopped_turn_keeps_partial_reply() {
    let pieces = [call(), text("One, "), text("two")].map(Ok);
    let script = Script::new().streams(pieces.into()).says("Three.");
    let home = home(Arc::new(script));
    let reply = stop_after(&home, 2).await;
    assert_eq!(reply, cut_reply("One, two", StopReason::Aborted));
    assert_eq!(replies(&home), [reply]);
    // The conversation continues from there.
    assert_eq!(home.say("2026-03-02T08:01:00Z", "Go on").await, "Three.");
}

#[tokio::test]
async fn i3_reply_stopped_before_its_first_word_leaves_nothing_behind() {
    let script = Arc::new(Script::new().says("Yes."));
    let home = home(Arc::clone(&script) as _);
    let reply = stop_after(&home, 0).await;
    assert_eq!(reply, cut_reply("", StopReason::Aborted));
    assert_eq!(replies(&home), []);
    let reply = home.say("2026-03-02T08:01:00Z", "Still there?").await;
    assert_eq!(reply, "Yes.");
    let request = script.requests().remove(0);
    let roles: Vec<&str> = request.messages.iter().map(Message::role).collect();
    assert_eq!(roles, ["user", "user"]);
}

#[tokio::test]
async fn i1_failed_stream_keeps_partial_reply_and_returns_error() {
    let error = ModelError::Broken {
        model: "script".into(),
        reason: "the line is dead".into(),
    };
    let script = Script::new().streams(vec![Ok(text("Half")), Err(error.clone())]);
    let home = home(Arc::new(script));
    let reply = run_turn(&home.runtime, &main(), Message::user("Hi"), &mut |_| {}).await;
    assert!(matches!(reply, Err(TurnError::Model(found)) if found == error));
    assert_eq!(replies(&home), [cut_reply("Half", StopReason::Error)]);
}

#[tokio::test]
async fn turn_recalls_passages_and_stores_only_their_places() {
    let script = Script::replies(3);
    let home = home(Arc::clone(&script) as _);
    home.write("MEMORY.md", "# Long-term memory\n");
    let notes = "# 2026-01-05\n\n- The bicycle lock code is 4711\n";
    home.write("memory/2026-01-05.md", notes);
    let now = "2026-03-02T08:00:00Z";
    let question = "What is the code of the bicycle lock?";
    let (_, events) = home.say_in("main", now, question).await;
    let recalled = Event::Recalled {
        n_passages: 1,
        degraded: None,
        unreadable: Vec::new(),
        unread: search::Unread::default(),
    };
    assert!(events.contains(&recalled), "{events:?}");
    let request = script.requests().remove(0);
    let shown = request.messages.last().unwrap().text();
    let passage = "<recalled source=\"memory/2026-01-05.md:3\" day=\"2026-01-05\" origin=\"owner\">\n\
                   - The bicycle lock code is 4711\n</recalled>";
    assert!(shown.ends_with(passage), "{shown}");
    let mut kept = Vec::new();
    for payload in home.payloads(&main()) {
        if let Payload::Custom(custom) = payload {
            kept.push((custom.custom_type, custom.data));
        }
    }
    let hash = base::short_hash("- The bicycle lock code is 4711");
    let expected = format!(
        "[{{\"path\":\"memory/2026-01-05.md\",\"startLine\":3,\"endLine\":3,\"hash\":\"{hash}\"}}]"
    );
    assert_eq!(kept, [(RECALL_TYPE.to_owned(), expected)]);
    // Another turn does not show it again, and another session never.
    home.say("2026-03-02T08:01:00Z", "Thanks").await;
    home.say_in("other", now, question).await;
    for request in &script.requests()[1..] {
        assert!(!format!("{request:?}").contains("4711"));
    }
    let has_search =
        |request: &base::model::Request| request.tools.iter().any(|it| it.name == "memory_search");
    let has_search: Vec<bool> = script.requests().iter().map(has_search).collect();
    assert_eq!(has_search, [true, true, false]);
}

#[tokio::test]
async fn turn_shows_same_recalled_text_in_every_step() {
    let noted = r#"{"text": "The bicycle is in the cellar"}"#;
    let script = Arc::new(Script::new().calls("remember", noted).says("It is 4711."));
    let home = home(Arc::clone(&script) as _);
    home.write("memory/2026-01-05.md", "- The bicycle lock code is 4711\n");
    home.say(
        "2026-03-02T08:00:00Z",
        "What is the code of the bicycle lock?",
    )
    .await;
    let suffixes = script.requests().into_iter().map(|request| {
        let asked = request
            .messages
            .iter()
            .rfind(|it| matches!(it, Message::User { .. }));
        asked.unwrap().text()
    });
    let suffixes: Vec<String> = suffixes.collect();
    let [first, second] = suffixes.as_slice() else {
        panic!("two requests: {suffixes:?}");
    };
    assert!(first.contains("4711"), "{first}");
    assert_eq!(first, second);
}

#[tokio::test]
async fn recall_omits_words_already_in_request() {
    let script = Script::replies(3);
    let home = home(Arc::clone(&script) as _);
    let password = "Keep in mind that the password of the Wi-Fi is hunter2-Sunrise!";
    home.say("2026-03-02T08:00:00Z", password).await;
    home.say("2026-03-02T08:01:00Z", "What is the password of the Wi-Fi?")
        .await;
    for request in script.requests() {
        let messages = format!("{:?}", request.messages);
        assert!(!messages.contains("<recalled"), "{messages}");
    }
    let is_recall =
        |it: &Payload| matches!(it, Payload::Custom(it) if it.custom_type == RECALL_TYPE);
    assert!(!home.payloads(&main()).iter().any(is_recall));
}

#[tokio::test]
async fn secondary_session_sees_only_what_was_said_in_it() {
    let script = Script::replies(4);
    let home = home(Arc::clone(&script) as _);
    home.write("memory/2026-01-05.md", "- The code of the gate is 4711\n");
    home.write("MEMORY.md", "- The code of the shed is 4712\n");
    let now = "2026-03-02T08:00:00Z";
    home.say(now, "The code of the cellar is 4713").await;
    let lab = "The code of the lab is 0815";
    home.say_in("work", "2026-03-02T08:01:00Z", lab).await;
    let question = "What is the code of the lab?";
    let (_, events) = home.say_in("work", "2026-03-02T08:02:00Z", question).await;
    let is_recalled = |event: &Event| matches!(event, Event::Recalled { .. });
    assert!(!events.iter().any(is_recalled), "{events:?}");
    let request = script.requests().pop().unwrap();
    assert!(format!("{request:?}").contains("0815"), "{request:?}");
    assert!(!format!("{request:?}").contains("471"));
}

/// A home whose notes bear the marks of the program, with a model that answers.
fn marked_home() -> (Home, Arc<Script>) {
    let script = Script::replies(2);
    let home = home(Arc::clone(&script) as _);
    home.write(
        "memory/2026-01-05.md",
        "# Notes\n\n<!-- flush session=s-1 epoch=0 span=e-1..e-2 -->\n## User Preferences\n\n\
         - The bicycle lock code is 4711 <!-- n:4c1d22e0 e:e-1 h:81ab03ff o:owner -->\n\
         <!-- /flush 5e0c9d12 -->\n",
    );
    home.write(
        "MEMORY.md",
        "## About the Owner\n\n- I live in Graz <!-- n:c7f3 e:e-1 h:2d3470dc o:owner d:2026-01-05 -->\n",
    );
    (home, script)
}

#[tokio::test]
async fn request_shows_no_marks_comments_or_entry_ids() {
    let (home, script) = marked_home();
    let now = "2026-03-02T08:00:00Z";
    home.say(now, "I park the bicycle in the cellar.").await;
    home.say(now, "What is the bicycle lock code?").await;
    let request = script.requests().pop().unwrap();
    let said = request.messages.iter();
    let said = said.map(|message| format!("--- {}\n{}", message.role(), message.text()));
    let said: Vec<String> = said.collect();
    let tools: Vec<&str> = request.tools.iter().map(|it| it.name.as_str()).collect();
    let (said, tools) = (said.join("\n"), tools.join(", "));
    let shown = format!("{}\n{said}\n--- tools\n{tools}", request.system);
    assert!(shown.contains("4711"), "{shown}");
    assert!(!shown.contains("<!--"), "{shown}");
    for stored in home.runtime.home.sessions.lines(&main()).unwrap() {
        if let session::LineContent::Entry(entry) = stored.unwrap().content {
            assert!(!shown.contains(entry.id.as_str()), "{shown}");
        }
    }
    insta::assert_snapshot!(shown);
}

#[tokio::test]
async fn failed_search_is_reported_to_owner_and_model() {
    let script = Arc::new(Script::new().says("I cannot tell."));
    for home in [home(Arc::clone(&script) as _), offline_home()] {
        home.break_index();
        let now = "2026-03-02T08:00:00Z";
        let question = "What is the code of the bicycle lock?";
        let (reply, events) = home.say_in("main", now, question).await;
        assert!(!reply.contains("I find nothing"), "{reply}");
        let is_told = |event: &Event| matches!(event, Event::Warning(text) if text.starts_with("memory could not be searched"));
        assert!(events.iter().any(is_told), "{events:?}");
    }
    let request = script.requests().remove(0);
    let shown = request.messages.last().unwrap().text();
    assert!(shown.contains("Memory search failed"), "{shown}");
}

#[tokio::test]
async fn empty_reply_is_reported_with_cause() {
    let silent = |stop| vec![Ok(ReplyEvent::Done { stop, usage: None })];
    let script = Script::new().streams(silent(StopReason::Stop));
    let script = script.streams(silent(StopReason::Length)).says("Tea.");
    let home = home(Arc::new(script));
    let now = "2026-03-02T08:00:00Z";
    let mut told = Vec::new();
    for question in ["One?", "Two?", "Three?"] {
        let (_, events) = home.say_in("main", now, question).await;
        for event in events {
            if let Event::Warning(warning) = event {
                told.push(warning);
            }
        }
    }
    let expected = [
        "the model gave an empty reply; rephrase the message, or choose another model",
        "the model gave an empty reply; all of its tokens were spent before the first word; raise \
         `compaction.reserveTokensFloor`",
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn request_prefix_stays_unchanged_over_turns() {
    let script = Script::replies(4);
    let home = home(Arc::clone(&script) as _);
    home.write("MEMORY.md", "- Ann is my sister\n");
    let said = ["Who is Ann?", "And Bo?", "Ann called.", "Bye"];
    for (hour, text) in [8, 9, 19, 20].into_iter().zip(said) {
        let now = format!("2026-03-02T{hour:02}:00:00Z");
        home.say(&now, text).await;
    }
    let requests = script.requests();
    for pair in requests.windows(2) {
        let [earlier, later] = pair else {
            unreachable!()
        };
        assert_eq!(earlier.system, later.system);
        assert_eq!(earlier.tools, later.tools);
        let n_stable = earlier.messages.len() - 1;
        assert_eq!(earlier.messages[..n_stable], later.messages[..n_stable]);
    }
}

#[tokio::test]
async fn reply_with_excess_tool_calls_runs_first_and_warns() {
    let max = crate::turn::reply::CALLS_MAX;
    let call = |number: usize| {
        Ok(ReplyEvent::ToolCall(base::ToolCall {
            id: base::ToolCallId::new(format!("c{number}")),
            name: "nowhere".to_owned(),
            arguments: "{}".to_owned(),
        }))
    };
    let calls = (0..max + 3).map(call).chain([Ok(done())]).collect();
    let home = home(Arc::new(Script::new().streams(calls).says("Done.")));
    let (reply, events) = home.say_in("main", "2026-03-02T08:00:00Z", "Go").await;
    assert_eq!(reply, "Done.");
    let n_calls = max + 3;
    let told = format!("the reply makes {n_calls} tool calls; only the first {max} are run");
    assert!(events.contains(&Event::Warning(told)), "{events:?}");
    let failed = |it: &&Event| matches!(it, Event::ToolEnded { reason, .. } if reason.is_some());
    assert_eq!(events.iter().filter(failed).count(), max);
    let results = home.messages(&main());
    let is_result = |it: &&session::StoredMessage| it.message.role() == "toolResult";
    assert_eq!(results.iter().filter(is_result).count(), max);
}

#[tokio::test]
async fn i8_search_result_is_stored_fenced_whole() {
    let script = Script::new()
        .calls("memory_search", r#"{"query": "bicycle lock code"}"#)
        .says("It is 4711.");
    let home = home(Arc::new(script));
    home.write("memory/2026-01-05.md", "- The bicycle lock code is 4711\n");
    let (reply, events) = home
        .say_in("main", "2026-03-02T08:00:00Z", "Look it up, please")
        .await;
    assert_eq!(reply, "It is 4711.");
    let ended = Event::ToolEnded {
        name: "memory_search".into(),
        outcome: base::ToolOutcome::Success,
        reason: None,
    };
    assert!(events.contains(&ended), "{events:?}");
    let messages = home.messages(&main());
    let result = messages
        .iter()
        .map(|it| &it.message)
        .find(|it| it.role() == "toolResult");
    let result = result.unwrap().text();
    assert_eq!(crate::fence::without_fenced(&result), "");
    assert!(result.contains("4711"));
}

#[tokio::test]
async fn first_turn_of_next_day_writes_notes_of_previous_day() {
    let home = offline_home();
    home.say(
        "2026-03-02T08:00:00Z",
        "I decided to rent the small hall for 300 euros.",
    )
    .await;
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), "");
    let reply = home
        .say("2026-03-03T08:00:00Z", "What did I decide about the hall?")
        .await;
    let log = home.read("workspace/memory/2026-03-02.md");
    log.holds("I decided to rent the small hall for 300 euros.");
    assert!(reply.starts_with("I am offline"), "{reply}");
    let quoted =
        "- I decided to rent the small hall for 300 euros. (memory/2026-03-02.md:6, 2026-03-02)";
    assert!(reply.contains(quoted), "{reply}");
    let system = home.payloads(&main()).into_iter().filter(
        |payload| matches!(payload, Payload::Message(stored) if stored.origin() == Origin::System),
    );
    assert_eq!(system.count(), 2);
}

#[tokio::test]
async fn health_check_without_model_is_answered_from_file() {
    let home = offline_home();
    home.write("HEARTBEAT.md", "# Health check\n");
    let ask = "Health check, please";
    assert_eq!(home.say("2026-03-02T08:00:00Z", ask).await, "HEARTBEAT_OK");
    home.write("HEARTBEAT.md", "# Health check\n\n- Is the oven off?\n");
    let answer = home.say("2026-03-02T08:01:00Z", ask).await;
    assert_eq!(answer, "HEARTBEAT.md:\n\n- Is the oven off?");
}
