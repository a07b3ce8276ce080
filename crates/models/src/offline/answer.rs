//! Answers the owner from what memory holds, by quotation alone.
//!
//! Never says a word that stands neither in the recalled passages nor among the template phrases.

use base::model::{Excerpt, MemoryReach, Quote, Recalled, Request, Spelling, Standing};
use base::{Block, Message, TokenCount, facts, head, redact};
use unicode_segmentation::UnicodeSegmentation;

use super::date::absolute;
use super::matter::{is_of_others, matters_asked};
use super::owner::{SECRET_MARK, asks_about_owner, told_about_owner};
use super::question::{is_to_be_forgotten, part};
use super::rank::{Room, Subject};
use super::relative::Relatives;
use super::sentence::{Sentence, fold, sentences};
use super::statement::{is_noted, is_noted_task};
use super::template;
use super::wanted::{Wanted, about};

/// The most passages that are quoted; whoever wants more can search.
const QUOTED_MAX: usize = 4;

/// The most characters of one quotation.
const QUOTED_CHARS_MAX: usize = 400;

/// The most that is told about the owner at once.
const KNOWN_MAX: usize = 100;

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
    if asks_about_owner(&words) {
        return of_owner(request);
    }
    let intent = Intent::of(&words);
    if intent == Intent::Stated {
        return fitting(&acknowledged(&words), request.output_max);
    }
    let words = spelt(&words, &request.spellings);
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
        (true, Intent::Asked) => fitting(not_found(request, &words), request.output_max),
        (true, Intent::Neither | Intent::Stated) => {
            fitting(template::NOTHING_TO_SAY, request.output_max)
        }
    }
}

/// A message with what was taken for words that memory holds nowhere.
fn spelt(words: &str, spellings: &[Spelling]) -> String {
    let meant = |word: &str| {
        let lower = word.to_lowercase();
        let found = spellings.iter().find(|it| it.asked == lower);
        found.map_or_else(|| word.to_owned(), |it| it.meant.clone())
    };
    words.split_word_bounds().map(meant).collect()
}

/// All that is known about the owner, in the order in which it is given, as much as there is room for.
fn of_owner(request: &Request) -> String {
    let mut known: Vec<Subject> = Vec::new();
    let mut room = Room::new(request.output_max);
    let heading = template::KNOWN;
    if !room.take(heading) {
        return String::new();
    }
    let mut bullets: Vec<String> = Vec::new();
    for excerpt in &request.excerpts {
        let Some(recalled) = &excerpt.recalled else {
            continue;
        };
        let text = cut(&dated(&without_mark(&excerpt.message.text()), recalled));
        let own = about(&text);
        if text.is_empty() || own.n_words() > 0 && known.contains(&own) {
            continue;
        }
        known.push(own);
        let quotation = Quotation {
            is_earlier: is_earlier(recalled, &text),
            is_assistants: matches!(excerpt.message, Message::Assistant(_)),
            text,
            recalled,
        };
        let line = quotation.line();
        if bullets.len() < KNOWN_MAX && room.take(&line) {
            bullets.push(line);
        }
    }
    if bullets.is_empty() {
        let phrase = match request.reach {
            MemoryReach::Session => template::NOT_FOUND_HERE,
            MemoryReach::Failed => template::NOT_SEARCHED,
            MemoryReach::Whole | MemoryReach::Behind | MemoryReach::Partial => {
                template::NOTHING_KNOWN
            }
        };
        return fitting(phrase, request.output_max);
    }
    format!("{heading}\n\n{}\n", bullets.join("\n"))
}

/// A line of a note in one line, without what marks it as an item.
fn without_mark(text: &str) -> String {
    let text = fold(text);
    let item = text.strip_prefix(['-', '*', '+']);
    let item = item.filter(|rest| rest.starts_with(' '));
    item.unwrap_or(&text).trim().to_owned()
}

