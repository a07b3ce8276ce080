//! Finds the fact that is told in the form of a question or a request: `Can you remember that I'm 44?`.
//!
//! Takes nothing that is asked for.

use base::opens_with;

use super::{Lasts, Reading, read};
use crate::offline::question::QUESTION_MARKS;

/// How somebody asks for something to be kept in mind.
#[rustfmt::skip]
const ASKING: &[&str] = &["can you ", "could you ", "would you ", "will you ", "can u ", "please "];

/// What is asked for then.
#[rustfmt::skip]
const KEEPING: &[&str] = &[
    "remember ", "note ", "note down ", "write down ", "save ", "keep in mind ", "make a note ", "memorise ", "memorize ",
    "store ", "not forget ", "remind yourself ", "bear in mind ",
];

/// How somebody asks whether it was told already.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "did i tell you ", "did i mention ", "did i say ", "have i told you ", "have i mentioned ", "haven't i told you ",
    "didn't i tell you ", "did you know ", "do you remember ", "i told you ", "didn't i mention ", "have i ever told you ",
    "have i ever mentioned ", "don't forget ", "do not forget ",
];

/// Of whom it is told, where no `that` stands before.
const WHOSE: &[&str] = &["i", "i'm", "i've", "my", "we", "we're", "we've", "our"];

/// The fact that stands in such a question, without its mark; `None` where it asks for something.
pub(crate) fn told_in_question(question: &str) -> Option<&str> {
    let question = question.trim_end_matches(QUESTION_MARKS).trim_end();
    let asked = behind_any(question, ASKING).map_or(question, without_please);
    let kept = behind_any(asked, KEEPING);
    // `Did I tell you where I live` tells nothing: only what stands behind `that` does, or says who.
    let told = || {
        let rest = behind_any(question, TELLING)?;
        behind_any(rest, &["that "]).or_else(|| opens_with(rest, WHOSE).then_some(rest))
    };
    let kept = kept.map(|rest| {
        behind_any(rest, &["that ", "for me that ", "this: ", "for me: "]).unwrap_or(rest)
    });
    let own = kept.or_else(told)?.trim_start();
    matches!(
        read(own),
        Reading::Fact(_, Lasts::Long | Lasts::Habit | Lasts::Taste)
    )
    .then_some(own)
}

fn without_please(rest: &str) -> &str {
    behind_any(rest, &["please ", "just ", "also "]).unwrap_or(rest)
}

/// What stands behind one of these openings, which are spelt in lower case.
fn behind_any<'t>(text: &'t str, openings: &[&str]) -> Option<&'t str> {
    let found = openings.iter().filter_map(|opening| {
        let head = text.get(..opening.len())?.to_lowercase();
        (head == *opening)
            .then(|| text.get(opening.len()..))
            .flatten()
    });
    found.min_by_key(|rest| rest.len())
}
