//! What surely takes the place of an older value of a thing, and what only may.
//!
//! Pairs of sentences.

use super::Turn;
use super::tests::check;

const REPLACED: Option<Turn> = Some(Turn::Replaces);
const DOUBTFUL: Option<Turn> = Some(Turn::Doubtful);

#[track_caller]
fn check_all(pairs: &[(&str, &str, Option<Turn>)]) {
    for (new, old, expected) in pairs {
        check(new, old, *expected);
    }
}

#[test]
fn whoever_is_in_office_later_replaces_the_one_before() {
    check_all(&[
        ("My boss is Jan Olsen", "My boss is Anna Huber", REPLACED),
        (
            "My boss is called B\u{e9}la.",
            "My boss is called Anna",
            REPLACED,
        ),
        (
            "My boss is called B\u{e9}la now",
            "My boss is Anna",
            REPLACED,
        ),
        ("My new boss is B\u{e9}la", "My boss is Anna", REPLACED),
        ("My new coach is B\u{e9}la", "My coach is Anna", REPLACED),
        (
            "My doctor is Dr. Berger.",
            "My doctor is Dr. Meier.",
            REPLACED,
        ),
        (
            "My dentist is Prof. Berger",
            "My new dentist is Dr. Meier",
            REPLACED,
        ),
        ("My doctor is Dr. Meier", "My doctor is Eva Meier", None),
        ("My old boss is B\u{e9}la", "My boss is Anna", None),
        (
            "My other doctor is Dr. Berger",
            "My doctor is Dr. Meier",
            None,
        ),
        ("My doctor is on holiday", "My doctor is Dr. Meier", None),
        ("My dentist is Dr. Berger", "My doctor is Dr. Meier", None),
    ]);
}

#[test]
fn what_somebody_is_like_waits_beside_who_they_are() {
    check_all(&[
        ("My boss is B\u{e9}la", "My boss is Anna", DOUBTFUL),
        ("My boss is Muslim.", "My boss is Anna Huber.", DOUBTFUL),
        ("My boss is Mexican.", "My boss is Anna Huber.", DOUBTFUL),
        ("My boss is now Muslim.", "My boss is Anna Huber.", DOUBTFUL),
        ("My doctor is Jewish.", "My doctor is Dr. Meier.", DOUBTFUL),
        (
            "My landlord is Bavarian.",
            "My landlord is Jan Olsen.",
            DOUBTFUL,
        ),
        (
            "My landlord is called Rude by everyone.",
            "My landlord is Jan Olsen.",
            DOUBTFUL,
        ),
        (
            "My boss is Roman Catholic.",
            "My boss is Anna Huber.",
            DOUBTFUL,
        ),
        (
            "My doctor is South African.",
            "My doctor is Dr. Meier.",
            DOUBTFUL,
        ),
        (
            "My boss is Vice President.",
            "My boss is Anna Huber.",
            DOUBTFUL,
        ),
        (
            "My new boss is Muslim.",
            "My new boss is Anna Huber.",
            DOUBTFUL,
        ),
        ("My boss is Jan Olsen.", "My boss is Muslim.", DOUBTFUL),
        ("My sister is now Muslim.", "My sister is Anna.", DOUBTFUL),
        (
            "My boss is Anna Huber's cousin.",
            "My boss is Jan Olsen.",
            None,
        ),
    ]);
}

#[test]
fn which_thing_is_used_is_told_by_what_is_said_to_be_new() {
    check_all(&[
        (
            "My new phone is an iPhone 15",
            "My phone is a Pixel 6",
            REPLACED,
        ),
        (
            "My phone is an iPhone now.",
            "My phone is a Pixel 6.",
            REPLACED,
        ),
        (
            "My phone is now a Pixel 8.",
            "My phone is a Pixel 6.",
            REPLACED,
        ),
        (
            "I bought a new car, a blue Skoda",
            "My car is a Volvo",
            REPLACED,
        ),
        (
            "I have a new phone, an iPhone 15",
            "My phone is a Pixel 6",
            REPLACED,
        ),
        ("My phone is a Pixel 6", "My new phone is a Pixel 6", None),
        ("My phone is a mess", "My phone is a Pixel 6", None),
        ("My work phone is an iPhone", "My phone is a Pixel 6", None),
        ("My car is a Volvo Anna sold me", "My car is a Skoda", None),
        (
            "I need a new phone, an iPhone 15",
            "My phone is a Pixel 6",
            None,
        ),
        (
            "My sister's new phone is an iPhone",
            "My phone is a Pixel 6",
            None,
        ),
    ]);
}

