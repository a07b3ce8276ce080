//! The transcript and the log after a flush: when it runs, what it covers, and when the marker moves.
//!
//! Calls turns and replays; test doubles write the notes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agent::{Event, ReplayMode};
use base::disk::MemoryDisk;
use base::model::{Purpose, ReplyEvent, Request};
use base::{EntryId, Message, NOTHING_TO_FLUSH, Origin, SessionId, StopReason, Timestamp, Tz};
use compaction::{FlushMode, FlushOutcome, WindowEvent};
use memory::{BlockKind, FlushBlock, Note};
use session::{Epoch, FlushIntent, Meta, Payload, ResumeLimit};
use testkit::{LogBlock, TimedMessage};

use crate::pipeline::{
    Answer, Double, Home, MAIN, assert_exactly_once, cut_lines, done, extract, main_session,
    matter, recording, said, unavailable,
};

const WINDOW: u64 = 2_500;

/// About two hundred tokens about one subject.
fn long(number: usize) -> String {
    matter(number, 35)
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn said_at(time: &str, text: &str) -> TimedMessage {
    TimedMessage {
        at: at(time),
        message: Message::user(text),
    }
}

/// Outcomes of the flushes, with the reason why each ran.
fn flushes(events: &[Event]) -> Vec<(FlushMode, FlushOutcome)> {
    let mut begun = None;
    let mut flushes = Vec::new();
    for event in events {
        if let Event::Window(WindowEvent::FlushStarted { mode, .. }) = event {
            begun = Some(*mode);
        } else if let Event::Window(WindowEvent::FlushEnded { outcome, .. }) = event {
            flushes.push((begun.take().expect("it began before it ended"), *outcome));
        }
    }
    flushes
}

/// Day, epoch and kind of each block.
fn kinds(blocks: &[(String, LogBlock)]) -> Vec<(&str, u64, Option<BlockKind>)> {
    let kinds = blocks.iter();
    kinds
        .map(|(day, block)| (day.as_str(), block.epoch, BlockKind::parse(&block.kind)))
        .collect()
}

/// A model that behaves like `otherwise` until the test makes it fail.
fn failing(otherwise: fn(&Request) -> Answer, purpose: Purpose) -> (Arc<Double>, Arc<AtomicBool>) {
    let fails = Arc::new(AtomicBool::new(true));
    let told = Arc::clone(&fails);
    let model = Double::new(move |request| {
        if request.purpose == purpose && told.load(Ordering::SeqCst) {
            Err(unavailable())
        } else {
            otherwise(request)
        }
    });
    (model, fails)
}

/// A model that writes these notes and extracts its other replies.
fn noting(notes: fn() -> Answer) -> Arc<Double> {
    Double::new(move |request| {
        if request.purpose == Purpose::Flush {
            notes()
        } else {
            extract(request)
        }
    })
}

const WRITTEN: fn(usize) -> FlushOutcome = |n_notes| FlushOutcome::Written { n_notes };

#[test]
fn marker_moves_only_at_flushes_before_compactions() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), WINDOW);
    let mut talk = vec![said_at("2026-04-20T23:00:00Z", "Good evening.")];
    talk.extend((0..11).map(|number| said_at("2026-04-21T09:00:00Z", &long(number))));
    let events = home.replayed(&recording(&talk), ReplayMode::Fresh);
    let transcript = home.transcript(MAIN);
    // The first flush is that of the change of day, in epoch 0; the marker stays absent.
    let flushed: Vec<(Epoch, Option<Epoch>)> = transcript
        .metas()
        .into_iter()
        .filter(|meta| meta.intent.is_none())
        .map(|meta| (meta.compaction_count, meta.memory_flush_compaction_count))
        .collect();
    let (zero, one) = (Some(Epoch(0)), Some(Epoch(1)));
    assert_eq!(
        flushed,
        [
            (Epoch(0), None),
            (Epoch(0), zero),
            (Epoch(1), zero),
            (Epoch(1), one),
            (Epoch(2), one),
            (Epoch(2), one),
        ]
    );
    let blocks = Home::blocks(&disk);
    assert_eq!(
        kinds(&blocks),
        [
            ("2026-04-20", 0, Some(BlockKind::SessionNotes)),
            ("2026-04-21", 0, Some(BlockKind::PreFlush)),
            ("2026-04-21", 1, Some(BlockKind::PreFlush)),
            ("2026-04-21", 2, Some(BlockKind::SessionNotes)),
        ]
    );
    let modes: Vec<FlushMode> = flushes(&events).into_iter().map(|(mode, _)| mode).collect();
    assert_eq!(
        modes,
        [
            FlushMode::SessionNotes,
            FlushMode::BeforeCompaction,
            FlushMode::BeforeCompaction,
            FlushMode::SessionNotes
        ]
    );
    assert_exactly_once(&transcript, &disk);
}

