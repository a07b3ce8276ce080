//! What is promoted by itself is surely a fact of the owner's life; what is only likely waits.
//!
//! Whole messages go through notes and candidates, as they do on their way into long-term memory.

use super::everyday_tests::{PROMOTED_MIN, dreamt, notes, proposed};

/// What is said of somebody by their name alone, the name, and words that have to stand in the note.
#[rustfmt::skip]
const BARE: &[(&str, &str, &str)] = &[
    ("Jonas has asthma and carries an inhaler", "Jonas", "asthma"),
    ("Did I tell you that Jonas is allergic to nuts?", "Jonas", "Jonas is allergic to nuts"),
    ("Lena's birthday is on May 3rd", "Lena", "Lena's birthday"),
    ("Leo goes to kindergarten in Muri", "Leo", "kindergarten"),
    ("Nora carries an EpiPen because of bee stings", "Nora", "EpiPen"),
    ("Have I mentioned that Emma is lactose intolerant?", "Emma", "Emma is lactose intolerant"),
    ("Oskar's birthday is the 9th of October", "Oskar", "Oskar's birthday"),
    ("Mia attends the music school in Zug", "Mia", "music school"),
    ("Aisha is vegetarian", "Aisha", "vegetarian"),
    ("Tim needs his inhaler before sport", "Tim", "inhaler"),
    ("Zoe doesn't eat pork", "Zoe", "pork"),
];

/// What is told of the world, of work, or of a story: nothing of it is promoted.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    "Forget that I like jazz", "Please forget that I live in Bern",
    "The code is in the repo under src.",
    "The key is in the header.",
    "The library is OpenSSL.",
    "The number is 42.",
    "The box is on the left side of the page.",
    "The class is named after Ada Lovelace.",
    "The paper is by Hinton and Bengio.",
    "The camera is a Hollywood prop.",
    "My cluster is called Hydra.",
    "Our library is called Serde.",
    "The account is called Admin.",
    "The network is called Resnet.",
    "Our framework is called Django.",
    "The rent in Manhattan is 4,000 dollars on average.",
    "The rent is 2,000 francs in the listing I saw.",
    "The rent in Manhattan is 3,000.",
    "Rent in Manhattan is 3,000 a month",
    "The electricity in Germany is 40 cents",
    "The insurance in Switzerland costs 400 francs a month.",
    "Call me tomorrow at nine",
    "Call me back later",
    "Please call me on Monday",
    "At the moment I live in a tent.",
    "Napoleon died last week in my history class.",
    "Hamlet died yesterday, in the play we saw.",
    "Messi attends Barcelona games.",
    "Google uses a tablet for that.",
    "Netflix needs glasses, I swear.",
    "Frodo carries the ring and needs a walking stick.",
    "Jesus turns 2026 this Christmas.",
    "The cat is called Garfield in the comic.",
    "I have asthma in this story.",
    "In the novel, my favourite character is Anna.",
    "My dog is called Rex in the film.",
    "In a dream my brother lives in Oslo.",
];

/// Messages that thank or praise, or only sound like a story, with words of the fact beside it.
#[rustfmt::skip]
const THANKED: &[(&str, &str)] = &[
    ("You're the best. By the way, I'm allergic to penicillin.", "penicillin"),
    ("You're a lifesaver, thanks. My son Theo has asthma.", "asthma"),
    ("You are my last hope here. I work at Novartis as a chemist.", "Novartis"),
    ("Imagine my surprise: we are having twins. My wife Lea is pregnant.", "pregnant"),
    ("The hero of the day is my wife, she got the job! I'm allergic to penicillin.", "penicillin"),
    ("I met her in the story time group. My daughter Mia has diabetes.", "diabetes"),
    ("You're an angel. I live in Graz.", "Graz"),
];

fn promoted(found: &[(String, u64)], words: &str) -> bool {
    let is_one = |(text, score): &(String, u64)| text.contains(words) && *score >= PROMOTED_MIN;
    found.iter().any(is_one)
}

#[test]
fn somebody_who_is_only_named_waits_until_it_is_known_whose_they_are() {
    for (message, name, words) in BARE {
        assert!(
            notes(message).iter().any(|note| note.contains(words)),
            "{message} is noted"
        );
        let alone = dreamt(message);
        assert!(
            !alone.is_empty() && !promoted(&alone, words),
            "{message} waits: {alone:?}"
        );
        let note = notes(message).join(". ");
        let known = proposed(&format!("My cousin {name} lives in Bern. {note}"));
        assert!(promoted(&known, words), "{message} is believed: {known:?}");
    }
}

#[test]
fn who_died_is_believed_to_belong_to_the_owner_where_memory_names_them() {
    let of = |excerpts| {
        let request =
            super::super::fixture::request(base::model::Purpose::Consolidate, excerpts, 4_000);
        let reply = super::candidates(&request, base::Tz::UTC);
        reply.contains("\"importance\":8")
    };
    let said = super::super::fixture::excerpts("2026-04-20 user: Mimi died");
    assert!(!of(said.clone()), "Mimi may be anybody's");
    let mut known = super::super::fixture::excerpts("2026-04-20 user: I have a cat called Mimi");
    for own in &mut known {
        own.label = "m1".to_owned();
    }
    assert!(of([known, said].concat()));
}

#[test]
fn what_is_told_of_the_world_or_a_story_is_promoted_by_nobody() {
    let taken: Vec<(&str, Vec<(String, u64)>)> = NEVER
        .iter()
        .map(|message| (*message, [proposed(message), dreamt(message)].concat()))
        .filter(|(_, found)| promoted(found, ""))
        .collect();
    assert_eq!(taken, []);
}

/// The place is the owner's where they say that they live there, before or behind it.
#[test]
fn what_holds_at_a_place_waits_until_it_is_known_to_be_theirs() {
    let rent = "The rent in Basel is 1,850 francs";
    let alone = proposed(rent);
    assert!(!alone.is_empty() && !promoted(&alone, rent), "{alone:?}");
    for told in [
        format!("I live in Basel. {rent}."),
        format!("{rent}. We moved to Basel in May."),
    ] {
        let known = proposed(&told);
        assert!(promoted(&known, rent), "{known:?}");
    }
    for told in [
        format!("My brother lives in Basel. {rent}."),
        format!("I have a friend in Basel. {rent}."),
        format!("I was born in Basel. {rent}."),
        format!("{rent}. My parents have a flat in Basel."),
    ] {
        let found = proposed(&told);
        assert!(!promoted(&found, rent), "{told}: {found:?}");
    }
    let both = proposed(&format!("My sister and I live in Basel. {rent}."));
    assert!(promoted(&both, rent), "{both:?}");
    let liked = proposed(&format!("{rent}. I love Basel."));
    assert!(!promoted(&liked, rent), "{liked:?}");
}

#[test]
fn thanks_and_praise_hide_no_fact() {
    let missed: Vec<&str> = THANKED
        .iter()
        .filter(|(message, words)| !promoted(&dreamt(message), words))
        .map(|(message, _)| *message)
        .collect();
    assert_eq!(missed, Vec::<&str>::new());
}
