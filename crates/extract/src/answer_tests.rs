//! The lists that answer a question as a whole.

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
