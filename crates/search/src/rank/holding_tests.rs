//! Passages that share most words with a text, and hidden lines, which do not answer a question.

use base::{LineRange, Locator};

use super::super::holding::notes_holding;
use super::tests::{Home, TOY, shown};
use super::*;
use crate::rank::Nearest;

fn held(home: &Home, words: &str, n_missing_max: usize) -> Vec<String> {
    let stems = words.split(' ').map(str::to_owned).collect();
    let found = notes_holding(&home.index, &stems, n_missing_max).unwrap();
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn passage_that_lacks_few_stems_is_found_by_rarest() {
    let many = (0..40).map(|n| format!("- The tug lifts peat {n}\n\n# {n}\n\n"));
    let note = many.collect::<String>() + "- The tug lifts the blue crane\n";
    let home = Home::new(&[("memory/2026-04-20.md", &note)]);
    home.sync();
    for (words, n_missing_max, is_found) in [
        ("tug lift blue crane", 0, true),
        ("tug lift blue heron", 1, true),
        ("tug lift red heron", 1, false),
    ] {
        let found = held(&home, words, n_missing_max);
        let is_there = found.iter().any(|text| text.contains("crane"));
        assert_eq!(is_there, is_found, "{words}: {found:?}");
    }
}

#[test]
fn hidden_line_does_not_answer_question() {
    let line = "- the ship left\n";
    let others = "## B\n- tea and cake\n\n## C\n- rain all day\n";
    for with_line in [format!("{line}\n{others}"), format!("\n\n{others}")] {
        let home = Home::new(&[("MEMORY.md", &with_line)]).embedding(TOY);
        home.sync();
        let options = SearchOptions {
            hidden_lines: vec![Locator::new("MEMORY.md", LineRange::line(1))],
            nearest: Nearest::Never,
            ..SearchOptions::default()
        };
        let answer = search(&home.index, "ship", &options).unwrap();
        assert_eq!(shown(&answer), Vec::<String>::new(), "{with_line}");
        assert!(answer.nothing.is_some(), "{with_line}");
    }
}
