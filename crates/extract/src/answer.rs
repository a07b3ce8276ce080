//! Answers the owner: quotes what memory holds, says what will be noted, and what it cannot do.
//!
//! Says no word that stands neither in a passage, nor in the message, nor among the phrases of its language.

use std::collections::{BTreeMap, BTreeSet};

use base::dates::{named_days, with_dates};
use base::model::MemoryReach;
use base::{Day, Locator, TokenCount, dot, head, n_words, redact};

use crate::engine::Extract;
use crate::evidence::{NOTED_MIN, Reader, SECRET_MARK};
use crate::head::{Class, Likelihood};
use crate::language::{Cue, Language, Phrases, default_language, language_beside, language_of};
use crate::paragraph::{fold, sentences};
use crate::room::Room;
use crate::said::{own_words, said};
use crate::signals::asks;
use crate::words::{is_near, stems};

/// The most passages that are quoted; whoever wants more can search.
const QUOTED_MAX: usize = 3;

/// The most characters of one quotation.
const QUOTED_CHARS_MAX: usize = 400;

/// What words of the question in a sentence and in its passage are worth, nearness in meaning, that it tells
/// something, and its place in the results.
const WORDS_WEIGHT: f32 = 0.7;
const WHOLE_WEIGHT: f32 = 0.4;
const MEANING_WEIGHT: f32 = 2.0;
const TELLING_WEIGHT: f32 = 0.5;
const PLACE_WEIGHT: f32 = 0.4;

/// The part of its worth that a passage of the assistant has: what it said, it may have made up.
const ASSISTANT_PART: f32 = 0.6;

/// A passage that is worth less is no answer.
const ANSWER_MIN: f32 = 0.34;

/// The same for one that holds no word of the question: what is only near in meaning has to be nearer.
const MEANT_ANSWER_MIN: f32 = 0.41;

/// Where one is an answer, others are quoted beside it that reach this part of what an answer must be worth.
const BESIDE_PART: f32 = 0.5;

/// One that is worth a smaller part of the best is left out.
const BEST_PART: f32 = 0.2;

/// One that holds the same words of the question and is worth this part of another stands before it where it is newer.
const NEWER_PART: f32 = 0.6;

/// How the names of files end that hold messages.
const SESSION_ENDING: &str = ".jsonl";

/// A longer greeting says something besides.
const GREETING_WORDS_MAX: usize = 3;

/// A sentence with a cue of a question that is as likely one is one, whatever mark it ends in.
const QUESTION_MIN: f32 = 0.2;

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
    /// The day for which it plans something, where that has passed.
    pub planned_for: Option<Day>,
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

impl Extract {
    /// The whole reply.
    pub fn answer(&self, question: &Question<'_>, passages: &[Passage]) -> String {
        let beside = passages.first().map_or("", |it| it.text.as_str());
        let language = language_beside(question.text, beside).or_else(default_language);
        let Some(phrases) = language.and_then(Language::phrases) else {
            return String::new();
        };
        let intent = intent(self, question.text, language);
        let quotations = match intent {
            Intent::Asked | Intent::Requested => {
                quotations(self, question.text, passages, language)
            }
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
            Intent::Requested | Intent::Stated => acknowledged(self, question, intent, phrases),
        }
    }
}

/// A heading and as many lines as there is room for.
fn listed(heading: &str, lines: &[String], room: TokenCount) -> String {
    let mut room = Room::new(room);
    if !room.take(heading) {
        return String::new();
    }
    let fitting: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|it| room.take(it))
        .collect();
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
            Class::ALL.iter().all(|other| it.of(*other) <= own)
        })
    };
    let is_noted = judged.iter().any(|it| it.noted() >= NOTED_MIN);
    let is_question = said
        .sentences
        .iter()
        .zip(&judged)
        .any(|(sentence, likely)| {
            let is_politely_asked_for = holds(Cue::Request, &sentence.text)
                && likely.of(Class::Request) > likely.of(Class::Question);
            let is_worded_as_one =
                holds(Cue::Question, &sentence.text) && likely.of(Class::Question) >= QUESTION_MIN;
            !is_politely_asked_for && (sentence.asks || is_worded_as_one)
        });
    // What is only shown says nothing, and may stand behind what is asked for.
    let is_asked_for = said.sentences.is_empty() && holds(Cue::Request, text);
    let is_asked = is_question || !is_noted && is(Class::Question);
    // A task that the assistant should see to is noted, and it cannot do it.
    let is_task = said
        .sentences
        .iter()
        .zip(&judged)
        .any(|(sentence, likely)| {
            likely.best_noted() == Class::Task && holds(Cue::Request, &sentence.text)
        });
    let is_greeting = n_words(text) <= GREETING_WORDS_MAX && holds(Cue::Courtesy, text);
    if is_greeting && !is_question {
        Intent::Greeted
    } else if is_asked {
        Intent::Asked
    } else if is_task || is_asked_for || is(Class::Request) {
        Intent::Requested
    } else if is_noted || redact(text).contains(SECRET_MARK) || !holds(Cue::Courtesy, text) {
        Intent::Stated
    } else {
        Intent::Greeted
    }
}

