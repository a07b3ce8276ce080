//! Each strategy on the same afternoon: the model's view before and after, and every reported line.
//!
//! Shows whole views; what is decided at which size is proven in `compaction`.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use agent::prompt::assemble;
use agent::{Event, HookMoment, Hooks, ReplayMode, run_turn};
use base::disk::MemoryDisk;
use base::model::{Purpose, ReplyEvent, Request, Sampling};
use base::{
    Block, FixedClock, Message, StopReason, TokenCount, ToolCall, ToolCallId, estimate_text,
};
use compaction::{Middle, Permille, Replace, Rung, Strategy, Tiered, WindowEvent};
use futures_util::FutureExt;
use insta::assert_snapshot;
use session::{Compaction, ResumeLimit};
use testkit::{TimedMessage, Words, context_view};

use crate::pipeline::{
    Answer, Double, Home, MAIN, assert_exactly_once, call, done, extract, main_session, recording,
    said, unavailable,
};

const NOON: &str = "2026-04-20T12:00:00Z";
const LATER: &str = "2026-04-20T12:30:00Z";

const MATCHES: &str = "Two jobs match.";

/// An afternoon of looking for work, with a tool that gives long answers.
fn afternoon() -> Vec<TimedMessage> {
    let call = |id: &str, path: &str| {
        let call = ToolCall {
            id: ToolCallId::new(id),
            name: "read".into(),
            arguments: format!("{{\"path\":\"{path}\"}}"),
        };
        Message::Assistant(base::Assistant {
            content: vec![Block::ToolCall(call)],
            stop: StopReason::ToolUse,
            ..base::Assistant::default()
        })
    };
    let result = |id: &str, text: String| {
        Message::ToolResult(base::ToolResult {
            call_id: ToolCallId::new(id),
            tool_name: "read".into(),
            content: vec![Block::Text(text)],
            outcome: base::ToolOutcome::Success,
        })
    };
    let criteria = format!(
        "Remote, 500 to 700 a day, Rust. {}Score the stack with 30 %.",
        "More of the criteria. ".repeat(60)
    );
    let offers = format!(
        "ACME https://acme.example/jobs/7. {}",
        "An offer. ".repeat(180)
    );
    let messages = [
        Message::user("Execute the search of search-prompt.txt."),
        call("c1", "search-prompt.txt"),
        result("c1", criteria),
        Message::assistant("Read. I decided to score the stack with 30 %."),
        call("c2", "offers.txt"),
        result("c2", offers),
        Message::assistant("ACME scores 7 of 10: https://acme.example/jobs/7."),
        Message::user("Good. Leave agencies out."),
        Message::assistant("Agencies are out."),
        Message::user("And note the rate of each."),
        Message::assistant("I note the rates."),
    ];
    let at = |minute: usize| format!("2026-04-20T11:{minute:02}:00Z").parse().unwrap();
    let said = |(minute, message)| TimedMessage {
        at: at(minute),
        message,
    };
    messages.into_iter().enumerate().map(said).collect()
}

/// The part of a request after the system prompt, which no strategy changes.
fn seen(request: &Request) -> String {
    let view = context_view(request);
    let at = view.find("\n[1] ").unwrap();
    format!("{}\n", view.split_at(at).1.trim())
}

fn next_request(home: &Home) -> Request {
    let clock = FixedClock::new(LATER.parse().unwrap());
    let runtime = home.runtime(Arc::new(clock));
    let limit = ResumeLimit {
        tokens: TokenCount(u64::MAX),
    };
    let name = main_session();
    let read = runtime.home.sessions.read(&name, limit).unwrap();
    assert_eq!(read.repairs, []);
    assemble(&runtime, &name, &read.view).unwrap().to_request()
}

/// The reported events, line by line.
fn told(events: &[Event]) -> Vec<String> {
    let mut lines = Vec::new();
    for event in events {
        if let Event::Window(event) = event {
            lines.push(event.to_string());
        } else if let Event::Warning(text) = event {
            lines.push(format!("warning: {text}"));
        }
    }
    lines
}

