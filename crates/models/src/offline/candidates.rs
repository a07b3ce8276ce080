//! Proposes what deserves to last: standing instructions, preferences, facts about the owner, decisions.
//!
//! Quotes the owner's own clauses; never takes a greeting, a question, a quotation or a tool's output.

mod cue;
mod kind;

use std::collections::BTreeSet;

use base::model::{Excerpt, Request};
use base::{Day, Message, NOTHING_TO_KEEP, Origin, Tz, day, facts};
use serde_json::json;

use super::bare::is_bare;
use super::clause::{boundaries, clauses, halves, trimmed, without_joint};
use super::date::absolute_for_good;
use super::fact;
use super::question::{QUESTION_MARKS, part};
use super::sentence::{Place, Sentence, sentences};
use super::template;
use kind::{Worth, worth};

/// A candidate of at most so many characters is kept with the clauses around it.
const WHOLE_CHARS_MAX: usize = 180;

/// A longer clause is not fit to keep.
const CHARS_MAX: usize = 230;

/// What a reckoned date adds.
const DATE_CHARS: usize = 13;

/// The most candidates of one message.
const OF_ONE_MAX: usize = 6;

/// The most that a fact is worth about somebody or some place of which only a name is known: too little to
/// be promoted.
const OF_UNKNOWN: u8 = 5;

/// Something that may deserve to last.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    text: String,
    worth: Worth,
}

/// The whole reply of a consolidation: JSON Lines, one operation a line.
pub(super) fn candidates(request: &Request, timezone: Tz) -> String {
    let mut lines = Vec::new();
    let mut is_play = false;
    let mut before: Option<(usize, String)> = None;
    let known = known_names(&request.excerpts);
    for excerpt in &request.excerpts {
        if !is_evidence(excerpt) {
            continue;
        }
        let text = excerpt.message.text();
        if let Some((n_lines, said)) = &before
            && fact::takes_back(&text, said)
            && fact::is_one_sentence(said)
        {
            lines.truncate(*n_lines);
        }
        before = (excerpt.origin == Origin::Owner).then_some((lines.len(), text));
        for mut found in of_excerpt(excerpt, day(excerpt.at, timezone), &mut is_play) {
            // Somebody who is only named may be a figure of a novel, and a rent anybody's: the owner is asked.
            let bare_name = fact::bare_name(&found.text).or_else(|| german_dead(&found.text));
            let is_known = match bare_name {
                Some(name) => known.names.contains(&name),
                None => fact::anybodys_place(&found.text)
                    .is_none_or(|place| known.places.contains(&place)),
            };
            if !is_known {
                found.worth.importance = found.worth.importance.min(OF_UNKNOWN);
            }
            let operation = json!({
                "op": "add",
                "section": found.worth.section(),
                "text": found.text,
                "importance": found.worth.importance,
                "evidence": [excerpt.label],
            });
            lines.push(operation.to_string());
        }
    }
    if lines.is_empty() {
        return NOTHING_TO_KEEP.to_owned();
    }
    lines.join("\n")
}

/// Names, in lower case, that have to do with the owner.
#[derive(Debug, Default)]
struct Known {
    /// Of people and whatever else.
    names: BTreeSet<String>,
    /// Of those that may be places where the owner lives or has something.
    places: BTreeSet<String>,
}

/// The names, in lower case, of those who are known to belong to the owner: long-term memory holds them, or
/// the owner says whose they are.
fn known_names(excerpts: &[Excerpt]) -> Known {
    let mut found = Known::default();
    for excerpt in excerpts {
        let text = excerpt.message.text();
        if excerpt.label.starts_with('m') {
            let words = text.split(|c: char| !c.is_alphanumeric());
            let names = words.filter(|word| word.starts_with(char::is_uppercase));
            found.names.extend(names.map(str::to_lowercase));
            found.places.extend(fact::places_of_own(&text));
        } else if is_evidence(excerpt) && excerpt.origin == Origin::Owner {
            for sentence in sentences(&text) {
                for clause in clauses(&sentence.text) {
                    let names = fact::names_of_own(clause);
                    let places = fact::places_of_own(clause);
                    let is_own = |place: &String| names.contains(place);
                    found.places.extend(places.into_iter().filter(is_own));
                    found.names.extend(names);
                }
            }
        }
    }
    found
}

/// Whether a person says it: lines of long-term memory stand in the request to be compared with.
fn is_evidence(excerpt: &Excerpt) -> bool {
    let is_person = matches!(excerpt.message, Message::User { .. });
    let is_memory = excerpt.label.starts_with('m');
    is_person && !is_memory && matches!(excerpt.origin, Origin::Owner | Origin::Untrusted)
}

/// What one excerpt holds; `is_play` tells whether the message before it opened a play, and then whether
/// this one does.
fn of_excerpt(excerpt: &Excerpt, said_on: Day, is_play: &mut bool) -> Vec<Found> {
    let text = excerpt.message.text();
    let (was_play, mut opens) = (*is_play, false);
    let is_note_of_another = template::ALL
        .iter()
        .any(|phrase| *phrase != template::WEEK_OF && text.starts_with(phrase));
    *is_play = false;
    if is_note_of_another {
        return Vec::new();
    }
    let mut found: Vec<Found> = Vec::new();
    for sentence in fact::with_antecedents(sentences(&text)) {
        opens |= fact::opens_play(&sentence.text);
        if !matches!(sentence.place, Place::Prose | Place::Item) {
            continue;
        }
        let own = of_sentence(&sentence, said_on).into_iter();
        // Of a play or a story only its rules are meant.
        let is_made_up = was_play || opens || fact::tells_of_story(&sentence.text);
        found.extend(own.filter(|found| !is_made_up || found.worth.is_rule()));
    }
    *is_play = opens && !fact::is_thanks(&text);
    // Only what is plainly a rule is taken from anybody else: the owner is asked about it.
    if excerpt.origin != Origin::Owner {
        found.retain(|found| found.worth.is_rule());
    }
    // Without its secret such a line says nothing, and with it nothing is written.
    found.retain(|found| !base::redact(&found.text).contains("[REDACTED:"));
    found.sort_by_key(|found| std::cmp::Reverse(found.worth.importance));
    found.truncate(OF_ONE_MAX);
    found
}