/// What is said to what the owner tells or asks for: what will be noted of it, and that a secret will not.
fn acknowledged(
    engine: &Extract,
    question: &Question<'_>,
    intent: Intent,
    phrases: &Phrases,
) -> String {
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
        MemoryReach::Failed => &phrases.not_searched,
    }
}

/// A passage as it is quoted.
#[derive(Debug)]
struct Quotation<'p> {
    text: String,
    passage: &'p Passage,
    worth: f32,
    /// Whether it is an answer by itself.
    is_answer: bool,
    stems: BTreeSet<String>,
    /// The stems of the question that it holds.
    asked: BTreeSet<String>,
}

impl Quotation<'_> {
    fn line(&self, phrases: &Phrases) -> String {
        let Passage {
            place,
            day,
            planned_for,
            is_assistants,
            ..
        } = self.passage;
        let speaker = if *is_assistants {
            phrases.assistant.as_str()
        } else {
            ""
        };
        // The passage may say more than is quoted.
        let is_quoted = |planned: &Day| {
            day.is_some_and(|said_on| named_days(&self.text, said_on).contains(planned))
        };
        let planned = planned_for.filter(is_quoted).map(|planned| {
            let planned = phrases.planned.replace("{day}", &planned.to_string());
            format!(", {planned}")
        });
        let planned = planned.unwrap_or_default();
        let day = day.map(|day| format!(", {day}")).unwrap_or_default();
        format!("- {speaker}{} ({place}{day}{planned})", self.text)
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
    let sentences: Vec<Vec<String>> = passages
        .iter()
        .map(|it| sentences_of(it, language))
        .collect();
    let texts: Vec<&str> = sentences.iter().flatten().map(String::as_str).collect();
    let mut meanings = meanings(engine, question, &texts).into_iter();
    let mut judged = engine.judge(&texts, language).into_iter();
    let mut found: Vec<Quotation<'p>> = Vec::new();
    for (place, (passage, texts)) in passages.iter().zip(&sentences).enumerate() {
        let rank = PLACE_WEIGHT / f32::from(u8::try_from(place + 1).unwrap_or(u8::MAX));
        let whole = weights.shared(&stems(&passage.text, language));
        let mut best: Option<(f32, f32, usize)> = None;
        for (at, text) in texts.iter().enumerate() {
            let meaning = meanings.next().unwrap_or_default();
            let likely = judged.next();
            let noted = likely.as_ref().map_or(0.0, Likelihood::noted);
            let words = weights.shared(&stems(text, language));
            let near = WORDS_WEIGHT * words + WHOLE_WEIGHT * whole + MEANING_WEIGHT * meaning;
            let near = if passage.is_assistants {
                near * ASSISTANT_PART
            } else {
                near
            };
            let worth = near + TELLING_WEIGHT * noted;
            let asks = asks(text) || likely.is_some_and(|it| it.only_asks());
            if !asks && best.is_none_or(|(_, best, _)| worth > best) {
                best = Some((near, worth, at));
            }
        }
        let least = if whole > 0.0 {
            ANSWER_MIN
        } else {
            MEANT_ANSWER_MIN
        };
        let Some((near, worth, at)) = best.filter(|(near, ..)| *near >= least * BESIDE_PART) else {
            continue;
        };
        let text = around(texts, at);
        let own = stems(&text, language);
        found.push(Quotation {
            asked: own.intersection(&asked).cloned().collect(),
            stems: own,
            text: quoted(&text, passage),
            passage,
            worth: worth + rank,
            is_answer: near >= least,
        });
    }
    if !found.iter().any(|it| it.is_answer) {
        return Vec::new();
    }
    arranged(found)
}

