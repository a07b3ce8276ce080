//! The text that the model reads when it is asked for notes.

use proptest::prelude::*;

use super::*;
use crate::fixture::{any_conversation, as_of, as_read, view};
use crate::flush::FlushSection;
use crate::transcript::excerpts;

fn request(conversation: &str, mode: FlushMode) -> Request {
    let items = view(conversation).items;
    flush_request(&excerpts(&items), mode, as_of(600), TokenCount(32_000))
}

#[test]
fn flush_request_before_compaction() {
    let request = request(
        "user: use RS256, not HS256\nassistant: noted call(c1)\ntool(c1): secret in auth.js:42",
        FlushMode::BeforeCompaction,
    );
    assert_eq!(
        (request.purpose, request.output_max, request.tools.len(),),
        (Purpose::Flush, TokenCount(4_000), 0)
    );
    insta::assert_snapshot!(as_read(&request));
}

#[test]
fn session_notes_request_names_pause_and_last_day() {
    let system = request("user: bye", FlushMode::SessionNotes).system;
    assert!(system.contains("The conversation pauses here."), "{system}");
    assert!(
        system.contains("the last line is from 2026-04-21"),
        "{system}"
    );
    assert!(!system.contains("{{"), "{system}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn i6_flush_request_fits_window(view in any_conversation(20_000), window in 2_000_u64..20_000) {
        let window = TokenCount(window);
        let request = flush_request(&excerpts(&view.items), FlushMode::SessionNotes, as_of(0), window);
        let input: TokenCount = request.messages.iter().map(base::estimate_message).sum();
        prop_assert!(estimate_text(&request.system) + input + request.output_max <= window);
    }
}

#[test]
fn sentence_request_shows_neighbouring_messages() {
    let talk = "user: far away\nassistant: hello\nuser: I moved to Oslo last month. It is cold.\n\
                assistant: noted\nuser: far behind";
    let excerpts = excerpts(&view(talk).items);
    let sentence = FlushNote {
        section: FlushSection::Notes,
        text: "I moved to Oslo last month.".to_owned(),
        quote: String::new(),
        evidence: excerpts[2].entry.clone().into_iter().collect(),
        origin: base::Origin::Owner,
    };
    let window = TokenCount(4_096);
    let request = sentence_request(&sentence, &excerpts, as_of(600), window).unwrap();
    let shown = request.messages[0].text();
    assert!(!shown.contains("far away") && !shown.contains("far behind"));
    insta::assert_snapshot!(as_read(&request));
    let unknown = FlushNote {
        evidence: Vec::new(),
        ..sentence
    };
    let request = sentence_request(&unknown, &excerpts, as_of(600), window);
    assert_eq!(request, None);
}