#[test]
fn i12_replay_writes_notes_of_past_day_before_new_message() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000);
    let talk = [
        said_at("2026-04-20T23:50:00Z", "The plumber comes on Friday."),
        said_at("2026-04-21T00:10:00Z", "The tap drips again."),
    ];
    home.replayed(&recording(&talk), ReplayMode::Fresh);
    let transcript = home.transcript(MAIN);
    assert_eq!(
        transcript.course(),
        ["user", "intent", "meta", "user", "intent", "meta"]
    );
    let headings: Vec<(String, Vec<String>)> = Home::logs(&disk)
        .into_iter()
        .map(|(day, text)| {
            let headings = text.lines().filter(|line| line.starts_with("## "));
            (day, headings.map(str::to_owned).collect())
        })
        .collect();
    let expected = [
        ("2026-04-20", "## 23:50 \u{2014} Session Notes"),
        ("2026-04-21", "## 00:10 \u{2014} Session Notes"),
    ];
    assert_eq!(
        headings,
        expected.map(|(day, heading)| (day.to_owned(), vec![heading.to_owned()]))
    );
}

#[test]
fn i12_turn_on_later_day_writes_earlier_notes_first() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 20_000).in_timezone(Tz::named("Asia/Tokyo").unwrap());
    // 23:30 and 00:30 in Tokyo, the same day in UTC.
    home.say(MAIN, "2026-04-20T14:30:00Z", "The plumber comes on Friday.");
    let events = home.say(MAIN, "2026-04-20T15:30:00Z", "The tap drips again.");
    assert_eq!(flushes(&events), [(FlushMode::SessionNotes, WRITTEN(2))]);
    assert_eq!(
        home.transcript(MAIN).course(),
        ["user", "assistant", "intent", "meta", "user", "assistant"]
    );
    let days: Vec<String> = Home::logs(&disk).into_keys().collect();
    assert_eq!(days, ["2026-04-20"]);
}

#[test]
fn i4_long_day_is_noted_in_several_blocks() {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), 100_000);
    let fact = |number: usize| format!("My locker number {number} is {}.", number + 1_000);
    let talk: Vec<TimedMessage> = (0..150)
        .map(|number| said_at("2026-04-20T09:00:00Z", &fact(number)))
        .collect();
    home.replayed(&recording(&talk), ReplayMode::Fresh);
    let n_blocks = Home::blocks(&disk).len();
    assert!(n_blocks > 1, "{n_blocks}");
    assert_exactly_once(&home.transcript(MAIN), &disk);
    let log: String = Home::logs(&disk).into_values().collect();
    let lost: Vec<String> = (0..150)
        .map(fact)
        .filter(|it| !log.contains(it.as_str()))
        .collect();
    assert_eq!(lost, [""; 0]);
}

