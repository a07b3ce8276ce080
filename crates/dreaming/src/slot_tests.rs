//! What lines say of things of which a person has one.
//!
//! Sentences, and pairs of them.

use super::*;
use crate::words::words;

#[track_caller]
pub(super) fn check(new: &str, old: &str, expected: Option<Turn>) {
    let (new_words, old_words) = (words(new), words(old));
    let pair = (&new_words.told, &old_words.told);
    let found = pair.0.turn(pair.1);
    assert_eq!(found, expected, "{new:?} after {old:?}: {pair:?}");
}

#[test]
fn a_newer_home_or_job_replaces_the_older() {
    for (new, old) in [
        ("I moved to Szeged last month (2026-03).", "I live in Graz."),
        (
            "We live in a small village near Pecs",
            "I live in Graz with my sister",
        ),
        ("I've just moved to Szeged", "I moved to Graz in 2019"),
        ("I quit my job at Bosch.", "I work at Bosch."),
        ("I quit my job", "I work at Bosch."),
        (
            "I no longer work at Bosch",
            "I work for Bosch as an engineer",
        ),
        ("I don't work at Bosch any more", "I work at Bosch"),
        ("I work at Siemens", "I quit my job at Bosch. "),
        ("I started at Siemens on Monday", "I work at Bosch"),
        ("I'm retired", "I work at Bosch"),
        ("I work as a teacher", "I work as a nurse"),
        ("User moved to Szeged", "User lives in Graz"),
        (
            "My sister Anna moved to Vienna",
            "My sister Anna lives in Graz",
        ),
        ("My wife moved to Vienna", "My wife Eva lives in Graz"),
        (
            "The owner has moved back to Graz",
            "The owner lives in Lisbon",
        ),
        ("I got a new job at Siemens in May.", "I work at Bosch"),
        ("We moved to Linz.", "My wife and I live in Graz"),
        ("My sister and I moved to Linz", "I live in Graz"),
        ("I joined Siemens as a tester last week", "I work at Bosch"),
        ("I was laid off by Bosch yesterday", "I work at Bosch"),
        ("My employer is Siemens", "I work at Bosch"),
        (
            "My partner now works for Siemens",
            "My partner works at Bosch",
        ),
        ("I finally moved to Rio de Janeiro", "I live in Lisbon"),
        ("My dog is called Max now", "My dog is Rex."),
        ("My boss is now Jan Olsen", "My boss is Petra"),
        ("My new boss is Jan Olsen", "My boss is Petra"),
        ("My favourite editor is Helix", "My favourite editor is Vim"),
        ("My phone number is 0664 12", "My phone number is 0699 77"),
        (
            "My phone number is 0664 12 34 567",
            "My phone number is 0664 99 88 777",
        ),
        ("My new mobile is 0664 12", "My mobile number is 0664 99"),
        (
            "I have a new phone number: 0664 12",
            "My phone number is 0699 77",
        ),
        (
            "I changed my email address to eva@b.eu",
            "My e-mail is eva@a.eu",
        ),
        (
            "Our address is Lindenweg 3, 3612 Steffisburg",
            "Our address is Rosenweg 14, 3612 Steffisburg",
        ),
        ("New address is Lindenweg 3", "My address is Rosenweg 14"),
    ] {
        check(new, old, Some(Turn::Replaces));
    }
}

#[test]
fn another_name_of_an_animal_is_doubtful() {
    check(
        "My dog's name is Max",
        "My dog is called Rex",
        Some(Turn::Doubtful),
    );
    check(
        "My wife is called Eva",
        "My wife is called Anna",
        Some(Turn::Doubtful),
    );
    check("My new dog is Max", "My dog is Rex", Some(Turn::Doubtful));
    check(
        "My coach is Jan Olsen",
        "My coach is Petra",
        Some(Turn::Doubtful),
    );
}

#[test]
fn others_and_one_more_replace_nothing() {
    for (new, old) in [
        ("My sister Anna lives in Graz", "I live in Vienna"),
        ("I live in Vienna", "My sister Anna lives in Graz"),
        ("My wife works in Linz", "My wife and I live in Graz"),
        (
            "My sister Eva lives in Vienna",
            "My sister Anna lives in Graz",
        ),
        ("My brother lives in Vienna", "My sister lives in Graz"),
        ("I also work at the library", "I work at Bosch"),
        ("I live in Graz now", "I live in Graz"),
        ("I quit my job at Siemens", "I work at Bosch"),
        ("My dog is hungry", "My dog is Rex"),
        ("My dog is 3 years old", "My dog is Rex"),
        ("My favourite tea is oolong", "My favourite editor is Vim"),
        ("Always use tabs", "I live in Graz"),
    ] {
        check(new, old, None);
    }
}

