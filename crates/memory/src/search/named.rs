//! Whose words a question asks for that names people who speak.
//!
//! Pure: takes the words of the question and the names of those who speak.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::terms::is_stop_word;

/// How far the words of the one are asked for whom a question names first among several: in four of five such
/// questions the one who did or said it tells of it.
const FIRST_SHARE: f64 = 2.0 / 3.0;

/// Words that make one subject of the names on both sides.
const JOINING: [&str; 2] = ["and", "or"];

/// A word by which a question asks for all whom it names.
const BOTH: &str = "both";

/// Those who speak and whom a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// Nobody.
    Nobody,
    /// One alone.
    One(String),
    /// Several, of whom this one comes first: what did Anna give Ben.
    First(String),
    /// Several alike: what do Anna and Ben like.
    Alike(BTreeSet<String>),
}

/// Where a question names somebody: one, or several who share the name.
struct Mention<'s> {
    words: Range<usize>,
    who: BTreeSet<&'s str>,
}

impl Named {
    /// Finds the speakers in the words of a question, which are in lower case and in their order.
    pub(crate) fn of(words: &[String], speakers: &BTreeSet<&str>) -> Self {
        let mentions = mentions(words, speakers);
        let names = |of: &[Mention<'_>]| {
            let names = of.iter().flat_map(|it| &it.who);
            names.map(|name| (*name).to_owned()).collect()
        };
        let Some(first) = mentions.first() else {
            return Self::Nobody;
        };
        if words.iter().any(|word| word == BOTH) && mentions.len() > 1 {
            return Self::Alike(names(&mentions));
        }
        let n_joined = n_joined(words, &mentions);
        match (first.who.iter().next(), mentions.len()) {
            _ if n_joined > 1 => Self::Alike(names(mentions.get(..n_joined).unwrap_or_default())),
            (Some(one), 1) if first.who.len() == 1 => Self::One((*one).to_owned()),
            (Some(one), _) if first.who.len() == 1 => Self::First((*one).to_owned()),
            _ => Self::Alike(names(mentions.get(..1).unwrap_or_default())),
        }
    }

    /// How far the words of a speaker are asked for, from 0 to 1; of several who are named alike nobody's more.
    pub(crate) fn asks_for(&self, speaker: Option<&str>) -> f64 {
        match self {
            Self::One(name) if Some(name.as_str()) == speaker => 1.0,
            Self::First(name) if Some(name.as_str()) == speaker => FIRST_SHARE,
            Self::Nobody | Self::One(_) | Self::First(_) | Self::Alike(_) => 0.0,
        }
    }

    /// How far it is asked for what a speaker says of themselves, from 0 to 1.
    pub(crate) fn asks_of_self(&self, speaker: Option<&str>) -> f64 {
        match self {
            Self::Alike(names) => f64::from(speaker.is_some_and(|speaker| names.contains(speaker))),
            Self::Nobody | Self::One(_) | Self::First(_) => self.asks_for(speaker),
        }
    }
}

/// Where speakers are named, in the order of the question; where names overlap the longest counts.
fn mentions<'s>(words: &[String], speakers: &BTreeSet<&'s str>) -> Vec<Mention<'s>> {
    let mut places: Vec<(Range<usize>, &str)> = speakers
        .iter()
        .filter(|speaker| !is_role(speaker))
        .filter_map(|speaker| Some((place(words, speaker)?, *speaker)))
        .collect();
    places.sort_by_key(|(words, _)| (Reverse(words.len()), words.start));
    let mut found: Vec<Mention<'_>> = Vec::new();
    for (words, speaker) in places {
        let overlaps =
            |it: &&mut Mention<'_>| it.words.start < words.end && words.start < it.words.end;
        match found.iter_mut().find(overlaps) {
            Some(known) if known.words == words => {
                known.who.insert(speaker);
            }
            Some(_) => {}
            None => found.push(Mention {
                words,
                who: [speaker].into(),
            }),
        }
    }
    found.sort_by_key(|it| it.words.start);
    found
}

