//! What makes up a life, and what only sounds like it.
//!
//! Clauses; none of them stands in the tables.

use super::super::{About, Lasts, Reading, is_lasting, read};

#[track_caller]
fn lasting(clauses: &[&str]) {
    let wrong: Vec<&&str> = clauses.iter().filter(|own| !is_lasting(own)).collect();
    assert!(wrong.is_empty(), "not lasting: {wrong:?}");
}

#[track_caller]
fn passing(clauses: &[&str]) {
    let wrong: Vec<&&str> = clauses.iter().filter(|own| is_lasting(own)).collect();
    assert!(wrong.is_empty(), "lasting: {wrong:?}");
}

#[test]
fn studies_last_and_an_evening_over_books_does_not() {
    lasting(&[
        "I am doing a PhD about moss",
        "I'm finishing my doctorate in Delft",
        "I am studying for a master's in geology",
        "I'm studying law",
        "We are studying physics in Delft",
        "My daughter is doing an apprenticeship as a carpenter",
        "I'm writing my thesis on lichens",
    ]);
    passing(&[
        "I'm doing a test",
        "I am doing a great job",
        "I'm studying for my exam",
        "I am studying law for tomorrow's test",
        "I'm studying tonight",
        "I'm studying the map",
        "I am doing a degree of damage here.",
        "I am doing a bachelor party",
        "I am doing a test for a degree",
        "I'm writing a letter",
        "She is doing an apprenticeship",
    ]);
}

#[test]
fn a_fear_lasts_and_a_worry_does_not() {
    lasting(&[
        "I am afraid of flying",
        "I'm scared of spiders",
        "I'm terrified of big dogs",
        "My son is afraid of the dark",
        "I am afraid of heights and needles",
        "Sem is afraid of thunderstorms",
        "Rex is scared of the hoover",
        "My daughter is really afraid of loud noises",
        "I have a fear of heights",
        "I suffer from claustrophobia",
        "I suffer from severe insomnia",
    ]);
    passing(&[
        "I am afraid of losing my job",
        "I'm afraid of the answer",
        "Sem is afraid of the answer",
        "Sem is afraid of delays",
        "Sem is afraid that it thunders",
        "Sem is afraid of storms tomorrow",
        "I'm afraid that it will rain",
        "I'm afraid not",
        "I am afraid of tomorrow",
        "I am afraid of spoilers.",
        "I am afraid of water damage",
        "I'm scared of what he said",
        "I am afraid of big changes to the plan",
        "I have a fear that it fails",
        "I suffer from his jokes",
    ]);
}

#[test]
fn who_belongs_to_a_choir_or_a_club_does_so_for_long() {
    lasting(&[
        "I sing in a choir on Thursdays",
        "I sing bass in a gospel choir",
        "I play the cello in an amateur orchestra",
        "My son plays for the village team",
        "I'm in a book club",
        "I'm on the board of our housing cooperative",
    ]);
    passing(&[
        "I sing in the shower",
        "I play with the band members of my son.",
        "I sing in the house of the choir",
        "I sing in the choir on Thursday",
        "I play in the garden",
        "I'm in the wrong club",
        "I'm in a club",
        "I'm in a meeting",
        "I'm on the phone",
    ]);
}

#[test]
fn schools_faith_subscriptions_and_houses_last() {
    lasting(&[
        "My kids go to the Montessori school in Zug",
        "Our eldest is in third grade",
        "My daughter is in year 5",
        "I keep kosher",
        "I fast during Ramadan",
        "We keep bees in the garden",
        "I subscribe to The Economist",
        "We have a subscription to the opera",
        "I have a season ticket",
        "I have a gym membership",
        "I hold a Swiss passport",
        "Our house has solar panels",
        "Our flat has two bedrooms",
        "I have a stent",
        "I had my wisdom teeth removed in May",
        "I see a therapist every other week",
        "My collar size is 41",
        "I'm claustrophobic",
        "I'm hard of hearing",
        "I'm on night shifts",
        "I'm in my second year of law school",
        "I'm subscribed to the Guardian",
        "I hold dual citizenship",
        "I follow a low-carb diet",
        "We heat with a heat pump",
        "I foster kittens",
        "I homeschool my kids",
        "I pay alimony",
        "I've got custody every other weekend",
        "I wear a size 38",
        "I work four days a week",
        "My day off is Wednesday",
        "Garbage day is Tuesday",
        "I had a baby girl yesterday",
        "I finished my PhD",
    ]);
    passing(&[
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
        "I'm on a night out",
        "I'm on late shift today",
        "I'm in my second hour of waiting",
        "I'm subscribed to nothing",
        "I hold the door",
        "I hold the door for people with a visa.",
        "I hold a visa card.",
        "I hold her passport",
        "I have a subscription to cancel.",
        "I have a season of Dark left to watch.",
        "I see a therapist on television every week.",
        "I follow the plan",
        "I pay attention",
        "I had a baby shower",
        "My first day is Monday",
        "My birthday party day is Monday",
        "I finished my lunch",
        "I lost two hours a day",
    ]);
}

#[test]
fn studies_and_medicines_that_are_given_up_are_an_end() {
    let over = Reading::Fact(About::Speaker, Lasts::Over);
    for clause in [
        "I dropped out of my PhD",
        "I dropped out of university",
        "I came off metformin last month",
    ] {
        assert_eq!(read(clause), over, "{clause}");
    }
    for clause in ["I dropped out of the call", "I came off the bike"] {
        assert_ne!(read(clause), over, "{clause}");
    }
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

#[test]
fn what_is_owned_for_years_lasts_and_what_is_had_for_a_moment_does_not() {
    lasting(&[
        "I have a telescope",
        "I have a 3D printer",
        "I've got an old telescope on the balcony",
        "We have two kayaks",
        "I own a drone",
        "My sister has a loom",
    ]);
    passing(&[
        "I have a cold",
        "I have a question",
        "I have a meeting at 3",
        "I have a telescope to sell",
        "I have a telescope question",
        "I have a printer problem",
        "I have a kayak for the weekend",
        "I have a rented camera",
        "I have the printer manual here",
        "I have a camera tomorrow",
    ]);
}
