//! Lists that answer a question as a whole, and replies to requests.

use super::*;

#[test]
fn memory_list_has_headings_in_language_of_question() {
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
        command: None,
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

#[test]
fn reply_to_correction_names_memory_correct() {
    let engine = Extract::new(base::Tz::UTC, None);
    let reply = |text: &str| {
        let question = OwnerQuestion {
            text,
            earlier: "",
            reach: MemoryReach::Whole,
            room: TokenCount(1_000),
        };
        engine.answer(&question, &[]).text
    };
    let command = "`openclaw memory correct LINE TEXT`";
    for text in [
        "Correct that: my sister lives in York, not Leeds.",
        "That's wrong, my sister Clara lives in York.",
        "Das stimmt nicht, meine Schwester wohnt in Graz.",
        "C'est faux, ma soeur habite Lyon.",
    ] {
        let told = reply(text);
        assert!(told.contains(command), "{text}: {told}");
    }
    for text in [
        "My sister lives in York.",
        "Please forget that I prefer tea.",
    ] {
        let told = reply(text);
        assert!(!told.contains(command), "{text}: {told}");
    }
}
