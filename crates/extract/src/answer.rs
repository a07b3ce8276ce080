//! Answers the owner: quotes what memory holds, says what will be noted, and what it cannot do.
//!
//! Says no word that stands neither in a passage, nor in the message, nor among the phrases of its language.

use std::collections::{BTreeMap, BTreeSet};

use base::model::MemoryReach;
use base::{Day, Locator, TokenCount, dot, head, redact};

use crate::date::absolute;
use crate::engine::Extract;
use crate::evidence::{NOTED_MIN, Reader, SECRET_MARK};
use crate::head::Class;
use crate::language::{Cue, Language, Phrases, default_language, language_of};
use crate::paragraph::{fold, sentences};
use crate::room::Room;
use crate::said::said;
use crate::signals::asks;
use crate::words::{is_near, stems};

/// The most passages that are quoted; whoever wants more can search.
const QUOTED_MAX: usize = 3;

/// The most characters of one quotation.
const QUOTED_CHARS_MAX: usize = 400;

/// What a shared word, nearness in meaning and the place in the results are worth.
const WORDS_WEIGHT: f32 = 1.0;
const MEANING_WEIGHT: f32 = 0.8;
const PLACE_WEIGHT: f32 = 0.25;

/// A passage that is worth less is no answer.
const ANSWER_MIN: f32 = 0.45;

/// One that is worth a smaller part of the best is left out.
const BEST_PART: f32 = 0.6;

/// Two that share so many hundredths of their stems are about the same.
const SAME_MATTER_PERCENT: usize = 30;

/// A message of the owner.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Its words.
    pub text: &'a str,
    /// How much of memory the passages come from.
    pub reach: MemoryReach,
    /// The most that the reply may hold.
    pub room: TokenCount,
}

/// What memory holds about it, the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Its words.
    pub text: String,
    /// Where it stands.
    pub place: Locator,
    /// Its day, where one is known.
    pub day: Option<Day>,
    /// Whether the assistant said it.
    pub is_assistants: bool,
}

/// What the owner wants of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    Asked,
    Requested,
    Stated,
    Greeted,
    Forget,
}

/// The whole reply.
pub(crate) fn answer(engine: &Extract, question: &Question<'_>, passages: &[Passage]) -> String {
    let language = language_of(question.text);
    let Some(phrases) = language.or_else(default_language).map(|it| &it.phrases) else {
        return String::new();
    };
    let intent = intent(engine, question.text, language);
    let quotations = match intent {
        Intent::Asked | Intent::Requested => quotations(engine, question.text, passages, language),
        Intent::Stated | Intent::Greeted | Intent::Forget => Vec::new(),
    };
    if !quotations.is_empty() {
        let lines: Vec<String> = quotations.iter().map(|it| it.line(phrases)).collect();
        return listed(&phrases.found, &lines, question.room);
    }
    match intent {
        Intent::Asked => not_found(question.reach, phrases).to_owned(),
        Intent::Forget => phrases.forget.clone(),
        Intent::Greeted => phrases.hello.clone(),
        Intent::Requested | Intent::Stated => acknowledged(engine, question, intent, phrases),
    }
}

/// A heading and as many lines as there is room for.
fn listed(heading: &str, lines: &[String], room: TokenCount) -> String {
    let mut room = Room::new(room);
    if !room.take(heading) {
        return String::new();
    }
    let fitting: Vec<&str> = lines.iter().map(String::as_str).filter(|it| room.take(it)).collect();
    format!("{heading}\n\n{}\n", fitting.join("\n"))
}

fn intent(engine: &Extract, text: &str, language: Option<&Language>) -> Intent {
    let holds = |cue, text: &str| language.is_some_and(|it| it.holds(cue, text));
    if holds(Cue::Forget, text) {
        return Intent::Forget;
    }
    let said = said(text, language);
    let texts: Vec<&str> = said.sentences.iter().map(|it| it.text.as_str()).collect();
    let judged = engine.judge(&texts, language);
    let is = |class: Class| {
        judged.iter().any(|it| {
            let own = it.of(class);
            Class::ALL.into_iter().all(|other| it.of(other) <= own)
        })
    };
    let is_noted = judged.iter().any(|it| it.noted() >= NOTED_MIN);
    let is_asked = said.sentences.iter().any(|it| it.asks) || !is_noted && is(Class::Question);
    if is_asked {
        Intent::Asked
    } else if is(Class::Request) {
        Intent::Requested
    } else if is_noted || redact(text).contains(SECRET_MARK) || !holds(Cue::Courtesy, text) {
        Intent::Stated
    } else {
        Intent::Greeted
    }
}

/// What is said to what the owner tells or asks for: what will be noted of it, and that a secret will not.
fn acknowledged(engine: &Extract, question: &Question<'_>, intent: Intent, phrases: &Phrases) -> String {
    let redacted = redact(question.text);
    if redacted.contains(SECRET_MARK) && !question.text.contains(SECRET_MARK) {
        let behind = redacted.split(SECRET_MARK).skip(1);
        let mut kinds: Vec<String> = behind
            .filter_map(|rest| rest.split(']').next())
            .map(|kind| kind.replace('-', " "))
            .collect();
        kinds.dedup();
        return phrases.secret.replace("{kinds}", &kinds.join(", "));
    }
    let noted = Reader::new(engine).text(question.text, None).statements;
    let lines: Vec<String> = noted.iter().map(|it| format!("- {}", it.text)).collect();
    let is_request = intent == Intent::Requested;
    match (lines.is_empty(), is_request) {
        (false, true) => listed(&phrases.cannot_noted, &lines, question.room),
        (false, false) => listed(&phrases.noted, &lines, question.room),
        (true, true) => phrases.cannot.clone(),
        (true, false) => phrases.not_noted.clone(),
    }
}

