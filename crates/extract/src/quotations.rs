//! Chooses and arranges the passages that answer a question, a stretch of sentences from each.
//!
//! Pure; does not decide what is true: search reports which passage corrects which.

use std::collections::{BTreeMap, BTreeSet};

use base::dates::{ReckonedDate, named_days, reckoned};
use base::{Day, dot, own_words};

use crate::answer::QuotedPassage;
use crate::engine::Extract;
use crate::head::Likelihood;
use crate::language::{Language, Phrases, language_of};
use crate::paragraph::{fold, sentences};
use crate::quoting::{around, dated, marked, quoted};
use crate::signals::asks;
use crate::words::{is_near, stems};

/// Most passages quoted in a reply.
const QUOTED_MAX: usize = 3;

/// Weights of question words in the sentence and in its passage, of semantic similarity, of the likelihood that it is
/// worth a note, and of the rank.
const WORDS_WEIGHT: f32 = 0.7;
const WHOLE_WEIGHT: f32 = 0.4;
const MEANING_WEIGHT: f32 = 2.0;
const TELLING_WEIGHT: f32 = 0.5;
const PLACE_WEIGHT: f32 = 0.4;

/// Factor for passages of the assistant, which may have made them up.
const ASSISTANT_PART: f32 = 0.6;

/// Least score of an answer.
const ANSWER_MIN: f32 = 0.34;

/// The same without any question word: a match by meaning alone must be closer.
const MEANT_ANSWER_MIN: f32 = 0.41;

/// Once there is an answer, other passages are quoted from this share of the least score on.
const BESIDE_PART: f32 = 0.5;

/// Passages below this share of the best score are dropped.
const BEST_PART: f32 = 0.2;

/// A newer passage that shares a question word goes first if it scores at least this share of the older.
const NEWER_PART: f32 = 0.6;

/// Extension of files with messages.
const SESSION_ENDING: &str = ".jsonl";

/// Stem overlap, in percent, from which two passages are about the same subject.
const SAME_MATTER_PERCENT: usize = 30;

/// A quotation from a passage.
#[derive(Debug)]
pub(crate) struct Quotation<'p> {
    text: String,
    /// The text with the days that it means, as a note of it has them.
    dated: String,
    passage: &'p QuotedPassage,
    worth: f32,
    /// Whether it scores as an answer by itself.
    is_answer: bool,
    stems: BTreeSet<String>,
    /// The question's stems that it contains.
    asked: BTreeSet<String>,
    /// Whether a quotation before it says something newer about the same.
    is_older: bool,
}

impl Quotation<'_> {
    /// Its line of a reply: the words as they are in the passage, then their place, their days and what is newer.
    pub(crate) fn line(&self, phrases: &Phrases) -> String {
        let passage = self.passage;
        let (place, day, planned_for) = (&passage.place, passage.day, passage.planned_for);
        let speaker = Some(&phrases.assistant).filter(|_| passage.is_assistants);
        let speaker = speaker.map_or("", String::as_str);
        // The plan may be in a part of the passage that is not quoted.
        let is_quoted = |planned: &Day| {
            day.is_some_and(|said_on| named_days(&self.text, said_on).contains(planned))
        };
        let planned = planned_for.filter(is_quoted);
        let meant = self.meant().into_iter();
        let is_shown = |date: &str| planned.is_some_and(|it| it.to_string() == date);
        let meant = meant.filter(|it| !is_shown(&it.date));
        let meant = meant.map(|it| format!(", {}: {}", it.phrase, it.date));
        let meant: String = meant.collect();
        let planned = planned.map(|planned| {
            let planned = phrases.planned.replace("{day}", &planned.to_string());
            format!(", {planned}")
        });
        let planned = planned.unwrap_or_default();
        let day = day.map(|day| format!(", {day}")).unwrap_or_default();
        let older = Some(&phrases.older).filter(|_| self.is_older);
        let older = older.map(|older| format!(", {older}")).unwrap_or_default();
        let text = marked(&fold(&passage.text), &self.text);
        format!("- {speaker}{text} ({place}{day}{meant}{planned}{older})")
    }

    /// Whether search found it newer than another one about the same subject, and it answers as much of the question.
    fn corrects(&self, older: &Self) -> bool {
        let renewed = self.passage.renews.as_ref();
        renewed.is_some_and(|it| it.overlaps(&older.passage.place))
            && older.asked.is_subset(&self.asked)
    }

    /// The time phrases of the quotation, with their days.
    fn meant(&self) -> Vec<ReckonedDate<'_>> {
        let code = language_of(&self.text).map(|it| it.code.as_str());
        let day = self.passage.day;
        day.map(|day| reckoned(&self.text, day, code))
            .unwrap_or_default()
    }
}

