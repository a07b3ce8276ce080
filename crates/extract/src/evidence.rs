//! Extracts evidence from excerpts: statements and requests of people, tool failures, the last messages.
//!
//! Knows nothing of sections or budgets.

use std::collections::BTreeSet;

use base::dates::{with_dates, with_planned_dates};
use base::model::Excerpt;
use base::{Day, Message, Origin, ToolOutcome, ToolResult, day, n_words};

use crate::call::call;
use crate::engine::Extract;
use crate::head::{Class, Likelihood};
use crate::language::{Cue, Language, language_of};
use crate::paragraph::{fold, is_code, sentences};
use crate::said::{
    NOTE_CHARS_MAX, STATED_WORDS_MIN, SaidSentence, clauses, said, shortened, trimmed,
    without_clauses,
};
use crate::signals::{asks, is_dated};
use crate::words::{is_near, stems};
use crate::worth::{LASTING_MIN, lasting, noted};

/// Least likelihood of a sentence to be worth a note.
pub(crate) const NOTED_MIN: f32 = 0.5;

/// Lines at the end of a failed tool's output that are searched for the cause.
const FAILURE_LINES_MAX: usize = 200;

/// Most statements taken from one message.
const OF_ONE_MAX: usize = 12;

/// How many recent statements are checked for repetition.
const COMPARED_MAX: usize = 400;

/// Stem overlap, in percent, from which two statements are the same.
const SAME_PERCENT: usize = 80;

/// A statement worth keeping.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statement {
    /// Its text, with relative dates made absolute.
    pub(crate) text: String,
    pub(crate) class: Class,
    /// Likelihood that it is worth a note.
    pub(crate) score: f32,
    /// Likelihood that it is a wish, and that it lasts.
    pub(crate) wish: f32,
    pub(crate) lasting: f32,
    /// Whether it is worded as a standing wish and not about the owner: `I have never` is not an instruction.
    pub(crate) is_instruction: bool,
    /// Whether the owner asks to keep it.
    pub(crate) is_asked_for: bool,
    /// The excerpts that state it, in order.
    pub(crate) excerpts: Vec<usize>,
    /// Its sentence index in the first of them.
    pub(crate) position: usize,
    /// Its stems, for comparison.
    pub(crate) stems: BTreeSet<String>,
    /// The sentence with the words that ask to keep it, if its text is without them.
    pub(crate) request: Option<String>,
}

/// What the excerpts of a request contain.
#[derive(Debug, Default)]
pub(crate) struct ExcerptEvidence {
    /// Statements worth keeping, in order.
    pub(crate) statements: Vec<Statement>,
    /// Questions and requests of people, each with its excerpt, in order.
    pub(crate) requests: Vec<(usize, String)>,
    /// The last sentence of the last message of a person, with its excerpt.
    pub(crate) last_message: Option<(usize, String)>,
    /// The gist of the last reply, with its excerpt.
    pub(crate) last_reply: Option<(usize, String)>,
    /// The last tool calls.
    pub(crate) last_tools: Vec<String>,
    /// Whether a reply without tool calls followed the last message of a person.
    pub(crate) is_answered: bool,
    /// The text of the earlier summary.
    pub(crate) earlier: String,
}

/// Reads excerpts in order.
pub(crate) fn read(engine: &Extract, excerpts: &[Excerpt]) -> ExcerptEvidence {
    let mut evidence = ExcerptEvidence::default();
    let mut reader = EvidenceReader::new(engine);
    for (index, excerpt) in excerpts.iter().enumerate() {
        if excerpt.entry.is_none() {
            evidence.earlier.push_str(&excerpt.message.text());
            evidence.earlier.push('\n');
            continue;
        }
        match &excerpt.message {
            Message::User { .. } if excerpt.origin != Origin::System => {
                evidence.person(index, reader.person(excerpt));
            }
            Message::Assistant(_) => evidence.assistant(index, excerpt),
            Message::ToolResult(result) => evidence.failure(index, result, &excerpt.message.text()),
            Message::User { .. } => {}
        }
    }
    evidence.statements = distinct(std::mem::take(&mut evidence.statements));
    evidence
}

/// The content of one message of a person.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// Statements worth keeping.
    pub(crate) statements: Vec<Statement>,
    /// Questions and requests.
    pub(crate) requests: Vec<String>,
    /// All sentences.
    pub(crate) sentences: Vec<String>,
}

