//! The engine behind its port: purposes, streaming, and what holds for any evidence.

use base::model::{Excerpt, complete};
use base::{FLUSH_SECTIONS, SUMMARY_SECTIONS};
use base::{Message, NOTHING_TO_FLUSH, Origin, TokenCount, estimate_text};
use proptest::prelude::*;

use super::super::fixture::{excerpts, reply, request};
use super::super::identifier::is_unspaced;
use super::super::sentence::fold;
use super::super::template;
use super::*;

#[test]
fn what_deserves_to_last_is_an_operation_a_line() {
    let kept = |talk| reply(&request(Purpose::Consolidate, excerpts(talk), 100));
    assert_eq!(
        kept("2026-04-20 user: I prefer mornings for the hall."),
        "{\"op\":\"add\",\"section\":\"Preferences\",\"text\":\"I prefer mornings for the hall.\",\"importance\":8,\"evidence\":[\"e1\"]}"
    );
    assert_eq!(kept("user: Good morning!"), base::NOTHING_TO_KEEP);
}

#[tokio::test]
async fn a_reply_is_streamed_section_by_section() {
    let talk = "2026-04-20 user: We decided to rent the hall. I prefer mornings.";
    let request = request(Purpose::Flush, excerpts(talk), 200);
    let engine = OfflineEngine::new(Tz::UTC);
    let events: Vec<_> = engine.stream(&request).collect().await;
    assert_eq!(
        events,
        [
            Ok(ReplyEvent::Text(
                "## Important Decisions\n\n- We decided to rent the hall. [e1]\n\n".into()
            )),
            Ok(ReplyEvent::Text(
                "## User Preferences\n\n- I prefer mornings. [e1]\n".into()
            )),
            Ok(ReplyEvent::Done {
                stop: StopReason::Stop,
                usage: None
            }),
        ]
    );
    assert!(
        complete(&engine, &request)
            .await
            .is_ok_and(|reply| reply.stop == StopReason::Stop)
    );
}

#[test]
fn days_are_told_in_the_owners_zone() {
    let talk = "2026-04-20 user: The review is due tomorrow.";
    let mut request = request(Purpose::Flush, excerpts(talk), 200);
    request.excerpts[0].at = "2026-04-20T23:30:00Z".parse().unwrap();
    let engine = OfflineEngine::new(Tz::Asia__Tokyo);
    assert_eq!(
        engine.reply(&request).unwrap(),
        "## Task Progress\n\n- The review is due tomorrow (2026-04-22). [e1]\n"
    );
}

#[test]
fn a_huge_message_is_answered_within_the_room() {
    let dump = "| drawing \\ of / a triangle $5 v1.2.3 ".repeat(10_000);
    let talk = vec![
        excerpt(0, &dump),
        excerpt(1, &"word ".repeat(70_000)),
        excerpt(2, &"\u{65e5}".repeat(100_000)),
    ];
    for purpose in [Purpose::Flush, Purpose::Summarise] {
        let reply = reply(&request(purpose, talk.clone(), 500));
        assert!(estimate_text(&reply) <= TokenCount(500), "{reply}");
    }
}

fn excerpt(number: usize, text: &str) -> Excerpt {
    let (origin, message) = match number % 4 {
        0 | 1 => (Origin::Owner, Message::user(text)),
        2 => (Origin::Agent, Message::assistant(text)),
        _ => return failed(number, text),
    };
    let at = "2026-04-20T10:00:00Z".parse().unwrap();
    let entry = (number != 1).then(|| base::EntryId::new(number.to_string()));
    Excerpt {
        label: format!("e{number}"),
        entry,
        at,
        origin,
        message,
        recalled: None,
    }
}

fn failed(number: usize, text: &str) -> Excerpt {
    let line = text.replace('\n', "\n| ");
    let mut excerpt = excerpts(&format!("2026-04-20 failed shell: {line}")).remove(0);
    excerpt.label = format!("e{number}");
    excerpt
}

/// Runs of letters and digits; a sign of a script without spaces is no part of the word beside it.
fn words(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut was_unspaced = false;
    for character in text.chars() {
        if !character.is_alphanumeric() || is_unspaced(character) != was_unspaced {
            found.push(String::new());
        }
        if character.is_alphanumeric() {
            found.last_mut().expect("a word").push(character);
        }
        was_unspaced = is_unspaced(character);
    }
    found.retain(|word| !word.is_empty());
    found
}

/// The texts of some excerpts, as written and as they stand without marks of Markdown; and the phrases.
fn known_texts<'a>(excerpts: impl Iterator<Item = &'a Excerpt>) -> Vec<String> {
    let mut known: Vec<String> = template::ALL.map(str::to_owned).to_vec();
    for excerpt in excerpts {
        let text = excerpt.message.text();
        known.push(fold(&text));
        known.push(text);
        if let Message::ToolResult(result) = &excerpt.message {
            known.push(result.tool_name.clone());
        }
    }
    known
}