#[test]
fn i12_span_of_several_days_becomes_block_per_day() {
    let disk = MemoryDisk::new();
    let (model, fails) = failing(extract, Purpose::Flush);
    let home = Home::new(disk.clone(), 20_000).with_models(&model, &model);
    let talk = [
        said_at("2026-04-20T09:00:00Z", "First day."),
        said_at("2026-04-21T09:00:00Z", "Second day."),
        said_at("2026-04-21T10:00:00Z", "Second day, later."),
        said_at("2026-04-22T09:00:00Z", "Third day."),
    ];
    let events = home.replayed(&recording(&talk), ReplayMode::Fresh);
    let outcomes: Vec<FlushOutcome> = flushes(&events).into_iter().map(|it| it.1).collect();
    assert_eq!(outcomes, [FlushOutcome::Failed; 3]);
    assert_eq!(Home::blocks(&disk), []);
    assert_eq!(
        home.transcript(MAIN).metas().last().unwrap().flush_failures,
        3
    );

    fails.store(false, Ordering::SeqCst);
    let events = home.replayed(&recording(&talk), ReplayMode::Resume);
    let outcomes: Vec<FlushOutcome> = flushes(&events).into_iter().map(|it| it.1).collect();
    assert_eq!(outcomes, [WRITTEN(1), WRITTEN(2), WRITTEN(1)]);
    let (transcript, blocks) = (home.transcript(MAIN), Home::blocks(&disk));
    assert_eq!(transcript.spans(&blocks), [(0, 0), (1, 2), (3, 3)]);
    let notes = Some(BlockKind::SessionNotes);
    assert_eq!(
        kinds(&blocks),
        ["2026-04-20", "2026-04-21", "2026-04-22"].map(|day| (day, 0, notes))
    );
    assert_exactly_once(&transcript, &disk);
}

/// A session of two messages in which a flush was begun and not finished.
struct Begun {
    disk: MemoryDisk,
    session: SessionId,
    span: (EntryId, EntryId),
    at: Timestamp,
}

fn begun(mode: FlushMode, texts: [&str; 2]) -> Begun {
    let disk = MemoryDisk::new();
    let home = Home::new(disk.clone(), WINDOW);
    let runtime = home.runtime(Arc::new(base::FixedClock::new(at("2026-04-20T14:00:00Z"))));
    let limit = ResumeLimit {
        tokens: base::TokenCount(WINDOW),
    };
    let mut turn = runtime
        .home
        .sessions
        .begin_turn(&main_session(), limit)
        .unwrap();
    let last_at = at("2026-04-20T14:00:00Z");
    let ids = texts.map(|text| {
        let message = session::StoredMessage {
            message: Message::user(text),
            origin: Some(Origin::Owner),
            source: None,
            copied_from: None,
            scopes: Vec::new(),
        };
        turn.append_message(last_at, message).unwrap()
    });
    let span: (EntryId, EntryId) = ids.into();
    let intent = FlushIntent {
        log_file: "memory/2026-04-20.md".into(),
        epoch: Epoch(0),
        span: span.clone(),
        before_compaction: mode == FlushMode::BeforeCompaction,
    };
    let meta = Meta {
        intent: Some(intent),
        ..Meta::default()
    };
    turn.append_meta(last_at, meta).unwrap();
    Begun {
        disk,
        session: turn.session_id().clone(),
        span,
        at: last_at,
    }
}

impl Begun {
    /// The block that the flush was about to write.
    fn block(&self, kind: BlockKind) -> FlushBlock {
        let note = Note {
            text: "Noted before the crash.".into(),
            evidence: vec![self.span.0.clone()],
            origin: Origin::Owner,
        };
        FlushBlock {
            session: self.session.clone(),
            epoch: 0,
            span: self.span.clone(),
            kind,
            at: self.at,
            sections: vec![("Task Progress".into(), vec![note])],
        }
    }