/// Reads messages of people in order; keeps the language and role play of the one before.
pub(crate) struct EvidenceReader<'e> {
    engine: &'e Extract,
    language: Option<&'static Language>,
    is_play: bool,
    chars_max: usize,
}

impl<'e> EvidenceReader<'e> {
    /// A reader at the start of a conversation.
    pub(crate) fn new(engine: &'e Extract) -> Self {
        Self {
            engine,
            language: None,
            is_play: false,
            chars_max: NOTE_CHARS_MAX,
        }
    }

    /// The same with statements of at most `chars_max` characters.
    pub(crate) fn within(engine: &'e Extract, chars_max: usize) -> Self {
        Self {
            chars_max,
            ..Self::new(engine)
        }
    }

    /// Reads the next message.
    pub(crate) fn person(&mut self, excerpt: &Excerpt) -> Read {
        let said_on = day(excerpt.at, self.engine.timezone);
        self.text(&excerpt.message.text(), Some(said_on))
    }

    /// Reads a text said on a day; without a day, relative dates stay as they are.
    pub(crate) fn text(&mut self, text: &str, said_on: Option<Day>) -> Read {
        if is_command(text) {
            return Read::default();
        }
        self.language = language_of(text).or(self.language);
        let said = said(text, self.language);
        let is_play = std::mem::replace(&mut self.is_play, said.opens_play) || said.opens_play;
        let sentences_said = said.sentences.iter();
        let kept = sentences_said.map(|it| (it, self.worth_noting(&it.text)));
        let kept: Vec<(&SaidSentence, Option<&str>)> = kept.collect();
        let text_of =
            |(it, kept): &(&'_ SaidSentence, Option<&'_ str>)| kept.unwrap_or(&it.text).to_owned();
        let texts: Vec<String> = kept.iter().map(text_of).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let judged = self.engine.judge(&texts, self.language);
        let mut read = Read::default();
        for (position, (sentence, kept)) in kept.iter().enumerate() {
            let likelihood = judged.get(position);
            let is_kept = !sentence.asks && !is_play && kept.is_some();
            let text = kept.unwrap_or(&sentence.text);
            let part = self.part(text).filter(|_| is_kept);
            let (text, likelihood) = match &part {
                Some((text, likelihood)) => (*text, Some(likelihood)),
                None => (text, likelihood),
            };
            let next = said.sentences.get(position + 1);
            let asks = sentence.is_asked_for
                || next.is_some_and(|it| it.is_asked_for && !self.says_something(&it.text));
            let is_whole = asks || sentence.stands_alone;
            let statement = likelihood
                .filter(|_| is_kept && is_whole)
                .and_then(|likelihood| self.statement((text, said_on, asks), likelihood, position));
            let statement = statement.map(|it| Statement {
                request: sentence.request.clone(),
                ..it
            });
            let is_request = sentence.asks
                || likelihood
                    .is_some_and(|it| it.of(Class::Request) + it.of(Class::Question) >= NOTED_MIN);
            if let Some(statement) = statement {
                read.statements.push(statement);
            } else if is_request && !is_play {
                read.requests.push(shortened(&sentence.text));
            }
            read.sentences.push(shortened(&sentence.text));
        }
        // Only shown text was dropped, yet a request may refer to it.
        let is_asked_for = self.language.is_some_and(|it| it.holds(Cue::Request, text));
        if read.sentences.is_empty() && is_asked_for {
            let first = sentences(text).into_iter().next();
            read.requests.extend(first.map(|it| shortened(&it.text)));
        }
        keep_best(&mut read.statements);
        read
    }

