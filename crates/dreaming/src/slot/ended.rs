//! Reads what a line says has come to an end: an animal that died, a car that was sold, a club that was left.
//!
//! Sees one line; how an older one stands to it is told by its names and nouns.

use std::collections::BTreeSet;

use base::is_only_since;

use super::german;
use super::sort::{Sort, is_of_a_person, sort, tells_of_having, tells_of_partner};
use super::table::{
    ANIMALS, ENDED_BETWEEN, ENDED_BY_FATE, ENDED_BY_OWNER, EVENTS, FRONT, GROUPS, NO_NAMES,
    ONLY_ONE, OWNED, PAID_FOR, PARTNERS, SEVERAL, STUDIES, UNSURE,
};
use super::tail::Tail;
use super::token::{Token, tokens};
use super::{Kin, Slot, Told, Turn, What, Whose};
use crate::words::Words;

/// How an end is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ending {
    /// The words of it.
    pub(super) phrase: &'static str,
    /// What it may end; other kinds are not meant.
    pub(super) sorts: &'static [Sort],
    /// What may follow the thing.
    pub(super) behind: Behind,
}

/// What may follow a thing that has ended; anything else makes the clause mean something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// A date, a cause, a place.
    Death,
    /// A date, a reason, a buyer.
    Trade,
    /// A date or a reason that no errand of a day has: not `at noon`.
    ForGood,
}

/// What is told besides that something has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Besides {
    /// Nothing, or only since when.
    Since,
    /// Where, why, or with whom.
    #[default]
    More,
}

/// Which of several things it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Which {
    /// The one that the owner had: `my car`.
    Own,
    /// One that is known: `the car`.
    Known,
    /// Any: `a car`.
    #[default]
    Any,
}

/// What has ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ended {
    /// The names of it, in lower case.
    names: BTreeSet<String>,
    /// The words for what it is: `cat`, `gym`, `membership`.
    nouns: BTreeSet<String>,
    /// The last of them, which the others only tell apart: `lesson` of `piano lesson`.
    head: Option<String>,
    /// What it may be.
    sorts: Vec<Sort>,
    /// Whether it surely has.
    is_sure: bool,
    /// What is told of it besides.
    besides: Besides,
    /// Which of them it is.
    which: Which,
    /// Whether it tells what was done, as in `I sold the car`, and not how it is since.
    is_event: bool,
}

/// What follows the whole name of a thing; of `my car insurance` the car is only a part.
#[rustfmt::skip]
const BEHIND_NOUN: &[&str] = &[
    "", "is", "are", "was", "has", "at", "in", "with", "for", "from", "of", "called", "named", "and", "about", "on", "as",
];

/// Words of one such thing.
const NOUN_WORDS_MAX: usize = 4;

/// What a text says has ended; `None` where it says no such thing.
pub(crate) fn ended(text: &str) -> Option<Ended> {
    let tokens = tokens(text);
    if let Some(name) = german::died(&tokens) {
        return Some(Ended {
            names: BTreeSet::from([name]),
            sorts: vec![Sort::Animal],
            is_sure: true,
            besides: Besides::Since,
            ..Ended::default()
        });
    }
    if let Some(name) = not_ones_own(&tokens) {
        return Some(Ended {
            names: BTreeSet::from([name]),
            sorts: vec![Sort::Animal, Sort::Thing],
            is_sure: true,
            besides: Besides::Since,
            ..Ended::default()
        });
    }
    let n_front = tokens
        .iter()
        .take_while(|token| {
            token.is_figure || FRONT.contains(&token.plain.as_str()) && !is_article(token)
        })
        .count();
    let rest = tokens.get(n_front..)?;
    let is_owner = matches!(plain(rest, 0), "i" | "we");
    let (ending, mut found, tail) = if let Some(parted) = parted_from(rest) {
        parted
    } else if is_owner {
        let verb = past_auxiliaries(rest.get(1..)?);
        let (ending, phrase) = behind(verb, ENDED_BY_OWNER)?;
        let (found, n_words) = thing(phrase);
        // One stops cars and people, too, and ends a talk.
        let is_group = |noun: &String| GROUPS.contains(&noun.as_str());
        if matches!(ending.phrase, "stopped" | "ended") && !found.nouns.iter().any(is_group) {
            return None;
        }
        let is_study = |noun: &String| STUDIES.contains(&noun.as_str());
        if matches!(ending.phrase, "finished" | "completed") && !found.nouns.iter().any(is_study) {
            return None;
        }
        (ending, found, Tail(phrase, n_words))
    } else {
        let (n_subject, ending, tail) = (1..=NOUN_WORDS_MAX).find_map(|place| {
            let own = past_auxiliaries(rest.get(place..)?);
            let (ending, tail) = behind(own, ENDED_BY_FATE)?;
            let n_verb = own.len() - tail.len();
            Some((place, ending, Tail(own, n_verb)))
        })?;
        let (found, n_words) = thing(rest.get(..n_subject)?);
        // `Anna's car` is not Anna, and `the key of the car` no car.
        if n_words != n_subject {
            return None;
        }
        (ending, found, tail)
    };
    found.sorts = ending.sorts.to_vec();
    let is_nothing = found.names.is_empty() && found.nouns.is_empty() && !found.is_of_partner();
    let is_over = tail.is_over(ending.behind) || found.is_of_medicine() && tail.is_of_a_part();
    if !is_over || is_nothing || is_once(&found, ending, tail) {
        return None;
    }
    if is_only_since(&tail.words()) {
        found.besides = Besides::Since;
    }
    found.is_event =
        EVENTS.contains(&ending.phrase) || found.is_of_partner() && found.besides == Besides::More;
    let is_unsure = |token: &Token| UNSURE.contains(&token.plain.as_str());
    let is_partly = found.is_of_medicine() && tail.is_of_a_part();
    found.is_sure = !tokens.iter().any(is_unsure) && !is_partly;
    Some(found)
}