/// A home after the afternoon's conversation, in which no message has left the window, with its model and its disk.
fn after_noon(strategy: Strategy, rule: fn(&Request) -> Answer) -> (MemoryDisk, Home, Arc<Double>) {
    let disk = MemoryDisk::new();
    let model = Double::new(rule);
    let home = Home::new(disk.clone(), 16_000).with_models(&model, &Double::new(extract));
    let events = home.replayed(&recording(&afternoon()), ReplayMode::Fresh);
    let compacted =
        |event: &Event| matches!(event, Event::Window(WindowEvent::CompactEnded { .. }));
    assert!(!events.iter().any(compacted));
    (disk, home.with_strategy(strategy), model)
}

/// The view before, the reported events, the request for a summary, and the view after: and the same again half an hour
/// later.
fn scenario(strategy: Strategy, rule: fn(&Request) -> Answer) -> String {
    let (disk, home, model) = after_noon(strategy, rule);
    story(&disk, &home, &model)
}

fn story(disk: &MemoryDisk, home: &Home, model: &Double) -> String {
    let mut story = format!("=== before\n{}", seen(&next_request(home)));
    for (at, text) in [(NOON, "Which jobs match?"), (LATER, "Write the report.")] {
        let n_asked = model.requests().len();
        let events = home.say(MAIN, at, text);
        writeln!(story, "\n=== {text}\n{}", told(&events).join("\n")).unwrap();
        for request in &model.requests()[n_asked..] {
            let purpose = request.purpose;
            writeln!(story, "\n--- {purpose:?}\n{}", seen(request)).unwrap();
        }
        assert_exactly_once(&home.transcript(MAIN), disk);
    }
    writeln!(story, "=== next request\n{}", seen(&next_request(home))).unwrap();
    story
}

/// The label and the beginning of the first line that has this many words.
fn first_words(request: &Request) -> (String, String) {
    let lines = testkit::shown_lines(request).into_iter();
    let mut quotes = lines.map(|line| {
        let words: Vec<&str> = line.text.split_whitespace().take(4).collect();
        (line.label, words.join(" "), words.len())
    });
    let found = quotes.find(|(_, _, n_words)| *n_words > 2);
    found
        .map(|(label, quote, _)| (label, quote))
        .unwrap_or_default()
}

/// Seven sections, or a narrative where that is what was asked for.
fn plain(request: &Request) -> Answer {
    match request.purpose {
        Purpose::Flush => {
            let (label, quote) = first_words(request);
            let note = (
                "The stack is scored with 30 %",
                label.as_str(),
                quote.as_str(),
            );
            let notes = if quote.is_empty() {
                &[][..]
            } else {
                &[note][..]
            };
            said(testkit::noted("Important Decisions", notes))
        }
        Purpose::Summarise if request.system.contains("## Goals and Intent") => said(
            "## Goals and Intent\n- Search jobs by search-prompt.txt: remote, 500 to 700 a day, Rust\n\
             ## Active Work and Last Actions\n- ACME scores 7 of 10: https://acme.example/jobs/7\n\
             ## Immediate Next Step\n- Answer which jobs match",
        ),
        Purpose::Summarise if saves_first(request) => {
            let (label, quote) = first_words(request);
            let memory = serde_json::json!({"text": "The stack is scored with 30 %", "kind": "decision",
                "evidence": [label], "quote": quote});
            let saves = call("s1", "memory_save", memory.to_string());
            Ok(vec![saves, done(StopReason::ToolUse)])
        }
        Purpose::Summarise => said(
            "Jobs are searched by search-prompt.txt: remote, 500 to 700 a day, Rust, the stack scored \
             with 30 %. ACME scores 7 of 10 (https://acme.example/jobs/7); agencies are left out.",
        ),
        Purpose::Chat | Purpose::Consolidate => said(MATCHES),
    }
}

/// Whether the tool that saves memories is there and has not been called.
fn saves_first(request: &Request) -> bool {
    !request.tools.is_empty() && request.messages.len() == 1
}

fn replace_at(threshold: u64) -> Strategy {
    let threshold = Some(TokenCount(threshold));
    Strategy::Replace(Replace { threshold })
}

/// The afternoon takes about a thousand tokens, and the prompt some more.
fn replace() -> Strategy {
    replace_at(1_500)
}

/// The same model, which does not return a summary.
fn without_summary(request: &Request) -> Answer {
    match request.purpose {
        Purpose::Summarise => Err(unavailable()),
        Purpose::Chat | Purpose::Flush | Purpose::Consolidate => plain(request),
    }
}

fn middle() -> Strategy {
    Strategy::Middle(Middle {
        threshold: TokenCount(1_450),
        ..Middle::default()
    })
}

