//! Tells what ends what: whether a sentence of the owner says that what an older one tells holds no more.
//!
//! The only reader of endings; whether a line is replaced, waits or is shown beside is up to those who ask.

use std::collections::BTreeSet;

use super::ended::{Ended, is_name};
use super::german;
use super::sign::{
    How, Sign, Whole, at, family, is_empty, is_unsure, signs, stem_of, thing_at_a_place,
};
use super::sort::{sort, tells_of_partner};
use super::table::{ANIMALS, FRONT, ONE_AT_A_TIME, ONLY_ONE, PARTNERS, SEVERAL};
use super::token::{Token, tokens};
use super::who::{Said, Who, who};
use super::{Turn, sort::Sort};
use crate::words::{Words, stem, words};

/// A sentence of the owner, read for what it ends and for what may end it.
///
/// # Examples
///
/// ```
/// use dreaming::{Sentence, Turn};
///
/// let older = Sentence::of("My car is a Skoda.");
/// let ends = |newer: &str| Sentence::of(newer).ends(&older);
/// assert_eq!(ends("I sold my car."), Some(Turn::Replaces));
/// assert_eq!(ends("I'm not keen on the Skoda any more."), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    pub(crate) words: Words,
    pub(super) tokens: Vec<Token>,
    /// All its words in stems.
    stems: BTreeSet<String>,
    pub(super) who: Option<Who>,
    pub(super) signs: Vec<Sign>,
    /// Whether it asks, or says only what may be.
    is_open: bool,
}

/// Words in which somebody speaks of their own.
#[rustfmt::skip]
const OWN: &[&str] = &["i", "we", "my", "our", "ich", "wir", "mein", "meine", "unser", "unsere"];

/// Words behind which the name of a place stands, and not of whom a sentence is about.
#[rustfmt::skip]
const BEFORE_PLACES: &[&str] = &["to", "in", "at", "from", "near", "of", "by", "for", "nach", "bei", "aus", "von"];

/// Words with which it is told where somebody lives.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "live", "lives", "living", "home", "flat", "house", "apartment", "based", "address", "wohnt", "wohne", "wohnen", "lebt",
];

/// Words behind which it is told where somebody goes to live.
const TO_PLACES: &[&str] = &["to", "in", "nach"];

/// Verbs of work, in stems: where somebody works tells no home.
const WORKING: &[&str] = &["work", "study", "stud", "teach", "arbeitet", "studiert"];

/// Verbs with which it is told what somebody has, in stems.
#[rustfmt::skip]
const HAVING: &[&str] = &["have", "hav", "own", "got", "bought", "habe", "hab", "haben", "fahre", "fahr", "driv", "leas"];

/// Words before the place where a thing lies.
const WHERE_IT_LIES: &[&str] = &[
    "in", "under", "on", "behind", "beside", "at", "with", "above", "inside", "next",
];

/// What harms somebody goes on doing so though they avoid it, in stems.
#[rustfmt::skip]
const HARM: &[&str] = &["allergic", "allerg", "allergi", "allergisch", "intolerant", "intoleranc", "suffer", "diagnos"];

/// Words for those who are together, and for how they are.
#[rustfmt::skip]
const TOGETHER: &[&str] = &[
    "married", "engaged", "dating", "verheiratet", "verlobt", "frau", "mann", "ehefrau", "ehemann", "freundin", "freund",
    "partnerin", "verlobte", "verlobter", "fianc\u{e9}", "fianc\u{e9}e",
];

impl Sentence {
    /// Reads a sentence.
    pub fn of(text: &str) -> Self {
        let found = tokens(text);
        let is_open = text.trim_end().ends_with(['?', '\u{ff1f}']) || is_unsure(&found);
        Self {
            words: words(text),
            stems: found.iter().map(stem_of).collect(),
            who: who(&found),
            signs: if is_open { Vec::new() } else { signs(&found) },
            tokens: found,
            is_open,
        }
    }

