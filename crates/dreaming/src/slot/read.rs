//! Reads what a line surely says of a thing of which a person has one.
//!
//! A small grammar of English: the verb follows its subject, and the value is a name. Compares nothing.

use std::collections::BTreeSet;

use super::attribute::{attribute, renewed, unowned};
use super::cities::is_city;
use super::former::{former, successor};
use super::german;
use super::subject::{is_of_a_time, subject};
use super::table::{
    BEFORE_EMPLOYER, BEFORE_PLACE, BEHIND, BETWEEN, COUNTRIES, INSTITUTIONS, NO_LAST_NAMES,
    NO_PERSONS, NO_PLACES, ONE_AT_A_TIME, ONLY_ONE, REASONS, TITLES, UNSURE, WRITTEN_LIKE_NAMES,
};
use super::tail::is_date_or_reason;
use super::thing::{bought, count, thing};
use super::token::{Token, tokens};
use super::{Holds, Slot, Told, What, Whose};

/// What a text tells of whom.
pub(crate) fn told(text: &str) -> Told {
    let tokens = tokens(text);
    let told = former(&tokens).or_else(|| put_right(text, &tokens));
    if let Some(told) = told.or_else(|| german::told(&tokens)) {
        return told;
    }
    let Some(subject) = subject(&tokens) else {
        return unowned(&tokens);
    };
    let is_unsure = tokens
        .iter()
        .any(|token| UNSURE.contains(&token.plain.as_str()));
    let rest = Rest(subject.rest);
    let is_owner = subject.whose == Whose::Owner && !subject.is_thing && subject.is_first;
    if is_owner
        && !is_unsure
        && let Some(told) = successor(rest)
    {
        return told;
    }
    let slot = if is_unsure || !subject.is_first {
        None
    } else if subject.is_thing {
        attribute(rest).or_else(|| thing(rest))
    } else {
        said_of(rest, &subject.whose)
    };
    let mut slot = slot;
    if let Some(own) = slot
        .as_mut()
        .filter(|own| own.what == What::Name && is_new_in_office(&subject.whose))
        .filter(|own| own.holds == Holds::Now)
    {
        own.holds = Holds::Anew;
    }
    if let Some(own) = slot
        .as_mut()
        .filter(|own| own.what == What::Home && own.holds != Holds::Ended && is_of_a_time(&tokens))
    {
        own.holds = Holds::Perhaps;
    }
    let is_trade = slot.as_ref().is_some_and(|own| own.what == What::Trade);
    Told {
        whose: Some(subject.whose),
        employer: at_employer(rest)
            .filter(|_| is_trade)
            .and_then(employer)
            .unwrap_or_default(),
        slot,
    }
}

/// `I don't work at Bosch, I work at Siemens`: the second holds, and is said against the first.
fn put_right(text: &str, tokens: &[Token]) -> Option<Told> {
    let (_, holding) = text.split_once(", ")?;
    let denied = Rest(tokens).behind("i do not")?;
    let mut found = told(holding.strip_prefix("but ").unwrap_or(holding));
    let slot = found.slot.as_mut()?;
    // `I don't work on Fridays` denies no employer.
    let is_same = match slot.what {
        What::Home => denied
            .behind("live in")
            .is_some_and(|place| place.past(BEFORE_PLACE).names().is_some()),
        What::Work => denied
            .behind_any(&["work at", "work for"])
            .is_some_and(|rest| employer(rest).is_some()),
        What::Trade | What::Name | What::Named(_) => false,
    };
    let is_told = is_same && slot.holds != Holds::Ended && found.whose == Some(Whose::Owner);
    slot.holds = Holds::Anew;
    is_told.then_some(found)
}

/// Whether a name is told against another: `Hannah, not Anna`, of somebody of whom there is one.
fn is_against_another(rest: Rest<'_>, whose: &Whose) -> bool {
    let is_only_one = matches!(whose, Whose::Kin(kin) if ONLY_ONE.contains(&kin.noun.as_str()) && kin.which.is_empty());
    is_only_one && matches!(rest.0, [.., not, name] if not.plain == "not" && name.is_name)
}

