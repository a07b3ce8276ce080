//! What makes up a life, and what only sounds like it.
//!
//! Clauses; none of them stands in the tables.

use super::super::{About, Lasts, Reading, is_lasting, read};

#[track_caller]
fn check(is_told: bool, clauses: &[&str]) {
    let wrong: Vec<&&str> = clauses
        .iter()
        .filter(|clause| is_lasting(clause) != is_told)
        .collect();
    assert!(wrong.is_empty(), "not {is_told}: {wrong:?}");
}

#[test]
fn studies_last_and_an_evening_over_books_does_not() {
    check(
        true,
        &[
            "I am doing a PhD about moss",
            "I'm finishing my doctorate in Delft",
            "I am studying for a master's in geology",
            "I'm studying law",
            "We are studying physics in Delft",
            "My daughter is doing an apprenticeship as a carpenter",
            "I'm writing my thesis on lichens",
        ],
    );
    check(
        false,
        &[
            "I'm doing a test",
            "I am doing a great job",
            "I'm studying for my exam",
            "I am studying law for tomorrow's test",
            "I'm studying tonight",
            "I'm studying the map",
            "I'm writing a letter",
            "She is doing an apprenticeship",
        ],
    );
}

#[test]
fn a_fear_lasts_and_a_worry_does_not() {
    check(
        true,
        &[
            "I am afraid of flying",
            "I'm scared of spiders",
            "I'm terrified of big dogs",
            "My son is afraid of the dark",
            "I am afraid of heights and needles",
            "I have a fear of heights",
            "I suffer from claustrophobia",
            "I suffer from severe insomnia",
        ],
    );
    check(
        false,
        &[
            "I am afraid of losing my job",
            "I'm afraid of the answer",
            "I'm afraid that it will rain",
            "I'm afraid not",
            "I am afraid of tomorrow",
            "I'm scared of what he said",
            "I am afraid of big changes to the plan",
            "I have a fear that it fails",
            "I suffer from his jokes",
        ],
    );
}

#[test]
fn who_belongs_to_a_choir_or_a_club_does_so_for_long() {
    check(
        true,
        &[
            "I sing in a choir on Thursdays",
            "I sing bass in a gospel choir",
            "I play the cello in an amateur orchestra",
            "My son plays for the village team",
            "I'm in a book club",
            "I'm on the board of our housing cooperative",
        ],
    );
    check(
        false,
        &[
            "I sing in the shower",
            "I sing in the choir on Thursday",
            "I play in the garden",
            "I'm in the wrong club",
            "I'm in a club",
            "I'm in a meeting",
            "I'm on the phone",
        ],
    );
}

#[test]
fn schools_faith_subscriptions_and_houses_last() {
    check(
        true,
        &[
            "My kids go to the Montessori school in Zug",
            "Our eldest is in third grade",
            "My daughter is in year 5",
            "I keep kosher",
            "I fast during Ramadan",
            "We keep bees in the garden",
            "I subscribe to The Economist",
            "We have a subscription to the opera",
            "Our house has solar panels",
            "Our flat has two bedrooms",
            "I have a stent",
            "I had my wisdom teeth removed in May",
            "I see a therapist every other week",
            "My collar size is 41",
        ],
    );
    check(
        false,
        &[
            "We go to the school on Monday",
            "Our eldest is tired",
            "I'm in third place",
            "I keep calm",
            "I keep a list",
            "I subscribe to that",
            "Our house has a leak",
            "Our flat has a big mess",
            "I see a problem every other week",
            "I see a therapist",
        ],
    );
}

#[test]
fn somebody_who_is_no_more_what_they_were_is_an_end() {
    let over = Reading::Fact(About::Kin, Lasts::Over);
    for clause in [
        "Mr Holm is no longer our landlord",
        "Anna is not my boss any more",
        "Tom isn't my flatmate anymore",
    ] {
        assert_eq!(read(clause), over, "{clause}");
    }
    for clause in ["Anna is not my boss", "Mr Holm is no longer in the office"] {
        assert_ne!(read(clause), over, "{clause}");
    }
}

#[test]
fn what_is_taken_up_is_a_habit_where_it_is_no_room() {
    let habit = Reading::Fact(About::Speaker, Lasts::Habit);
    assert_eq!(read("I took up pottery last year"), habit);
    for clause in [
        "It took up the whole day",
        "I took up too much room",
        "I took up the matter",
    ] {
        assert_ne!(read(clause), habit, "{clause}");
    }
}