    /// How it stands to an older sentence, where it was said later: that one surely holds no more, or perhaps not;
    /// `None` where it speaks of something else.
    ///
    /// What is sure may take the place of the older; what is not is good for showing both.
    pub fn ends(&self, older: &Self) -> Option<Turn> {
        if self.is_open || self.is_end() && older.is_end() {
            return None;
        }
        let ended = self.words.ended.as_ref();
        let is_new = ended.is_some() && self.words.ended != older.words.ended;
        let is_history = ended.is_some_and(Ended::is_death) && older.is_past();
        let is_meant = is_new && !is_history && !self.avoids(older);
        let sure = ended.filter(|own| is_meant && own.is_sure());
        let sure = sure.and_then(|ended| ended.turn(&older.words));
        let touching = self.signs.iter().filter(|sign| self.touches(sign, older));
        let turns = touching.map(|sign| self.grade(sign, older)).chain(sure);
        turns.reduce(
            |left, right| {
                if left == Turn::Replaces { left } else { right }
            },
        )
    }

    /// How sure a sign is of what it touches: of what somebody themselves gave up, be it all that they do or what they
    /// do it with; and of what was to be on one day and was called off.
    fn grade(&self, sign: &Sign, older: &Self) -> Turn {
        let is_own = [self, older]
            .iter()
            .all(|own| own.who.as_ref().is_some_and(|who| who.is_speaker));
        let is_held = !sign.things.is_empty() && sign.things.is_subset(&older.stems);
        let objects = older.objects();
        let is_all = objects.is_empty() || !objects.is_disjoint(&sign.things);
        let is_given_up = sign.whole == Whole::Sure && is_own && is_held && is_all;
        let both = self.who.as_ref().zip(older.who.as_ref());
        let is_one_thing = both
            .is_some_and(|(own, other)| own.is_thing && other.is_thing && own.noun == other.noun);
        let is_called_off = sign.how == How::Stopped && is_one_thing && older.is_of_one_day();
        let is_sure = is_given_up || is_called_off;
        if is_sure && !older.is_past() && !older.is_open {
            Turn::Replaces
        } else {
            Turn::Doubtful
        }
    }

    /// Whether it says that something has ended.
    pub fn is_end(&self) -> bool {
        self.words.ended.is_some() || self.signs.iter().any(|sign| sign.how.is_end())
    }

    /// Whether it says that something ended, changed, or was told wrongly.
    pub(crate) fn tells_change(&self) -> bool {
        !self.is_open && (!self.signs.is_empty() || self.words.ended.is_some())
    }

