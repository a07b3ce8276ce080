//! A chat in whose session another process has a hand: it is deleted, redacted, or begun first.
//!
//! Waits for replies, never for time.

use std::io::{BufRead, BufReader, Write};

use testkit::TestHome;

/// A chat that goes on, in the session `talk`.
struct OpenChat {
    child: std::process::Child,
    stdin: std::process::ChildStdin,
    replies: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl OpenChat {
    fn begin(home: &TestHome) -> Self {
        let mut child = home.spawn("chat -s talk --json");
        let stdin = child.stdin.take().unwrap();
        let replies = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            stdin,
            replies,
        }
    }

    fn say(&mut self, words: &str) {
        writeln!(self.stdin, "{words}").unwrap();
    }

    fn hear_reply(&mut self) {
        let mut events = self.replies.by_ref().map(Result::unwrap);
        assert!(events.any(|event| event.contains(r#""event":"reply""#)));
    }

    /// Its exit code, and what it told since.
    fn end(self) -> (Option<i32>, String) {
        let Self {
            child,
            stdin,
            replies,
        } = self;
        drop(stdin);
        let told: Vec<String> = replies.map(Result::unwrap).collect();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), told.join("\n"))
    }
}

#[test]
fn a_chat_whose_session_was_deleted_says_so_and_does_not_begin_it_anew() {
    for recreated in [false, true] {
        let home = TestHome::init();
        let mut chat = OpenChat::begin(&home);
        chat.say("I live in Porto.");
        chat.hear_reply();
        home.ok("session delete talk --yes");
        if recreated {
            home.ok("chat -s talk -m 'Another one.'");
        }
        let before = home.list("sessions");
        chat.say("I have a cat.");
        chat.say("And a dog.");
        let (code, told) = chat.end();
        assert_eq!(code, Some(1), "{told}");
        for words in [
            "session talk was deleted while this chat was open",
            "1 later line was not sent",
        ] {
            assert!(told.contains(words), "{told}");
        }
        assert!(!told.contains(r#""event":"reply""#), "{told}");
        assert_eq!(home.list("sessions"), before);
        let transcripts = home.files().into_iter().map(|(_, bytes)| bytes);
        let holds = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).contains("a cat");
        assert!(!transcripts.into_iter().any(holds));
    }
}

#[test]
fn a_chat_goes_on_in_a_session_that_is_redacted_or_new_meanwhile() {
    let home = TestHome::init();
    let mut chat = OpenChat::begin(&home);
    // Somebody else begins the session first.
    home.ok("chat -s talk -m 'I live in Porto.'");
    chat.say("I have a cat.");
    chat.hear_reply();
    home.ok("session redact talk --text Porto --yes");
    chat.say("/new");
    chat.say("I have a dog.");
    chat.hear_reply();
    let (code, said) = chat.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("was deleted"), "{said}");
    crate::held::verify_is_clean(&home, "talk");
    let text = home.read("sessions/talk.jsonl");
    assert!(text.contains("a cat") && text.contains("a dog") && !text.contains("Porto"));
}