/// `My new boss`: there is one at a time, so that the former is none any more.
pub(super) fn is_new_in_office(whose: &Whose) -> bool {
    matches!(whose, Whose::Kin(kin) if kin.which == "new" && ONE_AT_A_TIME.contains(&kin.noun.as_str()))
}

/// What is left of a line while it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest<'t>(pub(super) &'t [Token]);

impl<'t> Rest<'t> {
    pub(super) fn at(self, place: usize) -> &'t str {
        self.0.get(place).map_or("", |token| token.plain.as_str())
    }

    pub(super) fn after(self, n_words: usize) -> Self {
        Self(self.0.get(n_words..).unwrap_or_default())
    }

    pub(super) fn past(self, words: &[&str]) -> Self {
        let is_one = |token: &&Token| words.contains(&token.plain.as_str());
        self.after(self.0.iter().take_while(is_one).count())
    }

    /// What follows these words, where they stand next.
    pub(super) fn behind(self, phrase: &str) -> Option<Self> {
        let words: Vec<&str> = phrase.split(' ').collect();
        let stands = words
            .iter()
            .enumerate()
            .all(|(place, word)| self.at(place) == *word);
        stands.then(|| self.after(words.len()))
    }

    /// What follows one of these phrases.
    pub(super) fn behind_any(self, phrases: &[&str]) -> Option<Self> {
        phrases.iter().find_map(|phrase| self.behind(phrase))
    }

    fn is_name(self) -> bool {
        self.0.first().is_some_and(|token| token.is_name)
    }

    /// Whether nothing follows that belongs to what stood before.
    pub(super) fn is_bound(self) -> bool {
        let is_figure = self.0.first().is_some_and(|token| token.is_figure);
        let is_reason = |rest: Self| {
            let is_figure = rest.0.first().is_some_and(|token| token.is_figure);
            is_figure || REASONS.contains(&rest.at(0))
        };
        self.0.is_empty()
            || is_figure
            || BEHIND.contains(&self.at(0))
            || self.at(0) == "for" && is_reason(self.after(1))
    }

    /// The names that stand next, with what follows; nothing where they are part of something else.
    pub(super) fn names(self) -> Option<(BTreeSet<String>, Self)> {
        let is_name = |token: &&Token| token.is_name || matches!(token.plain.as_str(), "de" | "am");
        let mut n_names = self.0.iter().take_while(is_name).count();
        let end = self.0.iter().take(n_names).position(|token| token.is_end);
        n_names = end.map_or(n_names, |end| end + 1);
        let is_title = |place: &usize| TITLES.contains(&self.at(*place));
        let names: BTreeSet<String> = (0..n_names)
            .filter(|place| !is_title(place))
            .map(|place| self.at(place).to_owned())
            .collect();
        let is_known = |name: &String| NO_PLACES.contains(&name.as_str());
        let rest = self.after(n_names);
        let is_whole = end.is_some() || rest.is_bound();
        let is_told =
            self.is_name() && is_whole && !names.is_empty() && !names.iter().any(is_known);
        is_told.then_some((names, rest))
    }

    /// Whether a clause ends here: what follows is none of its objects.
    fn is_over(self, before: Self) -> bool {
        let n_read = before.0.len().saturating_sub(self.0.len());
        let last = n_read.checked_sub(1).and_then(|place| before.0.get(place));
        let leads_on = matches!(
            self.at(0),
            "a" | "by" | "to" | "at" | "from" | "with" | "any" | "as"
        );
        last.is_some_and(|token| token.is_end) || self.is_bound() && !leads_on
    }
}