/// The strategy `tiered` with these thresholds, for a window of 16,000 tokens.
fn tiered(background: u64, aggressive: u64, emergency: u64) -> Strategy {
    Strategy::Tiered(Tiered {
        background: Permille(background),
        aggressive: Permille(aggressive),
        emergency: Permille(emergency),
    })
}

#[test]
fn tiered_compacts_afternoon_end_to_end() {
    assert_snapshot!(scenario(tiered(60, 500, 900), plain));
}

#[test]
fn tiered_emergency_drops_half_without_model() {
    assert_snapshot!(scenario(tiered(55, 65, 75), plain));
}

#[test]
fn tiered_writes_memories_to_log_as_flush_of_epoch() {
    let disk = MemoryDisk::new();
    let model = Double::new(plain);
    let home = Home::new(disk.clone(), 16_000).with_models(&model, &Double::new(extract));
    // Not flushed at the end, as a replay is.
    let texts = [
        "I decided to score the stack with 30 %.",
        "Leave agencies out.",
        "Which match?",
    ];
    for (minute, text) in (10..).zip(texts) {
        let text = format!("{text} {}", "More of it. ".repeat(120));
        home.say(MAIN, &format!("2026-04-20T11:{minute}:00Z"), &text);
    }
    let home = home.with_strategy(tiered(80, 500, 900));
    home.say(MAIN, NOON, "Write the report.");
    assert_eq!(
        model.requests_for(Purpose::Flush),
        [],
        "one reading for both"
    );
    let blocks = Home::blocks(&disk);
    assert_eq!(blocks.len(), 1);
    let transcript = home.transcript(MAIN);
    // It covers what left, and nothing that stayed: two of seven messages.
    assert_eq!(transcript.spans(&blocks), [(0, 1)]);
    assert_exactly_once(&transcript, &disk);
    let log = Home::logs(&disk)["2026-04-20"].clone();
    let bare = |line: &str| {
        let line = line.split("<!--").next().unwrap();
        line.split(" ^").next().unwrap().trim_end().to_owned()
    };
    let lines: Vec<String> = log
        .lines()
        .map(bare)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(
        lines,
        [
            "# 2026-04-20",
            "## 11:10 \u{2014} Compaction Pre-flush",
            "**Important Decisions:**",
            "- The stack is scored with 30 %"
        ]
    );
}

#[test]
fn i5_replace_without_summary_keeps_view() {
    let (_, home, model) = after_noon(replace(), without_summary);
    let before = next_request(&home).messages;
    let home = home.with_models(&model, &Double::new(without_summary));
    let (reply, events) = home.turn(MAIN, NOON, "Which jobs match?");
    assert_eq!(Message::Assistant(reply.unwrap()).text(), MATCHES);
    assert!(!model.requests_for(Purpose::Summarise).is_empty());
    assert!(home.transcript(MAIN).compactions().is_empty(), "{events:?}");
    let after = next_request(&home).messages;
    assert_eq!(after.len(), before.len() + 2);
    for (before, after) in before.iter().zip(&after) {
        // The newest message of the owner has the time behind it.
        assert!(before.text().starts_with(&after.text()), "{after:?}");
    }
    assert!(
        told(&events)
            .iter()
            .any(|line| line.contains("no summary from model"))
    );
}

/// The reports that hooks received.
#[derive(Debug, Default)]
struct Heard(Mutex<Vec<(HookMoment, String)>>);

impl Hooks for Heard {
    fn call(&self, moment: HookMoment, told: &str) -> Vec<String> {
        self.0.lock().unwrap().push((moment, told.to_owned()));
        Vec::new()
    }
}

#[test]
fn hooks_are_called_before_and_after_a_compaction() {
    let (_, home, _) = after_noon(replace(), plain);
    let heard = Arc::new(Heard::default());
    let mut runtime = home.runtime(Arc::new(FixedClock::new(NOON.parse().unwrap())));
    runtime.hooks = Some(Arc::clone(&heard) as _);
    let message = Message::user("Which jobs match?");
    let turn = run_turn(&runtime, &main_session(), message, &mut |_| {}).now_or_never();
    turn.unwrap().unwrap();
    let calls = heard.0.lock().unwrap();
    let moments: Vec<HookMoment> = calls.iter().map(|(moment, _)| *moment).collect();
    assert_eq!(
        moments,
        [HookMoment::BeforeCompaction, HookMoment::AfterCompaction]
    );
    assert!(!calls[0].1.contains("\"summary\""), "{}", calls[0].1);
    calls[1].1.holds("Last request from user was");
}

