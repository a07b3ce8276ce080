//! The choice of messages, and that each omitted message is named.

use base::Message;
use proptest::prelude::*;

use super::*;
use crate::test_kit;

fn items(texts: &[&str]) -> Vec<ViewItem> {
    test_kit::items(texts.iter().map(|text| Message::user(*text)))
}

fn shown(pieces: &[Piece]) -> String {
    let told = |piece: &Piece| match piece {
        Piece::Said { entry, hidden, .. } if *hidden == TokenCount::ZERO => entry.to_string(),
        Piece::Said { entry, .. } => format!("part of {entry}"),
        Piece::Gap {
            first,
            last,
            n_messages,
            ..
        } => format!("{n_messages} from {first} to {last}"),
    };
    pieces.iter().map(told).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(texts: &[&str], budget: u64, order: &ExpandOrder, expected: &str) {
    let (pieces, _) = choose(&items(texts), TokenCount(budget), order);
    assert_eq!(shown(&pieces), expected);
}

#[test]
fn expand_lists_messages_that_exceed_budget() {
    let texts = ["one", "two", "three", "four", "five"];
    let (ends, start, end) = (&ExpandOrder::Ends, &ExpandOrder::Start, &ExpandOrder::End);
    check(&texts, 1_000, ends, "m1, m2, m3, m4, m5");
    check(&texts, 130, ends, "m1, 2 from m2 to m3, m4, m5");
    check(&texts, 130, start, "m1, m2, m3, 2 from m4 to m5");
    check(&texts, 130, end, "2 from m1 to m2, m3, m4, m5");
    check(&texts, 0, ends, "5 from m1 to m5");
    check(&[], 100, ends, "");
}

#[test]
fn expand_query_picks_matching_messages_first() {
    let texts = [
        "the budget of May",
        "the budget of June is 4,711",
        "Budget, budget",
        "a walk",
        "\u{65e5}\u{8a18}\u{3092}\u{66f8}\u{304f}",
    ];
    for (budget, query, expected) in [
        (1_000, "budget", "m1, m2, m3, 2 from m4 to m5"),
        (60, "budget 4,711", "1 from m1 to m1, m2, 3 from m3 to m5"),
        (60, "\u{65e5}\u{8a18}", "4 from m1 to m4, m5"),
        (60, "zeppelin", "5 from m1 to m5"),
        (60, "?!", "5 from m1 to m5"),
    ] {
        check(
            &texts,
            budget,
            &ExpandOrder::Query(query.to_owned()),
            expected,
        );
    }
}

#[test]
fn expand_shortens_long_message_to_leave_room_for_others() {
    let long = "word ".repeat(4_000);
    check(&[&long], 500, &ExpandOrder::Ends, "part of m1");
    let texts = ["one", &long, "three"];
    check(&texts, 1_000, &ExpandOrder::Start, "m1, part of m2, m3");
    let (pieces, _) = choose(&items(&[&long]), TokenCount(500), &ExpandOrder::Ends);
    let Some(Piece::Said { text, hidden, .. }) = pieces.first() else {
        panic!("{pieces:?}");
    };
    assert!(text.starts_with("word word") && text.contains("tokens of entry m1 are not shown"));
    assert!(estimate_text(text) <= TokenCount(500) && *hidden > TokenCount(4_000));
}

proptest! {
    #[test]
    fn expand_shows_or_names_every_message_within_budget(
        texts in proptest::collection::vec("[a-e\u{e9}\u{1f642} ]{0,400}", 0..20),
        budget in 0_u64..800,
        which in 0_usize..4,
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let order = [
            ExpandOrder::Ends,
            ExpandOrder::Start,
            ExpandOrder::End,
            ExpandOrder::Query("a b \u{e9}".to_owned()),
        ];
        let items = items(&texts);
        let (pieces, _) = choose(&items, TokenCount(budget), &order[which]);
        let mut n_named = 0;
        let mut tokens = TokenCount::ZERO;
        for piece in &pieces {
            match piece {
                Piece::Said { entry, text, hidden, .. } => {
                    prop_assert_eq!(&items[n_named].entry, entry);
                    prop_assert_eq!(*hidden == TokenCount::ZERO, text == texts[n_named]);
                    tokens += estimate_text(text);
                    n_named += 1;
                }
                Piece::Gap { first, last, n_messages, .. } => {
                    prop_assert_eq!(&items[n_named].entry, first);
                    n_named += n_messages;
                    prop_assert_eq!(&items[n_named - 1].entry, last);
                }
            }
        }
        prop_assert_eq!(n_named, items.len());
        prop_assert!(tokens <= TokenCount(budget));
    }
}