#[test]
fn of_several_people_of_a_kind_an_unnamed_one_is_doubtful() {
    for (new, old) in [
        ("My sister moved to Vienna", "My sister Anna lives in Graz."),
        ("My friend lives in Vienna", "My friend lives in Graz"),
        (
            "My colleague works at Siemens",
            "My colleague works at Bosch",
        ),
        ("My son moved to Lyon", "My older son lives in Graz"),
    ] {
        check(new, old, Some(Turn::Doubtful));
    }
    check(
        "My younger son moved to Lyon",
        "My older son lives in Graz",
        None,
    );
    check("My ex wife lives in Vienna", "My wife lives in Graz", None);
}

#[test]
fn what_is_said_of_something_else_replaces_no_home() {
    for new in [
        "My parents moved to Vienna.",
        "Our office moved to Linz.",
        "My company moved to Berlin",
        "Our server moved to Frankfurt last night",
        "My bank moved to Salzburg",
        "I have a brother who lives in Vienna.",
        "I know somebody who moved to Lisbon",
        "When I visit my mother I live in Linz.",
        "I live in Linz during the week",
        "I live in Linz when I work nights",
        "I lived in Linz as a student",
        "I will move to Linz if I get the job",
        "I moved to a new team last week.",
        "I moved to the couch.",
        "I moved to the next chapter",
        "I moved to Helix as my editor.",
        "I moved to Zellij as my terminal",
        "Anna and I live in Linz",
        "I moved to Obsidian for my notes",
        "I moved to PyCharm last week",
        "We moved to PostgreSQL in May",
        "We moved to Kafka topics",
        "I live in Excel all day",
        "I live in fear of deadlines",
        "I live in Austria",
        "I live in a flat",
        "I almost moved to Vienna",
        "My wife thinks I live in Narnia",
        "My wife and my sister live in Vienna",
        "My wife says I moved to Vienna too fast",
    ] {
        check(new, "I live in Graz.", None);
        check(new, "My wife lives in Graz.", None);
    }
}

#[test]
fn what_is_said_of_something_else_replaces_no_job() {
    for new in [
        "I joined a choir in March.",
        "I joined Greenpeace",
        "I joined the two tables by id",
        "I have a friend who works at Google.",
        "I retired the old server.",
        "I retired early to bed",
        "I left my job application at home.",
        "I lost my job queue when the server crashed",
        "I lost Bosch as a client",
        "I left my job running overnight",
        "I got fired up about Rust",
        "I quit Slack",
        "I resigned myself to the delay",
        "I quit my job at Google in the novel",
        "I resigned from the school board",
        "My manager works at Google",
        "I work at weekends",
        "I work for Google on Saturdays",
        "I work at home",
        "I work for free",
        "My wife joined a gym.",
        "My wife thinks I work for the CIA.",
        "My wife joined the call",
        "My wife retired the old laptop",
        "My job at Siemens starts at nine",
        "My job is fun",
    ] {
        check(new, "I work at Bosch.", None);
        check(new, "My wife works at Bosch.", None);
    }
}

#[test]
fn who_leaves_for_an_errand_keeps_their_job() {
    for new in [
        "I left Microsoft and took the bus home",
        "I left Microsoft and went for a run",
        "I left Microsoft to have lunch",
        "I left Microsoft because I felt sick",
    ] {
        check(new, "I work at Microsoft", None);
    }
    for new in [
        "I left Microsoft and took a job in Graz",
        "I left Microsoft because I was bored",
    ] {
        check(new, "I work at Microsoft", Some(Turn::Replaces));
    }
}

#[test]
fn a_passing_state_of_a_thing_replaces_none_of_its_values() {
    for (new, old) in [
        ("My phone number is hidden", "My phone number is 0699 77"),
        (
            "My phone number is 5 digits long",
            "My phone number is 0699 77",
        ),
        ("My shoe size is 42", "My age is 41"),
        ("I work as a nurse", "I work at Bosch"),
        ("My address is wrong in the form", "My address is Ring 4"),
        ("My name is on the list", "My name is Eva"),
        ("My favourite editor is slow", "My favourite editor is Vim"),
        (
            "My favourite editor is on fire",
            "My favourite editor is Vim",
        ),
        ("My old address was Ring 4", "My address is Platz 1"),
        ("My phone is a Pixel 8", "My phone number is 0699 77"),
        (
            "My number is 42 in the queue",
            "My phone number is 0664 99 88 777",
        ),
        ("My number is 17", "My phone number is 0664 99 88 777"),
        ("My phone is 1234", "My phone number is 0664 99 88 777"),
        ("My work email is eva@b.eu", "My private email is eva@a.eu"),
        (
            "My phone number is 0664 1234",
            "My mobile number is 0699 77",
        ),
        ("My phone number is 066412", "My phone number is 0664 12"),
        (
            "My address is Rosenweg 14, 3612 Steffisburg",
            "My address is Rosenweg 14",
        ),
        ("The new address is Ring 4", "My address is Platz 1"),
        ("My email address is broken", "My email address is a@b.eu"),
        ("My sister's dog is called Max", "My dog is Rex"),
    ] {
        check(new, old, None);
    }
}

