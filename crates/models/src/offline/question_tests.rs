//! Questions and requests, parted from statements.

use super::*;

#[track_caller]
fn check(sentence: &str, statement: Option<&str>, question: Option<&str>, reason: Option<&str>) {
    assert_eq!(
        part(sentence),
        Parted {
            statement,
            question,
            reason
        }
    );
}

#[test]
fn a_question_at_the_end_is_parted_off() {
    check(
        "ok, I moved the demo to March 15, 2026, so can you update the plan?",
        Some("I moved the demo to March 15, 2026"),
        Some("can you update the plan?"),
        None,
    );
    check(
        "What is the budget, $1,200 or $1,300?",
        None,
        Some("What is the budget, $1,200 or $1,300?"),
        None,
    );
    check(
        "The API, which runs on port 8080, is slow.",
        Some("The API, which runs on port 8080, is slow."),
        None,
        None,
    );
}

#[test]
fn what_is_told_in_the_form_of_a_question_is_a_statement() {
    let (twin, smoked) = (
        "I have a twin brother called Finn",
        "I used to smoke, but I quit in 2015.",
    );
    for (sentence, told) in [
        (format!("Did you know {twin}?"), twin),
        (format!("Did I tell you {twin}?"), twin),
        (format!("Would you believe it, {smoked}"), smoked),
        (format!("Guess what: {smoked}"), smoked),
    ] {
        check(&sentence, Some(told), None, None);
    }
    for asked in [
        "Did you know where I live?",
        "Did I tell you my name?",
        "Did I tell you what I have?",
        "Would you believe it?",
        "Guess what it costs.",
    ] {
        check(asked, None, Some(asked), None);
    }
}

#[test]
fn the_reason_of_a_question_is_a_statement() {
    check(
        "How should I pack, considering I'm flying to Oslo on May 3 and I've only one bag?",
        None,
        Some("How should I pack"),
        Some("I'm flying to Oslo on May 3 and I've only one bag"),
    );
}

#[test]
fn requests_are_questions_and_rules_are_not() {
    check(
        "Please fix the build",
        None,
        Some("Please fix the build"),
        None,
    );
    check(
        "Run the tests in crates/base",
        None,
        Some("Run the tests in crates/base"),
        None,
    );
    for rule in [
        "Write all comments in English from now on.",
        "Test coverage is 80%.",
        "Always run the tests.",
    ] {
        check(rule, Some(rule), None, None);
    }
    for request in [
        "Have a look at src/main.rs and tell me what you make of it.",
        "One more thing: find me a hotel in Porto for $90.",
        "Commit.",
    ] {
        check(request, None, Some(request), None);
    }
    let pending = "Remaining: write the tests.";
    check(pending, Some(pending), None, None);
}

#[test]
fn a_question_needs_no_mark() {
    for asked in [
        "what is my dog called",
        "where do I work",
        "do you know when my birthday is",
        "can you tell me where my sister lives",
        "remind me what I am allergic to",
        "is my dog called Rex",
        "am I allergic to nuts",
        "when is my birthday",
        "who's my dentist",
        "i forgot where I work",
        "I can't remember what my dog is called",
        "I wonder if my dog is called Rex",
        "write me a poem",
        "sing me a song about my dog Rex",
        "imagine that I am a pirate",
    ] {
        check(asked, None, Some(asked), None);
    }
    for stated in [
        "When I moved to Graz, I sold my car.",
        "Call me Sam.",
        "I forgot my keys at the office.",
    ] {
        check(stated, Some(stated), None, None);
    }
}