/// The best quotations; a passage that corrects another comes before it, and so does the newer of two about the same
/// subject.
pub(crate) fn quotations<'p>(
    engine: &Extract,
    question: &str,
    passages: &'p [QuotedPassage],
    language: Option<&'static Language>,
) -> Vec<Quotation<'p>> {
    let asked = stems(question, language);
    let weights = StemWeights::of(&asked, passages, language);
    let sentences = passages.iter().map(|it| sentences_of(it, language));
    let sentences: Vec<Vec<String>> = sentences.collect();
    let texts: Vec<&str> = sentences.iter().flatten().map(String::as_str).collect();
    let mut meanings = meanings(engine, question, &texts).into_iter();
    let mut judged = engine.judge(&texts, language).into_iter();
    let mut found: Vec<Quotation<'p>> = Vec::new();
    for (place, (passage, texts)) in passages.iter().zip(&sentences).enumerate() {
        let rank = PLACE_WEIGHT / f32::from(u8::try_from(place + 1).unwrap_or(u8::MAX));
        let whole = weights.shared(&stems(&passage.text, language));
        let is_own = !passage.is_assistants;
        let part = if is_own { 1.0 } else { ASSISTANT_PART };
        let mut best: Option<(f32, f32, usize)> = None;
        for (at, text) in texts.iter().enumerate() {
            let meaning = meanings.next().unwrap_or_default();
            let likely = judged.next();
            let noted = likely.as_ref().map_or(0.0, Likelihood::noted);
            let words = weights.shared(&stems(text, language));
            let near = WORDS_WEIGHT * words + WHOLE_WEIGHT * whole + MEANING_WEIGHT * meaning;
            let near = near * part;
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
        let text = quoted(&around(&fold(&passage.text), texts, at));
        let dated = dated(&text, passage.day);
        let own = stems(&dated, language);
        found.push(Quotation {
            asked: own.intersection(&asked).cloned().collect(),
            stems: own,
            text,
            dated,
            passage,
            worth: worth + rank,
            is_answer: near >= least,
            is_older: false,
        });
    }
    if !found.iter().any(|it| it.is_answer) {
        return Vec::new();
    }
    corrected(arranged(found))
}

/// The quotations, each after those that correct it.
fn corrected(mut kept: Vec<Quotation<'_>>) -> Vec<Quotation<'_>> {
    for at in 1..kept.len() {
        let corrects = |to: &usize| {
            let pair = kept.get(*to).zip(kept.get(at));
            pair.is_some_and(|(older, newer)| newer.corrects(older))
        };
        if let Some(to) = (0..at).find(corrects)
            && let Some(between) = kept.get_mut(to..=at)
        {
            between.rotate_right(1);
        }
    }
    for at in 0..kept.len() {
        let (before, rest) = kept.split_at_mut(at);
        if let Some(older) = rest.first_mut() {
            older.is_older = before.iter().any(|newer| newer.corrects(older));
        }
    }
    kept
}

/// How far the cosine of each text with the question exceeds the mean, at least 0; empty without an embedder.
fn meanings(engine: &Extract, question: &str, texts: &[&str]) -> Vec<f32> {
    let Some(asked) = engine.vectors(&[question]).pop() else {
        return Vec::new();
    };
    let vectors = engine.vectors(texts);
    let near: Vec<f32> = vectors.iter().map(|it| dot(&asked, it)).collect();
    let n = f32::from(u16::try_from(near.len().max(1)).unwrap_or(u16::MAX));
    let mean = near.iter().sum::<f32>() / n;
    near.into_iter().map(|it| (it - mean).max(0.0)).collect()
}

/// The sentences of a passage without the words that ask to remember, and without requests to forget or to undo; for a
/// message of the owner, without text that is only shown, such as a pasted letter.
fn sentences_of(passage: &QuotedPassage, language: Option<&'static Language>) -> Vec<String> {
    let texts = |text: &str| sentences(text).into_iter().map(|it| it.text);
    if passage.is_assistants {
        return texts(&passage.text).collect();
    }
    let language = language_of(&passage.text).or(language);
    let stated = |text: String| {
        let stated = language.filter(|it| it.asks_to_keep(&text));
        let stated = stated.and_then(|it| it.without_request(&text));
        stated.map(str::to_owned).unwrap_or(text)
    };
    let is_told = |text: &String| !language.is_some_and(|it| it.asks_to_take_back(text));
    let told = |text: &str| texts(text).filter(is_told).map(stated).collect();
    if !passage.place.path.ends_with(SESSION_ENDING) {
        return told(&passage.text);
    }
    let own = own_words(&passage.text);
    let lines = passage.text.lines().zip(own.lines());
    let said = lines.filter(|(_, own)| !own.trim().is_empty());
    let said: Vec<&str> = said.map(|(line, _)| line).collect();
    told(&said.join("\n"))
}

/// The best quotations without repetitions; those about the same subject are sorted newest first.
fn arranged(mut found: Vec<Quotation<'_>>) -> Vec<Quotation<'_>> {
    // Answers first, so that other quotations never displace one.
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
            it.dated.contains(&quotation.dated)
                || quotation.dated.contains(&it.dated) && it.passage.day == quotation.passage.day
        });
        match same {
            // A note is an excerpt of what was said: keep the longer text.
            Some(same) if same.dated.len() < quotation.dated.len() => *same = quotation,
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

/// Weight of each stem of a question: lower the more passages contain it.
struct StemWeights(BTreeMap<String, f32>);

impl StemWeights {
    fn of(
        asked: &BTreeSet<String>,
        passages: &[QuotedPassage],
        language: Option<&Language>,
    ) -> Self {
        let held = passages.iter().map(|it| stems(&it.text, language));
        let held: Vec<BTreeSet<String>> = held.collect();
        let weight = |stem: &String| {
            let n = held.iter().filter(|it| it.contains(stem)).count();
            let n = f32::from(u8::try_from(n).unwrap_or(u8::MAX));
            (stem.clone(), 1.0 / (1.0 + n.sqrt()))
        };
        Self(asked.iter().map(weight).collect())
    }

    /// The share of the question's weight that a sentence contains.
    fn shared(&self, stems: &BTreeSet<String>) -> f32 {
        let all: f32 = self.0.values().sum();
        let shared = self.0.iter().filter(|(stem, _)| stems.contains(*stem));
        let shared: f32 = shared.map(|(_, weight)| weight).sum();
        if all > 0.0 { shared / all } else { 0.0 }
    }
}

#[cfg(test)]
#[path = "quotations_tests.rs"]
mod tests;
