//! Answers from memory: what is quoted, what is acknowledged, and what is said where there is nothing.

use base::model::{
    Excerpt, MemoryReach, Purpose, Quote, Recalled, Renewal, Request, Spelling, Standing,
};
use base::{Locator, Message, Origin, TokenCount, estimate_text};
use proptest::prelude::*;

use super::super::fixture::{reply, request};
use super::super::sentence::fold;
use super::super::template;

/// A passage: `PLACE DAY SPEAKER: TEXT`; a day `-` is none.
fn passage(line: &str) -> Excerpt {
    let (head, text) = line.split_once(": ").unwrap();
    let [place, day, speaker] = head.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let (path, number) = place.rsplit_once(':').unwrap();
    let number: usize = number.parse().unwrap();
    let message = match speaker {
        "assistant" => Message::assistant(text),
        _ => Message::user(text),
    };
    Excerpt {
        label: "r1".into(),
        entry: None,
        at: "2026-05-01T10:00:00Z".parse().unwrap(),
        origin: Origin::Owner,
        message,
        recalled: Some(Recalled {
            place: Locator {
                path: path.into(),
                start_line: number,
                end_line: number,
            },
            day: day.parse().ok(),
            renewal: None,
            tells: None,
            stands_for: Vec::new(),
        }),
    }
}

fn chat(words: &str, passages: Vec<Excerpt>, room: u64) -> Request {
    let mut message = Message::user(words);
    let suffix = "<now>Friday</now> What is the suffix of cats?".to_owned();
    message.content_mut().push(base::Block::Text(suffix));
    Request {
        messages: vec![
            Message::user("Earlier?"),
            Message::assistant("Yes."),
            message,
        ],
        ..request(Purpose::Chat, passages, room)
    }
}

#[track_caller]
fn check(words: &str, passages: &[&str], expected: &str) {
    let passages = passages.iter().map(|line| passage(line)).collect();
    assert_eq!(reply(&chat(words, passages, 400)), expected, "{words}");
}

#[test]
fn what_is_to_be_forgotten_is_neither_kept_nor_quoted_back() {
    let passages = ["memory/2026-04-01.md:3 2026-04-01 user: My rent is 850 euros."];
    for words in [
        "Forget that I like jazz",
        "please forget my rent",
        "Can you forget about my rent?",
    ] {
        check(words, &passages, template::FORGET);
    }
    check(
        "I forget my rent every month.",
        &passages,
        template::NOT_NOTED,
    );
}

#[test]
fn a_question_is_answered_with_the_passages_and_their_places() {
    check(
        "When does Ann's train arrive?",
        &[
            "sessions/main.jsonl:3 2026-04-20 user: When does Ann's train arrive?",
            "sessions/main.jsonl:7 2026-04-20 user: Hello there. Ann's train arrives tomorrow at 18:40. She stays for a week.",
            "MEMORY.md:5 - user: - Ann is my sister",
            "memory/2026-04-19.md:9 2026-04-19 user: - The hall costs 300 euros",
            "sessions/main.jsonl:8 2026-04-20 assistant: Ann's train is noted.",
        ],
        "I am offline and can only quote what I find in memory:\n\n\
         - Ann's train arrives tomorrow (2026-04-21) at 18:40. She stays for a week. (sessions/main.jsonl:7, 2026-04-20)\n\
         - Ann is my sister (MEMORY.md:5)\n\
         - Assistant: Ann's train is noted. (sessions/main.jsonl:8, 2026-04-20)\n",
    );
}

#[test]
fn of_somebody_what_tells_more_than_who_it_is_comes_first() {
    check(
        "Which instrument does my partner play?",
        &[
            "sessions/main.jsonl:3 2026-04-20 user: My partner Luis is a paramedic.",
            "sessions/main.jsonl:5 2026-04-20 user: Tom plays chess.",
            "sessions/main.jsonl:7 2026-04-20 user: Luis plays the trumpet.",
        ],
        "I am offline and can only quote what I find in memory:\n\n\
         - Luis plays the trumpet. (sessions/main.jsonl:7, 2026-04-20)\n\
         - My partner Luis is a paramedic. (sessions/main.jsonl:3, 2026-04-20)\n",
    );
}

