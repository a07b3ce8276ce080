//! Where the entries of one block of notes end.

use base::EntryId;
use session::StoredMessage;

use super::*;

fn entries(texts: impl Iterator<Item = String>) -> Vec<Entry> {
    let entry = |text: String| Entry {
        id: EntryId::new("e"),
        parent: None,
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        payload: Payload::Message(StoredMessage {
            message: Message::user(text),
            origin: Some(Origin::Owner),
            source: None,
            copied_from: None,
        }),
    };
    texts.map(entry).collect()
}

#[test]
fn what_is_said_fits_into_one_block_or_is_parted_between_two_messages() {
    let facts = |n| (0..n).map(|number| format!("My locker number {number} is {number}."));
    assert_eq!(n_with_room(&entries(facts(OF_OWNER_MAX))), OF_OWNER_MAX);
    assert_eq!(n_with_room(&entries(facts(OF_OWNER_MAX * 2))), OF_OWNER_MAX);
    assert_eq!(n_with_room(&[]), 0);
}

#[test]
fn what_others_than_the_owner_say_takes_no_room() {
    let facts =
        (0..OF_OWNER_MAX * 2).map(|number| format!("My locker number {number} is {number}."));
    let mut others = entries(facts);
    for entry in &mut others {
        if let Payload::Message(stored) = &mut entry.payload {
            stored.origin = Some(Origin::Untrusted);
        }
    }
    assert_eq!(n_with_room(&others), OF_OWNER_MAX * 2);
}

#[test]
fn what_makes_no_notes_takes_no_room() {
    let talk = (0..500).map(|_| "What do you think of that?".to_owned());
    assert_eq!(n_with_room(&entries(talk)), 500);
}
