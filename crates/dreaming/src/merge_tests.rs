//! How a finding stands to what is known.
//!
//! Sentences in pairs.

use super::*;

#[track_caller]
fn check(new: &str, old: &str, expected: Relation) {
    assert_eq!(
        relation(&words(new), &words(old)),
        expected,
        "{new:?} after {old:?}"
    );
}

#[test]
fn the_same_is_known_in_other_words() {
    check(
        "I prefer tea over coffee.",
        "i prefer tea over coffee",
        Relation::Same,
    );
    check(
        "I prefer tea over coffee",
        "I really prefer tea over coffee in the morning",
        Relation::Same,
    );
    check(
        "Always answer in metric units",
        "Never use emoji in code",
        Relation::Apart,
    );
    check(
        "I live in Lisbon",
        "I prefer tea over coffee",
        Relation::Apart,
    );
    check(
        "Always add tests for the parser",
        "Always add docs for the parser",
        Relation::Apart,
    );
}

#[test]
fn a_newer_value_of_the_same_thing_is_a_change() {
    check(
        "I prefer coffee over tea",
        "I prefer tea over coffee",
        Relation::Changed,
    );
    check(
        "I prefer spaces over tabs in code now",
        "I prefer tabs over spaces in code",
        Relation::Changed,
    );
    check("I live in Porto", "I live in Lisbon", Relation::Changed);
    check(
        "My favourite editor is Helix",
        "My favourite editor is Vim",
        Relation::Changed,
    );
    check(
        "My favourite editor is Helix",
        "My favourite tea is oolong",
        Relation::Apart,
    );
    check(
        "The deadline of the thesis is May 15",
        "The deadline of the thesis is April 20",
        Relation::Changed,
    );
    check(
        "I no longer eat meat at lunch",
        "I eat meat at lunch",
        Relation::Changed,
    );
}

#[test]
fn what_was_on_one_day_is_not_about_the_same_for_that() {
    let (moved, died) = (
        "I moved to Szeged yesterday (2026-11-21)",
        "Tom died yesterday (2026-11-21)",
    );
    check(moved, died, Relation::Apart);
    check(died, moved, Relation::Apart);
    check(
        "I moved to Szeged last week",
        "Mimi died last week",
        Relation::Apart,
    );
}

#[test]
fn one_number_spaced_in_two_ways_is_the_same() {
    for (new, old) in [
        (
            "My phone number is +4179 123",
            "My phone number is +41 79 123",
        ),
        ("My phone number is 066412", "My phone number is 0664 12"),
        (
            "My phone number is 0664-99-88-777",
            "My phone number is 0664 99 88 777",
        ),
    ] {
        check(new, old, Relation::Same);
    }
    check(
        "My phone number is 0664 13",
        "My phone number is 0664 12",
        Relation::Changed,
    );
}

#[test]
fn a_denial_without_more_is_a_contradiction() {
    check("I don't like sushi", "I love sushi", Relation::Contradicts);
    check(
        "I don't drink coffee in the morning",
        "I drink coffee in the morning",
        Relation::Contradicts,
    );
}

#[test]
fn an_announced_change_of_somebody_of_whom_there_are_several_supersedes_nothing() {
    let day: Day = "2026-09-01".parse().unwrap();
    let old = "My sister Anna lives in Graz";
    let found = standing(
        &words("My sister moved to Vienna now"),
        on(day),
        &[line(old, ours("2026-03-01"))],
    );
    let beside = Proposal::Beside {
        other: old.into(),
        why: Beside::Contradiction,
    };
    assert_eq!(found, Standing::Proposed(beside));
}

#[test]
fn shared_words_without_the_same_thing_supersede_no_home() {
    check(
        "I moved to a new team last month",
        "I moved to Graz last month",
        Relation::Doubtful,
    );
}

fn on(day: Day) -> Said<'static> {
    Said { day, evidence: &[] }
}

fn line(text: &str, owner: LineOwner) -> CuratedLine {
    CuratedLine {
        number: 3,
        section: None,
        text: text.into(),
        owner,
    }
}

fn ours(day: &str) -> LineOwner {
    LineOwner::Ours {
        id: "aa11".into(),
        evidence: Vec::new(),
        origin: base::Origin::Owner,
        day: Some(day.parse().unwrap()),
    }
}