#[test]
fn a_thing_in_other_words_may_be_the_same() {
    check_all(&[
        ("My phone is a Pixel 8.", "My phone is a Pixel 6.", DOUBTFUL),
        (
            "My phone is a Samsung.",
            "My phone is a Galaxy S24.",
            DOUBTFUL,
        ),
        ("My car is a Volkswagen.", "My car is a VW Golf.", DOUBTFUL),
        (
            "My laptop is a Lenovo.",
            "My laptop is a ThinkPad.",
            DOUBTFUL,
        ),
        ("My car is Tom's now.", "My car is a Skoda.", None),
        ("My car is now Tom's.", "My car is a Skoda.", None),
        ("My car is an SUV.", "My car is a Volkswagen.", None),
        ("My car is an SUV now.", "My car is a Volkswagen.", None),
        (
            "My new phone is an Android.",
            "My phone is a Pixel 8.",
            None,
        ),
        (
            "My computer is now a PC.",
            "My computer is a ThinkPad.",
            None,
        ),
        ("My car is Electric Blue.", "My car is a Skoda.", None),
        ("My car is now Electric Blue.", "My car is a Skoda.", None),
        ("My car is now Dusty.", "My car is a Skoda.", DOUBTFUL),
    ]);
}

#[test]
fn how_many_there_are_is_told_by_the_latest_line() {
    check_all(&[
        ("I have 3 cats now", "I have 2 cats.", REPLACED),
        ("I now have three cats", "I have 2 cats", REPLACED),
        ("I have one cat now.", "I have three cats.", REPLACED),
        ("I have no cats.", "I have one cat now.", REPLACED),
        ("I have no cats.", "I have three cats.", REPLACED),
        ("I have two children.", "I have one child.", REPLACED),
        ("We have three kids now.", "We have two children.", REPLACED),
        ("I have two puppies.", "I have one puppy.", REPLACED),
        ("I have two ponies.", "I have one pony.", REPLACED),
        ("I have two watches.", "I have one watch.", REPLACED),
        ("I have no fish now.", "I have two fish.", REPLACED),
        ("I have one cat", "I have 1 cat now", None),
        ("I have one dog", "I have three cats", None),
        ("I have one cat and a dog", "I have three cats", None),
        ("I have no cats in the office", "I have three cats", None),
        ("I have one cat called Mimi", "I have three cats", None),
        ("I have one car", "My car is a Skoda", None),
        ("I have no boss", "I have two bosses", None),
        ("We have two sisters", "I have one sister", None),
        ("I have 2 cats now", "I have two cats", None),
        ("I have 3 cats", "I have 2 dogs", None),
        ("I have 3 cats and a dog", "I have 2 cats", None),
        ("I have 3 cats at home", "I have 2 cats", None),
        ("I have 3 meetings now", "I have 2 meetings", None),
    ]);
}

#[test]
fn where_one_works_without_a_name_waits_beside_an_employer() {
    check_all(&[
        ("I work at the university.", "I work at Bosch.", DOUBTFUL),
        (
            "I am employed at the hospital.",
            "I work at Bosch.",
            DOUBTFUL,
        ),
        ("I work at Bosch.", "I work at the university.", DOUBTFUL),
        ("I started at the university.", "I work at Bosch.", REPLACED),
        (
            "I got a new job at the university.",
            "I work at Bosch.",
            REPLACED,
        ),
        (
            "I work at the university now.",
            "I work at Bosch.",
            REPLACED,
        ),
        ("I work at the library.", "I quit my job at Bosch.", None),
        (
            "I quit my job at the university.",
            "I work at the university.",
            REPLACED,
        ),
    ]);
}