/// How much nearer in meaning than the others each text is to a question; nothing where there is no embedder.
fn meanings(engine: &Extract, question: &str, texts: &[&str]) -> Vec<f32> {
    let Some(asked) = engine.vectors(&[question]).pop() else {
        return Vec::new();
    };
    let near: Vec<f32> = engine
        .vectors(texts)
        .iter()
        .map(|it| dot(&asked, it))
        .collect();
    let n = f32::from(u16::try_from(near.len().max(1)).unwrap_or(u16::MAX));
    let mean = near.iter().sum::<f32>() / n;
    near.into_iter().map(|it| (it - mean).max(0.0)).collect()
}

/// What a passage says; of a message of the owner no line that is only shown, such as those of a letter.
fn sentences_of(passage: &Passage, language: Option<&Language>) -> Vec<String> {
    let texts = |text: &str| sentences(text).into_iter().map(|it| it.text).collect();
    if passage.is_assistants || !passage.place.path.ends_with(SESSION_ENDING) {
        return texts(&passage.text);
    }
    let own = own_words(&passage.text, language);
    let lines = passage.text.lines().zip(own.lines());
    let said = lines.filter(|(_, own)| !own.trim().is_empty());
    let said: Vec<&str> = said.map(|(line, _)| line).collect();
    texts(&said.join("\n"))
}

/// A sentence with those around it that there is room for: two that stand together are understood better than one.
fn around(sentences: &[String], at: usize) -> String {
    let (mut first, mut last) = (at, at);
    let joined =
        |first: usize, last: usize| sentences.get(first..=last).unwrap_or_default().join(" ");
    loop {
        let fits = |first, last| joined(first, last).chars().count() <= QUOTED_CHARS_MAX;
        if last + 1 < sentences.len() && fits(first, last + 1) {
            last += 1;
        } else if first > 0 && fits(first - 1, last) {
            first -= 1;
        } else {
            return joined(first, last);
        }
    }
}

fn quoted(text: &str, passage: &Passage) -> String {
    let code = language_of(text).map(|it| it.code.as_str());
    let dated = passage.day.map(|day| with_dates(text, day, code));
    let text = redact(dated.as_deref().unwrap_or(text)).into_owned();
    head(&fold(&text), QUOTED_CHARS_MAX).trim_end().to_owned()
}

/// The best, nothing twice; those about the matter of the best stand by their day.
fn arranged(mut found: Vec<Quotation<'_>>) -> Vec<Quotation<'_>> {
    // What is quoted beside an answer never takes its room.
    let by_worth = |left: &Quotation<'_>, right: &Quotation<'_>| {
        let is_answer = right.is_answer.cmp(&left.is_answer);
        is_answer.then(right.worth.total_cmp(&left.worth))
    };
    found.sort_by(by_worth);
    let best = found.iter().map(|it| it.worth).fold(0.0, f32::max);
    let least = best * BEST_PART;
    found.retain(|it| it.worth >= least);
    let mut kept: Vec<Quotation<'_>> = Vec::new();
    for quotation in found {
        let has_room = kept.len() < QUOTED_MAX;
        let same = kept.iter_mut().find(|it| {
            it.text.contains(&quotation.text)
                || quotation.text.contains(&it.text) && it.passage.day == quotation.passage.day
        });
        match same {
            // A note is a part of what was said: the whole tells more.
            Some(same) if same.text.len() < quotation.text.len() => *same = quotation,
            None if has_room => kept.push(quotation),
            Some(_) | None => {}
        }
    }
    let is_near = |one: &Quotation<'_>, other: &Quotation<'_>| {
        let is_asked = one.asked.intersection(&other.asked).next().is_some();
        let is_close = other.worth >= one.worth * NEWER_PART;
        is_near(&one.stems, &other.stems, SAME_MATTER_PERCENT) || is_asked && is_close
    };
    for at in 1..kept.len() {
        let is_newer = |to: &usize| {
            let pair = kept.get(*to).zip(kept.get(at));
            pair.is_some_and(|(one, other)| {
                one.passage.day < other.passage.day && is_near(one, other)
            })
        };
        if let Some(to) = (0..at).find(is_newer)
            && let Some(between) = kept.get_mut(to..=at)
        {
            between.rotate_right(1);
        }
    }
    kept
}

/// What each stem of a question is worth: little where many passages hold it.
struct Weights(BTreeMap<String, f32>);

impl Weights {
    fn of(asked: &BTreeSet<String>, passages: &[Passage], language: Option<&Language>) -> Self {
        let held: Vec<BTreeSet<String>> = passages
            .iter()
            .map(|it| stems(&it.text, language))
            .collect();
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
        let shared: f32 = self
            .0
            .iter()
            .filter(|(stem, _)| stems.contains(*stem))
            .map(|(_, weight)| weight)
            .sum();
        if all > 0.0 { shared / all } else { 0.0 }
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
