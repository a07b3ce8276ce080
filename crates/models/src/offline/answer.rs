//! Answers the owner from what memory holds, by quotation alone.
//!
//! Never says a word that stands neither in the recalled passages nor among the template phrases.

use base::model::{Excerpt, MemoryReach, Recalled, Request};
use base::{Block, Message, TokenCount, head};

use super::date::absolute;
use super::question::{is_to_be_forgotten, part};
use super::rank::{Room, Subject, subject};
use super::sentence::{Sentence, sentences};
use super::template;

/// The most passages that are quoted; whoever wants more can search.
const QUOTED_MAX: usize = 4;

/// The most characters of one quotation.
const QUOTED_CHARS_MAX: usize = 400;

/// The most sentences of one passage; two that stand together are understood better than one.
const SENTENCES_MAX: usize = 2;

/// The whole reply to the newest message of the owner.
///
/// The owner's words are the first text of that message, what memory holds about them the excerpts.
pub(super) fn answer(request: &Request) -> String {
    let words = owners_words(&request.messages);
    if is_courtesy(&words) {
        return fitting(template::NOTHING_TO_SAY, request.output_max);
    }
    if is_to_be_forgotten(&words) {
        return fitting(template::FORGET, request.output_max);
    }
    let intent = Intent::of(&words);
    if intent == Intent::Stated {
        return fitting(template::KEPT, request.output_max);
    }
    let quotations = quotations(&request.excerpts, &words, intent);
    let heading = template::FOUND;
    let mut room = Room::new(request.output_max);
    if !room.take(heading) {
        return String::new();
    }
    let bullets: Vec<String> = quotations
        .iter()
        .map(Quotation::line)
        .filter(|line| room.take(line))
        .collect();
    match (bullets.is_empty(), intent) {
        (false, _) => format!("{heading}\n\n{}\n", bullets.join("\n")),
        (true, Intent::Asked) => fitting(not_found(request), request.output_max),
        (true, Intent::Neither | Intent::Stated) => {
            fitting(template::NOTHING_TO_SAY, request.output_max)
        }
    }
}

/// A denial that says how far it reaches.
fn not_found(request: &Request) -> &'static str {
    match request.reach {
        MemoryReach::Whole if !request.excerpts.is_empty() => template::NOT_FOUND_NEAR,
        MemoryReach::Whole => template::NOT_FOUND,
        MemoryReach::Behind => template::NOT_FOUND_YET,
        MemoryReach::Partial => template::NOT_FOUND_IN_PART,
        MemoryReach::Session => template::NOT_FOUND_HERE,
    }
}

/// What the owner wants of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    /// Something is asked, or asked for.
    Asked,
    /// Something is told.
    Stated,
    /// A greeting, or a word or two.
    Neither,
}

/// Words that people say to be polite; a message of them alone is about nothing.
#[rustfmt::skip]
const COURTESIES: &[&str] = &[
    "hello", "hi", "hey", "hiya", "good", "morning", "afternoon", "evening", "night", "day", "bye",
    "goodbye", "thanks", "thank", "thx", "you", "very", "much", "so", "please", "ok", "okay", "yes", "no",
    "yeah", "sure", "great", "nice", "cool", "fine", "again", "welcome", "sorry", "there",
    "hallo", "guten", "morgen", "tag", "abend", "danke", "bitte", "tsch\u{fc}ss", "hola", "gracias",
    "buenos", "d\u{ed}as", "bonjour", "salut", "merci", "ciao", "grazie", "ol\u{e1}", "obrigado", "obrigada",
];

fn is_courtesy(words: &str) -> bool {
    let words = words.to_lowercase();
    let mut words = words.split(|character: char| !character.is_alphanumeric());
    words.all(|word| word.is_empty() || COURTESIES.contains(&word))
}

/// Fewer telling words state nothing.
const STATED_WORDS_MIN: usize = 2;