/// A word of ASCII must stand there whole; a script without spaces has no words to be whole.
fn is_known(word: &str, known: &[String]) -> bool {
    known.iter().any(|text| {
        words(text).iter().any(|other| other == word) || !word.is_ascii() && text.contains(word)
    })
}

/// Takes away the dates that may be written: `(2026-04-21)`, `(week of 2026-04-20)`, `2026-04-20: `.
fn without_dates(text: &str) -> String {
    let mut kept = String::new();
    for part in text.split_inclusive(['(', ')', ' ', '-', ':']) {
        let is_number = part
            .trim_end_matches(['(', ')', ' ', '-', ':'])
            .bytes()
            .all(|byte| byte.is_ascii_digit());
        kept.push_str(if is_number { " " } else { part });
    }
    kept
}

/// Sentences that meet many rules, and any letters without the marks that join what stands beside them,
/// so that chance finds their combinations.
fn text() -> impl Strategy<Value = String> {
    let phrase = prop::sample::select(vec![
        "I prefer tabs",
        "always use v2.3.1",
        "we decided on $1,200",
        "can you fix src/a.rs?",
        "I've finished the parser",
        "the build fails with TypeError",
        "tomorrow",
        "in two weeks",
        "next Friday",
        ", but I'm not sure",
        ", and I've paid 40 euros",
        "\n- ",
        "\n## Plan\n",
        "\n```\nlet x = 1;\n```\n",
        "Remaining:",
        "**bold**",
        "\u{660e}\u{5929}\u{89c1}\u{3002}",
        "M\u{f8}de den 3. Mai.",
        ". ",
        "considering I'm 41",
        "https://a.io/x",
        "<!-- flush -->",
        "[e1]",
        "Hi!",
        "NOTHING_TO_FLUSH",
        "it's\u{a0}o'clock",
        "\u{1f642}",
    ]);
    let piece =
        prop_oneof![4 => phrase.prop_map(str::to_owned), 1 => "[\\p{L}\\p{N}\\p{P}\\p{S} ]{0,30}"];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn i16_any_text_is_answered_within_the_room(texts in prop::collection::vec("\\PC*|[ -~\n]*", 0..5), room in 5_u64..400) {
        let given: Vec<Excerpt> = texts.iter().enumerate().map(|(number, text)| excerpt(number, text)).collect();
        for purpose in [Purpose::Flush, Purpose::Summarise] {
            let reply = reply(&request(purpose, given.clone(), room));
            let is_shape = reply == NOTHING_TO_FLUSH || reply.starts_with("model offline refused");
            prop_assert!(is_shape || estimate_text(&reply) <= TokenCount(room));
        }
    }

    #[test]
    fn i16_every_word_of_the_notes_stands_in_the_excerpts_that_they_cite(texts in prop::collection::vec(text(), 0..6), room in 5_u64..600) {
        let given: Vec<Excerpt> = texts.iter().enumerate().map(|(number, text)| excerpt(number, text)).collect();
        let request = request(Purpose::Flush, given.clone(), room);
        let notes = reply(&request);
        prop_assert_eq!(&notes, &reply(&request));
        if notes == NOTHING_TO_FLUSH {
            return Ok(());
        }
        prop_assert!(estimate_text(&notes) <= TokenCount(room));
        for line in notes.lines().filter(|line| !line.is_empty()) {
            if let Some(heading) = line.strip_prefix("## ") {
                prop_assert!(FLUSH_SECTIONS.contains(&heading));
                continue;
            }
            let bullet = line.strip_prefix("- ").and_then(|bullet| bullet.strip_suffix(']')).expect("a bullet");
            let (text, labels) = bullet.rsplit_once(" [").expect("labels");
            let cited: Vec<&Excerpt> = labels.split(", ").map(|label| {
                given.iter().find(|excerpt| excerpt.label == label).expect("a label of the request")
            }).collect();
            let known = known_texts(cited.into_iter());
            for word in words(&without_dates(text)) {
                prop_assert!(is_known(&word, &known), "{} in {}", word, line);
            }
            prop_assert!(!text.contains("<!--") && !text.contains("-->"));
        }
    }

    #[test]
    fn i16_every_word_of_a_summary_stands_in_the_evidence(texts in prop::collection::vec(text(), 0..6), room in 5_u64..900) {
        let given: Vec<Excerpt> = texts.iter().enumerate().map(|(number, text)| excerpt(number, text)).collect();
        let request = request(Purpose::Summarise, given.clone(), room);
        let summary = reply(&request);
        prop_assert_eq!(&summary, &reply(&request));
        if summary.starts_with("model offline refused") {
            return Ok(());
        }
        prop_assert!(estimate_text(&summary) <= TokenCount(room));
        let known = known_texts(given.iter());
        for line in summary.lines().filter(|line| !line.is_empty()) {
            if let Some(heading) = line.strip_prefix("## ") {
                prop_assert!(SUMMARY_SECTIONS.contains(&heading));
                continue;
            }
            let text = line.strip_prefix("- ").expect("a bullet");
            for word in words(&without_dates(text)) {
                prop_assert!(is_known(&word, &known), "{} in {}", word, line);
            }
        }
    }
}
