//! Answers the owner: quotes memory, and says which statements will be noted and which requests the engine cannot carry
//! out.
//!
//! Uses only words from passages, the message and the phrases of its language.

use base::model::{ListedLine, Listing, ListingKind, MemoryReach};
use base::{Day, Locator, TokenCount, n_words, redact, shell_quoted};

use crate::engine::Extract;
use crate::evidence::{EvidenceReader, NOTED_MIN, SECRET_MARK};
use crate::head::Class;
use crate::language::{Cue, Language, Phrases, reply_language};
use crate::quotations::quotations;
use crate::room::Room;
use crate::said::said;

/// Greetings with more words than this say something else too.
const GREETING_WORDS_MAX: usize = 3;

/// Least likelihood of a question for a sentence with a question cue, whatever its punctuation.
const QUESTION_MIN: f32 = 0.2;

/// A message of the owner.
#[derive(Debug, Clone, Copy)]
pub struct OwnerQuestion<'a> {
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
    pub text: String,
    /// Whether lines were left out for lack of room.
    pub is_cut: bool,
}

/// A passage from memory; callers pass the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotedPassage {
    pub text: String,
    pub place: Locator,
    /// Its day, if known.
    pub day: Option<Day>,
    /// The past day for which it states a plan.
    pub planned_for: Option<Day>,
    /// The place of the older passage that it corrects.
    pub renews: Option<Locator>,
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
    Undo,
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
            ListingKind::Reminder => (&phrases.reminder, &phrases.reminder),
            ListingKind::UnsureReminder => (&phrases.reminder_unsure, &phrases.reminder_unsure),
            ListingKind::EmptyReminder => (&phrases.reminder_empty, &phrases.reminder_empty),
            ListingKind::RefusedReminder => (&phrases.reminder_dropped, &phrases.reminder_dropped),
            ListingKind::Correction => (&phrases.corrected, &phrases.corrected),
            ListingKind::UnsureCorrection => (&phrases.correct_unsure, &phrases.correct),
        };
        if listing.lines.is_empty() {
            return whole(nothing.clone());
        }
        let commands: Vec<String> = listing.lines.iter().filter_map(command).collect();
        if !commands.is_empty() {
            return listed(heading, &commands, question.room);
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
            Intent::Stated | Intent::Greeted | Intent::Forget | Intent::Undo => Vec::new(),
        };
        if !quotations.is_empty() {
            let lines: Vec<String> = quotations.iter().map(|it| it.line(phrases)).collect();
            return listed(&phrases.found, &lines, question.room);
        }
        match intent {
            Intent::Asked => whole(not_found(question.reach, phrases).to_owned()),
            Intent::Forget => whole(forgetting(question.text, language, phrases)),
            Intent::Undo => whole(phrases.undo.clone()),
            Intent::Greeted => whole(phrases.hello.clone()),
            Intent::Requested | Intent::Stated => {
                let said = acknowledged(self, question, intent, phrases);
                if language.is_some_and(|it| it.corrects(question.text)) {
                    return with_command(said, &phrases.correct, question.room);
                }
                said
            }
        }
    }
}

/// A line and the command that does with it what was asked, each in a paragraph of its own, so that the command can be
/// copied whole.
fn command(line: &ListedLine) -> Option<String> {
    let command = line.command.as_ref()?;
    Some(format!(
        "{}: {}\n\n```\n{command}\n```\n",
        line.place,
        redact(&line.text)
    ))
}

/// The command that forgets what a message names.
fn forgetting(message: &str, language: Option<&Language>, phrases: &Phrases) -> String {
    let named = language.map_or("", |it| it.behind_forget(message));
    let named = redact(named).replace('`', "'");
    let named = if named.is_empty() {
        "WORDS".to_owned()
    } else {
        shell_quoted(&named)
    };
    phrases.forget.replace("{words}", &named)
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

/// The answer, and below it the command that does what was asked, if it fits.
fn with_command(answer: QuotedAnswer, command: &str, room: TokenCount) -> QuotedAnswer {
    let text = format!("{}\n\n{command}", answer.text.trim_end());
    if !Room::new(room).take(&text) {
        return answer;
    }
    QuotedAnswer { text, ..answer }
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
    if language.is_some_and(|it| it.asks_to_undo(text)) {
        return Intent::Undo;
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

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