/// The most words in a row that are of a speaker's name, and of those the first.
fn place(words: &[String], speaker: &str) -> Option<Range<usize>> {
    let lower = speaker.to_lowercase();
    let parts: BTreeSet<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let is_part = |word: &&String| parts.contains(word.as_str()) && !is_stop_word(word);
    let runs = (0..words.len()).map(|start| {
        let n_words = words.iter().skip(start).take_while(is_part).count();
        start..start + n_words
    });
    let longest = runs.max_by_key(|run| (run.len(), Reverse(run.start)))?;
    (!longest.is_empty()).then_some(longest)
}

/// How many of the first mentions are one subject: a row of names of which the last are joined.
fn n_joined(words: &[String], mentions: &[Mention<'_>]) -> usize {
    let mut n_joined = 1;
    for (pair, n_so_far) in mentions.windows(2).zip(2..) {
        let [left, right] = pair else { break };
        match words.get(left.words.end..right.words.start) {
            Some([]) => {}
            Some([word]) if JOINING.contains(&word.as_str()) => n_joined = n_so_far,
            _ => break,
        }
    }
    n_joined
}

fn is_role(speaker: &str) -> bool {
    matches!(speaker, "user" | "assistant")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, speakers: &[&str], expected: &Named) {
        let words: Vec<String> = question.split_whitespace().map(str::to_owned).collect();
        let speakers = speakers.iter().copied().collect();
        assert_eq!(&Named::of(&words, &speakers), expected, "{question}");
    }

    #[test]
    fn who_is_named_first_is_told_from_those_who_are_named_alike() {
        let all = ["Anna", "Ben", "Eva Maria", "Will", "assistant", "user"];
        let one = |name: &str| Named::One(name.to_owned());
        let first = |name: &str| Named::First(name.to_owned());
        let alike =
            |names: &[&str]| Named::Alike(names.iter().map(|it| (*it).to_owned()).collect());
        check("what did the user say", &all, &Named::Nobody);
        check("what will ben mend", &all, &one("Ben"));
        check("what did ben tell anna", &all, &first("Ben"));
        check("what did anna and ben mend", &all, &alike(&["Anna", "Ben"]));
        check("what did anna mend and ben break", &all, &first("Anna"));
        check(
            "did anna like ben both times",
            &all,
            &alike(&["Anna", "Ben"]),
        );
        check(
            "did eva maria or ben mend it",
            &all,
            &alike(&["Ben", "Eva Maria"]),
        );
        check("did maria see anna", &all, &first("Eva Maria"));
        check(
            "what do anna ben and eva like",
            &all,
            &alike(&["Anna", "Ben", "Eva Maria"]),
        );
    }

    #[test]
    fn of_two_who_share_a_name_the_one_is_named_of_whom_more_is_said() {
        let smiths = ["Anna Jones", "Anna Smith", "Dr. Jones", "Dr. Smith"];
        let one = |name: &str| Named::One(name.to_owned());
        let alike =
            |names: &[&str]| Named::Alike(names.iter().map(|it| (*it).to_owned()).collect());
        check("what did anna smith say", &smiths, &one("Anna Smith"));
        check(
            "what did anna say",
            &smiths,
            &alike(&["Anna Jones", "Anna Smith"]),
        );
        check(
            "what did dr smith tell dr jones",
            &smiths,
            &Named::First("Dr. Smith".to_owned()),
        );
    }

    #[test]
    fn of_several_alike_what_each_says_of_themselves_is_asked_for_and_nobodys_words_more() {
        let alike = Named::Alike(["Anna".to_owned(), "Ben".to_owned()].into());
        let shares = |named: &Named| {
            ["Anna", "Ben", "Eva"]
                .map(|it| (named.asks_for(Some(it)), named.asks_of_self(Some(it))))
        };
        assert_eq!(shares(&alike), [(0.0, 1.0), (0.0, 1.0), (0.0, 0.0)]);
        let first = shares(&Named::First("Ben".to_owned()));
        assert_eq!(first, [(0.0, 0.0), (2.0 / 3.0, 2.0 / 3.0), (0.0, 0.0)]);
        assert_eq!(
            Named::Nobody.asks_of_self(None).to_bits(),
            0.0_f64.to_bits()
        );
    }
}