#[test]
fn a_part_of_a_city_waits_beside_the_city() {
    let kreuzberg = "Ich wohne in Kreuzberg.";
    check_all(&[
        (kreuzberg, "Ich wohne in Berlin.", DOUBTFUL),
        ("Ich wohne in Floridsdorf.", "Ich wohne in Wien.", DOUBTFUL),
        (
            "Ich wohne in Wohlstandleben.",
            "Ich wohne in Graz.",
            DOUBTFUL,
        ),
        ("Ich wohne in Coworking.", "Ich wohne in Graz.", DOUBTFUL),
        ("Ich wohne in Oberndorf", "I live in Graz", DOUBTFUL),
        ("Ich wohne in Berlin.", kreuzberg, DOUBTFUL),
        ("I live in Graz", "Ich wohne im Studentenwohnheim", None),
        ("I live in Graz", "Ich wohne in Studentenwohnheim", DOUBTFUL),
        ("Ich wohne nicht mehr in Wien", "Ich wohne in Graz.", None),
        ("Ich wohne nicht mehr in Kreuzberg", kreuzberg, REPLACED),
        (
            "Ich wohne jetzt in Kreuzberg.",
            "Ich wohne in Graz.",
            REPLACED,
        ),
        ("Ich wohne jetzt in Graz.", kreuzberg, REPLACED),
        (
            "Ich bin nach Kreuzberg gezogen.",
            "Ich wohne in Graz.",
            REPLACED,
        ),
        (
            "Ich bin nach Kreuzberg umgezogen.",
            "Ich wohne in Graz.",
            REPLACED,
        ),
    ]);
}

#[test]
fn a_place_that_may_be_a_part_of_the_city_waits_beside_it() {
    check_all(&[
        ("I live in Kreuzberg", "I live in Berlin", DOUBTFUL),
        ("I live in Berlin", "I live in Kreuzberg", DOUBTFUL),
        ("We live in Headingley", "I live in Leeds", DOUBTFUL),
        ("I live in Kreuzberg now", "I live in Berlin", REPLACED),
        ("I now live in Kreuzberg", "I live in Berlin", REPLACED),
        (
            "I live in Kreuzberg these days",
            "I live in Berlin",
            REPLACED,
        ),
        ("I live in Graz again", "I live in Kreuzberg", REPLACED),
        ("I moved to Kreuzberg", "I live in Berlin", REPLACED),
        ("I moved to Berlin", "I live in Kreuzberg", REPLACED),
        ("I live in Munich", "I live in Berlin", REPLACED),
        ("I live in New York", "I live in Buenos Aires", REPLACED),
        ("I live in Berlin Mitte", "I live in Berlin", None),
        ("I live in Berlin, in Kreuzberg", "I live in Berlin", None),
        // What is now is said of something else.
        (
            "I live in Kreuzberg and now it is loud",
            "I live in Berlin",
            DOUBTFUL,
        ),
    ]);
}

#[test]
fn whoever_is_no_more_what_they_were_ends_the_line_that_says_so() {
    let landlord = "Our landlord is Mr Holm";
    check_all(&[
        ("Mr Holm is no longer our landlord", landlord, REPLACED),
        ("Mr Holm is not our landlord any more", landlord, REPLACED),
        (
            "Mr Holm isn't our landlord anymore, since May",
            landlord,
            REPLACED,
        ),
        (
            "Mr Holm is no longer our landlord since May",
            landlord,
            REPLACED,
        ),
        ("Our landlord is no longer Mr Holm", landlord, REPLACED),
        (
            "Anna is no longer my girlfriend",
            "My girlfriend is Anna",
            REPLACED,
        ),
        // One may have several friends.
        ("Tom is no longer my friend", "My friend is Tom", DOUBTFUL),
        ("Mrs Berg is no longer our landlord", landlord, None),
        ("Mr Holm is no longer our neighbour", landlord, None),
        ("Mr Holm is not our landlord", landlord, None),
        (
            "Mr Holm is no longer our landlord but our friend",
            landlord,
            None,
        ),
        ("Mr Holm is no longer my sister's landlord", landlord, None),
    ]);
}