    /// Writes the first `n_bytes` of the log with that block to the disk, or all of it, after its records.
    fn write(&self, kind: BlockKind, n_bytes: Option<usize>) {
        let disk = std::sync::Arc::new(self.disk.clone());
        let workspace = memory::Workspace::new(disk, base::HomeLayout::new("/home"));
        memory::write_block(&workspace, &self.block(kind), Tz::UTC).unwrap();
        let log = Home::logs(&self.disk)["2026-04-20"].clone();
        let n_bytes = n_bytes.unwrap_or(log.len());
        crate::pipeline::put(
            &self.disk,
            "workspace/memory/2026-04-20.md",
            &log.as_bytes()[..n_bytes],
        );
    }
}

#[test]
fn i4_existing_block_completes_flush_without_model() {
    let begun = begun(FlushMode::SessionNotes, ["One.", "Two."]);
    begun.write(BlockKind::SessionNotes, None);
    let before = Home::logs(&begun.disk);
    let model = Double::new(extract);
    let home = Home::new(begun.disk.clone(), WINDOW).with_models(&model, &model);
    let events = home.say(MAIN, "2026-04-21T08:00:00Z", "Three.");
    assert_eq!(
        flushes(&events),
        [(FlushMode::SessionNotes, FlushOutcome::Nothing)]
    );
    assert_eq!(model.requests_for(Purpose::Flush), []);
    assert_eq!(Home::logs(&begun.disk), before);
    let transcript = home.transcript(MAIN);
    assert_eq!(
        transcript.course(),
        ["user", "user", "intent", "meta", "user", "assistant"]
    );
    assert_eq!(
        transcript.metas().last().unwrap().flushed_through,
        Some(begun.span.1.clone())
    );
    assert_exactly_once(&transcript, &begun.disk);
}

#[test]
fn i4_existing_block_is_found_after_timezone_change() {
    // Written as of 14:00 in UTC; in Kiritimati it is the next day by then.
    let begun = begun(FlushMode::SessionNotes, ["One.", "Two."]);
    begun.write(BlockKind::SessionNotes, None);
    let model = Double::new(extract);
    let home = Home::new(begun.disk.clone(), WINDOW)
        .with_models(&model, &model)
        .in_timezone(Tz::named("Pacific/Kiritimati").unwrap());
    home.say(MAIN, "2026-04-23T08:00:00Z", "Three.");
    assert_eq!(model.requests_for(Purpose::Flush), []);
    assert_eq!(Home::blocks(&begun.disk).len(), 1);
    assert_exactly_once(&home.transcript(MAIN), &begun.disk);
}

#[test]
fn i4_crash_in_flush_leaves_one_flush_before_compaction() {
    let (first, second) = (long(1).repeat(3), long(2).repeat(3));
    let begun = begun(FlushMode::BeforeCompaction, [&first, &second]);
    begun.write(BlockKind::PreFlush, None);
    let home = Home::new(begun.disk.clone(), WINDOW);
    home.say(MAIN, "2026-04-20T15:00:00Z", &long(3).repeat(3));
    let transcript = home.transcript(MAIN);
    assert_eq!(transcript.compactions().len(), 1);
    assert_exactly_once(&transcript, &begun.disk);
    // What the begun flush did not cover is noted too, and once.
    home.say(MAIN, "2026-04-21T08:00:00Z", "Good morning.");
    let transcript = home.transcript(MAIN);
    assert_eq!(
        transcript.spans(&Home::blocks(&begun.disk)),
        [(0, 1), (2, 2), (3, 3)]
    );
    assert_exactly_once(&transcript, &begun.disk);
}