/// What is said to what the owner told; a secret in it is not among what can be quoted.
fn acknowledged(words: &str) -> String {
    let redacted = redact(words);
    let marks = |text: &str| -> Vec<String> {
        let behind = text.split(SECRET_MARK).skip(1);
        let kinds = behind.filter_map(|rest| rest.split(']').next());
        kinds.map(|kind| kind.replace('-', " ")).collect()
    };
    let mut taken = marks(&redacted);
    // The owner may have written of a mark.
    if marks(words) == taken {
        let phrase = if is_noted(words) {
            template::KEPT
        } else {
            template::NOT_NOTED
        };
        return phrase.to_owned();
    }
    taken.dedup();
    let (before, after) = (template::TAKEN_OUT, template::STILL_IN_TRANSCRIPT);
    format!("{before}{}{after}", taken.join(", "))
}

/// A denial that says how far it reaches.
fn not_found(request: &Request, words: &str) -> &'static str {
    match request.reach {
        // Asked in other words than it was told, what is known of the owner is quoted; a word of it says nothing.
        MemoryReach::Whole if !matters_asked(words).is_empty() => template::NOT_FOUND,
        // Of whoever is asked about something may be told, only not this.
        MemoryReach::Whole if !names_nobody(words) => template::NOT_FOUND,
        MemoryReach::Whole if !request.excerpts.is_empty() => template::NOT_FOUND_NEAR,
        MemoryReach::Whole => template::NOT_FOUND,
        MemoryReach::Behind => template::NOT_FOUND_YET,
        MemoryReach::Partial => template::NOT_FOUND_IN_PART,
        MemoryReach::Session => template::NOT_FOUND_HERE,
        MemoryReach::Failed => template::NOT_SEARCHED,
    }
}

/// Whether a question asks about none of the owner's people and animals.
fn names_nobody(words: &str) -> bool {
    Relatives::asked_in(words, std::iter::empty()).is_empty()
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
    "\u{4f60}\u{597d}", "\u{60a8}\u{597d}", "\u{8c22}\u{8c22}", "\u{8b1d}\u{8b1d}", "\u{518d}\u{89c1}",
    "\u{65e9}\u{4e0a}\u{597d}", "\u{3053}\u{3093}\u{306b}\u{3061}\u{306f}", "\u{3042}\u{308a}\u{304c}\u{3068}\u{3046}",
    "\u{c548}\u{b155}\u{d558}\u{c138}\u{c694}", "\u{ac10}\u{c0ac}\u{d569}\u{b2c8}\u{b2e4}",
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
        if is_noted_task(words) {
            Self::Stated
        } else if found.iter().any(is_asked) {
            Self::Asked
        } else if about(words).n_words() >= STATED_WORDS_MIN
            || !told_about_owner(words).is_empty()
            || is_noted(words)
        {
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
    /// Whether a later value of the same thing is quoted before it.
    is_earlier: bool,
}

impl Quotation<'_> {
    fn line(&self) -> String {
        let speaker = if self.is_assistants {
            template::ASSISTANT
        } else {
            ""
        };
        let Recalled { place, day, .. } = self.recalled;
        let day = day.map(|day| format!(", {day}")).unwrap_or_default();
        let earlier = if self.is_earlier {
            template::EARLIER
        } else {
            ""
        };
        format!("- {earlier}{speaker}{} ({place}{day})", self.text)
    }
}

/// The best quotations, in the order in which memory gave their passages. What neither tells what is asked for nor
/// shares a word with the question holds no answer, however near its meaning is, but where it gives a later value
/// of what is quoted; a single word is answered by what says more about it.
fn quotations<'a>(excerpts: &'a [Excerpt], words: &str, intent: Intent) -> Vec<Quotation<'a>> {
    let texts: Vec<String> = excerpts.iter().map(|it| it.message.text()).collect();
    let told = texts.iter().zip(excerpts).map(|(text, excerpt)| {
        let stands_for = excerpt.recalled.as_ref().map(|it| it.stands_for.as_slice());
        (text.as_str(), stands_for.unwrap_or_default())
    });
    let wanted = Wanted::of(words, told);
    let own = |excerpt, recalled| {
        let own = quoted(excerpt, recalled, &wanted);
        own.or_else(|| later_value(recalled, excerpts, &wanted))
    };
    let mut found = distinct(excerpts, (&wanted, intent), own);
    if !wanted.relatives().is_empty() {
        if found.is_empty() {
            let near = |excerpt, recalled| quoted_of_named(excerpt, recalled, &wanted);
            found = distinct(excerpts, (&wanted, intent), near);
        }
        // Of somebody much may be told: what says more than whom it is about comes first.
        let is_met = |it: &Quotation| wanted.is_met_by(&it.text, &it.recalled.stands_for);
        found.sort_by_key(|it| !is_met(it));
    }
    found.truncate(QUOTED_MAX);
    found
}