#[test]
fn a_line_of_the_owner_is_never_superseded_and_a_newer_line_of_ours_is_not_undone() {
    let day: Day = "2026-09-01".parse().unwrap();
    let old = "I prefer tea over coffee";
    let found = |owner| {
        standing(
            &words("I prefer coffee over tea"),
            on(day),
            &[line(old, owner)],
        )
    };
    let superseded = Proposal::Supersede {
        line: "aa11".into(),
        older: old.into(),
    };
    assert_eq!(found(ours("2026-03-01")), Standing::Proposed(superseded));
    assert_eq!(found(ours("2026-12-01")), Standing::Outdated);
    let beside = |why| {
        Standing::Proposed(Proposal::Beside {
            other: old.into(),
            why,
        })
    };
    assert_eq!(found(ours("2026-09-01")), beside(Beside::Contradiction));
    assert_eq!(found(LineOwner::Owner), beside(Beside::OwnersLine));
}

#[test]
fn of_one_day_and_one_session_the_later_line_holds() {
    let day: Day = "2026-09-01".parse().unwrap();
    let old = "My birthday is 3 May";
    let found = |(own_path, own_line): (&str, usize), places: &[(&str, usize)]| {
        let own = [Evidence {
            path: own_path.into(),
            key: "b".into(),
            line: own_line,
            hash: "h".into(),
            quote: "My birthday is 4 May".into(),
            day,
        }];
        let refs = places.iter().map(|(path, line)| EvidenceRef {
            path: (*path).into(),
            key: "a".into(),
            line: *line,
            hash: "h".into(),
        });
        let LineOwner::Ours {
            id, origin, day, ..
        } = ours("2026-09-01")
        else {
            panic!("a line of ours");
        };
        let evidence = refs.collect();
        let owner = LineOwner::Ours {
            id,
            evidence,
            origin,
            day,
        };
        let said = Said {
            day: day.unwrap(),
            evidence: &own,
        };
        standing(&words("My birthday is 4 May"), said, &[line(old, owner)])
    };
    let main = "sessions/main.jsonl";
    let superseded = Standing::Proposed(Proposal::Supersede {
        line: "aa11".into(),
        older: old.into(),
    });
    let waits = Standing::Proposed(Proposal::Beside {
        other: old.into(),
        why: Beside::Contradiction,
    });
    assert_eq!(found((main, 9), &[(main, 2)]), superseded);
    assert_eq!(found((main, 2), &[(main, 9)]), Standing::Outdated);
    // Said before and after it, in another session, in a log whose lines move, or nobody knows where.
    assert_eq!(found((main, 5), &[(main, 2), (main, 9)]), waits);
    assert_eq!(found(("sessions/b.jsonl", 9), &[(main, 2)]), waits);
    assert_eq!(
        found(("memory/2026-09-01.md", 9), &[("memory/2026-09-01.md", 2)]),
        waits
    );
    assert_eq!(found((main, 9), &[]), waits);
}

#[test]
fn what_has_ended_takes_the_place_of_what_it_ends() {
    for (new, old) in [
        (
            "Mimi died last week (2026-04-13).",
            "I have a cat called Mimi",
        ),
        (
            "My cat Mimi passed away yesterday",
            "Our cat is called Mimi",
        ),
        ("Mimi died last week", "Mimi gets insulin every morning"),
        ("I sold the Volvo", "I drive a red Volvo"),
        ("I quit my job at Bosch", "I work at Bosch"),
        ("Mimi died", "I have a cat called Mimi"),
        ("I was fired", "I work at Bosch"),
        (
            "I stopped taking magnesium",
            "I take magnesium every evening",
        ),
        ("I no longer take magnesium", "I take 300 mg of magnesium"),
        ("We broke up", "My girlfriend is Julia"),
        ("We split up last week", "Julia is my girlfriend"),
        ("We got divorced", "I have a wife called Eva"),
        (
            "Yesterday (2026-04-19) I sold my car",
            "My car is a blue Skoda",
        ),
        (
            "I am not allergic to nuts after all",
            "I am allergic to nuts",
        ),
        (
            "Turns out I'm not lactose intolerant",
            "I am lactose intolerant",
        ),
        (
            "On second thought, I prefer aisle seats",
            "I prefer window seats",
        ),
        ("I'm married now", "I'm single"),
        ("I am divorced", "I'm married to Eva"),
        ("My daughter Mia turned 7", "My daughter Mia is 6"),
        ("I no longer work there", "I work at Lidl"),
        ("You can use emojis again", "Please stop using emojis"),
        (
            "Use American spelling please",
            "Always use British spelling",
        ),
        ("My bike was stolen", "My bike is a Trek"),
        ("I don't like sushi any more", "I love sushi"),
        ("Bruno ran away", "We adopted a dog called Bruno"),
        ("I left my husband last year", "My husband is called Mark"),
        (
            "I left my husband last year (2025).",
            "My husband is called Mark",
        ),
        ("I left my husband for good", "My husband is called Mark"),
        ("We broke up after ten years", "My wife is called Eva"),
        (
            "We split up last week (2026-04-13)",
            "My wife is called Eva",
        ),
        ("I stopped drinking coffee", "I drink coffee every morning"),
        (
            "I stopped taking magnesium because it is expensive",
            "I take magnesium every evening",
        ),
    ] {
        check(new, old, Relation::Changed);
    }
}

