//! The words with which a question begins.
//!
//! A request, `write me a poem`, is none.

use super::asks::Asks;
use crate::text::opens_with;

/// How a question begins that needs no mark.
#[rustfmt::skip]
const SURE: &[&str] = &[
    "can you", "could you", "would you", "will you", "can we", "could we", "can i", "could i", "may i", "should i",
    "should we", "how ", "what ", "what's", "whats ", "which ", "who ", "who's", "whose ", "where ", "where's", "wheres ",
    "when should", "when do", "when does", "when did", "when is", "when's", "when was", "when will", "when am", "when are",
    "why ", "is that", "is it", "is this", "is there", "is my ", "is our ", "are there", "are you", "are my ", "are our ",
    "are we ", "am i", "do you", "do i", "do we", "do my ", "does ", "did ", "will this", "will it", "will my ", "would it",
    "was that", "was it", "was my ", "was i ", "were we ", "had i ", "have you", "have i ", "have we ", "has ",
    "any tips", "any advice", "any ideas", "any suggestions", "got any", "right?", "you know", "i wonder", "wondering",
    "i'm wondering", "i was wondering", "i'd like to know", "i would like to know", "do you remember", "i forgot what",
    "i forgot where", "i forgot who", "i forgot when", "i forgot how", "i forgot which", "i forgot the name",
    "i forget what", "i forget where", "i forget who", "i forget when", "i can't remember", "i cannot remember",
    "i don't remember", "i can't recall", "i don't recall",
    "kannst du", "k\u{f6}nnen sie", "wie ", "was ist",
    "peux-tu", "pouvez-vous", "comment ",
    "puedes", "podr\u{ed}as", "c\u{f3}mo ",
];

/// How a question begins, and many a statement: `when I moved`, `do not call`, `wo ich wohne`.
#[rustfmt::skip]
const UNSURE: &[&str] = &[
    "am ", "are ", "can ", "could ", "do ", "had ", "have ", "is ", "was ", "were ", "when ",
    "wann ", "warum ", "welche ", "welcher ", "wer ", "wieviel ", "wo ",
];

/// How surely what begins so asks.
pub(super) fn asks(text: &str) -> Asks {
    if opens_with(text, SURE) {
        Asks::Surely
    } else if opens_with(text, UNSURE) {
        Asks::Perhaps
    } else {
        Asks::No
    }
}