#[test]
fn of_somebody_what_names_them_and_what_is_asked_answers_where_nothing_tells_it_surely() {
    check(
        "Where does my brother work?",
        &[
            "sessions/main.jsonl:3 2026-04-20 user: My brother Tom lives in Leeds and works at the hospital.",
            "sessions/main.jsonl:5 2026-04-20 user: My brother lives in Leeds.",
        ],
        "I am offline and can only quote what I find in memory:\n\n\
         - My brother Tom lives in Leeds and works at the hospital. (sessions/main.jsonl:3, 2026-04-20)\n",
    );
    for other in [
        "My brother Ben lives in Leeds and works at the hospital.",
        "My sister lives in Leeds and works with my brother.",
        "I live in Leeds and work with my brother.",
        "My brother lives in Leeds.",
        "Does my brother live in Leeds and work there?",
    ] {
        check(
            "Where does my brother Tom work?",
            &[&format!("sessions/main.jsonl:3 2026-04-20 user: {other}")],
            template::NOT_FOUND,
        );
    }
}

#[test]
fn what_shares_only_the_word_for_a_kind_of_value_is_no_answer() {
    let number = "sessions/main.jsonl:3 2026-04-20 user: The plumber's number is 0131 555.";
    check(
        "What is my passport number?",
        &[number],
        template::NOT_FOUND_NEAR,
    );
    check(
        "What is the plumber's number?",
        &[number],
        "I am offline and can only quote what I find in memory:\n\n\
         - The plumber's number is 0131 555. (sessions/main.jsonl:3, 2026-04-20)\n",
    );
}

#[test]
fn what_stands_for_a_word_of_the_question_answers() {
    let line = "sessions/main.jsonl:3 2026-04-20 user: I have a kayak in the garage.";
    let mut kayak = passage(line);
    let asked = |kayak: &Excerpt| {
        let passages = vec![kayak.clone()];
        reply(&chat("Which boat do I have?", passages, 400))
    };
    assert_eq!(asked(&kayak), template::NOT_FOUND_NEAR);
    kayak.recalled.as_mut().unwrap().stands_for = vec![Spelling {
        asked: "boat".into(),
        meant: "kayak".into(),
    }];
    assert_eq!(
        asked(&kayak),
        "I am offline and can only quote what I find in memory:\n\n\
         - I have a kayak in the garage. (sessions/main.jsonl:3, 2026-04-20)\n"
    );
}

#[test]
fn who_asks_who_somebody_of_theirs_is_is_told_what_is_known_of_them() {
    check(
        "Who is my boss?",
        &["sessions/main.jsonl:3 2026-04-20 user: My boss Ingrid is strict about deadlines."],
        "I am offline and can only quote what I find in memory:\n\n\
         - My boss Ingrid is strict about deadlines. (sessions/main.jsonl:3, 2026-04-20)\n",
    );
}

#[test]
fn a_later_value_is_told_first_and_the_earlier_named_as_such() {
    let mut newer =
        passage("sessions/main.jsonl:9 2026-04-20 user: We moved to Szeged yesterday. It rains.");
    let older = "sessions/main.jsonl:2 2026-02-03 user: I live in Graz. I like tea.";
    let mut older = passage(older);
    let place = older.recalled.as_ref().unwrap().place.clone();
    let renewal = |excerpt: &mut Excerpt, renewal| {
        excerpt.recalled.as_mut().unwrap().renewal = Some(renewal);
    };
    renewal(
        &mut newer,
        Renewal {
            value: Quote::all_of("We moved to Szeged yesterday.").remove(0),
            renews: vec![place],
            standing: Standing::Latest,
        },
    );
    renewal(
        &mut older,
        Renewal {
            value: Quote::all_of("I live in Graz.").remove(0),
            renews: Vec::new(),
            standing: Standing::Earlier,
        },
    );
    let passages = vec![newer, older];
    assert_eq!(
        reply(&chat("Where do I live?", passages.clone(), 400)),
        "I am offline and can only quote what I find in memory:\n\n\
         - We moved to Szeged yesterday (2026-04-19). (sessions/main.jsonl:9, 2026-04-20)\n\
         - Earlier: I live in Graz. I like tea. (sessions/main.jsonl:2, 2026-02-03)\n"
    );
    // Another thing that the same message says is not earlier than anything.
    assert_eq!(
        reply(&chat("Which tea do I drink?", passages, 400)),
        "I am offline and can only quote what I find in memory:\n\n\
         - I like tea. (sessions/main.jsonl:2, 2026-02-03)\n"
    );
}