fn of_sentence(sentence: &Sentence, said_on: Day) -> Vec<Found> {
    let parted = part(&sentence.text);
    let stated = [parted.statement, parted.reason];
    let mut found: Vec<(String, Worth)> = Vec::new();
    for text in stated.into_iter().flatten().flat_map(clauses) {
        let parted = fact::parted(text);
        for own in &parted {
            found.extend(worth(own).map(|worth| (own.clone(), worth)));
        }
        let parts = german_facts(text);
        if !parts.is_empty() {
            found.extend(parts);
        } else if parted.is_empty()
            && let Some(worth) = worth(text)
        {
            let own = self_contained(text, worth);
            found.extend(own.map(|own| (own.to_owned(), worth)));
        }
    }
    // A request says how the owner wants things where one of its clauses is a wish.
    for text in parted.question.into_iter().flat_map(clauses_of) {
        let text = text.trim_end_matches(QUESTION_MARKS);
        if kind::is_wish_in_request(text) && !is_asking(text) {
            let worth = worth(text);
            found.extend(worth.map(|worth| (text.to_owned(), worth)));
        }
    }
    let kept = found.into_iter().map(|(own, worth)| Found {
        text: absolute_for_good(&capital(&own), said_on),
        worth,
    });
    kept.filter(|found| {
        let is_short = found.text.chars().count() <= CHARS_MAX + DATE_CHARS;
        // A bare number, as in `I'm 65`, is wrong in a year.
        let holds_number = found.text.contains(|c: char| c.is_ascii_digit());
        let is_bare = is_bare(&found.text) && (holds_number || !fact::is_lasting(&found.text));
        is_short && !is_bare && !kind::is_fragment(&found.text)
    })
    .collect()
}

/// The facts of a German sentence, where it has several and each is one.
fn german_facts(text: &str) -> Vec<(String, Worth)> {
    let is_german = ["Ich ", "Wir ", "Mein ", "Meine "]
        .iter()
        .any(|own| text.starts_with(own));
    let parts = facts(text);
    if !is_german || parts.len() < 2 {
        return Vec::new();
    }
    let worths = parts
        .into_iter()
        .map(|own| worth(&own).map(|worth| (own, worth)));
    worths.collect::<Option<_>>().unwrap_or_default()
}

/// Who is said to have died, in lower case, where their name alone is told: `Mimi ist gestorben`.
fn german_dead(text: &str) -> Option<String> {
    let (name, rest) = text.split_once(" ist ")?;
    let is_dead = rest.trim_end_matches(['.', '!']).ends_with("gestorben");
    (is_dead && !name.contains(' ')).then(|| name.to_lowercase())
}

/// The part of a statement that says it by itself: all of it where it is short, else the clause with the
/// cue and what follows, with those before it where it points back.
fn self_contained(text: &str, worth: Worth) -> Option<&str> {
    let text = trimmed(without_joint(text));
    if text.chars().count() <= WHOLE_CHARS_MAX {
        return Some(text);
    }
    let parts = Parts::of(text);
    let cued = (0..parts.n_parts()).find(|index| {
        let own = parts.between(*index, *index);
        kind::weight_of(own) >= worth.weight
    })?;
    let (mut first, mut last) = (cued, cued);
    let fits = |first, last| parts.between(first, last).chars().count() <= WHOLE_CHARS_MAX;
    while last + 1 < parts.n_parts() && fits(first, last + 1) {
        last += 1;
    }
    let own = parts.between(cued, cued);
    if kind::points_back(own) || parts.between(first, last).split_whitespace().count() < 4 {
        last = cued;
        while first > 0 && parts.between(first - 1, last).chars().count() <= CHARS_MAX {
            first -= 1;
        }
    }
    Some(parts.between(first, last)).filter(|own| own.chars().count() <= CHARS_MAX)
}

/// A text, cut where its clauses begin.
struct Parts<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(boundaries(text));
        Self { text, starts }
    }

    fn n_parts(&self) -> usize {
        self.starts.len()
    }

    /// The clauses from one to another, without what joins them to others.
    fn between(&self, first: usize, last: usize) -> &'t str {
        let start = self.starts.get(first).copied().unwrap_or(0);
        let end = self.starts.get(last + 1).copied();
        let (head, _) = halves(self.text, end.unwrap_or(self.text.len()));
        trimmed(without_joint(halves(head, start).1))
    }
}

fn clauses_of(text: &str) -> Vec<&str> {
    let parts = Parts::of(text);
    (0..parts.n_parts())
        .map(|index| parts.between(index, index))
        .collect()
}

/// Whether a clause asks, whatever it ends in.
fn is_asking(text: &str) -> bool {
    part(text).statement.is_none()
}

/// Begins with a capital, as a line of a list does.
fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "candidates_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "candidates/everyday_tests.rs"]
mod everyday_tests;

#[cfg(test)]
#[path = "candidates/sure_tests.rs"]
mod sure_tests;
