//! What a dream had no room for, judged anew by the next.

use super::*;
use crate::gate::{KNOWN_BY_NOW, OUTDATED_BY_NOW, SAID_BOTH, SAID_SINCE};

/// What the owner said that an earlier dream had no room for, each said in an entry of its own.
fn left_over_of(said: &[(&str, &str)]) -> DreamState {
    let mut state = waiting(said.len());
    for (own, (section, text)) in state.pending.iter_mut().zip(said) {
        own.origin = Origin::Owner;
        own.section = (*section).to_owned();
        own.finding = (*text).to_owned();
        own.evidence[0].key = format!("entry of {text}");
        own.evidence[0].quote = (*text).to_owned();
        own.id = CandidateId::of(&own.finding, &own.evidence, |_| false);
        own.score = 80;
        own.staged_because = Some(PROMOTED_ENOUGH.to_owned());
    }
    state
}

const NAMES: [&str; 10] = [
    "ants", "bees", "cows", "dogs", "eels", "fish", "goats", "hens", "ibex", "jays",
];

fn bars(name: &str) -> String {
    format!("Never feed {name} chocolate bars from {name}land")
}

/// Rules that an earlier dream had no room for, so many of them.
fn left_over(n_candidates: usize) -> DreamState {
    let rules: Vec<String> = NAMES[..n_candidates].iter().map(|own| bars(own)).collect();
    let said: Vec<(&str, &str)> = rules.iter().map(|own| (RULES, own.as_str())).collect();
    left_over_of(&said)
}

/// All that was said of what waits.
fn all_that_was_said(state: &DreamState) -> Vec<Source> {
    let evidence = state.pending.iter().flat_map(|own| &own.evidence);
    let source = |own: &memory::candidates::Evidence| Source {
        path: own.path.clone(),
        key: own.key.clone(),
        line: own.line,
        text: own.quote.clone(),
        origin: Origin::Owner,
        day: own.day,
        at: None,
    };
    evidence.map(source).collect()
}

/// Rules of one dream with what earlier ones left.
fn with_left_over(texts: &[&str], (memory, state): (&str, &DreamState)) -> Vec<String> {
    with_still_said(texts, (memory, state), all_that_was_said(state))
}

/// The same with so much as is still there of what was said.
fn with_still_said(
    texts: &[&str],
    (memory, state): (&str, &DreamState),
    still_said: Vec<Source>,
) -> Vec<String> {
    let labelled: Vec<(String, &str)> = (1..)
        .zip(texts)
        .map(|(number, text)| (format!("e{number}"), *text))
        .collect();
    let items = labelled
        .iter()
        .map(|(label, text)| item(label, Origin::Owner, FoundIn::DailyLog, text));
    let operations: Vec<Operation> = labelled
        .iter()
        .map(|(label, text)| rule(label, text))
        .collect();
    let material = Material {
        items: items.collect(),
        still_said,
        ..Material::default()
    };
    settled_of(&material, &operations, (memory, state, Promotion::Gated))
}

#[test]
fn what_a_dream_had_no_room_for_comes_first_in_the_next_and_takes_the_room() {
    let told = "Always send reports on Monday";
    let promoted = |name: &&str| format!("promoted: {}", bars(name));
    let mut expected: Vec<String> = NAMES[..2].iter().map(promoted).collect();
    expected.push(format!("promoted: {told}"));
    assert_eq!(with_left_over(&[told], ("", &left_over(2))), expected);
    let mut expected: Vec<String> = NAMES[..PROMOTED_MAX].iter().map(promoted).collect();
    expected.push(format!("staged: {told} ({PROMOTED_ENOUGH})"));
    assert_eq!(with_left_over(&[told], ("", &left_over(10))), expected);
}

#[test]
fn of_two_left_over_that_exclude_one_another_only_the_later_value_is_promoted() {
    let told = "Always send reports on Monday";
    let alone = [format!("promoted: {told}")];
    let home = "About the Owner";
    let (bern, thun) = ((home, "I live in Bern"), (home, "I live in Thun"));
    let later = |said: &[(&str, &str)], change: &dyn Fn(&mut Candidate)| {
        let mut state = left_over_of(said);
        let own = &mut state.pending;
        own.iter_mut()
            .filter(|own| own.finding.contains("Thun"))
            .for_each(change);
        with_left_over(&[told], ("", &state))
    };
    let of_next_day = |own: &mut Candidate| own.day = "2026-04-21".parse().unwrap();
    let of_next_dream = |own: &mut Candidate| {
        own.proposed_at = "2026-04-20T04:00:00Z".parse().unwrap();
    };
    let expected = [
        "promoted: I live in Thun".to_owned(),
        format!("promoted: {told}"),
        format!("staged: I live in Bern ({SAID_SINCE})"),
    ];
    let waits = |text: &str| format!("staged: {text} ({SAID_BOTH})");
    for said in [[bern, thun], [thun, bern]] {
        assert_eq!(later(&said, &of_next_day), expected);
        assert_eq!(later(&said, &of_next_dream), expected);
        let [first, second] = said.map(|(_, text)| waits(text));
        let both_wait = [alone[0].clone(), first, second];
        assert_eq!(later(&said, &|_| {}), both_wait, "neither is the later");
    }
    let outside = |own: &mut Candidate| {
        of_next_day(own);
        own.origin = Origin::Untrusted;
    };
    assert_eq!(
        later(&[bern, thun], &outside),
        ["promoted: I live in Bern".to_owned(), alone[0].clone()],
        "a page disputes nothing that the owner says"
    );
    let denied = left_over_of(&[
        (home, "I am allergic to peanuts"),
        (home, "I am not allergic to peanuts"),
    ]);
    let both_wait = [
        alone[0].clone(),
        waits("I am allergic to peanuts"),
        waits("I am not allergic to peanuts"),
    ];
    assert_eq!(with_left_over(&[told], ("", &denied)), both_wait);
}