#[test]
fn half_full_context_warns_once_per_epoch() {
    let (_, home, _) = after_noon(replace(), plain);
    let runtime = {
        let clock = FixedClock::new(NOON.parse().unwrap());
        let mut runtime = home.runtime(Arc::new(clock));
        runtime.engine.settings.warns_at_half = true;
        runtime.engine.settings.strategy = replace_at(2_600);
        runtime
    };
    let name = main_session();
    let mut warned = Vec::new();
    for number in 0..8 {
        let text = format!("Matter {number}: {}", "so it goes on ".repeat(60));
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        let turn = run_turn(&runtime, &name, Message::user(text), &mut on_event);
        turn.now_or_never().unwrap().unwrap();
        let lines = told(&events);
        let is_compacted = lines
            .iter()
            .any(|line| line.starts_with("Compaction complete"));
        let n_warned = lines
            .iter()
            .filter(|line| line.contains("half of the compaction threshold of 2,600"))
            .count();
        warned.push((n_warned, is_compacted));
    }
    let n_compacted = warned
        .iter()
        .filter(|(_, is_compacted)| *is_compacted)
        .count();
    let n_warned: usize = warned.iter().map(|(n_warned, _)| n_warned).sum();
    assert!(n_compacted > 0, "{warned:?}");
    let once_an_epoch = n_compacted..=n_compacted + 1;
    assert!(once_an_epoch.contains(&n_warned), "{warned:?}");
    assert_eq!(warned[0].0, 1, "{warned:?}");
}

#[test]
fn replace_compacts_afternoon_end_to_end() {
    assert_snapshot!(scenario(replace(), plain));
}

#[test]
fn middle_compacts_afternoon_end_to_end() {
    assert_snapshot!(scenario(middle(), plain));
}

#[test]
fn handoff_compacts_afternoon_end_to_end() {
    let (disk, mut home, model) = after_noon(Strategy::Handoff, plain);
    // The prompt and the afternoon take nearly all of it.
    home.window = TokenCount(2_330);
    assert_snapshot!(story(&disk, &home, &model));
}

#[test]
fn handoff_leaves_fitting_afternoon_unchanged() {
    assert_snapshot!(scenario(Strategy::Handoff, plain));
}

/// A conversation that exceeds a window of 16,000 tokens.
fn talk_beyond_the_window(home: &Home) -> Vec<String> {
    let pages = "and so on, page after page ".repeat(180);
    let mut lines = Vec::new();
    for minute in 10..34 {
        let at = format!("2026-04-20T12:{minute}:00Z");
        let events = home.say(MAIN, &at, &format!("Part {minute}: {pages}"));
        lines.extend(told(&events));
    }
    lines
}

#[test]
fn none_drops_overflow_without_summary_request() {
    for strategy in [
        Strategy::Off,
        Strategy::Replace(Replace { threshold: None }),
    ] {
        let (disk, home, model) = after_noon(strategy, plain);
        let before = seen(&next_request(&home));
        let lines = talk_beyond_the_window(&home);
        assert_eq!(model.requests_for(Purpose::Summarise), []);
        let last = model.requests_for(Purpose::Chat).pop().unwrap();
        let after = seen(&last);
        let transcript = home.transcript(MAIN);
        let compactions = transcript.compactions();
        let is_own = |it: &Compaction| it.details.strategy.as_deref() == Some(strategy.as_str());
        assert!(!compactions.is_empty() && compactions.into_iter().all(is_own));
        assert_snapshot!(
            "none_on_an_afternoon",
            format!(
                "=== before\n{before}\n=== told\n{}\n\n=== after\n{after}",
                lines.join("\n")
            )
        );
        assert_exactly_once(&home.transcript(MAIN), &disk);
    }
}

#[test]
fn middle_summary_request_uses_original_sampling_and_limit() {
    let (_, home, model) = after_noon(middle(), plain);
    home.say(MAIN, NOON, "Which jobs match?");
    let request = model.requests_for(Purpose::Summarise).remove(0);
    assert_eq!(
        (request.sampling, request.output_max),
        (Sampling::Likeliest, TokenCount(4_096))
    );
}

