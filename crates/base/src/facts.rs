//! Takes a sentence of somebody about themselves apart into what it says one after another.
//!
//! Adds no word but the subject that the sentence has already; English and German.

use std::ops::Range;

/// What parts two facts; of those that begin at one place the longest counts.
const JOINTS: &[&str] = &[
    ", and ", " and ", ", but ", " but ", "; ", ", und ", " und ", ", aber ", " aber ", ", ",
];

/// Whoever speaks, and what is theirs.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "i", "i'm", "i've", "we", "we're", "we've", "my", "our", "ich", "wir", "mein", "meine", "unser", "unsere",
];

/// Of them those whose verb may stand behind a joint alone.
const SPEAKERS: &[&str] = &["i", "we", "ich", "wir"];

/// Verbs that go on with the subject of the sentence: `I live in Graz and work at Bosch`.
#[rustfmt::skip]
const GOING_ON: &[&str] = &[
    "live", "work", "moved", "have", "drive", "study", "speak", "play", "quit", "started", "joined", "own", "take",
    "wohne", "lebe", "arbeite", "hei\u{df}e", "habe", "bin", "fahre", "spreche", "spiele", "studiere",
    "wohnen", "leben", "arbeiten", "haben", "sind",
];

/// Verbs that say of a part that it is a fact.
const BEING: &[&str] = &[
    "is", "are", "am", "was", "i'm", "i've", "we're", "we've", "ist", "sind", "bin",
];

/// What reaches over a joint: a denial, a wish, whoever says or thinks it, a condition, a time that is gone.
#[rustfmt::skip]
const REACHING_OVER: &[&str] = &[
    "not", "never", "no", "nor", "hardly", "can", "cannot", "could", "may", "might", "will", "would", "shall", "should",
    "must", "used", "maybe", "perhaps", "almost", "nearly", "if", "unless", "whether", "until", "before", "when", "while",
    "say", "says", "said", "tell", "tells", "told", "think", "thinks", "thought", "believe", "believes", "claims", "sure",
    "dreamt", "dreamed", "hoping", "wish", "pretend", "imagine", "heard", "plan", "planning", "thinking",
    "nicht", "nie", "kein", "keine", "keinen", "kaum", "kann", "k\u{f6}nnte", "soll", "sollte", "muss", "darf",
    "w\u{fc}rde", "werde", "will", "m\u{f6}chte", "wollte", "fr\u{fc}her", "vielleicht", "vor", "wenn", "falls", "ob", "bevor",
    "sagt", "sagte", "gesagt", "denkt", "denke", "dachte", "glaubt", "glaube", "hoffe", "geplant", "tr\u{e4}umte",
];

/// Words behind a `to` that begins no verb, where they are in lower case.
const BEHIND_TO: &[&str] = &["a", "an", "the", "my", "our", "his", "her", "their"];

/// Whether a part of a sentence may reach over what joins the next one to it: what it denies, wishes for or only
/// reports, the next one may, too.
///
/// # Examples
///
/// ```
/// assert!(base::reaches_over("I hope to have a dog"));
/// assert!(!base::reaches_over("I moved to Graz"));
/// ```
pub fn reaches_over(part: &str) -> bool {
    n_free_words(part).is_some()
}

/// How many words stand before what reaches over all that follows; `None` where nothing does.
fn n_free_words(text: &str) -> Option<usize> {
    let mut before = String::new();
    text.split_whitespace().position(|word| {
        let own = plain(word);
        let begins_verb =
            word.starts_with(char::is_lowercase) && !BEHIND_TO.contains(&own.as_str());
        let is_infinitive = matches!(before.as_str(), "to" | "zu") && begins_verb;
        let reaches = REACHING_OVER.contains(&own.as_str())
            || own.ends_with("n't")
            || own.ends_with("'d")
            || own.ends_with("'ll");
        before = own;
        is_infinitive || reaches
    })
}

/// Where these joints stand in a text, in order; of those that begin at one place the longest.
pub fn joints(text: &str, of: &[&str]) -> Vec<Range<usize>> {
    let found = of.iter().flat_map(|joint| text.match_indices(joint));
    let mut found: Vec<_> = found.map(|(at, joint)| at..at + joint.len()).collect();
    found.sort_by_key(|own| (own.start, std::cmp::Reverse(own.end)));
    found.dedup_by_key(|own| own.start);
    found
}

