//! The transcript and the view after a compaction, whichever rung made it.
//!
//! Checks that every request fits the window.

use std::sync::Arc;

use agent::prompt::assemble;
use agent::{Event, ReplayMode};
use base::disk::MemoryDisk;
use base::model::Purpose;
use base::{Block, FixedClock, Message, StopReason, TokenCount, estimate_text};
use compaction::{Rung, WindowEvent};
use proptest::prelude::*;
use session::{ResumeLimit, View};
use testkit::conversation;

use crate::in_process::{i3_calls_stand_with_their_results, tokens_of};
use crate::pipeline::{
    Answer, Double, Home, MAIN, assert_exactly_once, done, extract, main_session, matter,
    recording, said, unavailable,
};

const WINDOW: u64 = 2_500;

const NOON: &str = "2026-04-20T12:00:00Z";

fn long(number: usize) -> String {
    matter(number, 35)
}

/// How a request for a summary is answered.
type Reply = fn() -> Answer;

/// A model that answers a request for a summary like this, and every other by extraction.
fn summarising(reply: Reply) -> Arc<Double> {
    Double::new(move |request| {
        if request.purpose == Purpose::Summarise {
            reply()
        } else {
            extract(request)
        }
    })
}

/// Turns until a message leaves the window.
fn talk(home: &Home) -> Vec<Event> {
    (0..6)
        .flat_map(|number| home.say(MAIN, NOON, &long(number)))
        .collect()
}

pub(super) fn rungs(events: &[Event]) -> Vec<Rung> {
    let mut rungs = Vec::new();
    for event in events {
        if let Event::Window(WindowEvent::CompactEnded { rung, .. }) = event {
            rungs.push(*rung);
        }
    }
    rungs
}

fn rejections(events: &[Event]) -> Vec<&str> {
    let texts = events.iter().filter_map(|event| {
        if let Event::Warning(text) = event {
            Some(text.as_str())
        } else {
            None
        }
    });
    texts.collect()
}

#[test]
fn i5_unusable_summary_changes_nothing_and_next_rung_runs() {
    let cases: [(Reply, &str, &[&str]); 2] = [
        (|| said(""), "no content", &["model", "staged"]),
        // A model that gives no reply is not asked for less.
        (|| Err(unavailable()), "no route to host", &["model"]),
    ];
    for (reply, reason, tried) in cases {
        let disk = MemoryDisk::new();
        let home = Home::new(disk.clone(), WINDOW + 100);
        let home = home.with_models(&summarising(reply), &Double::new(extract));
        let events = talk(&home);
        assert_eq!(rungs(&events), [Rung::Offline], "{reason}");
        let told = rejections(&events);
        assert_eq!(told.len(), tried.len(), "{told:?}");
        for (told, rung) in told.iter().zip(tried) {
            let begins = format!("no summary from {rung}: ");
            assert!(told.starts_with(&begins), "{told}");
            assert!(told.contains(reason), "{told}");
        }
        // Nothing stands between the flush and the compaction that took effect.
        let transcript = home.transcript(MAIN);
        let course = transcript.course();
        let compaction = course.iter().position(|it| *it == "compaction").unwrap();
        assert_eq!(
            course[compaction - 2..=compaction + 1],
            ["intent", "meta", "compaction", "meta"]
        );
        assert_eq!(transcript.compactions().len(), 1);
        assert_exactly_once(&transcript, &disk);
    }
}

#[test]
fn i5_ladder_ends_in_truncation_with_marker() {
    let disk = MemoryDisk::new();
    let model = summarising(|| Err(unavailable()));
    let offline = summarising(|| said("nothing"));
    let home = Home::new(disk.clone(), WINDOW).with_models(&model, &offline);
    let events = talk(&home);
    assert_eq!(rungs(&events), [Rung::Truncate]);
    assert_eq!(rejections(&events).len(), 2);
    let transcript = home.transcript(MAIN);
    let n_left = transcript
        .ids()
        .iter()
        .position(|id| *id == transcript.compactions()[0].first_kept);
    let marker = format!(
        "[System: {} older messages were truncated due to context limits]",
        n_left.unwrap()
    );
    assert_eq!(transcript.compactions()[0].summary, marker);
    assert_eq!(transcript.messages().len(), 12, "the transcript keeps all");
    let last = model.requests_for(Purpose::Chat).pop().unwrap();
    assert_eq!(last.messages[0], Message::user(marker));
    assert_exactly_once(&transcript, &disk);
}

