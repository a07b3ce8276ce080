//! Conversations put into sessions: twice, grown, and after a crash.
//!
//! A second call adds nothing, whatever happened during the first.

use std::sync::Arc;

use base::disk::{Crash, CrashDisk, Disk, MemoryDisk};
use base::{FixedClock, HomeLayout, Message, Origin, Timestamp};
use session::SessionStore;

use agent::{TakeMode, TakenConversation, TakenState, take_conversation};
use import::{Conversation, ConversationSource, ImportFormat, ImportedMessage, NotUnderstood};

fn now() -> Timestamp {
    "2026-03-03T00:00:00Z".parse().unwrap()
}

fn store(disk: Arc<dyn Disk>) -> SessionStore {
    let clock = Arc::new(FixedClock::new(now()));
    SessionStore::new(disk, clock, HomeLayout::new("/home"))
}

fn home() -> MemoryDisk {
    let disk = MemoryDisk::new();
    for name in ["sessions", "state/locks", "state/quarantine"] {
        disk.create_dir(&std::path::Path::new("/home").join(name))
            .unwrap();
    }
    disk
}

fn talk(n_messages: usize) -> Conversation {
    let messages = (0..n_messages).map(|number| ImportedMessage {
        at: (number % 2 == 0).then(now),
        origin: Origin::Owner,
        message: Message::user(format!("message {number}")),
    });
    Conversation {
        format: ImportFormat::Lines,
        id: "talk".to_owned(),
        source: ConversationSource::default(),
        title: None,
        messages: messages.collect(),
        not_understood: NotUnderstood::default(),
    }
}

fn take(disk: impl Disk + 'static, conversation: &Conversation) -> Option<(TakenState, usize)> {
    let name = "talk".parse().unwrap();
    let taken = take_conversation(
        &store(Arc::new(disk)),
        &name,
        conversation,
        now(),
        TakeMode::Write,
    );
    taken.ok().map(|taken| (taken.state, taken.n_added))
}

fn said(disk: &MemoryDisk) -> Vec<String> {
    let sessions = store(Arc::new(disk.clone()));
    let name = "talk".parse().unwrap();
    if !sessions.exists(&name).unwrap() {
        return Vec::new();
    }
    let lines = sessions.lines(&name).unwrap().map(Result::unwrap);
    lines
        .filter_map(|line| {
            let session::LineContent::Entry(entry) = line.content else {
                return None;
            };
            let session::Payload::Message(stored) = entry.payload else {
                return None;
            };
            Some(stored.message.text())
        })
        .collect()
}

/// A conversation in which both sides say these texts in turn.
fn spoken(texts: &[&str]) -> Conversation {
    let message = |(place, text): (usize, &&str)| ImportedMessage {
        at: Some(now()),
        origin: Origin::Owner,
        message: if place % 2 == 0 {
            Message::user(*text)
        } else {
            Message::assistant(*text)
        },
    };
    Conversation {
        messages: texts.iter().enumerate().map(message).collect(),
        ..talk(0)
    }
}

/// Follows a conversation, and returns the messages on the live branch afterwards.
fn followed(disk: impl Disk + 'static, texts: &[&str]) -> Option<Vec<String>> {
    let store = store(Arc::new(disk));
    let name = "talk".parse().unwrap();
    take_conversation(&store, &name, &spoken(texts), now(), TakeMode::Follow).ok()?;
    let limit = session::ResumeLimit {
        tokens: base::TokenCount(u64::MAX),
    };
    let items = store.read(&name, limit).ok()?.view.items;
    let text = |item: session::ViewItem| match item.content {
        session::ViewContent::Message(message) => message.text(),
        session::ViewContent::Summary(text) => text,
    };
    Some(items.into_iter().map(text).collect())
}

/// A conversation as it is found at successive times.
const COURSE: [&[&str]; 8] = [
    &["Tea?", "Green"],
    // The reply grew.
    &["Tea?", "Green or black"],
    &["Tea?", "Green or black", "Black."],
    // It went back.
    &["Tea?", "Green or black", "Rather green.", "Good."],
    &["Tea?", "Green or black", "Black."],
    // To the very beginning.
    &["Coffee?", "No."],
    &["Coffee?", "No.", "Why?"],
    &["Tea?", "Green or black", "Black.", "As you like."],
];