/// The facts of a sentence in their order; the sentence itself where it is one, and where a part of it
/// [reaches over](reaches_over) the next.
///
/// # Examples
///
/// ```
/// let found = base::facts("My name is Eva and I live in Graz.");
/// assert_eq!(found, ["My name is Eva", "I live in Graz."]);
/// assert_eq!(base::facts("My wife and I live in Graz."), ["My wife and I live in Graz."]);
/// ```
pub fn facts(sentence: &str) -> Vec<String> {
    let first = first_word(sentence);
    let is_speaker = |word: &str| SPEAKERS.contains(&word);
    let mut speaker = sentence
        .split_whitespace()
        .next()
        .filter(|_| is_speaker(&first));
    let n_free = n_free_words(sentence).unwrap_or(usize::MAX);
    let mut found: Vec<String> = Vec::new();
    let (mut start, mut subject) = (0, "");
    for Range { start: at, end } in joints(sentence, JOINTS) {
        let head = sentence.get(..at).unwrap_or_default();
        if head.split_whitespace().count() > n_free {
            break;
        }
        let part = sentence.get(start..at).unwrap_or_default();
        let tail = sentence.get(end..).unwrap_or_default();
        let next = first_word(tail);
        let is_comma = sentence.get(at..end) == Some(", ");
        let goes_on = speaker.filter(|_| GOING_ON.contains(&next.as_str()) && !is_comma);
        // `I live with my wife and my sons` is one fact.
        let is_own = OWN.contains(&next.as_str()) && (is_speaker(&next) || is_fact(tail));
        if start > at || !is_fact(part) || !is_own && goes_on.is_none() {
            continue;
        }
        found.push(with_subject(subject, part));
        subject = goes_on.unwrap_or_default();
        speaker = tail
            .split_whitespace()
            .next()
            .filter(|_| is_speaker(&next))
            .or(goes_on);
        start = end;
    }
    found.push(with_subject(
        subject,
        sentence.get(start..).unwrap_or_default(),
    ));
    found
}

fn with_subject(subject: &str, part: &str) -> String {
    format!("{subject} {part}").trim_start().to_owned()
}

fn first_word(text: &str) -> String {
    text.split_whitespace()
        .next()
        .map_or_else(String::new, plain)
}

fn plain(word: &str) -> String {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.to_lowercase().replace('\u{2019}', "'")
}

fn is_fact(part: &str) -> bool {
    part.split_whitespace()
        .map(plain)
        .any(|word| GOING_ON.contains(&word.as_str()) || BEING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_taken_apart_where_somebody_goes_on_about_themselves() {
        for (sentence, expected) in [
            (
                "I live in Graz and work at Bosch.",
                vec!["I live in Graz", "I work at Bosch."],
            ),
            (
                "Ich hei\u{df}e Judit und wohne in Graz.",
                vec!["Ich hei\u{df}e Judit", "Ich wohne in Graz."],
            ),
            (
                "I moved to Graz and work at Bosch.",
                vec!["I moved to Graz", "I work at Bosch."],
            ),
            (
                "My name is Eva, I live in Graz, and my dog is called Rex",
                vec!["My name is Eva", "I live in Graz", "my dog is called Rex"],
            ),
            (
                "Mein Name ist Eva und ich arbeite bei Bosch und wohne in Wien",
                vec![
                    "Mein Name ist Eva",
                    "ich arbeite bei Bosch",
                    "ich wohne in Wien",
                ],
            ),
        ] {
            assert_eq!(facts(sentence), expected, "{sentence}");
        }
        for whole in [
            "My sister Anna and I live in Graz.",
            "I live with my wife and my two sons",
            "I like tea and coffee, and cake.",
            "I am tall, dark and hard at work",
            "Anna and Tom live in Graz and work at Bosch.",
            "Where do I live and work?",
            "I hope to have a dog and live in Graz.",
            "I plan to quit Bosch and work at Siemens.",
            "I never wanted to live in Graz and work at Bosch.",
            "I used to live in Graz and work in Linz.",
            "I can't live in Graz and work at Bosch.",
            "I don\u{2019}t live in Graz and work at Bosch.",
            "I'd live in Graz and work at Bosch.",
            "I dreamt I was rich and my dog is called Rex.",
            "My boss thinks I am lazy and I live in Graz.",
            "Ich habe vor zu k\u{fc}ndigen und arbeite dann bei Siemens.",
            "Ich wohne nicht mehr in Graz und arbeite bei Bosch.",
        ] {
            assert_eq!(facts(whole), [whole]);
        }
    }
}