#[test]
fn a_second_job_ends_no_first_one_and_an_employer_without_a_name_is_quit() {
    for old in [
        "I work at Bosch",
        "I work at the clinic",
        "I work as a nurse",
        "I have a job at Bosch",
    ] {
        for new in [
            "I quit my second job",
            "I quit my second job at Lidl",
            "I quit my side job",
            "I left my other job last month",
            "I quit my evening job",
            "I lost my second job",
            "I got fired from my second job",
            "I resigned from my part-time job",
        ] {
            check(new, old, None);
        }
    }
    check_all(&[
        ("I quit the clinic", "I work at the clinic", REPLACED),
        (
            "I quit the clinic last month",
            "I work at the clinic",
            REPLACED,
        ),
        ("I left the clinic in May", "I work at the clinic", REPLACED),
        // One leaves it every evening, and quits another one.
        ("I left the clinic", "I work at the clinic", None),
        ("I left the clinic at noon", "I work at the clinic", None),
        ("I quit the bakery", "I work at the clinic", None),
        ("I quit the clinic", "I work at Bosch", None),
    ]);
}

#[test]
fn a_value_that_puts_another_right_is_read_up_to_the_denial() {
    let birthday = "My birthday is 14 March";
    check_all(&[
        (
            "Correction: my birthday is 15 March, not 14 March",
            birthday,
            REPLACED,
        ),
        ("My birthday is 15 March not 14 March", birthday, REPLACED),
        ("My birthday is 14 March, not 15 March", birthday, None),
        (
            "My sister's birthday is 15 March, not 14 March",
            birthday,
            None,
        ),
    ]);
}

#[test]
fn what_is_said_against_an_older_value_takes_its_place() {
    check_all(&[
        (
            "I don't work at Bosch, I work at Siemens",
            "I work at Bosch",
            REPLACED,
        ),
        (
            "I don't live in Graz, I live in Linz",
            "I live in Graz",
            REPLACED,
        ),
        ("I don't live in Graz, I work there", "I live in Graz", None),
        (
            "I don't like Graz, I live in Linz during the week",
            "I live in Graz",
            None,
        ),
        (
            "My wife's name is Hannah, not Anna",
            "My wife is called Anna",
            REPLACED,
        ),
        (
            "My wife is called Hannah, not Anna",
            "My wife's name is Anna",
            REPLACED,
        ),
        (
            "I don't work on Fridays, I work at Bosch as a volunteer.",
            "I work at Siemens.",
            None,
        ),
        (
            "I don't work on Fridays, I work at Bosch",
            "I work at Siemens.",
            None,
        ),
        ("I don't live alone, I live in Linz", "I live in Graz", None),
        // Another dog may be meant.
        (
            "My dog is called Max, not Rex",
            "My dog is called Luna",
            DOUBTFUL,
        ),
    ]);
}

#[test]
fn whom_one_has_anew_follows_the_one_before() {
    let dentist = "My dentist is Dr Rossi";
    check_all(&[
        ("I have a new dentist, Dr Berg", dentist, REPLACED),
        ("I found a new dentist called Jan Berg", dentist, REPLACED),
        (
            "We got a new landlord, Mrs Claes",
            "Our landlord is Mr Holm",
            REPLACED,
        ),
        ("I have a new dentist in Graz", dentist, None),
        ("I need a new dentist, Dr Berg", dentist, None),
        (
            "I have a new friend, Jan Berg",
            "My friend is Tom Holm",
            None,
        ),
        ("I have a new doctor, Dr Berg", dentist, None),
        ("I bank with Triodos now", "I bank with Revolut", REPLACED),
        ("I bank with Triodos", "I bank with Revolut", DOUBTFUL),
    ]);
}

#[test]
fn what_is_so_at_one_time_or_beside_a_job_waits() {
    check_all(&[
        ("In summer I live in Salzburg.", "I live in Graz.", DOUBTFUL),
        (
            "In the winter I live in Salzburg.",
            "I live in Graz.",
            DOUBTFUL,
        ),
        (
            "In 2010 I live in Paris, that is the plot of my book.",
            "I live in Graz.",
            DOUBTFUL,
        ),
        (
            "I work at Bosch as a volunteer.",
            "I work at Siemens.",
            DOUBTFUL,
        ),
        (
            "I work at Bosch as a nurse.",
            "I work at Siemens.",
            REPLACED,
        ),
    ]);
}