/// Whether it was called off for one time: `I cancelled the gym today` ends no gym.
fn is_once(found: &Ended, ending: &Ending, tail: Tail<'_>) -> bool {
    let is_paid_for = |noun: &String| PAID_FOR.contains(&noun.as_str());
    let is_for_good = !found.names.is_empty() || found.nouns.iter().any(is_paid_for);
    let is_called_off = matches!(ending.phrase, "cancelled" | "canceled");
    is_called_off && !is_for_good && tail.is_of_this_time()
}

/// What belongs to somebody else after all: `Rex is my sister's dog, not mine`.
fn not_ones_own(tokens: &[Token]) -> Option<String> {
    let [name, is, .., not, mine] = tokens else {
        return None;
    };
    let is_told = is_name(name)
        && is.plain == "is"
        && not.plain == "not"
        && matches!(mine.plain.as_str(), "mine" | "ours");
    is_told.then(|| name.plain.clone())
}

/// Somebody with whom the owner was together: `Tom and I split up`, `We broke up`.
fn parted_from(rest: &[Token]) -> Option<(&'static Ending, Ended, Tail<'_>)> {
    if plain(rest, 0) == "we" {
        let verb = past_auxiliaries(rest.get(1..)?);
        let (ending, tail) = behind(verb, ENDED_BETWEEN)?;
        let n_verb = verb.len() - tail.len();
        return Some((ending, Ended::default(), Tail(verb, n_verb)));
    }
    let n_subject = (1..=NOUN_WORDS_MAX)
        .find(|place| plain(rest, *place) == "and" && matches!(plain(rest, place + 1), "i"))?;
    let verb = past_auxiliaries(rest.get(n_subject + 2..)?);
    let (ending, tail) = behind(verb, ENDED_BETWEEN)?;
    let (found, n_words) = thing(rest.get(..n_subject)?);
    let n_verb = verb.len() - tail.len();
    (n_words == n_subject).then_some((ending, found, Tail(verb, n_verb)))
}

impl Ended {
    /// Whether it tells no more than that something was given up: alone it is worth no line.
    pub(crate) fn is_event(&self) -> bool {
        self.is_event
    }

    /// Whether the whole of it surely has ended, and not only what is done at one time of the day.
    pub(crate) fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// How it stands to an older line: that line holds no more, or perhaps not; `None` where it speaks of
    /// something else.
    ///
    /// Invariant: a line is only replaced where it is about exactly the thing that ended, of the same kind.
    pub(crate) fn turn(&self, old: &Words) -> Option<Turn> {
        if self.is_death()
            && let Some(name) = german::pet(&tokens(&old.text))
        {
            return self.names.contains(&name).then_some(Turn::Replaces);
        }
        // One leaves a partner in a car, too, or because of a film.
        let is_of_partner = || sort(old) == Some(Sort::Partner) || tells_of_partner(old);
        self.turn_of_thing(old).map(|found| {
            if self.besides == Besides::More && is_of_partner() {
                Turn::Doubtful
            } else {
                found
            }
        })
    }

    /// Whether another end is of something else: one may stop to take two things on a day.
    pub(crate) fn is_of_another(&self, other: &Self) -> bool {
        let is_apart = |own: &BTreeSet<String>, others: &BTreeSet<String>| {
            !own.is_empty() && !others.is_empty() && own.is_disjoint(others)
        };
        let words = |own: &Self| own.names.union(&own.nouns).cloned().collect();
        is_apart(&self.names, &other.names) || is_apart(&words(self), &words(other))
    }