/// What is quoted of each excerpt, nothing twice.
fn distinct<'a>(
    excerpts: &'a [Excerpt],
    (wanted, intent): (&Wanted, Intent),
    quoted: impl Fn(&'a Excerpt, &'a Recalled) -> Option<Quoted>,
) -> Vec<Quotation<'a>> {
    let mut found: Vec<Quotation<'a>> = Vec::new();
    for excerpt in excerpts {
        let Some(recalled) = &excerpt.recalled else {
            continue;
        };
        let Some(quoted) = quoted(excerpt, recalled) else {
            continue;
        };
        let is_wanted = intent != Intent::Neither || wanted.is_exceeded_by(&quoted.text);
        if is_wanted
            && found
                .iter()
                .all(|other| !says_as_much(&other.text, &quoted.text))
        {
            let is_assistants = matches!(excerpt.message, Message::Assistant(_));
            let is_earlier = is_earlier(recalled, &quoted.answering);
            let quotation = Quotation {
                text: quoted.text,
                recalled,
                is_assistants,
                is_earlier,
            };
            found.push(quotation);
        }
    }
    found
}

/// What is quoted of a passage.
struct Quoted {
    /// Its words as they stand there.
    text: String,
    /// What of them answers, with the subject that it has in the sentence.
    answering: String,
}

impl Quoted {
    fn of(quote: &Quote, recalled: &Recalled) -> Self {
        Self {
            text: cut(&dated(&quote.stands, recalled)),
            answering: dated(&quote.fact, recalled),
        }
    }
}

/// The sentence that gives another value of something that an excerpt answers with, and was said later.
fn later_value(recalled: &Recalled, excerpts: &[Excerpt], wanted: &Wanted) -> Option<Quoted> {
    let renewal = recalled.renewal.as_ref()?;
    let is_quoted = excerpts.iter().any(|excerpt| {
        let other = excerpt.recalled.as_ref();
        let other = other.filter(|other| renewal.renews.contains(&other.place));
        other.is_some_and(|other| {
            let quoted = quoted(excerpt, other, wanted);
            quoted.is_some_and(|quoted| gives_value(other, &quoted.answering))
        })
    });
    is_quoted.then(|| Quoted::of(&renewal.value, recalled))
}

/// Whether what is quoted of an excerpt is a value that was given anew later.
fn is_earlier(recalled: &Recalled, quoted: &str) -> bool {
    let standing = recalled.renewal.as_ref().map(|renewal| renewal.standing);
    standing == Some(Standing::Earlier) && gives_value(recalled, quoted)
}

/// Whether what is quoted of an excerpt gives the value of which another is known.
fn gives_value(recalled: &Recalled, quoted: &str) -> bool {
    let renewal = recalled.renewal.as_ref();
    renewal.is_some_and(|renewal| {
        let value = dated(&renewal.value.fact, recalled);
        quoted.contains(&value) || facts(quoted).contains(&value)
    })
}

/// A sentence with the days that its words name.
fn dated(sentence: &str, recalled: &Recalled) -> String {
    match recalled.day {
        Some(day) => absolute(sentence, day),
        None => sentence.to_owned(),
    }
}