/// What is said of somebody: a verb follows them.
fn said_of(rest: Rest<'_>, whose: &Whose) -> Option<Slot> {
    if let Some(name) = rest.behind("'s name is") {
        let (value, _) = name.past(&["now"]).names()?;
        let holds = if is_against_another(rest, whose) {
            Holds::Anew
        } else {
            renamed(name, rest)
        };
        return Some(of(What::Name, holds, value));
    }
    if *whose == Whose::Owner
        && let Some(slot) = renewed(rest)
            .or_else(|| bought(rest))
            .or_else(|| count(rest))
    {
        return Some(slot);
    }
    let told = verb(rest);
    let (verb, is_denied, is_being) = (told.rest, told.is_denied, told.is_being);
    let is_over = rest.0.iter().any(|token| token.plain == "anymore")
        || (0..rest.0.len()).any(|place| rest.after(place).behind("any more").is_some());
    if is_denied && !is_over && rest.0.iter().all(|token| token.plain != "longer") {
        return None;
    }
    let found = home(verb, rest)
        .or_else(|| work(told))
        .or_else(|| bank(verb))
        .or_else(|| named(verb, rest).filter(|_| is_being && *whose != Whose::Owner));
    let (what, holds, value) = match found {
        Some(found) => found,
        None if is_denied => return None,
        None => return ended(told).map(|value| of(What::Work, Holds::Ended, value)),
    };
    let is_renamed = holds == Holds::Now && what == What::Name && is_against_another(rest, whose);
    let holds = if is_denied {
        Holds::Ended
    } else if is_renamed {
        Holds::Anew
    } else {
        holds
    };
    Some(of(what, holds, value))
}

type Found = (What, Holds, BTreeSet<String>);

pub(super) fn of(what: What, holds: Holds, value: BTreeSet<String>) -> Slot {
    Slot { what, holds, value }
}

/// A verb with what follows it.
#[derive(Debug, Clone, Copy)]
struct Verb<'t> {
    rest: Rest<'t>,
    is_denied: bool,
    /// Whether `is` stands before it.
    is_being: bool,
}