#[test]
fn a_home_or_a_job_is_renewed_or_ended_in_german_and_in_other_words() {
    for (new, old) in [
        ("Ich bin nach Wien gezogen", "Ich wohne in Graz"),
        ("Ich wohne jetzt in Wien", "I live in Graz"),
        ("Ich wohne nicht mehr in Graz", "Ich wohne in Graz"),
        (
            "Ich wohne nicht mehr in Wels-Land",
            "Ich wohne in Wels-Land",
        ),
        ("Ich wohne in Wien", "Ich wohne in Linz"),
        ("Ich wohne jetzt in Gallneukirchen", "Ich wohne in Linz"),
        ("Ich bin mit Anna nach Wien gezogen.", "Ich wohne in Linz."),
        (
            "Ich bin gestern mit meiner Frau nach Wien gezogen",
            "Ich wohne in Gallneukirchen",
        ),
        (
            "Ich bin letzte Woche nach Bonn gezogen",
            "Ich wohne in Linz",
        ),
        (
            "Wir sind im Oktober nach Bonn umgezogen",
            "Ich wohne in Linz",
        ),
        (
            "Wir sind vor zwei Wochen nach Bonn gezogen",
            "I live in Graz",
        ),
        ("Wir wohnen jetzt in Bonn", "Ich wohne in Linz"),
        ("I work at Siemens", "Ich arbeite bei Bosch"),
        (
            "I quit Helvetia last week",
            "I got a new job as a data analyst at Helvetia",
        ),
        (
            "My number changed, it is now 0664 7654321",
            "My phone number is 0664 1234567",
        ),
        ("I moved out of Graz", "I live in Graz"),
    ] {
        check(new, old, Some(Turn::Replaces));
    }
}

#[test]
fn german_lines_that_tell_no_one_place_or_employer_replace_nothing() {
    for (new, old) in [
        ("Ich wohne in Miete", "Ich wohne in Graz"),
        ("Ich wohne in Untermiete.", "Ich wohne in Linz."),
        ("Ich wohne jetzt in Untermiete.", "Ich wohne in Linz."),
        ("Ich wohne auch in Wien", "Ich wohne in Graz"),
        ("Ich wohne nicht in Wien", "Ich wohne in Graz"),
        ("Ich wohne jetzt in \u{d6}sterreich", "Ich wohne in Graz"),
        ("Ich bin nicht nach Wien gezogen", "Ich wohne in Graz"),
        ("Ich bin gestern nach Hause gezogen", "Ich wohne in Graz"),
        (
            "Ich bin mit dem Zug nach Wien gefahren",
            "Ich wohne in Graz",
        ),
        ("Wir sind im Mai nach Bonn gefahren", "Ich wohne in Graz"),
        (
            "Wir sind im Zug nach Bonn gezogen worden",
            "Ich wohne in Graz",
        ),
        ("Wir sind im Auto nach Bonn gezogen", "Ich wohne in Graz"),
        ("Ich wohne in der Stadt", "Ich wohne in Graz"),
        ("Ich bin nach Wien geflogen", "Ich wohne in Graz"),
        ("Ich arbeite bei Tag", "Ich wohne in Graz"),
        ("Ich arbeite bei Bosch", "Ich wohne in Graz"),
        ("Ich wohne in Graz", "Ich wohne in Graz"),
    ] {
        check(new, old, None);
    }
}

#[test]
fn a_german_noun_that_may_be_no_place_waits_beside_a_home() {
    for (new, old) in [
        ("Ich wohne in Halbpension", "Ich wohne in Linz"),
        ("Ich lebe in Verzweiflung", "I live in Graz"),
        ("Ich wohne in Linz", "Ich wohne in Halbpension"),
        ("I live in Graz", "Ich wohne in Halbpension"),
    ] {
        check(new, old, Some(Turn::Doubtful));
    }
}

#[test]
fn who_quits_a_job_works_there_no_more_in_whatever_trade() {
    let replaced = Some(Turn::Replaces);
    let nurse = "I work as a nurse at the county hospital.";
    for (new, old, expected) in [
        ("I quit my job at the hospital.", nurse, replaced),
        ("I quit my job", nurse, replaced),
        ("I was fired", "I work as a nurse", replaced),
        (
            "I quit my job at Bosch",
            "I work as a tester at Bosch",
            replaced,
        ),
        (
            "I quit my job at the hospital",
            "I work at the county hospital",
            replaced,
        ),
        (
            "I quit my job at Bosch",
            "I work as a nurse",
            Some(Turn::Doubtful),
        ),
        ("I quit my job at the bakery", nurse, None),
        ("I quit my job at Bosch", nurse, None),
        ("My sister quit her job at the hospital", nurse, None),
        ("I left the hospital at noon", nurse, None),
    ] {
        check(new, old, expected);
    }
}
