//! What the owner said after a finding, and what of it keeps that finding waiting.

use super::*;
use crate::words::words;

const ELIN: &str = "My sister Elin lives in Oslo.";

const MOVED: &str = "Elin moved back to Stockholm.";

/// A message in a line of the session `main`.
fn said(line: usize, text: &str) -> Source {
    Source {
        path: "sessions/main.jsonl".into(),
        key: format!("entry-{line}"),
        line,
        text: text.into(),
        origin: Origin::Owner,
        day: "2026-04-20".parse().unwrap(),
        at: format!("2026-04-20T08:{line:02}:00Z").parse().ok(),
    }
}

/// A finding that was said in line 10 of that session.
fn last() -> SaidLast<'static> {
    SaidLast {
        day: "2026-04-20".parse().unwrap(),
        at: "2026-04-20T08:10:00Z".parse().ok(),
        place: Some(("sessions/main.jsonl", (10, Some(0)))),
    }
}

fn found(finding: &str, said: &[Source]) -> Option<String> {
    let material = Material {
        said_since: said.iter().flat_map(changes).collect(),
        ..Material::default()
    };
    said_since(&words(finding), last(), &Later::of(&material))
}

#[test]
fn only_what_was_said_after_it_keeps_a_finding_waiting() {
    let moved = Some(MOVED.to_owned());
    assert_eq!(found(ELIN, &[said(12, MOVED)]), moved);
    assert_eq!(found(ELIN, &[said(8, MOVED)]), None, "said before it");
    let beside = |at: &str, day: &str| Source {
        path: "sessions/other.jsonl".into(),
        day: day.parse().unwrap(),
        at: at.parse().ok(),
        ..said(2, MOVED)
    };
    let of_later_hour = beside("2026-04-20T09:00:00Z", "2026-04-20");
    assert_eq!(found(ELIN, &[of_later_hour]), moved);
    let of_earlier_hour = beside("2026-04-20T07:00:00Z", "2026-04-20");
    assert_eq!(found(ELIN, &[of_earlier_hour]), None);
    let of_next_day = beside("2026-04-21T07:00:00Z", "2026-04-21");
    assert_eq!(found(ELIN, &[of_next_day]), moved);
    let of_no_hour = beside("", "2026-04-20");
    assert_eq!(
        found(ELIN, &[of_no_hour]),
        None,
        "nothing tells which came first"
    );
}

#[test]
fn in_one_message_the_order_of_its_sentences_tells() {
    let both = format!("{ELIN} {MOVED}");
    assert_eq!(found(ELIN, &[said(10, &both)]), Some(MOVED.to_owned()));
    let turned = format!("{MOVED} {ELIN}");
    let place = (10, Some(MOVED.len() + 1));
    let last = SaidLast {
        place: Some(("sessions/main.jsonl", place)),
        ..last()
    };
    let material = Material {
        said_since: changes(&said(10, &turned)).collect(),
        ..Material::default()
    };
    assert_eq!(said_since(&words(ELIN), last, &Later::of(&material)), None);
}

#[test]
fn what_others_say_or_what_is_pasted_keeps_nothing_waiting() {
    for origin in [Origin::Agent, Origin::Untrusted] {
        let own = Source {
            origin,
            ..said(12, MOVED)
        };
        assert_eq!(found(ELIN, &[own]), None, "{origin:?}");
    }
    for text in [
        "Here is what she wrote:\n\nElin moved back to Stockholm.",
        "> Elin moved back to Stockholm.",
        "She said \"Elin moved back to Stockholm.\"",
        "Has Elin moved back to Stockholm?",
    ] {
        assert_eq!(found(ELIN, &[said(12, text)]), None, "{text:?}");
    }
}

#[test]
fn a_pronoun_means_whom_the_message_before_told() {
    let bergen = "Sorry, she lives in Bergen.";
    assert_eq!(found(ELIN, &[said(12, bergen)]), Some(bergen.to_owned()));
    assert_eq!(
        found(ELIN, &[said(30, bergen)]),
        None,
        "others were told since"
    );
    for text in [
        "Sorry, she is late.",
        "She lives in Bergen.",
        "Sorry, I live in Bergen.",
    ] {
        assert_eq!(found(ELIN, &[said(12, text)]), None, "{text:?}");
    }
}

#[test]
fn what_says_the_same_again_or_something_else_keeps_nothing_waiting() {
    for (finding, text) in [
        (ELIN, "Elin lives in Oslo now."),
        (ELIN, "My brother Tom moved back to Stockholm."),
        ("I don't smoke any more", "I no longer smoke."),
        ("I live in Graz", "My flight to Graz was cancelled."),
        ("I prefer tea over coffee", "I no longer work on Fridays."),
        ("Never use tabs in Rust", "We moved to spaces now."),
    ] {
        assert_eq!(found(finding, &[said(12, text)]), None, "{text:?}");
    }
}

#[test]
fn a_secret_in_what_was_said_is_not_shown() {
    let secret = format!("sk-ant-api03-{}", "a1B2".repeat(24));
    let text = format!("Sorry, my shoe size is 40, and my key is {secret}.");
    let shown = found("My shoe size is 39", &[said(12, &text)]).unwrap();
    assert!(shown.contains("40") && !shown.contains(&secret), "{shown}");
}