    /// Whether a line tells of something else that is taken.
    pub(crate) fn is_of_another_medicine(&self, old: &Words) -> bool {
        let is_held = |word: &String| holds(old, word);
        self.is_of_medicine()
            && sort(old) == Some(Sort::Taken)
            && !self.names.union(&self.nouns).any(is_held)
    }

    fn turn_of_thing(&self, old: &Words) -> Option<Turn> {
        // Where one lives and works is told by the slots: `I sold the Volvo` ends no job at Volvo.
        let is_slot = |slot: &Slot| matches!(slot.what, What::Home | What::Work | What::Trade);
        if old.told.slot.as_ref().is_some_and(is_slot) {
            return self.is_death_of(&old.told).then_some(Turn::Replaces);
        }
        if self.is_of_partner() && self.names.is_empty() && self.nouns.is_empty() {
            return tells_of_partner(old).then_some(if self.is_sure {
                Turn::Replaces
            } else {
                Turn::Doubtful
            });
        }
        let names = names(&old.text);
        let sort = sort(old);
        if sort.is_some_and(|sort| !self.sorts.contains(&sort)) {
            return None;
        }
        if is_of_a_person(&old.told) && !self.is_death() {
            return None;
        }
        if names.intersection(&self.names).next().is_some() {
            // A line with several names may hold of the others.
            let is_whole = names.is_subset(&self.names) && self.is_sure && self.fits(old);
            return Some(if sort.is_some() && is_whole {
                Turn::Replaces
            } else {
                Turn::Doubtful
            });
        }
        let is_other = !names.is_empty() && !self.names.is_empty();
        let is_owners = [" i ", " we ", " my ", " our ", " im ", " the "]
            .iter()
            .any(|word| old.plain.contains(word));
        let is_taken = !self.is_of_medicine() || sort == Some(Sort::Taken);
        let is_paid_for = |head: &&String| PAID_FOR.contains(&head.as_str());
        let is_same_kind = match self.head.as_ref() {
            Some(head) if is_paid_for(&head) => self.nouns.iter().any(|noun| holds(old, noun)),
            head => head.is_some_and(|noun| holds(old, noun)),
        };
        if !is_owners || !is_same_kind || !is_taken || is_other {
            return None;
        }
        // `I sold a painting` tells of any, and who loves painting does not say that they have one.
        let is_traded = self.is_event && self.sorts.contains(&Sort::Thing);
        let is_had = || sort.is_some() || self.is_headed(old) || tells_of_having(old);
        if is_traded && !(self.which != Which::Any && is_had()) {
            return None;
        }
        // `I sold my car` means the one that `my car is a Skoda` tells of.
        let is_whole = self.nouns.iter().all(|noun| holds(old, noun));
        let is_meant = self.which == Which::Own && self.is_sure && is_whole && self.is_headed(old);
        // Of animals one may have several.
        let is_animal = |noun: &String| ANIMALS.contains(&noun.as_str());
        let is_alone = ![" and ", " or ", " plus "]
            .iter()
            .any(|joint| old.plain.contains(joint));
        let is_meant = is_meant || self.is_of_medicine() && self.is_sure && is_whole && is_alone;
        let is_one = (sort.is_some() || names.is_empty()) && !self.nouns.iter().any(is_animal);
        Some(if is_meant && is_one {
            Turn::Replaces
        } else {
            Turn::Doubtful
        })
    }

    /// Whether the older line begins with what has ended: `our car is`, `my girlfriend is`, `I have a gym membership`.
    fn is_headed(&self, old: &Words) -> bool {
        let words: Vec<&str> = old.plain.split_whitespace().collect();
        let (["my" | "our", own @ ..]
        | ["i" | "we", "have", "a" | "an", own @ ..]
        | ["ive" | "weve", "got", "a" | "an", own @ ..]
        | ["im", "doing", "a" | "an" | "my", own @ ..]
        | ["i", "am", "doing", "a" | "an" | "my", own @ ..]) = words.as_slice()
        else {
            return false;
        };
        let near = own.iter().take(self.nouns.len());
        let n_held = near.filter(|word| self.nouns.contains(**word)).count();
        let behind = own.get(self.nouns.len()).copied().unwrap_or_default();
        n_held == self.nouns.len() && BEHIND_NOUN.contains(&behind)
    }

    fn is_of_partner(&self) -> bool {
        let is_partner = |noun: &String| PARTNERS.contains(&noun.as_str());
        self.sorts == [Sort::Partner] || self.nouns.iter().any(is_partner)
    }

    fn is_of_medicine(&self) -> bool {
        self.sorts == [Sort::Taken]
    }

