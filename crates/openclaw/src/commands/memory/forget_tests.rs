//! What is named, and whether the owner is asked.

use base::LineRange;
use memory::{PlannedLines, Reason, TextHash};

use super::*;

fn place(path: &str, lines: Option<(usize, usize)>) -> ForgetLines {
    ForgetLines {
        path: path.into(),
        lines: lines.map(|(start, end)| LineRange { start, end }),
    }
}

#[test]
fn parse_separates_places_from_question() {
    let check = |words: &[&str], expected: ForgetSelection| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(parse(&words), Ok(expected));
    };
    let both = vec![
        place("memory/2026-04-20.md", Some((12, 14))),
        place("sessions/main.jsonl", Some((40, 40))),
    ];
    check(
        &["memory/2026-04-20.md:12-14", "sessions/main.jsonl:40"],
        ForgetSelection::Places(both),
    );
    check(
        &["MEMORY.md"],
        ForgetSelection::Places(vec![place("MEMORY.md", None)]),
    );
    for words in [
        &["what", "MEMORY.md", "says"][..],
        &["Anna's number"],
        &["10:30"],
    ] {
        check(words, ForgetSelection::Question(words.join(" ")));
    }
    let backwards = parse(&["MEMORY.md:9-3".to_owned()]).unwrap_err();
    assert_eq!(
        backwards.message,
        "the lines 9-3 of MEMORY.md are in reverse order"
    );
    let no_number = parse(&["memory/2026-04-20.md:x".to_owned()]).unwrap_err();
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
    let plan = |keeper| ForgetPlan {
        lines: vec![PlannedLines {
            path: "MEMORY.md".parse().unwrap(),
            lines: LineRange { start: 1, end: 1 },
            text: "tea".into(),
            hash: TextHash::of("tea").unwrap(),
            keeper,
            evidence: Vec::new(),
            because: Reason::Chosen,
        }],
        ..ForgetPlan::default()
    };
    let (ours, owners) = (plan(Keeper::Program), plan(Keeper::Owner));
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
        assert_eq!(next(owner, what, plan), expected, "{owner:?} {what:?}");
    }
}
