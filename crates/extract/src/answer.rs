//! Answers the owner: quotes memory, and says what will be noted and what the engine cannot do.
//!
//! Uses only words from passages, the message and the phrases of its language.

use std::collections::{BTreeMap, BTreeSet};

use base::dates::{ReckonedDate, named_days, reckoned};
use base::model::{Listing, ListingKind, MemoryReach};
use base::{Day, Locator, TokenCount, dot, n_words, own_words, redact};

use crate::engine::Extract;
use crate::evidence::{EvidenceReader, NOTED_MIN, SECRET_MARK};
use crate::head::{Class, Likelihood};
use crate::language::{Cue, Language, Phrases, language_of, reply_language};
use crate::paragraph::{fold, sentences};
use crate::quoting::{around, dated, quoted};
use crate::room::Room;
use crate::said::said;
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

/// Longer greetings, in words, say something else too.
const GREETING_WORDS_MAX: usize = 3;

/// Least likelihood of a question for a sentence with a question cue, whatever its punctuation.
const QUESTION_MIN: f32 = 0.2;

/// Stem overlap, in percent, from which two passages are about the same subject.
const SAME_MATTER_PERCENT: usize = 30;

/// A message of the owner.
#[derive(Debug, Clone, Copy)]
pub struct OwnerQuestion<'a> {
    /// Its text.
    pub text: &'a str,
    /// The owner's last messages before it: a short message may not tell its language.
    pub earlier: &'a str,
    /// The part of memory that was searched.
    pub reach: MemoryReach,
    /// Most tokens of the reply.
    pub room: TokenCount,
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedAnswer {
    /// Its text.
    pub text: String,
    /// Whether lines were left out for lack of room.
    pub is_cut: bool,
}

/// A passage from memory; callers pass the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotedPassage {
    /// Its text.
    pub text: String,
    /// Its place.
    pub place: Locator,
    /// Its day, if known.
    pub day: Option<Day>,
    /// The past day for which it states a plan.
    pub planned_for: Option<Day>,
    /// Whether the assistant said it.
    pub is_assistants: bool,
}

/// The intent of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    Asked,
    Requested,
    Stated,
    Greeted,
    Forget,
}

impl Extract {
    /// Writes a list from memory under its headings, in the language of the question.
    pub fn listing(&self, question: &OwnerQuestion<'_>, listing: &Listing) -> QuotedAnswer {
        let language = reply_language(question.text, std::iter::once(question.earlier));
        let Some(phrases) = language.and_then(Language::phrases) else {
            return whole(String::new());
        };
        let (heading, nothing) = match listing.kind {
            ListingKind::About => (&phrases.about, &phrases.about_nothing),
            ListingKind::Ahead => (&phrases.ahead, &phrases.ahead_nothing),
        };
        if listing.lines.is_empty() {
            return whole(nothing.clone());
        }
        let mut lines = Vec::new();
        for themed in listing
            .lines
            .chunk_by(|one, next| one.heading == next.heading)
        {
            let theme = themed.first().and_then(|line| line.heading.as_ref());
            lines.extend(
                theme.map(|theme| format!("{}{theme}", if lines.is_empty() { "" } else { "\n" })),
            );
            lines.extend(themed.iter().map(|line| {
                let day = line.day.map(|day| format!(", {day}")).unwrap_or_default();
                format!("- {} ({}{day})", redact(&line.text), line.place)
            }));
        }
        listed(heading, &lines, question.room)
    }

    /// Writes the reply.
    pub fn answer(&self, question: &OwnerQuestion<'_>, passages: &[QuotedPassage]) -> QuotedAnswer {
        let found: Vec<&str> = passages.iter().map(|it| it.text.as_str()).collect();
        let beside = [question.earlier.to_owned(), found.join("\n")];
        let language = reply_language(question.text, beside.iter().map(String::as_str));
        let Some(phrases) = language.and_then(Language::phrases) else {
            return whole(String::new());
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
            Intent::Asked => whole(not_found(question.reach, phrases).to_owned()),
            Intent::Forget => whole(phrases.forget.clone()),
            Intent::Greeted => whole(phrases.hello.clone()),
            Intent::Requested | Intent::Stated => acknowledged(self, question, intent, phrases),
        }
    }
}

/// A heading and the lines that fit.
fn listed(heading: &str, lines: &[String], room: TokenCount) -> QuotedAnswer {
    let mut room = Room::new(room);
    if !room.take(heading) {
        return QuotedAnswer {
            text: String::new(),
            is_cut: true,
        };
    }
    let all = lines.iter().map(String::as_str);
    let fitting: Vec<&str> = all.filter(|it| room.take(it)).collect();
    QuotedAnswer {
        text: format!("{heading}\n\n{}\n", fitting.join("\n")),
        is_cut: fitting.len() < lines.len(),
    }
}