impl Intent {
    fn of(words: &str) -> Self {
        let found = sentences(words);
        let is_asked = |sentence: &Sentence| part(&sentence.text).question.is_some();
        if found.iter().any(is_asked) {
            Self::Asked
        } else if subject(words).n_words() >= STATED_WORDS_MIN {
            Self::Stated
        } else {
            Self::Neither
        }
    }
}

fn owners_words(messages: &[Message]) -> String {
    let newest = messages
        .iter()
        .rfind(|message| matches!(message, Message::User { .. }));
    let text = newest.and_then(|message| {
        message.content().iter().find_map(|block| match block {
            Block::Text(text) => Some(text.clone()),
            Block::Thinking(_) | Block::Image(_) | Block::ToolCall(_) | Block::Unknown { .. } => {
                None
            }
        })
    });
    text.unwrap_or_default()
}

/// A passage as it is quoted.
struct Quotation<'a> {
    text: String,
    recalled: &'a Recalled,
    is_assistants: bool,
}

impl Quotation<'_> {
    fn line(&self) -> String {
        let speaker = if self.is_assistants {
            template::ASSISTANT
        } else {
            ""
        };
        let Recalled { place, day } = self.recalled;
        let day = day.map(|day| format!(", {day}")).unwrap_or_default();
        format!("- {speaker}{} ({place}{day})", self.text)
    }
}

/// The best quotations, in the order in which memory gave their passages. What shares no word with the
/// question holds no answer, however near its meaning is; a single word is answered by what says more
/// about it.
fn quotations<'a>(excerpts: &'a [Excerpt], words: &str, intent: Intent) -> Vec<Quotation<'a>> {
    let wanted = about(words);
    let mut found: Vec<Quotation<'a>> = Vec::new();
    for excerpt in excerpts {
        let Some(recalled) = &excerpt.recalled else {
            continue;
        };
        let Some(text) = quoted(excerpt, recalled, &wanted) else {
            continue;
        };
        let is_wanted = intent != Intent::Neither || says_more(&text, &wanted);
        if is_wanted && found.iter().all(|other| other.text != text) {
            let is_assistants = matches!(excerpt.message, Message::Assistant(_));
            let quotation = Quotation {
                text,
                recalled,
                is_assistants,
            };
            found.push(quotation);
        }
    }
    found.truncate(QUOTED_MAX);
    found
}

/// The sentences of a passage that say most about what is wanted; `None` where none shares a word with it,
/// or the passage only asks.
fn quoted(excerpt: &Excerpt, recalled: &Recalled, wanted: &Subject) -> Option<String> {
    let text = excerpt.message.text();
    let stated: Vec<Sentence> = sentences(&text)
        .into_iter()
        .filter(|sentence| {
            let parted = part(&sentence.text);
            parted.question.is_none() || parted.statement.is_some()
        })
        .collect();
    let shared = |sentence: &Sentence| about(&sentence.text).n_shared(wanted);
    let best = stated
        .iter()
        .enumerate()
        .max_by_key(|(position, sentence)| (shared(sentence), std::cmp::Reverse(*position)))?;
    let (position, sentence) = best;
    if shared(sentence) == 0 {
        return None;
    }
    let shown: Vec<String> = stated
        .iter()
        .skip(position)
        .take(SENTENCES_MAX)
        .map(|sentence| match recalled.day {
            Some(day) => absolute(&sentence.text, day),
            None => sentence.text.clone(),
        })
        .collect();
    let shown = shown.join(" ");
    let cut = head(&shown, QUOTED_CHARS_MAX);
    if cut.len() == shown.len() {
        return Some(shown);
    }
    // Never half a word.
    let whole = cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole);
    Some(whole.to_owned())
}

/// Whether a text says anything beside what is wanted.
fn says_more(text: &str, wanted: &Subject) -> bool {
    let said = about(text);
    said.n_words() > said.n_shared(wanted)
}

/// What a text is about; what belongs to somebody is about them.
fn about(text: &str) -> Subject {
    subject(&text.replace("'s", " ").replace("\u{2019}s", " "))
}

/// The phrase, where there is room for it.
fn fitting(phrase: &str, room: TokenCount) -> String {
    if Room::new(room).take(phrase) {
        phrase.to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