    /// Whether it is the death of whom a line is about, where there is one of them: `My mother died`.
    fn is_death_of(&self, told: &Told) -> bool {
        let is_one = |kin: &Kin| {
            let is_named = kin
                .name
                .as_ref()
                .is_none_or(|name| self.names.is_empty() || self.names.contains(name));
            ONLY_ONE.contains(&kin.noun.as_str())
                && self.nouns.contains(&kin.noun)
                && kin.which.is_empty()
                && is_named
        };
        let is_of_them = matches!(&told.whose, Some(Whose::Kin(kin)) if is_one(kin));
        self.is_death() && self.is_sure && self.which == Which::Own && is_of_them
    }

    pub(super) fn is_death(&self) -> bool {
        self.sorts == [Sort::Animal]
    }

    /// Whether nothing that it is called speaks against the older line: no `cat` ends a dog, no wife a cat.
    fn fits(&self, old: &Words) -> bool {
        self.nouns.iter().all(|noun| {
            let is_telling = [ANIMALS, SEVERAL, PARTNERS, OWNED, GROUPS]
                .iter()
                .any(|list| list.contains(&noun.as_str()));
            let is_somebody = PARTNERS.contains(&noun.as_str())
                || SEVERAL.contains(&noun.as_str()) && !ANIMALS.contains(&noun.as_str());
            let kinds = [ANIMALS, OWNED, GROUPS];
            let is_another_kind = kinds
                .iter()
                .filter(|list| list.contains(&noun.as_str()))
                .any(|list| list.iter().any(|own| own != noun && holds(old, own)));
            !is_telling || holds(old, noun) || !is_somebody && !is_another_kind
        })
    }
}

fn holds(old: &Words, noun: &str) -> bool {
    old.plain.contains(&format!(" {noun} "))
}

pub(super) fn plain(tokens: &[Token], place: usize) -> &str {
    tokens.get(place).map_or("", |token| token.plain.as_str())
}

fn is_article(token: &Token) -> bool {
    matches!(token.plain.as_str(), "the" | "my" | "our" | "a")
}

fn is_between(token: &Token) -> bool {
    matches!(
        token.plain.as_str(),
        "has"
            | "have"
            | "had"
            | "was"
            | "is"
            | "just"
            | "finally"
            | "recently"
            | "sadly"
            | "unfortunately"
            | "already"
            | "been"
            | "be"
            | "to"
    )
}

fn past_auxiliaries(tokens: &[Token]) -> &[Token] {
    let n_between = tokens.iter().take_while(|token| is_between(token)).count();
    tokens.get(n_between..).unwrap_or_default()
}

/// The phrase that stands next, and what follows it.
fn behind<'t>(
    tokens: &'t [Token],
    endings: &'static [Ending],
) -> Option<(&'static Ending, &'t [Token])> {
    endings.iter().find_map(|ending| {
        let words: Vec<&str> = ending.phrase.split(' ').collect();
        let stands = words
            .iter()
            .enumerate()
            .all(|(place, word)| plain(tokens, place) == *word);
        let rest = stands.then(|| tokens.get(words.len()..)).flatten()?;
        Some((ending, rest))
    })
}

/// The names and nouns of a thing, up to where its clause goes on, and how many words that are.
fn thing(tokens: &[Token]) -> (Ended, usize) {
    let mut found = Ended::default();
    let mut n_words = 0;
    for token in tokens.iter().take(NOUN_WORDS_MAX + 1) {
        let word = token.plain.as_str();
        if word == "'s" {
            return (Ended::default(), n_words);
        }
        if is_name(token) {
            found.names.insert(word.to_owned());
        } else if NO_NAMES.contains(&word) {
            // `Anna a message`: an article behind a thing begins another one.
            if !is_article(token) || n_words > 0 {
                break;
            }
            found.which = match word {
                "my" | "our" => Which::Own,
                "the" => Which::Known,
                _ => Which::Any,
            };
        } else {
            let is_kind = [ANIMALS, OWNED, GROUPS]
                .iter()
                .any(|list| list.contains(&word));
            // Of `the Volvo key` the Volvo is only the name.
            if !found.names.is_empty() && !is_kind {
                break;
            }
            if word.chars().count() > 2 {
                found.nouns.insert(word.to_owned());
                found.head = Some(word.to_owned());
            }
        }
        n_words += 1;
        if token.is_end {
            break;
        }
    }
    (found, n_words)
}

/// The names in a line.
fn names(text: &str) -> BTreeSet<String> {
    let found = tokens(text).into_iter().filter(is_name);
    found.map(|token| token.plain).collect()
}

pub(super) fn is_name(token: &Token) -> bool {
    token.is_name && !NO_NAMES.contains(&token.plain.as_str())
}