#[test]
fn a_subscription_and_an_animal_end_in_other_words_too() {
    for (new, old) in [
        (
            "I stopped the Netflix subscription",
            "I have a Netflix subscription",
        ),
        ("I cancelled Netflix", "I have a Netflix subscription"),
        ("Mimi ist gestorben.", "Meine Katze hei\u{df}t Mimi."),
        ("Mimi ist gestern gestorben", "I have a cat called Mimi"),
        ("Mimi died last week", "Meine Katze hei\u{df}t Mimi."),
    ] {
        check(new, old, Relation::Changed);
    }
}

#[test]
fn what_may_have_ended_waits_with_both_sides() {
    for (new, old) in [
        ("Mimi died last week", "I have two cats, Mimi and Rex"),
        ("Our cat died last week", "I have a cat called Mimi"),
        ("I sold the car", "Our car is a blue Skoda"),
        (
            "I cancelled my gym membership",
            "I go to the gym every Tuesday",
        ),
        (
            "I stopped taking magnesium",
            "I take magnesium and iron every evening",
        ),
        (
            "I stopped taking magnesium in the evening.",
            "I take magnesium every morning.",
        ),
        (
            "I stopped taking Ritalin at night",
            "I take Ritalin every morning",
        ),
        (
            "I stopped drinking coffee in the evening",
            "I drink coffee every morning",
        ),
        (
            "I left my husband because the film was boring.",
            "My husband is called Mark",
        ),
        (
            "I left my partner and the dog in the car.",
            "My partner is called Mark",
        ),
        (
            "I left my wife and the kids at home.",
            "My wife is called Eva",
        ),
        (
            "I left my husband so he could sleep.",
            "My husband is called Mark",
        ),
        (
            "We broke up because of a fire alarm.",
            "My wife is called Eva",
        ),
        (
            "I left Mark because of the film",
            "My husband is called Mark",
        ),
    ] {
        check(new, old, Relation::Doubtful);
    }
}

#[test]
fn an_end_of_something_else_ends_nothing() {
    for (new, old) in [
        ("I stopped the car", "I have a car"),
        ("Rex ist gestorben", "Meine Katze hei\u{df}t Mimi."),
        (
            "Mimi ist vor Neugier gestorben",
            "Meine Katze hei\u{df}t Mimi.",
        ),
        ("I cancelled Spotify", "I have a Netflix subscription"),
        (
            "I stopped the Spotify subscription",
            "I have a Netflix subscription",
        ),
        ("Rex died last week", "I have a cat called Mimi"),
        ("I sold the bike", "Our car is a blue Skoda"),
        ("I have a cat called Mimi", "Mimi died last week"),
        ("I left the keys with Ruth", "I live in Graz"),
        ("My phone died", "I have a cat called Mimi"),
        ("My cat Rex died", "I have a cat called Mimi"),
        ("I stopped taking magnesium", "I like magnesium fireworks"),
        ("We broke up", "My girlfriend Julia is allergic to nuts"),
        ("We broke up", "My sister is Julia"),
        ("We split the bill", "My girlfriend is Julia"),
        ("I left Bern on Monday", "I live in Bern"),
        ("I joined Anna on Monday", "I work at Bosch"),
        ("I stopped taking magnesium.", "I stopped taking aspirin."),
        ("I stopped taking aspirin", "I take magnesium every evening"),
        (
            "I stopped taking aspirin every morning",
            "I take magnesium every morning",
        ),
        ("I stopped drinking milk", "I stopped drinking coffee"),
    ] {
        check(new, old, Relation::Apart);
    }
}

