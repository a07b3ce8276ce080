//! The order in which passages are quoted.

use base::Locator;

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
        renews: None,
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
        is_older: false,
        stems: stems(text, None),
        asked: BTreeSet::new(),
    }
}

#[test]
fn arranged_puts_answer_before_supporting_quotations() {
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
fn newer_answer_on_same_subject_precedes_older() {
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
fn correction_precedes_older_value_marked_as_older() {
    let old = passage(1, "2026-01-05");
    let new = QuotedPassage {
        renews: Some(old.place.clone()),
        ..passage(2, "2026-03-05")
    };
    let other = passage(3, "2026-02-05");
    let asked = |words: &[&str], quotation| Quotation {
        asked: words.iter().map(|it| (*it).to_owned()).collect(),
        ..quotation
    };
    let told = |newest: &[&str]| -> Vec<(String, bool)> {
        let found = vec![
            answer(&other, "heron lake", 1.2),
            asked(&["live"], answer(&old, "I live in Linz", 1.0)),
            asked(
                newest,
                answer(&new, "now I live in Graz, by the river", 0.4),
            ),
        ];
        let found = corrected(found).into_iter();
        found.map(|it| (it.text, it.is_older)).collect()
    };
    let told_line = |text: &str, is_older| (text.to_owned(), is_older);
    let (heron, linz) = (
        told_line("heron lake", false),
        told_line("I live in Linz", false),
    );
    let graz = told_line("now I live in Graz, by the river", false);
    let older = told_line("I live in Linz", true);
    assert_eq!(told(&["live"]), [heron.clone(), graz.clone(), older]);
    // What answers less of the question may be about something else.
    assert_eq!(told(&[]), [heron, linz, graz]);
}