/// The sentences of a passage that say most about what is wanted; `None` where none shares a word with it,
/// or the passage only asks.
fn quoted(excerpt: &Excerpt, recalled: &Recalled, wanted: &Wanted) -> Option<Quoted> {
    let relatives = wanted.relatives();
    let told_of = |sentences: &[&str]| relatives.told_in(sentences, &recalled.stands_for);
    if let Some(tells) = &recalled.tells {
        let is_told = relatives.is_empty() || told_of(&[&tells.stands]).contains(&true);
        return is_told.then(|| Quoted::of(tells, recalled));
    }
    let text = excerpt.message.text();
    let all = sentences(&text);
    let texts: Vec<&str> = all.iter().map(|sentence| sentence.text.as_str()).collect();
    let is_told = told_of(&texts);
    let stated: Vec<&Sentence> = all
        .iter()
        .zip(is_told)
        .filter(|(_, is_told)| relatives.is_empty() || *is_told)
        .map(|(sentence, _)| sentence)
        .filter(|sentence| {
            let parted = part(&sentence.text);
            parted.question.is_none() || parted.statement.is_some()
        })
        .filter(|sentence| {
            !wanted.is_of_owner() || !relatives.is_empty() || !is_of_others(&sentence.text)
        })
        .collect();
    let shared = |sentence: &Sentence| {
        let n_instead = Wanted::n_instead(&sentence.text, &recalled.stands_for);
        wanted.n_shared(&sentence.text) + n_instead + usize::from(relatives.has_matter())
    };
    let best = stated
        .iter()
        .enumerate()
        .max_by_key(|(position, sentence)| (shared(sentence), std::cmp::Reverse(*position)))?;
    let (position, sentence) = best;
    if shared(sentence) == 0 {
        return None;
    }
    let fact = asked_fact(&sentence.text, wanted);
    let first = match &fact {
        Some(fact) => &fact.stands,
        None => &sentence.text,
    };
    let others = stated.iter().skip(position + 1).take(SENTENCES_MAX - 1);
    let others = others.map(|it| it.text.as_str());
    let shown: Vec<String> = [first.as_str()]
        .into_iter()
        .chain(others)
        .map(|text| dated(text, recalled))
        .collect();
    let text = cut(&shown.join(" "));
    let answering = fact.map_or(text.clone(), |fact| dated(&fact.fact, recalled));
    Some(Quoted { text, answering })
}

/// The sentence of a passage that says something of nobody but who is asked about and holds a word of what is asked,
/// where nothing tells that surely.
fn quoted_of_named(excerpt: &Excerpt, recalled: &Recalled, wanted: &Wanted) -> Option<Quoted> {
    let text = excerpt.message.text();
    let all = sentences(&text);
    let texts: Vec<&str> = all.iter().map(|sentence| sentence.text.as_str()).collect();
    let is_alone = wanted.relatives().alone_in(&texts, &recalled.stands_for);
    let mut alone = texts.iter().zip(is_alone).filter(|(_, is_alone)| *is_alone);
    let answers = |text: &str| part(text).question.is_none() && wanted.is_named_by(text);
    let (sentence, _) = alone.find(|(text, _)| answers(text))?;
    let text = cut(&dated(sentence, recalled));
    let answering = text.clone();
    Some(Quoted { text, answering })
}

/// Whether two quotations differ in their last mark at most.
fn says_as_much(left: &str, right: &str) -> bool {
    left.trim_end_matches('.') == right.trim_end_matches('.')
}

/// Of a sentence with several facts the one that says more than any other about what is wanted.
fn asked_fact(sentence: &str, wanted: &Wanted) -> Option<Quote> {
    let all = Quote::all_of(sentence);
    let shared: Vec<usize> = all.iter().map(|own| wanted.n_shared(&own.fact)).collect();
    let most = shared.iter().max().copied().unwrap_or(0);
    let is_alone = shared.iter().filter(|own| **own == most).count() == 1;
    let place = shared.iter().position(|own| *own == most)?;
    let is_split = all.len() > 1;
    all.into_iter().nth(place).filter(|_| is_split && is_alone)
}

/// As much of a text as one quotation holds, never half a word.
fn cut(text: &str) -> String {
    let cut = head(text, QUOTED_CHARS_MAX);
    if cut.len() == text.len() {
        return text.to_owned();
    }
    let whole = cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole);
    whole.to_owned()
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
