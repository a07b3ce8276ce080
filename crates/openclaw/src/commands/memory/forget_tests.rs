//! The passages that are named, and whether the owner is asked.

use agent::ops::ForgetItem;
use memory::Reason;

use super::*;

#[test]
fn parse_separates_places_from_question() {
    let check = |words: &[&str], expected: ForgetSelection| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(
            parse(&words, &|path| path.starts_with("vault/")),
            Ok(expected)
        );
    };
    for words in [
        &["memory/2026-04-20.md:12-14", "sessions/main.jsonl:40"][..],
        &["vault/Clara Meier.md:3"],
        &["MEMORY.md"],
    ] {
        let places = words.iter().map(|word| (*word).to_owned()).collect();
        check(words, ForgetSelection::Places(places));
    }
    for words in [
        &["what", "MEMORY.md", "says"][..],
        &["Anna's number"],
        &["10:30"],
    ] {
        check(words, ForgetSelection::Question(words.join(" ")));
    }
    let backwards = parse(&["MEMORY.md:9-3".to_owned()], &|_| false).unwrap_err();
    assert_eq!(
        backwards.message,
        "the lines 9-3 of MEMORY.md are in reverse order"
    );
    let no_number = parse(&["memory/2026-04-20.md:x".to_owned()], &|_| false).unwrap_err();
    assert_eq!(
        (&*no_number.message, &*no_number.hints),
        (
            "`x` is not a line number in memory/2026-04-20.md",
            &["write memory/2026-04-20.md:12 or memory/2026-04-20.md:12-14".to_owned()][..]
        )
    );
}

#[test]
fn i9_forget_by_question_or_of_owner_lines_needs_consent() {
    let (places, question) = (
        ForgetSelection::Places(Vec::new()),
        ForgetSelection::Question(String::new()),
    );
    let plan = |keeper| ForgetPlanReply {
        token: Some("token".into()),
        items: vec![ForgetItem {
            path: "MEMORY.md".into(),
            start_line: 1,
            end_line: 1,
            text: "tea".into(),
            action: "hide",
            keeper,
            because: Reason::Chosen,
        }],
        near: Vec::new(),
        more: 0,
        hidden_under: None,
        warnings: Vec::new(),
    };
    let (ours, owners) = (plan("openclaw"), plan("owner"));
    let for_good = ForgetPlanReply {
        warnings: vec!["it cannot be undone".to_owned()],
        ..ours.clone()
    };
    let cases = [
        (
            Owner::HasAgreed,
            &question,
            &owners,
            ForgetNext::Forget(OwnerLines::Remove),
        ),
        (Owner::IsThere, &question, &ours, ForgetNext::Ask),
        (Owner::IsAway, &question, &ours, ForgetNext::Refuse),
        (Owner::IsThere, &places, &owners, ForgetNext::Ask),
        (Owner::IsThere, &places, &for_good, ForgetNext::Ask),
        (Owner::IsAway, &places, &owners, ForgetNext::Refuse),
        (Owner::IsAway, &places, &ours, ForgetNext::Refuse),
        (
            Owner::IsThere,
            &places,
            &ours,
            ForgetNext::Forget(OwnerLines::Leave),
        ),
    ];
    for (owner, what, plan, expected) in cases {
        let asked = (what, PlaceConsent::IfNeeded);
        assert_eq!(next(owner, asked, plan), expected, "{owner:?} {what:?}");
    }
    let in_chat = (&places, PlaceConsent::Always);
    assert_eq!(next(Owner::IsThere, in_chat, &ours), ForgetNext::Ask);
}
