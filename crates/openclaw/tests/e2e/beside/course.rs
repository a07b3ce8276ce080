//! Work that runs alongside a conversation: late results, hanging models, repeated failures, and races.
//!
//! Each test says what the owner sees and what the file holds after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agent::{Event, PollOutcome, compact_now, new_session, rewind};
use base::Disk;
use base::disk::MemoryDisk;
use base::model::Purpose;
use base::{Message, NOTHING_TO_FLUSH, Origin, TokenCount};
use compaction::{Budget, Strategy, Tiered};
use session::{EntrySelector, StoredMessage};
use tokio::time::Instant;

use super::oracle::append_calls;
use super::talk::{Gated, Talk, main, message, n_dropped, rungs, starts, warns};
use crate::in_process::tokens_of;
use crate::pipeline::{Answer, Double, said, unavailable};

/// The trigger is 11,000; up to 14,000 tokens, nothing waits; more than 15,000 is not sent.
const WINDOW: u64 = 16_000;

/// Tokens of one message.
const SIZE: usize = 700;

const SUMMARY: &str = "## Goals and Intent\n- The owner keeps a list.";

fn answer(request: &base::model::Request) -> Answer {
    match request.purpose {
        Purpose::Flush => said(NOTHING_TO_FLUSH),
        Purpose::Summarise => said(SUMMARY),
        Purpose::Chat | Purpose::Consolidate => said("Understood."),
    }
}

/// Talks until a job is under way.
async fn until_busy(talk: &Talk, numbers: &mut std::ops::RangeFrom<usize>) -> Vec<Event> {
    let mut events = Vec::new();
    while !talk.has_job() {
        let number = numbers.next().unwrap();
        events.extend(talk.say(&message(number, SIZE)).await);
    }
    events
}

fn bytes(disk: &MemoryDisk) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = disk.snapshot().into_iter();
    let is_lock = |path: &std::path::Path| path.extension().is_some_and(|it| it == "lock");
    files.filter(|(path, _)| !is_lock(path)).collect()
}