fn texts(conversation: &Conversation) -> Vec<String> {
    let messages = conversation.messages.iter();
    messages.map(|message| message.message.text()).collect()
}

#[test]
fn repeated_import_changes_nothing_and_longer_one_adds_rest() {
    let disk = home();
    let look = take_conversation(
        &store(Arc::new(disk.clone())),
        &"talk".parse().unwrap(),
        &talk(3),
        now(),
        TakeMode::Look,
    );
    assert_eq!(
        look.unwrap(),
        TakenConversation {
            state: TakenState::New,
            n_added: 3
        }
    );
    assert_eq!(said(&disk), [""; 0]);
    assert_eq!(take(disk.clone(), &talk(3)), Some((TakenState::New, 3)));
    let before = disk.snapshot();
    assert_eq!(
        take(disk.clone(), &talk(3)),
        Some((TakenState::Unchanged, 0))
    );
    assert_eq!(disk.snapshot(), before);
    assert_eq!(
        take(disk.clone(), &talk(450)),
        Some((TakenState::Grown, 447))
    );
    assert_eq!(said(&disk), texts(&talk(450)));
}

#[test]
fn imported_session_starts_with_default_meta() {
    let disk = home();
    take(disk.clone(), &talk(3)).unwrap();
    let name = "talk".parse().unwrap();
    let limit = session::ResumeLimit {
        tokens: base::TokenCount(u64::MAX),
    };
    let read = store(Arc::new(disk)).read(&name, limit).unwrap();
    assert_eq!(read.state, session::Meta::default());
}

#[test]
fn i1_crashed_import_is_completed_by_next() {
    let start = home();
    let talk = talk(3);
    let crashes: Vec<_> = CrashDisk::crashes(&start, |disk| take(disk, &talk)).collect();
    assert!(crashes.len() > 10, "nothing crashed");
    for Crash { found, when, .. } in crashes {
        assert!(take(found.clone(), &talk).is_some());
        assert_eq!(said(&found), texts(&talk), "{when}");
    }
}

#[test]
fn session_follows_rewound_conversation_and_growing_reply() {
    let disk = home();
    for found in COURSE {
        for _ in 0..2 {
            assert_eq!(followed(disk.clone(), found).unwrap(), found);
        }
        // What ends earlier, before a reply that may grow, changes nothing.
        let (_, earlier) = found.split_last().unwrap();
        assert_eq!(followed(disk.clone(), earlier).unwrap(), found);
    }
    let once = [
        "Tea?",
        "Green",
        "Green or black",
        "Black.",
        "Rather green.",
        "Good.",
        "Coffee?",
        "No.",
        "Why?",
        "As you like.",
    ];
    assert_eq!(said(&disk), once);
}

#[test]
fn session_with_own_message_stops_following() {
    let disk = home();
    assert_eq!(followed(disk.clone(), COURSE[2]).unwrap(), COURSE[2]);
    let store = store(Arc::new(disk.clone()));
    let limit = session::ResumeLimit {
        tokens: base::TokenCount(0),
    };
    let mut turn = store.begin_turn(&"talk".parse().unwrap(), limit).unwrap();
    let own = session::StoredMessage {
        message: Message::user("And biscuits."),
        origin: Some(Origin::Owner),
        source: None,
        copied_from: None,
        scopes: Vec::new(),
    };
    turn.append_message(now(), own).unwrap();
    drop(turn);
    let expected = [COURSE[2], &["And biscuits."]].concat();
    for found in COURSE {
        assert_eq!(followed(disk.clone(), found).unwrap(), expected);
    }
}

#[test]
fn i1_crashed_follow_is_completed_by_next() {
    let start = home();
    for found in COURSE {
        for crash in CrashDisk::crashes(&start, |disk| followed(disk, found)) {
            let mended = followed(crash.found, found).unwrap();
            assert_eq!(mended, found, "{}", crash.when);
        }
        assert_eq!(followed(start.clone(), found).unwrap(), found);
    }
}