#[test]
fn view_after_compaction_equals_reopened_view() {
    let disk = MemoryDisk::new();
    let model = Double::new(extract);
    let home = Home::new(disk.clone(), WINDOW).with_models(&model, &model);
    let mut n_compactions = 0;
    for number in 0..14 {
        home.say(MAIN, NOON, &long(number));
        let asked = model.requests_for(Purpose::Chat).pop().unwrap();
        let runtime = home.runtime(Arc::new(FixedClock::new(NOON.parse().unwrap())));
        let limit = ResumeLimit {
            tokens: TokenCount(WINDOW),
        };
        let snapshot = runtime.home.sessions.read(&main_session(), limit).unwrap();
        let mut view = snapshot.view;
        let Some(reply) = view.items.pop() else {
            panic!("the reply is shown");
        };
        assert_eq!(reply.content.estimate(), reply.tokens);
        let context = assemble(&runtime, &main_session(), &view).unwrap();
        assert_eq!(context.to_request(), asked, "turn {number}");
        assert_eq!(context.tokens(), tokens_of(&asked), "I6: one count");
        n_compactions = home.transcript(MAIN).compactions().len();
    }
    assert!(n_compactions >= 2, "{n_compactions}");
}

/// A message of any length and script.
fn text() -> impl Strategy<Value = String> {
    let scripts = [
        "the fence needs paint ",
        "\u{30b5}\u{30fc}\u{30d0}\u{30fc}",
        "\u{1f642}",
        "\u{437}\u{430}\u{431}\u{43e}\u{440} ",
    ];
    let n_times = prop_oneof![4 => 1_usize..40, 1 => 400_usize..3_000];
    (prop::sample::select(scripts.to_vec()), n_times)
        .prop_map(|(word, n_times)| word.repeat(n_times))
}

/// How a model answers a turn: how many rounds of tools, how large each call, and what it says.
fn reply() -> impl Strategy<Value = (Vec<usize>, String)> {
    (
        prop::collection::vec(prop_oneof![3 => 0_usize..50, 1 => 2_000_usize..9_000], 0..5),
        text(),
    )
}