fn whole(text: String) -> QuotedAnswer {
    QuotedAnswer {
        text,
        is_cut: false,
    }
}

fn intent(engine: &Extract, text: &str, language: Option<&Language>) -> Intent {
    let holds = |cue, text: &str| language.is_some_and(|it| it.holds(cue, text));
    if language.is_some_and(|it| it.asks_to_forget(text)) {
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
    let mut sentences = said.sentences.iter().zip(&judged);
    let is_question = sentences.any(|(sentence, likely)| {
        let is_politely_asked_for = holds(Cue::Request, &sentence.text)
            && likely.of(Class::Request) > likely.of(Class::Question);
        let is_worded_as_one =
            holds(Cue::Question, &sentence.text) && likely.of(Class::Question) >= QUESTION_MIN;
        !is_politely_asked_for && (sentence.asks || is_worded_as_one)
    });
    // Only shown text was dropped, yet a request may refer to it.
    let is_asked_for = said.sentences.is_empty() && holds(Cue::Request, text);
    let is_asked = is_question || !is_noted && is(Class::Question);
    // A task for the assistant is a request: it is noted, but the engine cannot do it.
    let mut sentences = said.sentences.iter().zip(&judged);
    let is_task = sentences.any(|(sentence, likely)| {
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

/// Replies to a statement or request: what will be noted, and that secrets will not.
fn acknowledged(
    engine: &Extract,
    question: &OwnerQuestion<'_>,
    intent: Intent,
    phrases: &Phrases,
) -> QuotedAnswer {
    let redacted = redact(question.text);
    if redacted.contains(SECRET_MARK) && !question.text.contains(SECRET_MARK) {
        let behind = redacted.split(SECRET_MARK).skip(1);
        let kinds = behind.filter_map(|rest| rest.split(']').next());
        let mut kinds: Vec<String> = kinds.map(|kind| kind.replace('-', " ")).collect();
        kinds.dedup();
        return whole(phrases.secret.replace("{kinds}", &kinds.join(", ")));
    }
    let noted = EvidenceReader::new(engine).text(question.text, None);
    let lines = noted.statements.iter().map(|it| format!("- {}", it.text));
    let lines: Vec<String> = lines.collect();
    let is_request = intent == Intent::Requested;
    match (lines.is_empty(), is_request) {
        (false, true) => listed(&phrases.cannot_noted, &lines, question.room),
        (false, false) => listed(&phrases.noted, &lines, question.room),
        (true, true) => whole(phrases.cannot.clone()),
        (true, false) => whole(phrases.not_noted.clone()),
    }
}

/// The reply if nothing was found, by the part of memory searched.
fn not_found(reach: MemoryReach, phrases: &Phrases) -> &str {
    match reach {
        MemoryReach::Whole => &phrases.not_found,
        MemoryReach::Behind => &phrases.not_found_yet,
        MemoryReach::Partial => &phrases.not_found_in_part,
        MemoryReach::Session => &phrases.not_found_here,
        MemoryReach::Failed => &phrases.not_searched,
    }
}

/// A quotation from a passage.
#[derive(Debug)]
struct Quotation<'p> {
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
}

impl Quotation<'_> {
    fn line(&self, phrases: &Phrases) -> String {
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
        format!("- {speaker}{} ({place}{day}{meant}{planned})", self.text)
    }

    /// The time phrases of the quotation, with their days.
    fn meant(&self) -> Vec<ReckonedDate<'_>> {
        let code = language_of(&self.text).map(|it| it.code.as_str());
        let day = self.passage.day;
        day.map(|day| reckoned(&self.text, day, code))
            .unwrap_or_default()
    }
}

/// The best quotations; among those about the same subject, the newest first.
fn quotations<'p>(
    engine: &Extract,
    question: &str,
    passages: &'p [QuotedPassage],
    language: Option<&Language>,
) -> Vec<Quotation<'p>> {
    let asked = stems(question, language);
    let weights = StemWeights::of(&asked, passages, language);
    let sentences = passages.iter().map(sentences_of);
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
        });
    }
    if !found.iter().any(|it| it.is_answer) {
        return Vec::new();
    }
    arranged(found)
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

/// The sentences of a passage; for a message of the owner, without text that is only shown, such as a pasted letter.
fn sentences_of(passage: &QuotedPassage) -> Vec<String> {
    let texts = |text: &str| sentences(text).into_iter().map(|it| it.text).collect();
    if passage.is_assistants || !passage.place.path.ends_with(SESSION_ENDING) {
        return texts(&passage.text);
    }
    let own = own_words(&passage.text);
    let lines = passage.text.lines().zip(own.lines());
    let said = lines.filter(|(_, own)| !own.trim().is_empty());
    let said: Vec<&str> = said.map(|(line, _)| line).collect();
    texts(&said.join("\n"))
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
#[path = "answer_tests.rs"]
mod tests;