#[test]
fn i4_compaction_flushes_epoch_after_completing_begun_flush() {
    let disk = MemoryDisk::new();
    let talk: Vec<TimedMessage> = (0..8)
        .map(|number| said_at("2026-04-20T09:00:00Z", &long(number)))
        .collect();
    let wide = Home::new(disk.clone(), 20_000);
    wide.replayed(&recording(&talk), ReplayMode::Fresh);
    // The block of the last notes stands, its success is lost, and the window is a smaller one now.
    cut_lines(&disk, 1);
    let narrow = Home::new(disk.clone(), WINDOW);
    narrow.replayed(&recording(&talk), ReplayMode::Resume);
    let transcript = narrow.transcript(MAIN);
    let course = transcript.course();
    assert_eq!(
        course[8..],
        ["intent", "meta", "meta", "compaction", "meta"]
    );
    let markers: Vec<Option<Epoch>> = transcript
        .metas()
        .iter()
        .map(|meta| meta.memory_flush_compaction_count)
        .collect();
    assert_eq!(markers, [None, None, Some(Epoch(0)), Some(Epoch(0))]);
    assert_exactly_once(&transcript, &disk);
}

#[test]
fn flush_without_notes_writes_no_block_and_advances() {
    let disk = MemoryDisk::new();
    let model = noting(|| said(NOTHING_TO_FLUSH));
    let home = Home::new(disk.clone(), WINDOW).with_models(&model, &model);
    let talk = [said_at("2026-04-20T09:00:00Z", "Hi.")];
    let events = home.replayed(&recording(&talk), ReplayMode::Fresh);
    assert_eq!(
        flushes(&events),
        [(FlushMode::SessionNotes, FlushOutcome::Nothing)]
    );
    assert_eq!(Home::logs(&disk).len(), 0);
    let transcript = home.transcript(MAIN);
    assert_eq!(
        transcript.metas().last().unwrap().flushed_through.as_ref(),
        transcript.ids().last()
    );
}

/// Notes that a cut reply lacks would otherwise count as written.
#[test]
fn failed_model_notes_are_replaced_by_offline_notes() {
    let cut = |stop| {
        let text = ReplyEvent::Text("- The plumber comes on Fri".into());
        Ok(vec![text, done(stop)])
    };
    let prompt_line = "- Copy identifiers, paths, addresses, numbers and quoted wording exactly. \
                       Never round, translate or guess.";
    let replies: [(&str, Answer); 7] = [
        ("away", Err(unavailable())),
        ("too long", cut(StopReason::Length)),
        ("failed", cut(StopReason::Error)),
        ("broken off", cut(StopReason::Aborted)),
        ("nothing", said("")),
        ("no note", said("- I would rather talk about fences.")),
        ("the prompt", said(prompt_line)),
    ];
    for (what, reply) in replies {
        let disk = MemoryDisk::new();
        let (primary, offline) = (Double::new(move |_| reply.clone()), Double::new(extract));
        let home = Home::new(disk.clone(), WINDOW).with_models(&primary, &offline);
        let text = "The plumber comes on Friday.";
        let talk = [said_at("2026-04-20T09:00:00Z", text)];
        let events = home.replayed(&recording(&talk), ReplayMode::Fresh);
        let written = [(FlushMode::SessionNotes, WRITTEN(1))];
        assert_eq!(flushes(&events), written, "{what}");
        assert_eq!(primary.requests()[0], offline.requests()[0], "{what}");
        let blocks = Home::blocks(&disk);
        let notes = blocks.iter().flat_map(|(_, block)| &block.notes);
        let notes: Vec<&str> = notes.map(|note| note.text.as_str()).collect();
        assert_eq!(notes, [text], "{what}");
    }
}