    /// The part of a sentence that a note may repeat: not a request to forget or to undo, and nothing whose only
    /// content is a secret that was taken out.
    fn worth_noting<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        let mut goes_on = false;
        without_clauses(sentence, |clause| {
            let asks = self.language.is_some_and(|it| it.asks_to_take_back(clause));
            // The next clause says what a short request is about: `please forget, that ...`.
            let belongs =
                std::mem::replace(&mut goes_on, asks && n_words(clause) < STATED_WORDS_MIN);
            asks || belongs || only_holds_secret(clause, self.language)
        })
    }

    /// For a sentence that is too long, the adjacent clauses most likely to last; `None` for any other.
    fn part<'t>(&self, sentence: &'t str) -> Option<(&'t str, Likelihood)> {
        if sentence.chars().count() <= self.chars_max {
            return None;
        }
        let places = clauses(sentence);
        let text = |from: usize, to: usize| {
            let ends = places.get(from).zip(places.get(to));
            let text = ends.and_then(|(from, to)| sentence.get(from.0..to.1));
            let text = trimmed(text.unwrap_or_default());
            self.language.map_or(text, |it| it.without_joint(text))
        };
        let texts: Vec<&str> = (0..places.len()).map(|at| text(at, at)).collect();
        let judged = self.engine.judge(&texts, self.language);
        let worth = |at: usize| {
            let likely = judged.get(at);
            likely.map_or(0.0, |it| lasting(it, text(at, at), self.language))
        };
        let fits = |from, to| text(from, to).chars().count() <= self.chars_max;
        let fitting = (0..places.len()).filter(|at| fits(*at, *at));
        let best = fitting.max_by(|left, right| worth(*left).total_cmp(&worth(*right)))?;
        let goes_along = |at: usize| judged.get(at).is_some_and(|it| it.noted() >= NOTED_MIN);
        let (mut from, mut to) = (best, best);
        loop {
            if goes_along(to + 1) && fits(from, to + 1) {
                to += 1;
            } else if from > 0 && goes_along(from - 1) && fits(from - 1, to) {
                from -= 1;
            } else {
                return Some((text(from, to), judged.into_iter().nth(best)?));
            }
        }
    }

    /// Whether a sentence says more than a request to remember: `please remember this` does not.
    pub(crate) fn says_something(&self, text: &str) -> bool {
        says_something(text, self.language)
    }

    fn statement(
        &self,
        (text, said_on, asks): (&str, Option<Day>, bool),
        likelihood: &Likelihood,
        position: usize,
    ) -> Option<Statement> {
        let holds = |cue| self.language.is_some_and(|it| it.holds(cue, text));
        let is_asked_for = asks && !holds(Cue::Once);
        let class = likelihood.best_noted();
        let tells = self.language.is_some_and(|it| it.tells_to(text));
        let is_standing = tells && !holds(Cue::Once) && !holds(Cue::Question);
        let stems = stems(text, self.language);
        let is_sure = is_asked_for && self.says_something(text);
        let score = if is_sure {
            1.0
        } else {
            noted(likelihood, text)
        };
        let lasting = lasting(likelihood, text, self.language);
        let text = shortened(text);
        let code = self.language.map(|it| it.code.as_str());
        let is_kept = score >= NOTED_MIN && !stems.is_empty() && !has_secret(&text);
        // What lasts names the weekday of a habit.
        let is_plan = class == Class::Task && lasting < LASTING_MIN && !is_asked_for;
        let dated = |day| {
            if is_plan {
                with_planned_dates(&text, day, code)
            } else {
                with_dates(&text, day, code)
            }
        };
        is_kept.then(|| Statement {
            text: said_on.map_or_else(|| text.clone(), dated),
            class,
            score,
            wish: likelihood.of(Class::Wish),
            lasting,
            is_instruction: class == Class::Wish && is_standing,
            is_asked_for,
            excerpts: Vec::new(),
            position,
            stems,
            request: None,
        })
    }
}

/// Whether a sentence says more than a request to remember, in this language.
pub(crate) fn says_something(text: &str, language: Option<&Language>) -> bool {
    let frame = [Cue::Remember, Cue::Courtesy];
    let frame = language.map(|it| it.words(&frame)).unwrap_or_default();
    let frame = stems(&frame, language);
    !stems(text, language).is_subset(&frame)
}

/// Whether a message is a chat command such as `/help`; a path is not.
fn is_command(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let name = words.next().and_then(|word| word.strip_prefix('/'));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase());
    name.is_some_and(is_name) && words.next().is_none()
}

/// Prefix of the marker that replaces a secret.
pub(crate) const SECRET_MARK: &str = "[REDACTED:";

/// Whether a text contains a secret that redaction would remove.
fn has_secret(text: &str) -> bool {
    let redacted = base::redact(text);
    redacted.contains(SECRET_MARK) && !text.contains(SECRET_MARK)
}