#[test]
fn a_name_alone_ends_nothing_that_is_said_of_it() {
    for (new, old) in [
        ("I left Anna a message.", "My wife is called Anna."),
        ("I left Bern at noon.", "I was born in Bern."),
        ("I left Bern at noon.", "I love Bern."),
        ("I left Leo at kindergarten.", "My son is called Leo."),
        ("I left Lisbon on Friday.", "My brother lives in Lisbon."),
        ("I left Lisbon last month.", "My brother lives in Lisbon."),
        ("I left Keller a voicemail.", "My dentist is Dr. Keller."),
        (
            "I left Zurich this morning and I'm back on Monday.",
            "I live in Zurich.",
        ),
        ("I left Paul's at ten.", "I'm married to Paul."),
        ("I left Novartis at six.", "I work at Novartis."),
        ("I sold the Volvo", "I work at Volvo"),
        ("I sold the Volvo", "My sister drives a Volvo"),
        ("I sold the Volvo key", "I drive a red Volvo"),
        ("Anna put down the phone", "I have a cat called Anna"),
        ("I lost Mimi in the park", "I have a cat called Mimi"),
        ("I broke up with Lea", "My sister is called Lea"),
        ("I broke up with Lea", "I have a cat called Lea"),
        ("Anna's car was stolen", "My wife is called Anna"),
        ("I cancelled Anna's lesson", "My wife is called Anna"),
        ("The Volvo died on the motorway", "I drive a red Volvo"),
        ("I stopped taking penicillin", "I'm allergic to penicillin"),
    ] {
        check(new, old, Relation::Apart);
    }
}

#[test]
fn an_end_that_may_mean_a_line_stages_it_at_the_most() {
    for (new, old) in [
        ("My wife Anna died last week", "My wife is called Anna"),
        ("I sold the Volvo", "I have a Volvo and a Skoda"),
        ("Maybe I sold the Volvo", "I drive a red Volvo"),
        ("My cat Rex died", "I have a dog called Rex"),
        ("I sold the Volvo", "I love the Volvo"),
        (
            "I sold my car",
            "My wife drives a Skoda, a car for the city",
        ),
        ("Our cat died", "I have a cat called Mimi"),
        ("I sold my car", "My car insurance is 500 a year"),
        ("I sold my dog", "My dog is 5 years old"),
        ("Tom and I split up the work", "Tom is my boyfriend"),
        ("Maybe Tom and I split up", "Tom is my boyfriend"),
        ("Tom and I split up", "Tom is my brother"),
        (
            "I cancelled my gym class",
            "I have a gym membership at Fitwell",
        ),
    ] {
        let found = relation(&words(new), &words(old));
        assert_ne!(found, Relation::Changed, "{new:?} after {old:?}");
    }
}

#[test]
fn an_end_replaces_what_is_of_its_kind() {
    for (new, old) in [
        ("I sold the Volvo last month", "Our car is a Volvo"),
        ("I sold our Volvo to my brother", "I drive a red Volvo"),
        (
            "Rex had to be put down on Friday",
            "I have a dog called Rex",
        ),
        ("I left Novartis in March", "I work at Novartis"),
        ("I left Novartis after ten years", "I work at Novartis"),
        ("I broke up with Lea", "My girlfriend is called Lea"),
        ("Tom and I split up", "Tom is my boyfriend"),
        (
            "My boyfriend and I broke up last month",
            "My boyfriend is called Tom",
        ),
        ("I sold my car", "My car is a blue Skoda"),
        ("I sold our car last week", "Our car is a blue Skoda"),
        (
            "I cancelled my gym membership",
            "I have a gym membership at Fitwell",
        ),
        ("I cancelled my gym membership", "I have a gym membership"),
        ("I sold my car", "My car is 5 years old"),
        ("I stopped taking Ritalin", "I take Ritalin every morning"),
        ("We gave away Mimi last week", "Our cat is called Mimi"),
    ] {
        check(new, old, Relation::Changed);
    }
}

#[test]
fn what_is_swapped_may_share_a_word() {
    check(
        "I prefer green tea over black tea",
        "I prefer black tea over green tea",
        Relation::Changed,
    );
    check(
        "I prefer green tea over black tea",
        "I prefer green tea over mint tea",
        Relation::Apart,
    );
    check(
        "I prefer tea with cake over coffee",
        "I prefer tea over coffee with cake",
        Relation::Same,
    );
}

#[test]
fn figures_and_people_keep_like_texts_apart() {
    for (new, old) in [
        (
            "I live in Graz near the lake",
            "My sister Anna lives in Graz near the lake",
        ),
        (
            "I take the train to work every morning at 7",
            "I take the train to work every morning",
        ),
        (
            "I pay 68 francs for internet",
            "My locker at the gym is number 44",
        ),
    ] {
        check(new, old, Relation::Apart);
    }
}

#[test]
fn only_what_holds_now_is_known_of_a_line_with_an_earlier_value() {
    let day: Day = "2026-09-01".parse().unwrap();
    let text = "I live in Szeged (until 2026-07-21, said 2026-01-23: I sing in a choir in Graz)";
    let found = |own: &str| standing(&words(own), on(day), &[line(text, ours("2026-07-21"))]);
    assert_eq!(
        found("I sing in a choir in Graz"),
        Standing::Proposed(Proposal::Add)
    );
    assert_eq!(found("I live in Szeged"), Standing::Known);
}
