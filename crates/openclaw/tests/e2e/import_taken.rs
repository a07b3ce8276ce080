//! Conversations put into sessions: twice, grown, and after a crash.
//!
//! A second call adds nothing, whatever happened in the first.

use std::sync::Arc;

use base::disk::{CrashDisk, Disk, MemoryDisk, Unsynced};
use base::{FixedClock, Message, Origin, Timestamp};
use session::{SessionDirs, SessionStore};

use agent::{Act, Taken, TakenState, take_conversation};
use import::{Conversation, ImportFormat, ImportedMessage, NotUnderstood};

fn now() -> Timestamp {
    "2026-03-03T00:00:00Z".parse().unwrap()
}

fn store(disk: Arc<dyn Disk>) -> SessionStore {
    let dirs = SessionDirs {
        sessions: "/home/sessions".into(),
        locks: "/home/locks".into(),
        quarantine: "/home/quarantine".into(),
    };
    SessionStore::new(disk, Arc::new(FixedClock::new(now())), dirs)
}

fn home() -> MemoryDisk {
    let disk = MemoryDisk::new();
    for name in ["sessions", "locks", "quarantine"] {
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
        (now(), Act::Write),
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

fn texts(conversation: &Conversation) -> Vec<String> {
    let messages = conversation.messages.iter();
    messages.map(|message| message.message.text()).collect()
}

#[test]
fn a_second_import_changes_nothing_and_a_longer_one_adds_the_rest() {
    let disk = home();
    let look = take_conversation(
        &store(Arc::new(disk.clone())),
        &"talk".parse().unwrap(),
        &talk(3),
        (now(), Act::Look),
    );
    assert_eq!(
        look.unwrap(),
        Taken {
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
fn an_import_begins_without_a_marker() {
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
fn i1_a_crash_in_an_import_is_made_good_by_the_next() {
    let start = home();
    let talk = talk(3);
    for n_moments in 0.. {
        let disk = CrashDisk::new(&start, n_moments);
        take(disk.clone(), &talk);
        if !disk.has_crashed() {
            assert!(n_moments > 5, "nothing crashed");
            break;
        }
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let after = disk.after_crash(unsynced);
            assert!(take(after.clone(), &talk).is_some());
            assert_eq!(said(&after), texts(&talk), "after {n_moments} moments");
        }
    }
}