#[test]
fn a_request_is_answered_like_a_question() {
    let passages = ["memory/2026-04-19.md:9 2026-04-19 user: - The hall costs 300 euros"];
    let expected = "I am offline and can only quote what I find in memory:\n\n\
                    - The hall costs 300 euros (memory/2026-04-19.md:9, 2026-04-19)\n";
    check("Tell me the price of the hall.", &passages, expected);
}

#[test]
fn what_shares_no_word_with_the_question_is_not_quoted() {
    let passages = [
        "memory/2026-04-19.md:9 2026-04-19 user: - The ship sails at noon",
        "memory/2026-04-19.md:11 2026-04-19 user: - The hall costs 300 euros",
    ];
    for question in ["When does the boat leave?", "What is the weather tomorrow?"] {
        check(question, &passages, template::NOT_FOUND_NEAR);
    }
    check("weather tomorrow", &passages, template::NOTHING_TO_SAY);
}

#[test]
fn where_memory_holds_nothing_that_is_said() {
    check("What is my shoe size?", &[], template::NOT_FOUND);
    let asked = ["sessions/main.jsonl:3 2026-04-20 user: What is my shoe size?"];
    check("What is my shoe size?", &asked, template::NOT_FOUND_NEAR);
}

#[test]
fn what_was_not_looked_through_is_not_denied() {
    let asked = |reach| Request {
        reach,
        ..chat("What is my shoe size?", Vec::new(), 400)
    };
    assert_eq!(reply(&asked(MemoryReach::Behind)), template::NOT_FOUND_YET);
    assert_eq!(
        reply(&asked(MemoryReach::Partial)),
        template::NOT_FOUND_IN_PART
    );
    assert_eq!(
        reply(&asked(MemoryReach::Session)),
        template::NOT_FOUND_HERE
    );
    assert_eq!(reply(&asked(MemoryReach::Failed)), template::NOT_SEARCHED);
}

#[test]
fn what_is_known_of_the_owner_is_not_denied_where_it_was_not_looked_for() {
    let asked = |reach| Request {
        reach,
        ..chat("What do you know about me?", Vec::new(), 400)
    };
    assert_eq!(
        reply(&asked(MemoryReach::Session)),
        template::NOT_FOUND_HERE
    );
    assert_eq!(reply(&asked(MemoryReach::Whole)), template::NOTHING_KNOWN);
}

#[test]
fn what_is_told_is_acknowledged_and_not_answered() {
    let passages = ["MEMORY.md:5 - user: - Ann is my sister"];
    check("My sister Ann moved to Lyon.", &passages, template::KEPT);
    check("Hi!", &[], template::NOTHING_TO_SAY);
    check("", &[], template::NOTHING_TO_SAY);
}

#[test]
fn what_no_note_would_hold_is_not_said_to_be_kept() {
    check("I have a Skoda.", &[], template::KEPT);
    check("Use Celsius.", &[], template::KEPT);
    check("I stopped the Netflix subscription.", &[], template::KEPT);
    check("You may suggest restaurants again.", &[], template::KEPT);
    check("My head hurts again.", &[], template::NOT_NOTED);
    check("Remind me to call Anna on Friday.", &[], template::KEPT);
    check("Remind me to call Anna.", &[], template::NOT_FOUND);
}

#[test]
fn i14_of_a_secret_it_is_said_that_it_is_not_kept() {
    let not_kept = |what: &str| {
        format!(
            "{}{what}{}",
            template::TAKEN_OUT,
            template::STILL_IN_TRANSCRIPT
        )
    };
    let password = "My password for the bank is hunter2secret";
    check(password, &[], &not_kept("password"));
    let both = "The door code is 4711 and my PIN is 0815.";
    check(both, &[], &not_kept("access code, pin"));
    let mark = "In the log stands [REDACTED:pin] everywhere.";
    check(mark, &[], template::NOT_NOTED);
}

#[test]
fn a_question_of_common_words_is_answered_by_them() {
    let passages = [
        "sessions/main.jsonl:7 2026-04-20 user: I work at Bosch.",
        "MEMORY.md:5 - user: - Where the ferry leaves is unknown",
    ];
    let expected = "I am offline and can only quote what I find in memory:\n\n\
                    - I work at Bosch. (sessions/main.jsonl:7, 2026-04-20)\n";
    check("Where do I work?", &passages, expected);
    check("I work at Bosch.", &[], template::KEPT);
}

