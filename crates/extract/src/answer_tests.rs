//! The order in which passages are quoted.

use super::*;

fn passage(line: usize, day: &str) -> QuotedPassage {
    QuotedPassage {
        text: String::new(),
        place: Locator {
            path: "memory/a.md".into(),
            start_line: line,
            end_line: line,
        },
        day: day.parse().ok(),
        planned_for: None,
        is_assistants: false,
    }
}

fn answer<'p>(passage: &'p QuotedPassage, text: &str, worth: f32) -> Quotation<'p> {
    Quotation {
        text: text.to_owned(),
        dated: text.to_owned(),
        passage,
        worth,
        is_answer: true,
        stems: stems(text, None),
        asked: BTreeSet::new(),
    }
}

#[test]
fn an_answer_keeps_its_place_before_what_is_quoted_beside_it() {
    let passage = passage(1, "2026-01-05");
    let beside = ["heron", "lake", "boat"].map(|it| Quotation {
        is_answer: false,
        ..answer(&passage, it, 2.0)
    });
    let found = beside.into_iter().chain([answer(&passage, "rent", 0.5)]);
    let arranged = arranged(found.collect());
    let texts: Vec<&str> = arranged.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["rent", "heron", "lake"]);
}

#[test]
fn the_newer_of_one_matter_stands_first_whatever_its_worth() {
    let (old, new) = (passage(1, "2026-01-05"), passage(2, "2026-03-05"));
    let found = vec![
        answer(&old, "rent flat 800", 1.0),
        answer(&new, "rent flat 950", 0.7),
        answer(&new, "heron lake", 0.9),
    ];
    let arranged = arranged(found);
    let texts: Vec<&str> = arranged.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["rent flat 950", "rent flat 800", "heron lake"]);
}

#[test]
fn list_from_memory_stands_under_its_headings_in_the_language_of_the_question() {
    let engine = Extract::new(base::Tz::UTC, None);
    let line = |heading: &str, text: &str, line| base::model::ListedLine {
        heading: Some(heading.to_owned()),
        text: text.to_owned(),
        place: Locator {
            path: "MEMORY.md".into(),
            start_line: line,
            end_line: line,
        },
        day: "2026-03-02".parse().ok(),
    };
    let listed = |text: &str, lines: Vec<base::model::ListedLine>| {
        let question = OwnerQuestion {
            text,
            earlier: "",
            reach: MemoryReach::Whole,
            room: TokenCount(1_000),
        };
        let kind = crate::listing_asked(text, "2026-03-02".parse().unwrap()).unwrap();
        engine.listing(&question, &Listing { kind, lines }).text
    };
    let lines = vec![
        line("Preferences", "I prefer tea", 3),
        line("Facts", "I live in Graz", 7),
        line("Facts", "The code is 4711", 8),
    ];
    assert_eq!(
        listed("Was weißt du über mich?", lines),
        "Ich bin offline. Das steht im Gedächtnis über dich:\n\n\
         Preferences\n- I prefer tea (MEMORY.md:3, 2026-03-02)\n\n\
         Facts\n- I live in Graz (MEMORY.md:7, 2026-03-02)\n- The code is 4711 (MEMORY.md:8, 2026-03-02)\n"
    );
    let nothing = "I am offline, and your notes name no day ahead.";
    assert_eq!(listed("What is coming up?", Vec::new()), nothing);
}