#[tokio::test(start_paused = true)]
async fn i5_failed_compaction_retries_only_after_request_grows() {
    let fails = |request: &base::model::Request| match request.purpose {
        Purpose::Summarise => Err(unavailable()),
        Purpose::Flush | Purpose::Chat | Purpose::Consolidate => answer(request),
    };
    let talk = Talk::alone(Gated::new(fails), WINDOW).with_offline(Double::new(fails));
    let budget = talk.runtime.engine.budget();
    let mut attempts = Vec::new();
    let mut n_above = 0;
    for number in 0.. {
        let events = talk.say(&message(number, SIZE / 3)).await;
        attempts.extend(starts(&events));
        assert!(rungs(&events).is_empty(), "{number}: {events:?}");
        let view = talk.view(&main());
        assert_eq!(view.items.len(), 2 * (number + 1), "{number}");
        n_above += usize::from(!attempts.is_empty());
        let more = talk.work().await;
        attempts.extend(starts(&more));
        assert!(rungs(&more).is_empty(), "{number}: {more:?}");
        let size: TokenCount = view.items.iter().map(|item| item.tokens).sum();
        // From there on, with the prompt, the owner would wait, and the ladder ends in truncation.
        if size + TokenCount(2 * SIZE as u64) > budget.background_max() {
            break;
        }
    }
    assert!(
        attempts.len() >= 2 && n_above > 2 * attempts.len(),
        "{attempts:?}, {n_above}"
    );
    for pair in attempts.windows(2) {
        assert!(pair[1] >= pair[0] + budget.growth_min(), "{attempts:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn i5_hanging_summary_is_replaced_offline_and_discarded() {
    let disk = MemoryDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let talk = Talk::new(&shared, Gated::new(answer), WINDOW);
    let mut numbers = 0..;
    let mut events = until_busy(&talk, &mut numbers).await;
    let started = Instant::now();
    while rungs(&events).is_empty() {
        let number = numbers.next().unwrap();
        events.extend(talk.say(&message(number, SIZE)).await);
    }
    assert_eq!(rungs(&events), ["offline"]);
    // Nobody waited, not even for the deadline.
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert!(!talk.has_job(), "the hanging job is given up");
    assert_eq!(n_dropped(&events), 1);
    let before = bytes(&disk);
    assert!(talk.work().await.is_empty());
    assert_eq!(bytes(&disk), before);
    assert_eq!(talk.n_compactions(), 1);
}

#[tokio::test(start_paused = true)]
async fn i5_i6_tiered_summary_overtaken_by_emergency_still_applies() {
    let mut talk = Talk::alone(Gated::new(answer), WINDOW);
    talk.runtime.engine.settings.strategy = Strategy::Tiered(Tiered::default());
    let mut numbers = 0..;
    let mut events = until_busy(&talk, &mut numbers).await;
    let n_left_out = |request: &base::model::Request| {
        let text = format!("{:?}", request.messages);
        let (before, _) =
            text.split_once(" older messages were truncated due to context limits]")?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    };
    // The summary takes so long that the owner fills the window.
    let mut n_short = 0;
    while n_short < 3 {
        talk.model.take_asked();
        let number = numbers.next().unwrap();
        events.extend(talk.say(&message(number, SIZE)).await);
        let asked = talk.model.take_asked();
        let request = asked.iter().find(|it| it.purpose == Purpose::Chat).unwrap();
        assert!(tokens_of(request) <= TokenCount(WINDOW), "message {number}");
        n_short += usize::from(n_left_out(request).is_some());
    }
    assert!(talk.has_job(), "the summary is still being made");
    assert_eq!(rungs(&events), Vec::<&str>::new());
    let n_items = talk.view(&main()).items.len();
    assert_eq!(n_items, 2 * numbers.next().unwrap(), "nothing has left");
    events.extend(talk.work().await);
    let taken = rungs(&events);
    assert!(!taken.is_empty(), "{events:?}");
    assert!(taken.iter().all(|rung| *rung == "model"), "{taken:?}");
    assert_eq!(n_dropped(&events), 0);
    // What was left out for that long, and is in no summary, is in view again.
    talk.say("And now?").await;
    let asked = talk.model.take_asked();
    let request = asked.iter().find(|it| it.purpose == Purpose::Chat).unwrap();
    assert_eq!(n_left_out(request), None);
}

#[tokio::test(start_paused = true)]
async fn i5_chat_never_waits_for_hanging_summary_on_serial_model() {
    let disk = MemoryDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let talk = Talk::new(&shared, Gated::new(answer).one_at_a_time(), WINDOW);
    let started = Instant::now();
    let mut events = Vec::new();
    for number in 0.. {
        events.extend(talk.say(&message(number, SIZE)).await);
        tokio::task::yield_now().await;
        // Each of the owner's words takes the model from the summary before it comes to anything.
        assert_eq!(started.elapsed(), Duration::ZERO, "message {number}");
        if rungs(&events).len() == 3 {
            break;
        }
    }
    assert_eq!(rungs(&events), ["offline"; 3]);
    // It was tried again and again while the reserve lasted.
    let n_tries = talk.model.n_asked(Purpose::Flush);
    assert!(n_tries >= 6, "{n_tries}");
    let most = Budget::background_max(&talk.runtime.engine.budget());
    let late = starts(&events).into_iter().filter(|size| *size > most);
    assert_eq!(late.count(), 3, "{:?}", starts(&events));
    // What was announced came to its end, or it was said that it waits.
    let waits = |event: &&Event| matches!(event, Event::Notice(text) if text.starts_with("The compaction waits"));
    let n_waits = events.iter().filter(waits).count();
    assert!(n_waits > 0);
    assert_eq!(starts(&events).len(), rungs(&events).len() + n_waits);
    assert_eq!(n_dropped(&events), n_waits);
    // A model that is left alone for once comes to an end, and its summary counts.
    let mut numbers = 1_000..;
    let mut events = until_busy(&talk, &mut numbers).await;
    events.extend(talk.work().await);
    assert_eq!(rungs(&events), ["model"]);
}

#[tokio::test(start_paused = true)]
async fn compact_now_drops_background_compaction() {
    let talk = Talk::alone(Gated::new(answer), WINDOW);
    let mut events = until_busy(&talk, &mut (0..)).await;
    talk.model.open();
    let mut on_event = |event| events.push(event);
    compact_now(&talk.runtime, &main(), None, &mut on_event)
        .await
        .unwrap();
    assert_eq!((rungs(&events).len(), n_dropped(&events)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn i4_i5_compaction_defers_to_other_process_until_reserve_spent() {
    let disk = MemoryDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let first = Talk::new(&shared, Gated::new(answer), WINDOW);
    let mut numbers = 0..;
    until_busy(&first, &mut numbers).await;
    let second = Talk::new(&shared, Gated::new(answer), WINDOW);
    second.clock.set(base::Clock::now(&*first.clock));
    let mut events = Vec::new();
    while rungs(&events).is_empty() {
        assert!(!second.has_job(), "the lock is held by the other process");
        let number = numbers.next().unwrap();
        events.extend(second.say(&message(number, SIZE)).await);
    }
    assert_eq!(rungs(&events), ["offline"]);
    let at = starts(&events);
    let most = Budget::background_max(&second.runtime.engine.budget());
    assert!(at.iter().all(|size| *size > most), "{at:?}");
    assert_eq!(second.model.n_asked(Purpose::Flush), 0);
    assert_eq!(second.model.n_asked(Purpose::Summarise), 0);
    // What the first one makes now belongs nowhere.
    let before = bytes(&disk);
    first.work().await;
    assert_eq!(bytes(&disk), before);
    // And the lock is free again.
    until_busy(&second, &mut numbers).await;
    second.work().await;
    assert_eq!(second.n_compactions(), 2);
}

#[tokio::test(start_paused = true)]
async fn breaker_skips_model_after_three_failures_until_forced() {
    let is_well = Arc::new(AtomicBool::new(false));
    let mood = Arc::clone(&is_well);
    let talk = Talk::alone(
        Gated::new(move |request| {
            if request.purpose == Purpose::Summarise && !mood.load(Ordering::Relaxed) {
                return said("la la la");
            }
            answer(request)
        }),
        WINDOW,
    );
    let mut numbers = 0..;
    let mut compacted = Vec::new();
    let mut n_asked = Vec::new();
    let mut warned = Vec::new();
    for _ in 0..4 {
        let before = talk.model.n_asked(Purpose::Summarise);
        let mut events = until_busy(&talk, &mut numbers).await;
        events.extend(talk.work().await);
        compacted.extend(rungs(&events));
        n_asked.push(talk.model.n_asked(Purpose::Summarise) > before);
        warned.push(warns(&events, "gave no usable summary 3 times in a row"));
    }
    assert_eq!(compacted, ["offline"; 4]);
    assert_eq!(n_asked, [true, true, true, false]);
    assert_eq!(warned, [false, false, true, false]);
    // The owner is not stopped by it, and one that succeeds closes it.
    is_well.store(true, Ordering::Relaxed);
    talk.model.open();
    let mut events = Vec::new();
    for number in numbers.by_ref().take(8) {
        talk.say(&message(number, SIZE)).await;
    }
    let mut on_event = |event| events.push(event);
    compact_now(&talk.runtime, &main(), None, &mut on_event)
        .await
        .unwrap();
    assert_eq!(rungs(&events), ["model"]);
    talk.model.shut();
    let mut events = until_busy(&talk, &mut numbers).await;
    events.extend(talk.work().await);
    assert_eq!(rungs(&events), ["model"]);
}

#[tokio::test(start_paused = true)]
async fn i5_summary_finished_after_rewind_or_reset_is_discarded() {
    for way in ["rewind", "reset"] {
        let talk = Talk::alone(Gated::new(answer), WINDOW);
        let mut numbers = 0..;
        // The first notes are made, so that the summary alone is under way.
        until_busy(&talk, &mut numbers).await;
        talk.model.let_through(1);
        talk.runtime.jobs.news(&main()).await;
        assert_eq!(talk.tend().0, PollOutcome::Done);
        assert!(talk.has_job());
        let mut ignore = |_| {};
        talk.model.open();
        if way == "rewind" {
            let to = talk.view(&main()).items[3].entry.to_string();
            rewind(
                &talk.runtime,
                &main(),
                &EntrySelector::Entry(to),
                &mut ignore,
            )
            .await
            .unwrap();
        } else {
            new_session(&talk.runtime, &main(), &mut ignore)
                .await
                .unwrap();
        }
        let before = talk.view(&main());
        let events = talk.work().await;
        assert_eq!(rungs(&events), [""; 0], "{way}");
        assert_eq!(talk.view(&main()), before, "{way}");
        assert_eq!(talk.n_compactions(), 0, "{way}");
        // The conversation continues, and its next compaction takes effect.
        until_busy(&talk, &mut numbers).await;
        assert_eq!(rungs(&talk.work().await), ["model"], "{way}");
    }
}

#[tokio::test(start_paused = true)]
async fn i3_summary_is_held_while_tool_call_is_open() {
    let talk = Talk::alone(Gated::new(answer), WINDOW);
    let mut numbers = 0..;
    until_busy(&talk, &mut numbers).await;
    talk.model.let_through(1);
    talk.runtime.jobs.news(&main()).await;
    assert_eq!(talk.tend().0, PollOutcome::Done);
    // The summary, and the request for what it lacks.
    talk.model.let_through(2);
    talk.runtime.jobs.news(&main()).await;
    // Another program has appended a call, and its result is not there yet.
    append_calls(&talk, &main(), 1);
    let before = talk.view(&main());
    let (tended, _) = talk.tend();
    assert_eq!(tended, PollOutcome::Held);
    assert_eq!(talk.view(&main()), before);
    assert_eq!(talk.n_compactions(), 0);
    // The next word passes over the call, and then it takes effect.
    let events = talk.say("Never mind.").await;
    assert_eq!(rungs(&events), ["model"]);
}

#[tokio::test(start_paused = true)]
async fn first_reply_after_import_does_not_wait_for_summary() {
    let talk = Talk::alone(Gated::new(answer), WINDOW);
    let imported = (0..100).map(|number| {
        let stored = StoredMessage::new(Message::user(message(number, SIZE)), Origin::Owner);
        (talk.runtime.home.clock.now(), stored)
    });
    let sessions = &talk.runtime.home.sessions;
    let mut turn = sessions
        .begin_turn(&main(), talk.runtime.resume_limit())
        .unwrap();
    turn.append_messages(imported.collect()).unwrap();
    drop(turn);
    let began_at = Instant::now();
    let events = talk.say("Where were we?").await;
    assert_eq!(
        began_at.elapsed(),
        Duration::ZERO,
        "the reply waited for a model"
    );
    assert_eq!((rungs(&events).len(), talk.n_compactions()), (0, 0));
    let notices = events
        .iter()
        .filter(|event| matches!(event, Event::Notice(_)));
    assert_eq!(notices.count(), 1, "{events:?}");
    let asked = talk.model.take_asked();
    let chat = asked
        .iter()
        .find(|request| request.purpose == Purpose::Chat)
        .unwrap();
    assert!(tokens_of(chat) <= talk.runtime.engine.budget().request_max());
    // Another message does not wait, either, nor does it begin a second job.
    let events = talk.say("And what is next?").await;
    assert!(
        !events.iter().any(|event| matches!(event, Event::Notice(_))),
        "{events:?}"
    );
    assert!(talk.has_job());
    // More than the model reads at once is summarised in stages.
    assert_eq!(rungs(&talk.work().await), ["staged"]);
    assert_eq!(talk.n_compactions(), 1);
}
