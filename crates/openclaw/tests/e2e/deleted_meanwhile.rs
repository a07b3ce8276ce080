//! A chat whose session another process deletes, redacts, or begins first.
//!
//! Waits for replies, never for time.

use testkit::{TestHome, Words};

use crate::freshness::Running;

#[test]
fn chat_of_deleted_session_stops_without_recreating_it() {
    for recreated in [false, true] {
        let home = TestHome::init();
        let mut chat = Running::start(&home, "talk");
        chat.say("I live in Porto.");
        chat.wait("reply");
        home.ok("session delete talk --yes");
        if recreated {
            home.ok("chat -s talk -m 'Another one.'");
        }
        let before = home.list("sessions");
        chat.say("I have a cat.");
        chat.say("And a dog.");
        let (code, told) = chat.end();
        assert_eq!(code, Some(1), "{told}");
        told.holds("session talk was deleted while this chat was open");
        told.holds("1 later line was not sent");
        told.lacks(r#""event":"reply""#);
        assert_eq!(home.list("sessions"), before);
        let transcripts = home.files().into_iter().map(|(_, bytes)| bytes);
        let holds = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).contains("a cat");
        assert!(!transcripts.into_iter().any(holds));
    }
}

#[test]
fn chat_continues_in_redacted_or_meanwhile_started_session() {
    let home = TestHome::init();
    let mut chat = Running::start(&home, "talk");
    // Somebody else begins the session first.
    home.ok("chat -s talk -m 'I live in Porto.'");
    chat.say("I have a cat.");
    chat.wait("reply");
    home.ok("session redact talk --text Porto --yes");
    chat.say("/new");
    chat.say("I have a dog.");
    chat.wait("reply");
    let (code, said) = chat.end();
    assert_eq!(code, Some(0), "{said}");
    said.lacks("was deleted");
    crate::held::verify_is_clean(&home, "talk");
    let text = home.read("sessions/talk.jsonl");
    assert!(text.contains("a cat") && text.contains("a dog") && !text.contains("Porto"));
}
