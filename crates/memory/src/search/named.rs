//! Whose words a question asks for that names people who speak.
//!
//! Pure: takes the words of the question and the names of those who speak.

use std::collections::BTreeSet;

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

impl Named {
    /// Finds the speakers in the words of a question, which are in lower case and in their order.
    pub(crate) fn of(words: &[String], speakers: &BTreeSet<&str>) -> Self {
        let place = |speaker: &str| {
            let lower = speaker.to_lowercase();
            let parts: BTreeSet<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
            let is_named = |word: &String| parts.contains(word.as_str()) && !is_stop_word(word);
            let first = words.iter().position(is_named)?;
            let n_more = words.iter().skip(first).take_while(|it| is_named(it));
            Some((first, first + n_more.count()))
        };
        let mut named: Vec<((usize, usize), &str)> = speakers
            .iter()
            .filter(|speaker| !is_role(speaker))
            .filter_map(|speaker| Some((place(speaker)?, *speaker)))
            .collect();
        named.sort_unstable();
        match named.as_slice() {
            [] => Self::Nobody,
            [(_, one)] => Self::One((*one).to_owned()),
            [((_, end), first), ((next, _), _), ..] => {
                let between = words.get(*end..*next).unwrap_or_default();
                let is_joined = match between {
                    [word] => JOINING.contains(&word.as_str()),
                    _ => false,
                };
                if is_joined || words.iter().any(|word| word == BOTH) {
                    Self::Alike(named.iter().map(|(_, name)| (*name).to_owned()).collect())
                } else {
                    Self::First((*first).to_owned())
                }
            }
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