#[test]
fn i5_middle_without_summary_warns_and_trims_only_overflow() {
    let trimming = |messages_max| {
        let strategy = Strategy::Middle(Middle {
            threshold: TokenCount(1_450),
            messages_max,
            ..Middle::default()
        });
        let (_, home, model) = after_noon(strategy, without_summary);
        let (reply, events) = home.turn(MAIN, NOON, "Which jobs match?");
        assert_eq!(Message::Assistant(reply.unwrap()).text(), MATCHES);
        let asked = model.requests_for(Purpose::Summarise).len();
        let shown = model
            .requests_for(Purpose::Chat)
            .pop()
            .unwrap()
            .messages
            .len();
        (told(&events), asked, shown)
    };
    let failed = "warning: Compaction failed: model double is unavailable: no route to host. Falling back \
                  to history trimming.";
    let (lines, asked, shown) = trimming(50);
    assert!(lines.iter().any(|line| line == failed), "{lines:?}");
    assert_eq!((asked, shown), (1, 12), "{lines:?}");
    let (lines, _, shown) = trimming(6);
    assert!(lines.iter().any(|line| line == failed), "{lines:?}");
    assert_eq!(shown, 7, "the marker and six messages: {lines:?}");
}

#[test]
fn i5_middle_summarises_offline_after_three_failed_requests() {
    let strategy = Strategy::Middle(Middle {
        threshold: TokenCount(1_450),
        ..Middle::default()
    });
    let (_, home, model) = after_noon(strategy, without_summary);
    let mut told_each: Vec<Vec<String>> = Vec::new();
    for question in ["One?", "Two?", "Three?", "Four?"] {
        told_each.push(told(&home.say(MAIN, NOON, question)));
    }
    assert_eq!(model.requests_for(Purpose::Summarise).len(), 3);
    let completed = |lines: &Vec<String>| {
        lines
            .iter()
            .any(|it| it.starts_with("Compaction: summarized"))
    };
    let completed: Vec<bool> = told_each.iter().map(completed).collect();
    assert_eq!(completed, [false, false, false, true], "{told_each:#?}");
}

#[test]
fn middle_retries_summary_without_rejected_temperature() {
    fn picky(request: &Request) -> Answer {
        match (request.purpose, request.sampling) {
            (Purpose::Summarise, Sampling::Likeliest) => Err(base::model::ModelError::Refused {
                model: "double".into(),
                reason: "temperature is not supported".into(),
            }),
            _ => plain(request),
        }
    }
    let (_, home, model) = after_noon(middle(), picky);
    let (_, events) = home.turn(MAIN, NOON, "Which jobs match?");
    assert_eq!(model.requests_for(Purpose::Summarise).len(), 2);
    assert_eq!(crate::compact::rungs(&events), [Rung::Model]);
}

#[test]
fn strategy_change_affects_only_later_compactions() {
    let (disk, home, _) = after_noon(middle(), plain);
    home.say(MAIN, NOON, "Which jobs match?");
    let view = |home: &Home| seen(&next_request(home));
    let by_middle = view(&home);
    let strategies = [
        replace(),
        tiered(55, 65, 75),
        Strategy::Off,
        Strategy::Handoff,
    ];
    for strategy in strategies {
        assert_eq!(view(&home.clone().with_strategy(strategy)), by_middle);
    }
    let home = home.with_strategy(replace_at(500));
    home.say(MAIN, LATER, "Write the report.");
    let by_replace = view(&home);
    let home = home.with_strategy(tiered(1, 500, 900));
    assert_eq!(view(&home), by_replace);
    let pages = "and so on, page after page ".repeat(60);
    for minute in 31..36 {
        let at = format!("2026-04-20T12:{minute}:00Z");
        home.say(MAIN, &at, &pages);
    }
    let transcript = home.transcript(MAIN);
    let compactions = transcript.compactions();
    let mut made_by: Vec<_> = compactions
        .iter()
        .filter_map(|it| it.details.strategy.clone())
        .collect();
    made_by.dedup();
    assert_eq!(made_by, ["middle", "replace", "tiered"]);
    assert_exactly_once(&home.transcript(MAIN), &disk);
}