#[test]
fn i4_failed_flush_allows_compaction_and_next_covers_span() {
    let disk = MemoryDisk::new();
    let (model, fails) = failing(extract, Purpose::Flush);
    let home = Home::new(disk.clone(), WINDOW).with_models(&model, &model);
    let talk: Vec<TimedMessage> = (0..8)
        .map(|number| said_at("2026-04-20T09:00:00Z", &long(number)))
        .collect();
    let events = home.replayed(&recording(&talk), ReplayMode::Fresh);
    let before = home.transcript(MAIN);
    assert_eq!(before.compactions().len(), 1);
    assert_eq!(
        flushes(&events),
        [
            (FlushMode::BeforeCompaction, FlushOutcome::Failed),
            (FlushMode::SessionNotes, FlushOutcome::Failed)
        ]
    );
    let warned = |event: &&Event| matches!(event, Event::Warning(text) if text.contains("no notes were written to memory/2026-04-20.md"));
    assert_eq!(events.iter().filter(warned).count(), 2);
    let marker = before.metas().last().unwrap().memory_flush_compaction_count;
    assert_eq!(marker, None);

    fails.store(false, Ordering::SeqCst);
    for number in 8..12 {
        home.say(MAIN, "2026-04-20T10:00:00Z", &long(number));
    }
    let transcript = home.transcript(MAIN);
    assert_eq!(transcript.compactions().len(), 2);
    let blocks = Home::blocks(&disk);
    assert_eq!(
        kinds(&blocks),
        [("2026-04-20", 1, Some(BlockKind::PreFlush))]
    );
    assert_eq!(
        transcript.spans(&blocks)[0].0,
        0,
        "from the first message on"
    );
    assert_exactly_once(&transcript, &disk);
}

#[test]
fn i10_note_evidence_is_limited_to_flushed_span() {
    let disk = MemoryDisk::new();
    let model = noting(|| {
        let notes = [
            ("Known", "e1", ""),
            ("Unknown", "e99", ""),
            ("Range", "e1-e7", ""),
            ("Without", "", ""),
        ];
        said(testkit::noted("Issues Found", &notes))
    });
    let home = Home::new(disk.clone(), 20_000).with_models(&model, &model);
    home.say(MAIN, "2026-04-20T09:00:00Z", "One.");
    home.say(MAIN, "2026-04-21T09:00:00Z", "Two.");
    let ids = home.transcript(MAIN).ids();
    let evidence = |ids: Vec<String>| ids.into_iter().map(EntryId::new).collect();
    let notes: Vec<(String, Vec<EntryId>, Origin)> = Home::blocks(&disk)
        .into_iter()
        .flat_map(|(_, block)| block.notes)
        .map(|note| {
            let origin = Origin::parse(&note.origin).unwrap();
            (note.text, evidence(note.evidence), origin)
        })
        .collect();
    assert_eq!(
        notes,
        [
            ("Known".into(), vec![ids[0].clone()], Origin::Owner),
            ("Range".into(), ids[..2].to_vec(), Origin::Agent),
        ]
    );
}

#[test]
fn foreign_session_notes_have_untrusted_and_agent_origin() {
    let disk = MemoryDisk::new();
    let lines = [
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-04-20T08:00:00.000Z","cwd":"/"}"#,
        r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-04-20T08:00:01.000Z","message":{"role":"user","content":"One."}}"#,
        r#"{"type":"message","id":"b","parentId":"a","timestamp":"2026-04-20T08:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Two."}]}}"#,
        "",
    ];
    crate::pipeline::put(&disk, "sessions/main.jsonl", lines.join("\n").as_bytes());
    let home = Home::new(disk.clone(), 20_000);
    home.say(MAIN, "2026-04-21T09:00:00Z", "Three.");
    let notes: Vec<(String, Origin)> = Home::blocks(&disk)
        .into_iter()
        .flat_map(|(_, block)| block.notes)
        .map(|note| (note.text, Origin::parse(&note.origin).unwrap()))
        .collect();
    assert_eq!(
        notes,
        [
            ("One.".to_owned(), Origin::Untrusted),
            ("Two.".to_owned(), Origin::Agent)
        ]
    );
    let origins = home.transcript(MAIN);
    let foreign = origins.entries.iter().take(2);
    assert!(foreign.clone().all(
        |entry| matches!(&entry.payload, Payload::Message(stored) if stored.origin.is_none())
    ));
}