/// Whether a clause has the mark of a secret, and besides it no figure and no day.
fn only_holds_secret(clause: &str, language: Option<&Language>) -> bool {
    let mut parts = clause.split(SECRET_MARK);
    let before = parts.next().unwrap_or_default();
    let behind = parts.map(|it| it.split_once(']').map_or(it, |(_, rest)| rest));
    let rest = std::iter::once(before).chain(behind).collect::<Vec<&str>>();
    rest.len() > 1
        && !rest
            .iter()
            .any(|it| it.contains(char::is_numeric) || is_dated(it, language))
}

fn keep_best(statements: &mut Vec<Statement>) {
    let mut scores: Vec<f32> = statements.iter().map(|it| it.score).collect();
    scores.sort_by(|left, right| right.total_cmp(left));
    if let Some(least) = scores.get(OF_ONE_MAX).copied() {
        statements.retain(|it| it.score > least);
    }
}

/// Merges repeated statements: the first stays in place and cites all excerpts.
///
/// Statements with different numbers are never merged.
fn distinct(statements: Vec<Statement>) -> Vec<Statement> {
    let mut kept: Vec<Statement> = Vec::new();
    for statement in statements {
        let figures = |it: &Statement| -> Vec<String> {
            let holds = |it: &&String| it.chars().any(char::is_numeric);
            it.stems.iter().filter(holds).cloned().collect()
        };
        let own = figures(&statement);
        let recent = kept.len().saturating_sub(COMPARED_MAX);
        let mut recent = kept.iter_mut().skip(recent);
        let twin = recent
            .find(|it| is_near(&it.stems, &statement.stems, SAME_PERCENT) && figures(it) == own);
        match twin {
            Some(twin) => {
                twin.excerpts.extend(statement.excerpts);
                twin.excerpts.dedup();
                twin.is_asked_for |= statement.is_asked_for;
            }
            None => kept.push(statement),
        }
    }
    kept
}

impl ExcerptEvidence {
    fn person(&mut self, index: usize, read: Read) {
        let place = |mut it: Statement| {
            it.excerpts = vec![index];
            it
        };
        let (statements, requests) = (read.statements, read.requests.into_iter());
        self.statements.extend(statements.into_iter().map(place));
        self.requests.extend(requests.map(|it| (index, it)));
        if let Some(last) = read.sentences.last() {
            self.last_message = Some((index, last.clone()));
        }
        self.last_tools.clear();
        self.is_answered = false;
    }

    fn assistant(&mut self, index: usize, excerpt: &Excerpt) {
        let mut tools: Vec<String> = excerpt.message.tool_calls().map(call).collect();
        tools.dedup();
        self.is_answered = tools.is_empty();
        if !tools.is_empty() {
            self.last_tools = tools;
        }
        let found = sentences(&excerpt.message.text());
        let is_telling = |text: &str| !text.ends_with([':', '?']) && text.chars().count() > 20;
        let gist = found.iter().find(|it| is_telling(&it.text));
        let gist = gist.or(found.first());
        if let Some(gist) = gist {
            self.last_reply = Some((index, shortened(&gist.text)));
        }
    }

    /// Records why a tool failed: the first line that names an error, else the last line.
    fn failure(&mut self, index: usize, result: &ToolResult, text: &str) {
        if result.outcome != ToolOutcome::Failure {
            return;
        }
        let mut lines: Vec<&str> = text.lines().rev().take(FAILURE_LINES_MAX).collect();
        lines.retain(|line| line.chars().any(char::is_alphanumeric) && !is_code(line.trim()));
        let names_error = |line: &&&str| line.to_lowercase().contains("error");
        let Some(line) = lines.iter().rev().find(names_error).or(lines.first()) else {
            return;
        };
        let text = shortened(&fold(&format!("{}: {line}", result.tool_name)));
        let stems = stems(&text, None);
        self.statements.push(Statement {
            text,
            class: Class::Issue,
            score: NOTED_MIN,
            wish: 0.0,
            lasting: 0.0,
            is_instruction: false,
            is_asked_for: false,
            excerpts: vec![index],
            position: 0,
            stems,
            request: None,
        });
    }

    /// The last request if still open; a question is open only until a reply follows.
    pub(crate) fn open_request(&self) -> Option<&(usize, String)> {
        let last = self.requests.last()?;
        let asked_in = self.last_message.as_ref().map_or(0, |(at, _)| *at);
        let is_open = !self.is_answered && last.0 == asked_in || !asks(&last.1);
        is_open.then_some(last)
    }
}