/// The verb, behind auxiliary verbs and adverbs.
fn verb(mut rest: Rest<'_>) -> Verb<'_> {
    let (mut is_denied, mut is_being) = (false, false);
    loop {
        let is_to_be = matches!(rest.at(0), "am" | "is" | "are" | "was" | "'s");
        // `I have a job`: there `have` is the verb.
        let is_having = matches!(rest.at(0), "have" | "has") && matches!(rest.at(1), "a" | "my");
        let is_between = BETWEEN.contains(&rest.at(0)) && !is_having;
        let n_words = match rest.at(0) {
            "no" if rest.at(1) == "longer" => 2,
            word if word == "not" || is_to_be || is_between => 1,
            _ => break,
        };
        is_denied |= matches!(rest.at(0), "not" | "no");
        is_being |= is_to_be;
        rest = rest.after(n_words);
    }
    Verb {
        rest,
        is_denied,
        is_being,
    }
}

/// Words that say that it is so now, and was not before.
const ANEW: &[&str] = &["now", "nowadays", "again"];

/// Whether `now` stands between a subject and its verb: `I now live in Oslo`.
fn is_said_to_be_new(rest: Rest<'_>, verb: Rest<'_>) -> bool {
    let n_between = rest.0.len().saturating_sub(verb.0.len());
    (0..n_between).any(|place| ANEW.contains(&rest.at(place)))
}

fn home(verb: Rest<'_>, said: Rest<'_>) -> Option<Found> {
    if let Some(place) = verb.behind_any(&["moved away from", "moved out of"]) {
        return Some((What::Home, Holds::Ended, place.names()?.0));
    }
    let place = verb.behind_any(&[
        "live in",
        "lives in",
        "living in",
        "live near",
        "lives near",
    ]);
    if let Some(place) = place {
        let (value, behind) = place.past(BEFORE_PLACE).names()?;
        let is_country = value.iter().any(|name| COUNTRIES.contains(&name.as_str()));
        let is_new = is_said_to_be_new(said, verb)
            || ANEW.contains(&behind.at(0))
            || behind.behind("these days").is_some();
        let holds = match (is_new, is_city(&value)) {
            (true, _) => Holds::Anew,
            (false, true) => Holds::Now,
            // It may be a part of the city that was told.
            (false, false) => Holds::Perhaps,
        };
        return (!is_country).then_some((What::Home, holds, value));
    }
    let from = verb.behind("moved from").and_then(Rest::names);
    let place = match from {
        Some((_, rest)) => rest.behind("to"),
        None => verb.behind_any(&["moved to", "moved back to", "moved into", "relocated to"]),
    };
    let (value, rest) = place?.past(BEFORE_PLACE).names()?;
    // `To Helix as my editor` is no home.
    (rest.at(0) != "as").then_some((What::Home, Holds::Anew, value))
}

/// `Bank with Revolut`: one may have an account at another, too, unless it is so now.
fn bank(verb: Rest<'_>) -> Option<Found> {
    let (value, behind) = verb.behind_any(&["bank with", "bank at"])?.names()?;
    let holds = if behind.at(0) == "now" {
        Holds::Anew
    } else {
        Holds::Perhaps
    };
    Some((What::Named("bank".to_owned()), holds, value))
}

fn work(told: Verb<'_>) -> Option<Found> {
    let (verb, is_being) = (told.rest, told.is_being);
    if told.is_denied && verb.behind_any(&["work there", "work here"]).is_some() {
        return Some((What::Work, Holds::Ended, BTreeSet::new()));
    }
    if let Some(trade) = verb.behind_any(&["work as", "works as", "working as"]) {
        let words = trade.past(&["a", "an"]);
        let is_told = matches!(trade.at(0), "a" | "an");
        let ends = (0..words.0.len()).find(|place| words.after(*place).is_bound());
        let own = words.0.get(..ends.unwrap_or(words.0.len()))?;
        let value: BTreeSet<String> = own.iter().map(|token| token.plain.clone()).collect();
        return (is_told && !value.is_empty()).then_some((What::Trade, Holds::Now, value));
    }
    let now = verb.behind_any(&[
        "work at",
        "works at",
        "working at",
        "work for",
        "works for",
        "working for",
    ]);
    let hired = verb
        .behind_any(&["employed at", "employed by"])
        .filter(|_| is_being);
    if let Some(rest) = now.or(hired) {
        // Who works at the university may work at Bosch as well.
        let is_beside = rest.0.windows(3).any(|own| {
            let [as_one, _, what] = own else { return false };
            as_one.plain == "as" && matches!(what.plain.as_str(), "volunteer" | "freelancer")
        });
        let holds = match rest.past(BEFORE_EMPLOYER).names() {
            Some(_) if is_beside => Holds::Perhaps,
            Some(_) => Holds::Now,
            None if rest.0.iter().any(|token| token.plain == "now") => Holds::Anew,
            None => Holds::Perhaps,
        };
        return Some((What::Work, holds, employer(rest)?));
    }
    if let Some(rest) = verb.behind("joined") {
        let (value, rest) = rest.names()?;
        let is_hired = rest.at(0) == "as" && matches!(rest.at(1), "a" | "an" | "the" | "their");
        return is_hired.then_some((What::Work, Holds::Anew, value));
    }
    let anew = verb.behind_any(&["started at", "started working at", "started working for"]);
    let anew = anew.or_else(|| {
        let got = ["got", "found", "started", "accepted", "took", "have", "has"];
        let job = got.iter().find_map(|got| verb.behind(got))?;
        let job = job.past(&["a", "my", "new"]);
        let named = || job.behind("job as").and_then(|rest| at_employer(rest));
        job.behind_any(&["job at", "job with"]).or_else(named)
    });
    Some((What::Work, Holds::Anew, employer(anew?)?))
}

/// For whom somebody works: a name, or a place that has none, as `the county hospital`.
fn employer(rest: Rest<'_>) -> Option<BTreeSet<String>> {
    let named = rest.past(BEFORE_EMPLOYER).names().map(|(value, _)| value);
    named.or_else(|| institution(rest).map(|(value, _)| value))
}

/// A place of work that has no name, and what follows.
fn institution(rest: Rest<'_>) -> Option<(BTreeSet<String>, Rest<'_>)> {
    let own = rest.past(&["a", "an", "the", "my", "our"]);
    let head = (0..PLACE_WORDS_MAX).find(|place| INSTITUTIONS.contains(&own.at(*place)))?;
    let behind = own.after(head + 1);
    let is_end = own.0.get(head).is_some_and(|token| token.is_end);
    let words = (0..=head).map(|place| own.at(place).to_owned());
    (is_end || behind.is_bound()).then(|| (words.collect(), behind))
}

/// The longest words for such a place.
const PLACE_WORDS_MAX: usize = 4;

/// `A data analyst at Helvetia`: what stands behind `at`.
fn at_employer(rest: Rest<'_>) -> Option<Rest<'_>> {
    let at = (1..=ROLE_WORDS_MAX).find(|place| rest.at(*place) == "at")?;
    Some(rest.after(at + 1))
}

/// The longest words for what somebody is hired as.
const ROLE_WORDS_MAX: usize = 5;

/// What ends a job: the words of the employer, none where they are not told.
fn ended(told: Verb<'_>) -> Option<BTreeSet<String>> {
    let (verb, is_being) = (told.rest, told.is_being);
    let alone = |rest: Rest<'_>| rest.is_over(verb).then(BTreeSet::new);
    if let Some(rest) = verb.behind_any(&["quit", "left", "lost", "resigned from"]) {
        let Some(job) = rest.behind_any(&["my job", "his job", "her job", "their job"]) else {
            let has_article = matches!(rest.at(0), "a" | "an" | "the" | "my" | "our");
            if has_article && let Some((value, behind)) = institution(rest) {
                // `I left the hospital` may be for the day.
                let is_for_good = matches!(verb.at(0), "quit" | "resigned")
                    || verb.at(0) == "left" && is_date_or_reason(behind.0);
                return is_for_good.then_some(value);
            }
            let (value, behind) = (verb.at(0) != "lost").then(|| rest.names())??;
            // `I left Bern at noon` ends no job.
            let is_end = behind.is_over(rest) && behind.0.is_empty()
                || is_date_or_reason(behind.0)
                || rest
                    .0
                    .get(value.len().saturating_sub(1))
                    .is_some_and(|token| token.is_end);
            return is_end.then_some(value);
        };
        return match job.behind_any(&["at", "with"]) {
            Some(rest) => employer(rest),
            None => alone(job),
        };
    }
    let fired = verb.behind_any(&["got fired", "got laid off"]);
    let fired = fired.or_else(|| verb.behind_any(&["fired", "laid off"]).filter(|_| is_being));
    let state = verb
        .behind_any(&["retired", "unemployed"])
        .filter(|_| is_being);
    let left = verb.behind_any(&["retired", "resigned"]);
    let rest = fired.or(state).or(left)?;
    match rest.behind_any(&["from", "by"]) {
        Some(from) => employer(from),
        None => alone(rest),
    }
}

/// How somebody is called, after `is called` or `is`.
fn named(verb: Rest<'_>, said: Rest<'_>) -> Option<Found> {
    let called = verb.behind_any(&["called", "named"]);
    let name = called.unwrap_or(verb).past(&["now"]);
    let (value, behind) = name.names()?;
    let own = name.0.strip_suffix(behind.0)?;
    let is_called = called.is_some() && is_last(own, behind);
    let holds = if is_called || is_of_a_person(own) {
        renamed(name, said)
    } else {
        Holds::Perhaps
    };
    // `My dentist is German`.
    let is_like =
        |name: &String| WRITTEN_LIKE_NAMES.contains(&name.as_str()) || base::tongue(name).is_some();
    (!value.iter().all(is_like)).then_some((What::Name, holds, value))
}

/// Whether a clause ends behind these words: `called Rude by everyone` gives no name.
fn is_last(own: &[Token], behind: Rest<'_>) -> bool {
    own.last().is_some_and(|token| token.is_end) || behind.past(&["now"]).0.is_empty()
}

/// Whether words written like a name are surely that of a person: with a title, or a first and a last name.
fn is_of_a_person(own: &[Token]) -> bool {
    let is_in = |token: &Token, list: &[&str]| list.contains(&token.plain.as_str());
    if own.iter().any(|token| is_in(token, TITLES)) {
        return true;
    }
    let is_like = |token: &Token| {
        is_in(token, WRITTEN_LIKE_NAMES)
            || is_in(token, NO_PERSONS)
            || base::tongue(&token.plain).is_some()
    };
    // `Roman Catholic`, `South African`.
    let ends_like = |token: &Token| {
        let plain = token.plain.as_str();
        NO_LAST_NAMES.iter().any(|ending| plain.ends_with(ending))
    };
    own.len() >= 2 && !own.iter().any(is_like) && !own.last().is_some_and(ends_like)
}

/// Whether a name is said to be new.
fn renamed(name: Rest<'_>, said: Rest<'_>) -> Holds {
    let is_new = said.0.iter().any(|token| token.plain == "now");
    if is_new && !name.0.is_empty() {
        Holds::Anew
    } else {
        Holds::Now
    }
}