#[test]
fn replace_answers_open_call_before_asking_for_summary() {
    fn calls(request: &Request) -> Answer {
        let has_result = request
            .messages
            .iter()
            .any(|it| matches!(it, Message::ToolResult(_)));
        if request.purpose != Purpose::Chat || has_result {
            return plain(request);
        }
        Ok(vec![call("c9", "read", "{}"), done(StopReason::ToolUse)])
    }
    let disk = MemoryDisk::new();
    let model = Double::new(calls);
    let home = Home::new(disk, 16_000).with_models(&model, &Double::new(extract));
    let mut said = afternoon();
    said.truncate(5);
    home.replayed(&recording(&said), ReplayMode::Fresh);
    let home = home.with_strategy(replace_at(600));
    home.say(MAIN, NOON, "Go on.");
    let summaries = model.requests_for(Purpose::Summarise);
    let asked = summaries[0].messages[0].text();
    assert!(asked.contains("Tool no response"), "{asked}");
    assert!(!asked.contains("Understood."), "{asked}");
}

#[test]
fn replace_acknowledges_tool_result_before_asking_for_summary() {
    fn calls_at_length(request: &Request) -> Answer {
        let is_first = request.purpose == Purpose::Chat
            && matches!(request.messages.last(), Some(Message::User { .. }))
            && request.messages.len() > 1;
        if !is_first {
            return plain(request);
        }
        let path = format!("{{\"path\":\"{}\"}}", "a/".repeat(3_000));
        Ok(vec![call("c9", "read", path), done(StopReason::ToolUse)])
    }
    let model = Double::new(calls_at_length);
    let home = Home::new(MemoryDisk::new(), 16_000).with_models(&model, &Double::new(extract));
    let mut said = afternoon();
    said.truncate(4);
    home.replayed(&recording(&said), ReplayMode::Fresh);
    let request = next_request(&home);
    let messages = request.messages.iter().map(base::estimate_message);
    let tokens = messages.sum::<TokenCount>() + estimate_text(&request.system);
    // The question fits below it, the call does not.
    let home = home.with_strategy(replace_at(tokens.0 + 1_000));
    let n_asked = model.requests().len();
    let reply = home.turn(MAIN, NOON, "Go on.").0.unwrap();
    assert_eq!(Message::Assistant(reply).text(), MATCHES);
    let asked = model.requests();
    let purposes: Vec<Purpose> = asked[n_asked..].iter().map(|it| it.purpose).collect();
    assert_eq!(
        purposes,
        [
            Purpose::Chat,
            Purpose::Flush,
            Purpose::Summarise,
            Purpose::Chat
        ]
    );
    let asked = model.requests_for(Purpose::Summarise)[0].messages[0].text();
    assert!(asked.ends_with("Understood.\n</transcript>"), "{asked}");
}

#[test]
fn replace_recounts_context_with_provider() {
    fn counts(request: &Request) -> Answer {
        let input = match (request.purpose, request.output_max) {
            (Purpose::Chat, TokenCount(16)) => TokenCount(1_111),
            (Purpose::Chat, _) => {
                let messages = request.messages.iter().map(base::estimate_message);
                let messages: TokenCount = messages.sum();
                TokenCount((messages + estimate_text(&request.system)).0 * 3 / 2)
            }
            (Purpose::Flush | Purpose::Summarise | Purpose::Consolidate, _) => {
                return plain(request);
            }
        };
        let usage = base::Usage {
            input,
            output: TokenCount(5),
            ..base::Usage::default()
        };
        let done = ReplyEvent::Done {
            stop: StopReason::Stop,
            usage: Some(usage),
        };
        Ok(vec![ReplyEvent::Text(MATCHES.into()), done])
    }
    let (_, home, model) = after_noon(Strategy::Handoff, counts);
    home.say(MAIN, NOON, "Which jobs match?");
    let home = home.with_strategy(replace());
    let (_, events) = home.turn(MAIN, LATER, "Write the report.");
    let after = events.iter().find_map(|event| {
        if let Event::Window(WindowEvent::CompactEnded {
            new_context_tokens, ..
        }) = event
        {
            Some(*new_context_tokens)
        } else {
            None
        }
    });
    assert_eq!(after, Some(TokenCount(1_111)));
    let probes = model.requests_for(Purpose::Chat).into_iter();
    let probes: Vec<Request> = probes
        .filter(|it| it.output_max == TokenCount(16))
        .collect();
    assert_eq!(probes.len(), 1);
    probes[0].messages[0]
        .text()
        .holds("Last request from user was: Write the report.");
    let transcript = home.transcript(MAIN);
    let told = transcript.compactions()[0].details.tokens_after;
    assert_eq!(told, Some(TokenCount(1_111)));
}