#[test]
fn chinese_japanese_and_korean_are_answered_from_memory() {
    let passages = [
        "sessions/main.jsonl:7 2026-04-20 user: \u{6211}\u{7684}\u{8f66}\u{662f}\u{7ea2}\u{8272}\u{7684}\u{3002}",
        "sessions/main.jsonl:9 2026-04-20 user: \u{6211}\u{4f4f}\u{5728}\u{4e0a}\u{6d77}\u{3002}",
    ];
    let expected = "I am offline and can only quote what I find in memory:\n\n\
                    - \u{6211}\u{7684}\u{8f66}\u{662f}\u{7ea2}\u{8272}\u{7684}\u{3002} (sessions/main.jsonl:7, 2026-04-20)\n";
    for question in [
        "\u{6211}\u{7684}\u{8f66}\u{662f}\u{4ec0}\u{4e48}\u{989c}\u{8272}",
        "\u{6211}\u{7684}\u{8f66}\u{662f}\u{4ec0}\u{4e48}\u{989c}\u{8272}\u{ff1f}",
    ] {
        check(question, &passages, expected);
    }
    let told = "\u{6211}\u{7684}\u{8f66}\u{662f}\u{7ea2}\u{8272}\u{7684}\u{3002}";
    check(told, &[], template::KEPT);
    check(
        "\u{4f60}\u{597d}\u{ff01}",
        &passages,
        template::NOTHING_TO_SAY,
    );
}

#[test]
fn a_greeting_is_about_nothing_and_a_word_about_what_says_more_of_it() {
    let passages = [
        "sessions/main.jsonl:3 2026-04-20 user: hello",
        "sessions/main.jsonl:5 2026-04-20 user: We say hello to the neighbours again.",
        "sessions/main.jsonl:7 2026-04-20 user: dentist",
        "MEMORY.md:5 - user: - The dentist is in Mitte",
    ];
    for greeting in [
        "hello",
        "Again!",
        "thanks",
        "Thank you very much.",
        "Guten Morgen",
    ] {
        check(greeting, &passages, template::NOTHING_TO_SAY);
    }
    check("piano", &passages, template::NOTHING_TO_SAY);
    let expected = "I am offline and can only quote what I find in memory:\n\n\
                    - The dentist is in Mitte (MEMORY.md:5)\n";
    check("dentist", &passages, expected);
}

fn words(text: &str) -> Vec<String> {
    let apart = text.split(|character: char| !character.is_alphanumeric());
    apart
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

proptest! {
    #[test]
    fn i16_every_word_stands_in_a_passage_or_is_a_phrase_or_a_date(
        question in "[a-z ]{0,30}[?.]?",
        texts in prop::collection::vec("[A-Za-z0-9\u{e9}\u{65e5}.,!? \\-*#\n]{0,200}", 0..5),
        room in 0_u64..300,
    ) {
        let passages: Vec<Excerpt> = texts.iter().map(|text| {
            let mut passage = passage("memory/2026-04-19.md:9 2026-04-19 user: text");
            passage.message = Message::user(text.as_str());
            passage
        }).collect();
        let said = reply(&chat(&question, passages, room));
        prop_assert!(estimate_text(&said) <= TokenCount(room));
        let mut known: Vec<String> = template::ALL.iter().flat_map(|phrase| words(phrase)).collect();
        known.extend(words("memory/2026-04-19.md:9, 2026-04-19"));
        known.extend(texts.iter().flat_map(|text| words(&fold(text))));
        for word in words(&said) {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            prop_assert!(is_number || known.contains(&word), "{} in {}", word, said);
        }
    }
}

#[test]
fn a_misspelt_question_is_answered_by_what_was_meant() {
    let mut request = chat(
        "When is the Dentits?",
        vec![passage(
            "memory/2026-04-20.md:3 2026-04-20 user: The dentist is on Friday.",
        )],
        400,
    );
    assert!(
        !reply(&request).contains("on Friday"),
        "{}",
        reply(&request)
    );
    request.spellings = vec![base::model::Spelling {
        asked: "dentits".into(),
        meant: "dentist".into(),
    }];
    assert!(
        reply(&request).contains("The dentist is on Friday."),
        "{}",
        reply(&request)
    );
}