/// A denial that says how far it reaches.
fn not_found(reach: MemoryReach, phrases: &Phrases) -> &str {
    match reach {
        MemoryReach::Whole => &phrases.not_found,
        MemoryReach::Behind => &phrases.not_found_yet,
        MemoryReach::Partial => &phrases.not_found_in_part,
        MemoryReach::Session => &phrases.not_found_here,
    }
}

/// A passage as it is quoted.
#[derive(Debug)]
struct Quotation<'p> {
    text: String,
    passage: &'p Passage,
    worth: f32,
    stems: BTreeSet<String>,
}

impl Quotation<'_> {
    fn line(&self, phrases: &Phrases) -> String {
        let Passage { place, day, is_assistants, .. } = self.passage;
        let speaker = if *is_assistants { phrases.assistant.as_str() } else { "" };
        let day = day.map(|day| format!(", {day}")).unwrap_or_default();
        format!("- {speaker}{} ({place}{day})", self.text)
    }
}

/// The best quotations; of several about the same matter the newest first.
fn quotations<'p>(
    engine: &Extract,
    question: &str,
    passages: &'p [Passage],
    language: Option<&Language>,
) -> Vec<Quotation<'p>> {
    let asked = stems(question, language);
    let weights = Weights::of(&asked, passages, language);
    let vector = engine.vectors(&[question]).pop();
    let mut found: Vec<Quotation<'p>> = Vec::new();
    for (place, passage) in passages.iter().enumerate() {
        let texts = telling(passage);
        let vectors = engine.vectors(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let rank = PLACE_WEIGHT / f32::from(u8::try_from(place + 1).unwrap_or(u8::MAX));
        let worth = |(at, text): (usize, &String)| {
            let words = weights.shared(&stems(text, language_of(text).or(language)));
            let meaning = vector.as_ref().zip(vectors.get(at)).map_or(0.0, |(one, other)| dot(one, other));
            let own = WORDS_WEIGHT * words + MEANING_WEIGHT * meaning.max(0.0);
            (own, at)
        };
        let best = texts.iter().enumerate().map(worth).reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((own, at)) = best.filter(|(own, _)| *own >= ANSWER_MIN) else {
            continue;
        };
        let text = texts.get(at).cloned().unwrap_or_default();
        found.push(Quotation {
            stems: stems(&text, language),
            text: quoted(&text, passage),
            passage,
            worth: own + rank,
        });
    }
    arranged(found)
}

/// The sentences of a passage that tell something.
fn telling(passage: &Passage) -> Vec<String> {
    let found = sentences(&passage.text).into_iter().map(|it| it.text);
    found.filter(|text| !asks(text) || text.chars().count() > QUOTED_CHARS_MAX / 4).collect()
}

fn quoted(text: &str, passage: &Passage) -> String {
    let dated = passage.day.map(|day| absolute(text, day));
    let text = redact(dated.as_deref().unwrap_or(text)).into_owned();
    head(&fold(&text), QUOTED_CHARS_MAX).trim_end().to_owned()
}

/// The best, nothing twice; those about the matter of the best stand by their day.
fn arranged(mut found: Vec<Quotation<'_>>) -> Vec<Quotation<'_>> {
    found.sort_by(|left, right| right.worth.total_cmp(&left.worth));
    let least = found.first().map_or(0.0, |best| best.worth * BEST_PART);
    found.retain(|it| it.worth >= least);
    let mut kept: Vec<Quotation<'_>> = Vec::new();
    for quotation in found {
        let is_known = kept.iter().any(|it| {
            it.text.contains(&quotation.text) || quotation.text.contains(&it.text) && it.passage.day == quotation.passage.day
        });
        if !is_known && kept.len() < QUOTED_MAX {
            kept.push(quotation);
        }
    }
    let is_near = |one: &Quotation<'_>, other: &Quotation<'_>| is_near(&one.stems, &other.stems, SAME_MATTER_PERCENT);
    for at in 1..kept.len() {
        let mut here = at;
        while here > 0 {
            let pair = kept.get(here - 1).zip(kept.get(here));
            let is_newer = pair.is_some_and(|(one, other)| one.passage.day < other.passage.day && is_near(one, other));
            if !is_newer {
                break;
            }
            kept.swap(here - 1, here);
            here -= 1;
        }
    }
    kept
}

/// What each stem of a question is worth: little where many passages hold it.
struct Weights(BTreeMap<String, f32>);

impl Weights {
    fn of(asked: &BTreeSet<String>, passages: &[Passage], language: Option<&Language>) -> Self {
        let held: Vec<BTreeSet<String>> = passages.iter().map(|it| stems(&it.text, language)).collect();
        let weight = |stem: &String| {
            let n = held.iter().filter(|it| it.contains(stem)).count();
            let n = f32::from(u8::try_from(n).unwrap_or(u8::MAX));
            (stem.clone(), 1.0 / (1.0 + n.sqrt()))
        };
        Self(asked.iter().map(weight).collect())
    }

    /// The part of the question's weight that a sentence holds.
    fn shared(&self, stems: &BTreeSet<String>) -> f32 {
        let all: f32 = self.0.values().sum();
        let shared: f32 = self.0.iter().filter(|(stem, _)| stems.contains(*stem)).map(|(_, weight)| weight).sum();
        if all > 0.0 { shared / all } else { 0.0 }
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
