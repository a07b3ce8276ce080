//! Tests of questions in a language other than that of the notes.

use std::collections::BTreeSet;

use super::super::model::{Nearest, NothingFound};
use super::tests::{Home, TOY};
use super::*;
use crate::terms::CommonWords;

/// The common words of two languages that a text holds.
const COMMON: CommonWords = CommonWords(|text| {
    let words = text.split_whitespace().map(str::to_lowercase);
    let is_common = |word: &String| ["the", "of", "wo", "ist", "das"].contains(&word.as_str());
    words.filter(is_common).collect::<BTreeSet<_>>()
});

fn home(notes: &str) -> Home {
    let mut home = Home::new(&[("MEMORY.md", notes)]).embedding(TOY);
    home.index = home.index.with_common_words(COMMON);
    home.sync();
    home
}

/// Notes of which the first is 0.1 to 0.3 near to these questions: less than an answer is, and more than what is not
/// relevant.
fn far_from_a_ship() -> String {
    let others = "\n- rain over the hills of Bern".repeat(99);
    format!("- vessel{}{others}\n", " oat".repeat(20))
}

fn found(home: &Home, question: &str, nearest: Nearest) -> (Vec<usize>, Option<NothingFound>) {
    let options = SearchOptions {
        nearest,
        ..SearchOptions::default()
    };
    let answer = search(&home.index, question, &options).unwrap();
    let lines = answer.results.iter().map(|result| result.start_line);
    (lines.collect(), answer.nothing)
}

#[test]
fn question_in_other_language_shows_nearest_as_unsure() {
    let home = home(&far_from_a_ship());
    let other = NothingFound::OtherLanguage;
    let shown = (vec![1], Some(other));
    assert_eq!(
        found(&home, "wo ist das ship", Nearest::InOtherLanguage),
        shown
    );
    assert_eq!(found(&home, "wo ist das ship", Nearest::Always), shown);
    let none = (Vec::new(), Some(other));
    assert_eq!(found(&home, "wo ist das ship", Nearest::Never), none);
}

#[test]
fn question_in_language_of_notes_hides_distant_passages() {
    let home = home(&far_from_a_ship());
    // Without a common word nothing tells the language.
    for question in ["the ship of wo", "ship tea tan rye"] {
        let denied = (Vec::new(), Some(NothingFound::NoMatch));
        let answer = found(&home, question, Nearest::InOtherLanguage);
        assert_eq!(answer, denied, "{question}");
    }
}
