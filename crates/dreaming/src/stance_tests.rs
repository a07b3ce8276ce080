//! What the owner likes and is, in pairs of which one denies the other or not.
//!
//! Lines alone; which of them holds is told elsewhere.

use super::*;

#[test]
fn a_taste_or_a_state_is_denied_in_other_words() {
    for (new, old, expected) in [
        ("I don't like sushi any more", "I love sushi", true),
        ("I actually like mushrooms now", "I hate mushrooms", true),
        ("I can't stand olives", "I like olives", true),
        (
            "I'm not vegetarian any more, I eat fish now",
            "I am vegetarian",
            true,
        ),
        ("I'm not allergic to nuts", "I am allergic to nuts", true),
        (
            "I'm no longer allergic to nuts",
            "I'm allergic to nuts",
            true,
        ),
        ("I like sushi", "I love sushi", false),
        ("I don't like sushi", "I hate sushi", false),
        ("I don't like sushi rice", "I love sushi", false),
        ("I am not allergic to cats", "I am allergic to nuts", false),
        ("I am not a morning person", "I love mornings", false),
    ] {
        let pair = (stance(new), stance(old));
        let found = pair.0.as_ref().zip(pair.1.as_ref());
        let found = found.map(|(new, old)| new.denies(old));
        assert_eq!(found, Some(expected), "{new:?} after {old:?}: {pair:?}");
    }
    for text in [
        "I work at Bosch",
        "My sister likes sushi",
        "We are at home",
        "I am happy to help you with all of that",
    ] {
        assert_eq!(stance(text), None, "{text}");
    }
}

#[test]
fn who_eats_otherwise_than_before_replaces_how_they_ate() {
    for (new, old, expected) in [
        ("I eat meat again", "I am vegetarian", true),
        ("I eat meat again now.", "I'm vegan", true),
        ("I'm vegan now", "I am vegetarian", true),
        ("I am vegetarian", "I eat meat again", true),
        ("I eat fish again", "I eat meat again", false),
        ("I am not vegan", "I am vegetarian", false),
        ("I am vegetarian", "I am married", false),
        ("I am vegan.", "I am vegetarian since 2019.", true),
        ("I'm actually vegan", "I am vegetarian", true),
        ("I am vegan on Mondays.", "I am vegetarian.", false),
        ("I am vegan at work.", "I am vegetarian.", false),
        ("I am a vegan baker.", "I am vegetarian.", false),
        ("I am quite vegan.", "I am vegetarian.", false),
        ("I am vegan, but only at work.", "I am vegetarian.", false),
        ("I am vegan (on Mondays).", "I am vegetarian.", false),
        ("I am vegan.", "I am a vegetarian cook.", false),
        ("I am engaged in a project.", "I am single.", false),
        ("I am engaged to Tom.", "I am single.", true),
    ] {
        let pair = stance(new).zip(stance(old));
        let found = pair.map(|(new, old)| new.turn(&old));
        let expected = expected.then_some(Turn::Replaces);
        assert_eq!(found, Some(expected), "{new:?} after {old:?}");
    }
    for text in [
        "I eat meat again on Sundays",
        "I eat meat",
        "We eat meat again",
    ] {
        assert_eq!(stance(text), None, "{text}");
    }
}

#[test]
fn how_somebody_is_married_follows_how_they_were() {
    for (new, old, expected) in [
        ("I got divorced last spring", "I am married", true),
        ("We got divorced", "We are married", true),
        ("I have been divorced since 2020", "I'm married", true),
        ("We just got married", "I am single", true),
        ("I got engaged in May", "I am single", true),
        ("I am married", "I got married in May", false),
        ("I got divorced", "I got divorced last spring", false),
        ("I am married.", "I got engaged in May", true),
        ("We got engaged in May", "I am married.", false),
        ("We got engaged in May 2012.", "I am married.", false),
        ("I am engaged to Tom.", "I am married to Tom.", false),
    ] {
        let pair = stance(new).zip(stance(old));
        let found = pair.map(|(new, old)| new.turn(&old));
        let expected = expected.then_some(Turn::Replaces);
        assert_eq!(found, Some(expected), "{new:?} after {old:?}");
    }
    for text in [
        "I got married to a plan that failed",
        "I got engaged in the project",
        "I got the car",
        "We got separated at the airport",
        "My sister got divorced",
    ] {
        assert_eq!(stance(text), None, "{text}");
    }
}

#[test]
fn a_wedding_or_a_divorce_of_long_ago_does_not_surely_end_what_holds() {
    for (new, old) in [
        ("I got divorced in 2005.", "I am married to Tom."),
        ("I got married in 2010.", "I am divorced."),
        ("We got engaged in 1995.", "I am widowed."),
        ("We got married in 2009.", "I am single."),
        ("I got divorced ten years ago", "I am married."),
        ("I have been divorced in 2005", "I am married."),
    ] {
        let pair = stance(new).zip(stance(old));
        let found = pair.map(|(new, old)| new.turn(&old));
        assert_eq!(found, Some(Some(Turn::Doubtful)), "{new:?} after {old:?}");
    }
}

#[test]
fn what_cannot_hold_with_an_older_state_takes_its_place() {
    for (new, old, expected) in [
        ("I have a girlfriend now", "I am single", true),
        ("I am single again", "I have a boyfriend", true),
        ("I have a girlfriend", "I am divorced", false),
        ("I had a baby girl yesterday", "I am pregnant", true),
        ("I had a baby girl", "I am not pregnant", false),
        ("I'm a teacher now", "I am a nurse", true),
        ("I am a teacher", "I am a nurse", false),
        ("I'm a mother now", "I am a nurse", false),
        ("I'm a teacher now", "I am a mother", false),
    ] {
        let pair = stance(new).zip(stance(old));
        let found = pair.map(|(new, old)| new.turn(&old));
        let expected = expected.then_some(Turn::Replaces);
        assert_eq!(found, Some(expected), "{new:?} after {old:?}");
    }
    for text in [
        "I have a wife and two sons",
        "I have a friend",
        "My sister had a baby",
        "I had a baby brother who died.",
        "I had a baby tooth pulled",
        "I had a baby in 2015 already",
        "I had a baby in 2015",
        "I had a baby shower yesterday",
        "I had a baby, in 2015",
        "I had a baby girl last year",
    ] {
        assert_eq!(stance(text), None, "{text}");
    }
}
