//! Tells what an assistant is never to bring up or use: `Don't suggest alcohol`.
//!
//! Only where a kind of thing is named and nothing that makes it a request for today.

use super::past;

/// What an assistant does of itself, and may be told not to.
const BRINGING_UP: &[&str] = &["suggest", "recommend", "propose", "offer", "mention"];

/// The same, of which the owner has had enough.
const BRINGING: &[&str] = &[
    "suggesting",
    "recommending",
    "proposing",
    "offering",
    "mentioning",
];

/// How it writes, which may be told in one or two words.
#[rustfmt::skip]
const STYLES: &[&str] = &[
    "exclamation marks", "exclamation points", "jargon", "slang", "bullet points", "bullets", "abbreviations", "acronyms",
    "capitals", "capital letters", "sarcasm", "swear words", "markdown", "headings", "technical terms", "foreign words",
    "idioms", "metaphors", "buzzwords", "emoticons", "bold", "italics", "em dashes", "contractions",
];

/// Words that point at one thing, at one time or at what stood before.
#[rustfmt::skip]
const OF_ONE: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "them", "him", "her", "one", "another", "other", "others",
    "here", "there", "now", "yet", "today", "tonight", "tomorrow", "in", "on", "at", "for", "until", "unless", "if",
    "when", "because", "how", "what", "anything", "something", "else", "first", "more", "your", "you", "so", "too", "until",
];

/// Words behind it that change nothing.
const BESIDE: &[&str] = &[
    "me", "us", "to", "any", "ever", "please", "thanks", "anymore", "again", "my", "our",
];

/// Words that show that an offer is meant that is made to the owner, or every one.
const LASTING: &[&str] = &["me", "us", "ever", "never", "more", "anymore", "again"];

/// What somebody eats alone, whatever they ask for.
const EATEN_ONLY: &[&str] = &["vegan", "vegetarian", "halal", "kosher", "pescatarian"];

/// A kind of thing has so many words at most.
const KIND_WORDS_MAX: usize = 3;

/// Whether a clause forbids something for good; its words are in lower case.
pub(super) fn is_ban(words: &[&str]) -> bool {
    let rest = past(words, &["please", "and", "but", "also", "so"]);
    let (rest, is_unless_asked) = before_unless(rest);
    let (verb, object) = match rest {
        ["only", verb, object @ ..] if BRINGING_UP.contains(verb) => {
            // `Only recommend cheap hotels` is about one journey.
            if !object.iter().any(|word| EATEN_ONLY.contains(word)) {
                return false;
            }
            (*verb, object)
        }
        ["don't" | "never", rest @ ..] | ["do", "not", rest @ ..] => match past(rest, &["ever"]) {
            [verb, object @ ..] if BRINGING_UP.contains(verb) || *verb == "use" => (*verb, object),
            ["give", "me" | "us", object @ ..] if is_unless_asked => ("give", object),
            _ => return false,
        },
        ["stop", verb, object @ ..] if BRINGING.contains(verb) => {
            (if *verb == "offering" { "offer" } else { verb }, object)
        }
        ["stop", "using", object @ ..] => ("use", object),
        _ => return false,
    };
    // What customers are offered is not what the owner is.
    let is_lasting = is_unless_asked || words.iter().any(|word| LASTING.contains(word));
    if is_told_to_another(object) || verb == "offer" && !is_lasting {
        return false;
    }
    let object = object.strip_suffix(&["any", "more"]).unwrap_or(object);
    let object = object
        .strip_suffix(&["from", "now", "on"])
        .unwrap_or(object);
    let kind: Vec<&str> = object
        .iter()
        .copied()
        .filter(|word| !BESIDE.contains(word))
        .collect();
    if verb == "use" {
        return STYLES.contains(&kind.join(" ").as_str());
    }
    (1..=KIND_WORDS_MAX).contains(&kind.len()) && !kind.iter().any(|word| OF_ONE.contains(word))
}

/// What stands before `unless I ask`, and whether that stands there.
fn before_unless<'w, 't>(words: &'w [&'t str]) -> (&'w [&'t str], bool) {
    let place = words.iter().position(|word| *word == "unless");
    let found = place.and_then(|place| words.split_at_checked(place));
    match found {
        Some((before, ["unless", "i", "ask" | "asked", behind @ ..]))
            if past(behind, &["you", "for", "to", "it", "them"]).is_empty() =>
        {
            (before, true)
        }
        Some(_) | None => (words, false),
    }
}

/// `Politics to Grandma`: a letter or a talk with somebody else.
fn is_told_to_another(object: &[&str]) -> bool {
    let mut pairs = object.windows(2);
    pairs.any(|pair| matches!(pair, ["to", whom] if !matches!(*whom, "me" | "us")))
}
