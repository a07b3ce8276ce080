//! Of two findings of one dream the later holds, wherever it stands among the notes.
//!
//! Notes of one day; what is in memory already is told elsewhere.

use super::*;

/// Notes of one session in an order of their own: each with the line of the message that says so.
fn in_this_order(said: &[(usize, &str)]) -> Vec<String> {
    let labelled = || (1..).zip(said);
    let items = labelled().map(|(number, (line, text))| {
        let mut own = item(
            &format!("e{number}"),
            Origin::Owner,
            FoundIn::DailyLog,
            text,
        );
        own.sources[0].path = "sessions/main.jsonl".into();
        own.sources[0].line = *line;
        own
    });
    let operations: Vec<Operation> = labelled()
        .map(|(number, (_, text))| fact(&format!("e{number}"), text))
        .collect();
    settled(
        items.collect(),
        &operations,
        ("", &DreamState::default(), Promotion::Gated),
    )
}

/// The two in either order of their notes: the later alone is promoted.
#[track_caller]
fn later_holds(earlier: &str, later: &str) {
    let expected = [
        format!("promoted: {later}"),
        "refused: 1 outdated".to_owned(),
    ];
    assert_eq!(in_this_order(&[(1, earlier), (3, later)]), expected);
    assert_eq!(in_this_order(&[(3, later), (1, earlier)]), expected);
}

#[test]
fn what_was_said_later_holds_though_its_note_stands_first() {
    for (earlier, later) in [
        (
            "I am allergic to peanuts",
            "I am not allergic to peanuts after all",
        ),
        (
            "I am allergic to peanuts",
            "Turns out I am not allergic to peanuts after all",
        ),
        ("I live in Graz", "I moved to Linz"),
        ("My landlord is Mr Holm", "Mr Holm is no longer my landlord"),
        ("I work at the clinic", "I quit the clinic"),
        (
            "My birthday is 14 March",
            "Correction: my birthday is 15 March, not 14 March",
        ),
        ("I think in kilometres", "Use miles from now on"),
        ("I have a cat called Mimi", "Mimi died last week"),
        ("I am married", "I got divorced last spring"),
    ] {
        later_holds(earlier, later);
    }
}

#[test]
fn one_later_value_takes_the_place_of_all_earlier_ones() {
    assert_eq!(
        in_this_order(&[
            (1, "I work as a nurse"),
            (3, "I live in Graz"),
            (5, "I work at Bosch"),
            (7, "I quit my job"),
        ]),
        [
            "promoted: I live in Graz",
            "promoted: I quit my job",
            "refused: 2 outdated"
        ],
    );
}

#[test]
fn what_is_said_again_is_as_new_as_when_it_was_said_last() {
    let said = ["I live in Graz", "I live in Linz"];
    let mut items = said.map(|text| item(text, Origin::Owner, FoundIn::DailyLog, text));
    for (own, line) in items.iter_mut().zip([1, 3]) {
        own.sources[0].path = "sessions/main.jsonl".into();
        own.sources[0].line = line;
    }
    let mut again = items[0].sources[0].clone();
    again.line = 5;
    again.key = "entry-again".into();
    items[0].sources.push(again);
    let found = settled(
        items.to_vec(),
        &said.map(|text| fact(text, text)),
        ("", &DreamState::default(), Promotion::Gated),
    );
    assert_eq!(found, ["promoted: I live in Graz", "refused: 1 outdated"]);
}

/// Notes of two sessions of one day, each with the time of its message where it is known.
fn of_two_sessions(said: [(Option<&str>, &str); 2]) -> Vec<String> {
    let items = said.map(|(at, text)| {
        let mut own = item(text, Origin::Owner, FoundIn::DailyLog, text);
        own.sources[0].at = at.map(|at| at.parse().unwrap());
        own
    });
    settled(
        items.to_vec(),
        &said.map(|(_, text)| fact(text, text)),
        ("", &DreamState::default(), Promotion::Gated),
    )
}

#[test]
fn of_two_sessions_of_a_day_the_times_tell_and_without_them_both_wait() {
    let (noon, evening) = ("2026-04-20T12:00:00Z", "2026-04-20T19:00:00Z");
    let (older, newer) = ("I have a cat called Mimi", "Mimi died last week");
    assert_eq!(
        of_two_sessions([(Some(evening), newer), (Some(noon), older)]),
        [
            format!("promoted: {newer}"),
            "refused: 1 outdated".to_owned()
        ],
    );
    let why = "you said otherwise, too, and it is not clear which holds";
    assert_eq!(
        of_two_sessions([(None, newer), (Some(noon), older)]),
        [
            format!("staged: {newer} ({why})"),
            format!("staged: {older} ({why})"),
        ],
    );
}

#[test]
fn of_two_values_of_one_day_the_later_is_promoted() {
    assert_eq!(
        of_one_day(&[
            "I work at Bosch",
            "I live in Graz",
            "I quit my job at Bosch"
        ]),
        [
            "promoted: I live in Graz",
            "promoted: I quit my job at Bosch",
            "refused: 1 outdated"
        ],
    );
    assert_eq!(
        of_one_day(&["My sister Anna lives in Graz", "I live in Graz"]),
        [
            "promoted: My sister Anna lives in Graz",
            "promoted: I live in Graz"
        ],
    );
}

#[test]
fn what_one_message_puts_right_holds() {
    let said = ["My birthday is 3 May.", "No, sorry, my birthday is 4 May."];
    let text = said.join(" ");
    let found = settled(
        vec![item("e1", Origin::Owner, FoundIn::DailyLog, &text)],
        &said.map(|own| fact("e1", own)),
        ("", &DreamState::default(), Promotion::Gated),
    );
    assert_eq!(
        found,
        [
            format!("promoted: {}", said[1]),
            "refused: 1 outdated".to_owned()
        ]
    );
}

#[test]
fn an_end_told_later_the_same_day_ends_what_it_speaks_of() {
    for (earlier, later) in [
        ("My mother lives in Graz", "My mother died last week"),
        (
            "I have a dog called Rex",
            "Rex is my sister's dog, not mine",
        ),
        ("I am doing a PhD about moss", "I dropped out of my PhD"),
        (
            "I'm doing an apprenticeship as a baker",
            "I finished my apprenticeship",
        ),
        ("I take metformin", "I came off metformin last month"),
    ] {
        later_holds(earlier, later);
    }
    for (earlier, later) in [
        ("My sister Anna lives in Graz", "My mother died last week"),
        (
            "I have a dog called Rex",
            "Luna is my sister's dog, not mine",
        ),
        (
            "I am doing a PhD about moss",
            "I finished my apprenticeship",
        ),
        (
            "I am doing a PhD about moss",
            "I finished my lunch with a PhD",
        ),
    ] {
        let said = [(1, earlier), (3, later)];
        let both = said.map(|(_, text)| format!("promoted: {text}"));
        assert_eq!(in_this_order(&said), both);
    }
}