    /// The names in it, in lower case; its first word may be written like one for standing there, unless the sentence
    /// is about it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let who = self.who.as_ref();
        let is_about = move |word: &String| who.is_some_and(|who| who.names.contains(word));
        let tokens = self.tokens.iter().enumerate();
        let names = tokens.filter(move |(at, token)| {
            is_name(token) && !is_empty(token) && (*at > 0 || is_about(&token.plain))
        });
        names.map(|(_, token)| token.plain.as_str())
    }

    /// The names of whom or what it may be about: not of the places in it.
    fn free_names(&self) -> BTreeSet<String> {
        let pairs = self.tokens.iter().enumerate().filter(|(at, token)| {
            let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
            let is_place = before.is_some_and(|own| BEFORE_PLACES.contains(&own.plain.as_str()));
            is_name(token) && !is_place && !FRONT.contains(&token.plain.as_str())
        });
        pairs.map(|(_, token)| token.plain.clone()).collect()
    }

    pub(super) fn holds(&self, words: &[&str]) -> bool {
        let mut tokens = self.tokens.iter();
        tokens.any(|token| words.contains(&token.plain.as_str()))
    }

    /// Whether something of it is said to end, and the older says that it does harm: who avoids what they are
    /// allergic to is allergic still.
    fn avoids(&self, older: &Self) -> bool {
        let is_harm = |own: &Self| HARM.iter().any(|stem| own.stems.contains(*stem));
        is_harm(older) && !is_harm(self)
    }

    fn touches(&self, sign: &Sign, older: &Self) -> bool {
        let is_held = !sign.things.is_empty() && sign.things.is_subset(&older.stems);
        let is_own = older.holds(OWN);
        let names = older.free_names();
        let is_known = is_own || !names.is_disjoint(&self.free_names());
        let first = older.tokens.first().map(|token| token.plain.as_str());
        match sign.how {
            How::Stopped => {
                let is_once = sign.whole == Whole::Once && !older.is_of_one_day();
                let is_it = is_held && is_known || self.denies_of_the_same(older);
                is_it && !is_once && first != Some("the") && !self.avoids(older)
            }
            How::Gone => {
                let is_it = is_held && older.has(sign) || sign.is_of_the_only(older);
                is_own && is_it && !self.avoids(older)
            }
            How::Died => {
                let is_somebody = sign.is_named || sign.things.iter().any(|thing| is_living(thing));
                is_held && is_known && is_somebody && !older.is_past() && !older.is_of_a_thing()
            }
            How::PutDown => {
                let is_animal = self.holds(ANIMALS) || older.holds(ANIMALS);
                is_held && is_known && is_animal && !older.is_past() && !older.is_of_kin()
            }
            How::Parted => {
                let is_whole = sign.things.is_empty() || is_held;
                older.is_of_partner() && (is_whole || sign.things.iter().all(|own| is_partner(own)))
            }
            How::Left => older.tells_work() && self.is_of_the_same(older),
            How::Moved => {
                let is_there = self.places().any(|place| older.stems.contains(&place));
                !is_there && !older.is_past() && older.tells_place() && self.is_of_the_same(older)
            }
            How::Placed => older.lies().as_ref() == Some(&sign.things),
            How::Family => {
                let both = (family(&self.tokens), family(&older.tokens));
                !both.1.is_empty() && both.0 != both.1 && self.is_of_the_same(older)
            }
            How::PutRight => self.puts_right(older),
            How::Anew => self.is_of_the_same(older) && self.says_alike(older),
        }
    }

    fn is_past(&self) -> bool {
        self.holds(&["was", "were", "war", "waren"])
    }

    fn is_of_a_thing(&self) -> bool {
        self.who.as_ref().is_some_and(|who| who.is_thing)
    }

    /// Whether it is about a person of the owner's, and not about an animal.
    fn is_of_kin(&self) -> bool {
        self.who.as_ref().is_some_and(|who| {
            let mut nouns = who.noun.iter().map(String::as_str);
            nouns.any(|noun| !ANIMALS.contains(&noun))
        })
    }

    /// Whether it tells of one day, and not of what is done every week: `My flight is on 4 May`.
    fn is_of_one_day(&self) -> bool {
        let figures = &self.words.figures;
        let is_number = |word: &&String| word.chars().any(|c| c.is_ascii_digit());
        let (numbers, months): (Vec<_>, Vec<_>) = figures.iter().partition(is_number);
        self.is_of_a_thing() && !numbers.is_empty() && !months.is_empty()
    }

    /// Whether it tells that somebody has what a sign speaks of, and not that they like it or do something with it.
    fn has(&self, sign: &Sign) -> bool {
        self.who.as_ref().is_some_and(|who| {
            let is_had = who
                .said
                .as_ref()
                .is_some_and(|said| HAVING.contains(&said.verb()));
            let is_it = who
                .noun
                .iter()
                .any(|noun| sign.things.contains(&stem(noun)));
            if who.is_thing {
                is_it || sign.is_named
            } else {
                !who.is_speaker || is_had
            }
        })
    }

    pub(super) fn is_of_partner(&self) -> bool {
        self.holds(OWN)
            && (sort(&self.words) == Some(Sort::Partner)
                || tells_of_partner(&self.words)
                || self.holds(TOGETHER)
                || self.holds(PARTNERS))
    }

    /// Whether it tells as what or where somebody works, be it for the owner: `My dentist is Dr Novak`.
    fn tells_work(&self) -> bool {
        let who = self.who.as_ref();
        who.is_some_and(|who| {
            let mut nouns = who.noun.iter();
            nouns.any(|noun| ONE_AT_A_TIME.contains(&noun.as_str()))
                || who.said.as_ref().is_some_and(Said::may_be_work)
        })
    }

    fn tells_place(&self) -> bool {
        let mut pairs = self.tokens.windows(2);
        let is_place = |pair: &[Token]| matches!(pair, [at, place] if matches!(at.plain.as_str(), "in" | "near") && is_name(place));
        let who = self.who.as_ref();
        let works = who
            .and_then(|who| who.said.as_ref())
            .is_some_and(|said| WORKING.contains(&said.verb()));
        let is_of_work = works || self.tells_work();
        self.holds(PLACES) || !is_of_work && pairs.any(is_place)
    }

    /// The places to which somebody goes in it, in stems.
    fn places(&self) -> impl Iterator<Item = String> {
        let pairs = self.tokens.windows(2).filter_map(|pair| match pair {
            [at, place] if TO_PLACES.contains(&at.plain.as_str()) && is_name(place) => Some(place),
            _ => None,
        });
        pairs.map(stem_of)
    }

    /// The thing of which it tells where it lies: `The spare key is under the flowerpot`.
    fn lies(&self) -> Option<BTreeSet<String>> {
        let thing = thing_at_a_place(&self.tokens, &["is", "are", "lies"])?;
        let mut pairs = self.tokens.windows(2);
        let is_led = |pair: &[Token]| {
            matches!(pair, [verb, at] if matches!(verb.plain.as_str(), "is" | "are" | "lies")
                && WHERE_IT_LIES.contains(&at.plain.as_str()))
        };
        pairs.any(is_led).then_some(thing)
    }

    /// Whether both are about the same, and not about whoever speaks.
    fn is_of_the_same(&self, older: &Self) -> bool {
        let both = self.who.as_ref().zip(older.who.as_ref());
        both.is_some_and(|(own, other)| {
            !own.is_speaker && !own.is_pronoun && own.may_be(other, &older.free_names())
        })
    }

    /// Whether both give a value of one kind with the same verb: `is 7`, `is a teacher`, `lives in Bergen`.
    fn says_alike(&self, older: &Self) -> bool {
        let both = self.said().zip(older.said());
        both.is_some_and(|(own, other)| own.is_alike(other)) && !self.repeats(older)
    }

    fn said(&self) -> Option<&Said> {
        self.who.as_ref().and_then(|who| who.said.as_ref())
    }

    /// Whether a correction speaks of what the older sentence says: of the same, with the same verb, and with another
    /// value of the same kind or a word of it.
    fn puts_right(&self, older: &Self) -> bool {
        let both = self.who.as_ref().zip(older.who.as_ref());
        let Some((own, _)) = both.filter(|(own, other)| own.may_be(other, &older.free_names()))
        else {
            return false;
        };
        let verbs = self.said().zip(older.said());
        let is_one_verb = verbs.is_some_and(|(own, other)| own.verb() == other.verb());
        let needed = if own.is_thing { 1 } else { SHARED_MIN };
        let is_value = !own.is_speaker && self.says_alike(older);
        let is_it = is_value || is_one_verb && self.shares(older) >= needed;
        is_it && !self.repeats(older) && !self.says_again(older)
    }

    /// Whether it tells all that the older does of whom both are about: `No, Elin still lives in Oslo`.
    fn says_again(&self, older: &Self) -> bool {
        let is_denial = |token: &Token| matches!(token.plain.as_str(), "not" | "nicht");
        // `7, not 6` does not say 6.
        let said = self.tokens.iter().take_while(|token| !is_denial(token));
        let said: BTreeSet<String> = said.map(stem_of).collect();
        let about = self.about(older);
        let mut told = older.telling().filter(|own| !about.contains(own));
        told.all(|own| said.contains(&own))
    }

    /// Whether it says of the same that something is so no more which the older tells: one plays no football, and
    /// plays the cello.
    fn denies_of_the_same(&self, older: &Self) -> bool {
        let objects = older.objects();
        let is_told = |own: String| objects.is_empty() || objects.contains(&own);
        self.is_of_the_same(older) && self.shared(older).any(is_told)
    }

    /// What it tells besides whom it is about and what they do, in stems.
    fn objects(&self) -> BTreeSet<String> {
        let about = self.about(self);
        let verb = self.said().map_or("", Said::verb).to_owned();
        let told = self.telling();
        told.filter(|own| *own != verb && !about.contains(own))
            .collect()
    }

    /// The stems of whom or what both are about.
    fn about(&self, older: &Self) -> BTreeSet<String> {
        let both = [self, older].into_iter().filter_map(|own| own.who.as_ref());
        let about = both.flat_map(|who| who.names.iter().chain(&who.noun));
        about.map(|word| stem(word)).collect()
    }

    /// How many words both tell, besides whom or what they are about.
    pub(super) fn shares(&self, older: &Self) -> usize {
        self.shared(older).collect::<BTreeSet<_>>().len()
    }

    fn shared(&self, older: &Self) -> impl Iterator<Item = String> {
        let about = self.about(older);
        self.telling()
            .filter(move |own| older.stems.contains(own) && !about.contains(own))
    }

    /// Whether it says something of somebody who was told before it: `Sorry, she lives in Bergen`.
    pub(crate) fn is_of_a_pronoun(&self) -> bool {
        self.who.as_ref().is_some_and(|who| who.is_pronoun)
    }

    /// Whether it says nothing that the older does not.
    pub(crate) fn repeats(&self, older: &Self) -> bool {
        self.telling().all(|own| older.stems.contains(&own))
    }

    /// The stems of what it tells.
    pub(super) fn telling(&self) -> impl Iterator<Item = String> {
        let telling = self.tokens.iter().filter(|token| !is_empty(token));
        telling.map(stem_of)
    }
}