/// A model that calls tools in rounds, as the reply to the newest question says.
fn looping(replies: Vec<(Vec<usize>, String)>) -> Arc<Double> {
    let place = std::sync::Mutex::new((0_usize, 0_usize));
    Double::new(move |request| {
        if request.purpose != Purpose::Chat {
            return extract(request);
        }
        let mut place = place.lock().unwrap();
        let (calls, text) = &replies[place.0];
        if let Some(n_chars) = calls.get(place.1) {
            place.1 += 1;
            let call = |number: usize| {
                let path = format!("{{\"path\":\"{}\"}}", "x".repeat(*n_chars));
                crate::pipeline::call(&format!("call-{number}"), "read", path)
            };
            let pieces = vec![call(0), call(1), done(StopReason::ToolUse)];
            return Ok(pieces);
        }
        *place = (place.0 + 1, 0);
        said(text.clone())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn i3_i6_requests_fit_window_and_keep_calls_with_results(
        questions in prop::collection::vec((text(), reply()), 1..14),
        window in 2_600_u64..12_000,
        profile in prop::option::of(Just(TokenCount(1_000_000))),
    ) {
        let disk = MemoryDisk::new();
        crate::pipeline::put(&disk, "workspace/AGENTS.md", b"Be brief.\n");
        let (texts, replies): (Vec<String>, Vec<_>) = questions.into_iter().unzip();
        let model = looping(replies);
        let notes = Double::named("offline", profile, extract);
        let home = Home::new(disk.clone(), window).with_models(&model, &notes);
        for text in &texts {
            home.say(MAIN, NOON, text);
        }
        for request in model.requests().iter().chain(&notes.requests()) {
            let total = tokens_of(request) + request.output_max;
            prop_assert!(total <= TokenCount(window), "{:?}: {total} of {window}", request.purpose);
            i3_calls_stand_with_their_results(request);
        }
        let transcript = home.transcript(MAIN);
        let said: Vec<String> = transcript
            .messages()
            .iter()
            .filter(|message| matches!(message, Message::User { .. }))
            .map(Message::text)
            .collect();
        prop_assert_eq!(said, texts);
        assert_exactly_once(&transcript, &disk);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn i1_i4_i6_offline_engine_replays_any_talk_in_any_window(
        variant in 0_u64..1_000,
        n_messages in 1_usize..80,
        window in 2_000_u64..16_000,
    ) {
        let disk = MemoryDisk::new();
        let home = Home::new(disk.clone(), window).with_offline_engine();
        let said = conversation(variant, n_messages);
        let events = home.replayed(&recording(&said), ReplayMode::Fresh);
        let budget = home.runtime(Arc::new(FixedClock::new(NOON.parse().unwrap()))).engine.budget();
        for event in &events {
            if let Event::Message { context_tokens, .. } = event {
                prop_assert!(*context_tokens < budget.trigger, "{context_tokens}");
            }
        }
        let transcript = home.transcript(MAIN);
        let told = |messages: Vec<Message>| -> Vec<(&'static str, String)> {
            messages.iter().map(|it| (it.role(), it.text())).collect()
        };
        let expected = said.into_iter().map(|said| said.message).collect();
        prop_assert_eq!(told(transcript.messages()), told(expected));
        assert_exactly_once(&transcript, &disk);
        let before = Home::files(&disk);
        home.replayed(&recording(&conversation(variant, n_messages)), ReplayMode::Resume);
        prop_assert_eq!(Home::files(&disk), before);
    }
}

#[test]
fn i6_reply_limit_is_reserve_or_rest_of_window() {
    let home = Home::new(MemoryDisk::new(), 4_000);
    let runtime = home.runtime(Arc::new(FixedClock::new(NOON.parse().unwrap())));
    let mut context = assemble(&runtime, &main_session(), &View::default()).unwrap();
    let reserve = context.budget.reserve;
    assert_eq!(context.to_request().output_max, reserve);
    // A conversation that leaves a tenth of the reserve.
    let left = reserve.percent(10);
    let full = TokenCount(4_000).saturating_sub(left);
    context.usage.items = full.saturating_sub(context.tokens());
    assert_eq!(context.to_request().output_max, left);
}

#[test]
fn i6_japanese_notes_fit_prompt_share() {
    let disk = MemoryDisk::new();
    let log = "# 2026-04-20\n\n".to_owned()
        + &"- \u{5857}\u{6599}\u{3092}\u{8cb7}\u{3046}\u{1f642}\n".repeat(400);
    crate::pipeline::put(&disk, "workspace/memory/2026-04-20.md", log.as_bytes());
    let model = Double::new(extract);
    let home = Home::new(disk.clone(), 16_000).with_models(&model, &model);
    home.say(MAIN, NOON, "Good morning.");
    let asked = model.requests_for(Purpose::Chat).pop().unwrap();
    let Some(Block::Text(suffix)) = asked.messages[0].content().last().cloned() else {
        panic!("the suffix ends the newest message");
    };
    assert!(suffix.contains('\u{5857}'), "{suffix}");
    let share = TokenCount(16_000 / 16);
    // The time stands next to the notes, with their tags.
    assert!(
        estimate_text(&suffix) <= share + TokenCount(40),
        "{}",
        estimate_text(&suffix)
    );
}