/// Ordinary talk, after a line that it leaves as it is.
#[rustfmt::skip]
const LEFT_AS_IT_IS: &[(&str, &str)] = &[
    ("My sister Elin lives in Oslo.", "No, Elin still lives in Oslo."),
    ("My sister Elin lives in Oslo.", "Sorry, Elin just called from Oslo."),
    ("My sister Elin lives in Oslo.", "Actually, Elin only lives in Oslo."),
    ("My sister Elin is a nurse in Oslo.", "Sorry, Elin is in Oslo today."),
    ("My brother Tom works at Nokia.", "Sorry, Tom works at 9 tomorrow."),
    ("My sister Elin is a nurse.", "Sorry, Elin is a bit late."),
    ("Meine Schwester Eva wohnt in Linz.", "Nein, Eva wohnt immer noch in Linz."),
    ("My mother Ruth is 70.", "Actually, Ruth called at 9."),
    ("My mother Ruth is 70.", "Sorry, Ruth has 2 dogs."),
    ("My son Sem is 6.", "Sorry, Sem has 3 exams tomorrow."),
    ("My son Sem is 6.", "Sorry, Sem is 3 minutes late."),
    ("My sister Elin lives in Oslo.", "Elin moved to Oslo ten years ago."),
    ("My sister Elin lives in Oslo.", "Elin moved from sales to marketing."),
    ("My dentist is Dr Novak.", "Dr Novak moved in with her boyfriend."),
    ("My dentist in Graz is Dr Novak.", "Dr Novak moved in with her boyfriend."),
    ("My brother Tom works in Kiel.", "Tom moved in with his girlfriend."),
    ("My sister Elin is married.", "Elin booked a single room in Rome."),
    ("My brother Jan has a single room.", "Jan got married in May."),
    ("My daughter Mia is two.", "I just put Mia down."),
    ("My daughter Mia is two.", "We had to put Mia down for a nap."),
    ("My daughter Mia loves our dog.", "I just put Mia down."),
    ("My sister Elin is a nurse.", "Elin is a bit tired now."),
    ("My brother Tom is a bit shy.", "Tom is a teacher now."),
    ("I love painting.", "I sold a painting yesterday."),
    ("I love painting.", "I sold the painting yesterday."),
    ("My hobby is baking cakes.", "I sold two cakes yesterday."),
    ("My hobby is baking cakes.", "I sold the cakes yesterday."),
    ("I go to the gym every Tuesday.", "I cancelled the gym today."),
    ("I go to the gym every Tuesday.", "I cancelled the gym this week."),
    ("I go to the gym every Tuesday.", "I cancelled the gym this morning."),
    ("I ride my bike to work.", "A bike was stolen yesterday."),
    ("My son Jonas plays the cello.", "Jonas no longer plays football."),
    ("I work at Nokia.", "I no longer work on Fridays."),
    ("Our landlord is Mr Holm.", "Mr Holm retired the old boiler."),
    ("The spare key is under the flowerpot.", "I put the spare key on the table for a moment."),
    ("My friend Anna is 40.", "My colleague Anna is 30 now."),
    ("My friend Anna lives in Graz.", "My colleague Anna moved to Linz."),
];

#[test]
fn ordinary_talk_keeps_nothing_waiting_and_ends_nothing() {
    let mut wrong = Vec::new();
    for (older, newer) in LEFT_AS_IT_IS {
        let ends = Sentence::of(newer).ends(&Sentence::of(older));
        if ends.is_some() || found(older, &[said(12, newer)]).is_some() {
            wrong.push((older, newer));
        }
    }
    assert_eq!(wrong, Vec::<(&&str, &&str)>::new());
}

#[test]
fn what_shares_no_word_with_a_finding_is_found_by_the_kind_of_what_it_tells() {
    for (older, newer) in [
        ("I live in Graz.", "We moved to Szeged."),
        ("I'm married to Peter.", "I got divorced."),
        ("My girlfriend is called Lucy.", "We broke up."),
        ("I drive a Skoda Octavia.", "I sold my car."),
        ("I have a Pixel 8.", "My phone was stolen."),
        ("I work as a nurse.", "I quit my job."),
    ] {
        assert_eq!(
            found(older, &[said(12, newer)]).as_deref(),
            Some(newer),
            "{older:?}"
        );
    }
}

#[test]
fn of_many_changes_the_newest_are_kept() {
    let told = (1..60).flat_map(|line| changes(&said(line, MOVED)).collect::<Vec<_>>());
    let all: Vec<Change> = told.collect();
    let mut many: Vec<Change> = all
        .iter()
        .rev()
        .cycle()
        .take(CHANGES_MAX + 59)
        .cloned()
        .collect();
    keep_newest(&mut many);
    assert_eq!(many.len(), CHANGES_MAX);
    assert_eq!(many.last(), all.last());
    assert!(many.iter().all(|own| own != &all[0]));
}