/// A correction shares so many words with what it puts right: one is what somebody does.
const SHARED_MIN: usize = 2;

impl Sign {
    /// Whether it speaks of the car or the telephone, and the older sentence tells which that is.
    fn is_of_the_only(&self, older: &Sentence) -> bool {
        let is = |noun: &str| self.things.len() == 1 && self.things.contains(noun);
        let tokens = &older.tokens;
        let has = [
            "i have",
            "i own",
            "i got",
            "we have",
            "we own",
            "ich habe",
            "wir haben",
        ]
        .iter()
        .any(|words| at(tokens, words).is_some());
        let drives = ["drive", "fahre"]
            .iter()
            .any(|verb| at(tokens, verb).is_some());
        let made = |is_made: fn(&str) -> bool| tokens.iter().any(|token| is_made(&token.plain));
        if is("car") || is("auto") {
            drives || has && made(base::is_driven)
        } else {
            (is(&stem("phone")) || is(&stem("handy"))) && has && made(base::is_phone)
        }
    }
}

/// Whether a stem is that of an animal that people keep, or of somebody of theirs.
fn is_living(thing: &str) -> bool {
    [ANIMALS, german::ANIMALS, ONLY_ONE, SEVERAL]
        .iter()
        .any(|list| list.iter().any(|word| stem(word) == thing))
}

fn is_partner(thing: &str) -> bool {
    [PARTNERS, TOGETHER]
        .iter()
        .any(|list| list.iter().any(|word| stem(word) == thing))
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
