//! Tells what is not meant as a fact: what is imagined, wished for, conditional, or asked without a mark.
//!
//! Sees one clause; takes nothing out of it.

use crate::offline::signal::{Plain, plain};

/// Openings of what is only imagined.
#[rustfmt::skip]
const IMAGINED: &[&str] = &[
    "imagine ", "suppose ", "supposing ", "pretend ", "let's pretend ", "let's say ", "let's imagine ",
    "let us say ", "assume ", "assuming ", "say i ", "what if ", "if ", "even if ", "unless ", "as if ", "whether ",
    "picture ", "hypothetically ", "in theory ", "you are ", "you're ", "act as ", "play the role ", "in case ",
    "in another life ", "in my dream", "in a dream ", "for example ", "for instance ", "e g ", "once upon ",
    "i dreamt ", "i dreamed ", "i wish ", "i hope ", "translate ", "say ",
];

/// Phrases, anywhere, of what is imagined or hangs on a condition.
#[rustfmt::skip]
const CONDITIONAL: &[&str] = &[
    " if i ", " if i'm ", " if i'd ", " if we ", " if we're ", " if my ", " if our ", " as if ", " as though ",
    " whether i ", " whether we ", " whether my ", " unless i ", " unless we ", " i wish ", " imagine ", " pretend ",
    " what if ", " suppose i ", " assume i ", " assuming i ", " let's say ", " in my dream", " in the game ",
    " in this game ", " in the story ", " in my story ", " in my novel ", " in my book ", " my character ",
    " role play ", " roleplay ", " in that scenario ", " in this scenario ", " hypothetical", " just kidding ",
    " i might ", " we might ", " i may ", " i could ", " we could ", " maybe i ", " perhaps i ", " just joking ",
];

/// Wishes of what is not so.
#[rustfmt::skip]
const WOULD: &[&str] = &[" i would ", " i'd ", " we would ", " we'd ", " would "];

/// What `would` stands before in a wish that is meant.
#[rustfmt::skip]
const MEANT: &[&str] = &[
    " would like ", " would prefer ", " would rather ", " would love ", " i'd like ", " i'd prefer ", " i'd rather ",
    " i'd love ", " we'd like ", " we'd prefer ", " we'd rather ", " we'd love ",
];

/// Words behind which a question stands, whatever the sentence ends in.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    " where i ", " what i ", " when i'm ", " who i ", " how i ", " what my ", " where my ", " when my ", " who my ",
    " how old my ", " how old i ", " which i ", " why i ", " what's my ", " what is my ", " where's my ",
    " where is my ", " who's my ", " who is my ", " when's my ", " when is my ", " what our ", " where we ",
    " where our ", " the name of my ", " how my ", " what are my ",
];

/// Who asks or wonders.
#[rustfmt::skip]
const WONDERING: &[&str] = &[
    " forgot ", " forget ", " forgotten ", " remember ", " recall ", " wonder", " know ", " sure ", " tell ",
    " idea ", " remind ", " guess ", " ask", " say ", " curious ", " told ",
];

/// How a question ends that has no mark.
#[rustfmt::skip]
const TAGS: &[&str] = &[
    " right ", " correct ", " don't i ", " do i ", " isn't it ", " is it ", " aren't i ", " am i ", " or not ",
    " haven't i ", " didn't i ", " doesn't she ", " doesn't he ", " isn't she ", " isn't he ", " true ",
];

/// Openings that make a whole sentence a play or a thought.
#[rustfmt::skip]
const FICTION: &[&str] = &[
    "imagine ", "suppose ", "supposing ", "pretend ", "let's pretend ", "let's imagine ", "what if ",
    "hypothetically ", "once upon ", "i dreamt ", "i dreamed ", "i wish ", "you are ", "you're ", "act as ",
    "play the role ", "let's role ", "let's play ", "in this game ", "in this scenario ",
];

/// Whether a clause tells of what would be, or of a play.
pub(crate) fn is_fiction(clause: &str) -> bool {
    let Plain(words) = plain(clause);
    let start = words.trim_start();
    let is_conditional = start.starts_with("if ") || words.contains(" if i ");
    let would = WOULD.iter().any(|phrase| words.contains(phrase));
    FICTION.iter().any(|phrase| start.starts_with(phrase)) || is_conditional && would
}

/// Whether a clause states nothing as it is.
pub(crate) fn is_unreal(clause: &str) -> bool {
    let Plain(words) = plain(clause);
    let start = words.trim_start();
    let holds = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let is_imagined = IMAGINED.iter().any(|phrase| start.starts_with(phrase));
    let is_wished = holds(WOULD) && !holds(MEANT);
    is_imagined || is_wished || holds(CONDITIONAL) || asks(clause, &words)
}

/// Whether a clause asks, as in `I forgot where I work` and `I work at the bank, right`.
fn asks(clause: &str, words: &str) -> bool {
    let wonders = WONDERING.iter().any(|phrase| words.contains(phrase))
        && ASKED.iter().any(|phrase| words.contains(phrase));
    let tail = clause.rsplit_once(',').map(|(_, tail)| plain(tail));
    wonders || tail.is_some_and(|tail| TAGS.contains(&tail.0.as_str()))
}