#[test]
fn i10_what_was_left_over_waits_where_what_said_so_is_gone_or_says_something_else() {
    let told = "Always send reports on Monday";
    let alone = [format!("promoted: {told}")];
    let state = left_over(1);
    let said = || all_that_was_said(&state);
    let changed = |change: &dyn Fn(&mut Source)| {
        let mut still_said = said();
        still_said.iter_mut().for_each(change);
        with_still_said(&[told], ("", &state), still_said)
    };
    let both = [format!("promoted: {}", bars("ants")), alone[0].clone()];
    assert_eq!(changed(&|_| {}), both);
    assert_eq!(with_still_said(&[told], ("", &state), Vec::new()), alone);
    assert_eq!(changed(&|own| own.key = "another".into()), alone);
    assert_eq!(changed(&|own| own.path = "another".into()), alone);
    assert_eq!(changed(&|own| own.text = "Never feed bees".into()), alone);
    assert_eq!(changed(&|own| own.origin = Origin::Agent), alone);
}

#[test]
fn what_was_left_over_waits_where_something_has_changed_since() {
    let told = "Always send reports on Monday";
    let alone = [format!("promoted: {told}")];
    let memory = our_line(RULES, &bars("ants"));
    assert_eq!(
        with_left_over(&[told], (&memory, &left_over(1))),
        [
            alone[0].clone(),
            format!("staged: {} ({KNOWN_BY_NOW})", bars("ants"))
        ]
    );
    let changed = |change: fn(&mut Candidate)| {
        let mut state = left_over(1);
        state.pending.iter_mut().for_each(change);
        with_left_over(&[told], ("", &state))
    };
    assert_eq!(
        changed(|own| own.finding = bars("all ants")),
        alone,
        "the owner has begun to edit it"
    );
    assert_eq!(
        changed(|own| own.missing_since = Some(own.proposed_at)),
        alone,
        "the owner may have deleted it"
    );
    assert_eq!(
        changed(|own| own.staged_because = Some("its score is 60, and 70 is needed".into())),
        alone,
        "it waits for something else"
    );
    let mut rejected = left_over(1);
    let finding = rejected.pending[0].finding.clone();
    rejected
        .rejected
        .insert(memory::candidates::same_words(&finding));
    assert_eq!(with_left_over(&[told], ("", &rejected)), alone);
    let newer = "Always feed ants chocolate bars from antsland from now on";
    let found = with_left_over(&[newer], ("", &left_over(1)));
    assert_eq!(
        found,
        [
            format!("promoted: {newer}"),
            format!("staged: {} ({SAID_SINCE})", bars("ants"))
        ]
    );
}

#[test]
fn what_waited_for_room_waits_for_another_reason_where_the_owner_has_denied_it() {
    let home = "About the Owner";
    let state = left_over_of(&[(home, "I am allergic to peanuts")]);
    for (denial, why) in [
        ("I am not allergic to peanuts after all", SAID_SINCE),
        ("I am no longer allergic to peanuts", SAID_SINCE),
        ("I am not allergic to peanuts", SAID_BOTH),
    ] {
        let waits = |why: &str| format!("staged: I am allergic to peanuts ({why})");
        assert_eq!(
            with_left_over(&[denial], ("", &state)),
            [format!("promoted: {denial}"), waits(why)]
        );
        // Promoted by an earlier dream.
        let memory = our_line(home, denial).replace("2026-01-01", "2026-04-21");
        let told = "Always send reports on Monday";
        assert_eq!(
            with_left_over(&[told], (&memory, &state)),
            [format!("promoted: {told}"), waits(OUTDATED_BY_NOW)]
        );
    }
}

#[test]
fn what_waited_for_room_goes_on_waiting_where_something_was_said_since_that_is_no_finding() {
    let older = "My sister Elin lives in Oslo";
    let state = left_over_of(&[("Projects and People", older)]);
    let told = item(
        "e1",
        Origin::Owner,
        FoundIn::DailyLog,
        "Always send reports on Monday",
    );
    let settled_with = |text: &str| {
        let since = Source {
            line: 9,
            text: text.into(),
            day: "2026-04-21".parse().unwrap(),
            ..told.sources[0].clone()
        };
        let material = Material {
            items: vec![told.clone()],
            still_said: all_that_was_said(&state),
            said_since: changes(&since).collect(),
            ..Material::default()
        };
        let operations = [rule("e1", "Always send reports on Monday")];
        settled_of(&material, &operations, ("", &state, Promotion::Gated))
    };
    assert_eq!(
        settled_with("Elin moved back to Stockholm."),
        [
            "promoted: Always send reports on Monday".to_owned(),
            format!("staged: {older} ({SAID_SINCE})")
        ]
    );
    let promoted = settled_with("Tom moved back to Stockholm.");
    assert!(
        promoted.contains(&format!("promoted: {older}")),
        "{promoted:?}"
    );
}
