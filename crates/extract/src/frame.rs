//! The frame around a statement: a greeting, a label, a request to remember it, or a reply to the message before.
//!
//! Contains no words: they are in the language files.

use base::dates::is_calendar_word;
use base::n_words;

use crate::language::{Cue, Language};

/// Most words of a greeting or reply with its addressee.
const GREETED_WORDS_MAX: usize = 3;

/// Fewer words have no meaning by themselves.
const TOLD_WORDS_MIN: usize = 3;

/// Most words of a trailing request to remember.
const ASKING_WORDS_MAX: usize = 5;

/// Most words, or characters in languages without spaces, of an opening request to remember.
const REQUEST_WORDS_MAX: usize = 9;
const REQUEST_CHARS_MAX: usize = 14;

/// Fewer words after an opening request are not a statement.
const STATED_WORDS_MIN: usize = 2;

/// Marks that end a greeting or a reply.
const OPENING_ENDS: [char; 9] = [
    ',', '!', ';', '.', '\u{3001}', '\u{ff0c}', '\u{ff01}', '\u{3002}', '\u{ff1b}',
];

/// Marks between a request to remember and its subject.
const REQUEST_MARKS: [char; 2] = [':', '\u{ff1a}'];
const UNSPACED_REQUEST_MARKS: [char; 5] = [':', '\u{ff1a}', ',', '\u{ff0c}', '\u{3001}'];

/// How an opening request to remember ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestEnd {
    /// With a mark such as a colon.
    Mark,
    /// With its last word.
    Word,
}

/// A sentence without its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told<'t> {
    /// The statement itself.
    pub(crate) text: &'t str,
    /// Whether the sentence asks to remember it.
    pub(crate) is_asked_for: bool,
    /// Whether the words that ask were taken off its beginning.
    pub(crate) is_cut: bool,
}

/// Maximum number of requests to correct in a row, as in `no, no, that is wrong: `.
const DENIALS_MAX: usize = 8;

/// Number of joints between a request to forget and what it names: `that`, `everything about`.
const FORGET_JOINTS_MAX: usize = 3;

/// Length limit in bytes of the words that ask to correct or to forget something.
const REQUEST_BYTES_MAX: usize = 200;

impl Language {
    /// A sentence without its frame: `Hi, I live in Graz, please remember` and `Remember that I live in Graz` yield
    /// `I live in Graz`.
    pub(crate) fn told<'t>(&self, sentence: &'t str) -> Told<'t> {
        let asks = self.asks_to_keep(sentence);
        let body = self.behind_greeting(sentence);
        let body = body
            .split_once(REQUEST_MARKS)
            .map_or(body, |(label, rest)| {
                if self.openings(label, |it| self.has_label(it)) {
                    rest.trim_start()
                } else {
                    body
                }
            });
        let is_asking = |tail: &str| n_words(tail) <= ASKING_WORDS_MAX && self.asks_to_keep(tail);
        let marks = [',', ';', '\u{3001}', '\u{ff0c}'];
        let before = body.rsplit_once(marks).filter(|(_, tail)| is_asking(tail));
        if let Some((before, _)) = before.filter(|(before, _)| n_words(before) >= TOLD_WORDS_MIN) {
            return Told {
                text: before,
                is_asked_for: true,
                is_cut: false,
            };
        }
        let stated = asks.then(|| self.without_request(body)).flatten();
        Told {
            text: stated.unwrap_or(body),
            is_asked_for: asks,
            is_cut: stated.is_some(),
        }
    }

    /// The text after a greeting and its addressee, or after a reply such as `no`.
    pub(crate) fn behind_greeting<'t>(&self, text: &'t str) -> &'t str {
        let greeted = text.split_once([',', '!', '\u{3001}', '\u{ff0c}', '\u{ff01}']);
        let behind = greeted.filter(|(greeting, rest)| {
            n_words(greeting) <= GREETED_WORDS_MAX
                && n_words(rest) >= TOLD_WORDS_MIN
                && (self.behind_opening(&self.plain(greeting)).is_some() || self.replies(greeting))
        });
        behind.map_or(text, |(_, rest)| rest.trim_start())
    }

    /// The text after an opening request to remember, if that text stands by itself; `remember that trip to Rome` does
    /// not count.
    pub(crate) fn without_request<'t>(&self, text: &'t str) -> Option<&'t str> {
        let text = text.trim();
        if !self.spaced
            && let Some(stated) = self.before_request(text)
        {
            return Some(stated);
        }
        let marks = if self.spaced {
            REQUEST_MARKS.as_slice()
        } else {
            UNSPACED_REQUEST_MARKS.as_slice()
        };
        let ends = self.ends_of_opening(text).into_iter().rev();
        let parts = ends.filter_map(|at| text.split_at_checked(at));
        let mut parts = parts.filter(|(request, rest)| {
            let is_marked = request.trim_end().ends_with(marks);
            let end = if is_marked {
                RequestEnd::Mark
            } else {
                RequestEnd::Word
            };
            let is_request = self.openings(request, |plain| self.is_request(plain, end));
            is_request && (is_marked || self.begins_statement(rest))
        });
        let (_, rest) = parts.next()?;
        let is_edge = |c: char| c.is_whitespace() || marks.contains(&c);
        let rest = rest.trim_start_matches(is_edge);
        (n_words(rest) >= STATED_WORDS_MIN).then_some(rest)
    }

    /// The same if the request follows the statement.
    fn before_request<'t>(&self, text: &'t str) -> Option<&'t str> {
        let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let requests = self.patterns(Cue::Remember).iter().filter(|it| it.closes);
        let before = requests.filter_map(|it| bare.strip_suffix(it.text.as_str()));
        let stated = before.flat_map(|before| {
            let joints = self.joins.iter();
            joints.filter_map(move |joint| before.strip_suffix(joint.as_str()))
        });
        stated
            .min_by_key(|it| it.len())
            .filter(|it| !it.trim().is_empty())
    }

    /// The positions in a text at which its opening may end.
    fn ends_of_opening(&self, text: &str) -> Vec<usize> {
        let is_end = |c: char| {
            !self.spaced || c.is_whitespace() || self.elides && matches!(c, '\'' | '\u{2019}')
        };
        let ends = text.char_indices().filter(|(_, c)| is_end(*c));
        let n_max = if self.spaced {
            REQUEST_WORDS_MAX
        } else {
            REQUEST_CHARS_MAX
        };
        ends.map(|(at, c)| at + c.len_utf8()).take(n_max).collect()
    }

    /// Whether a plain text is a request to remember and no more than a word that joins the statement to it.
    fn is_request(&self, plain: &str, end: RequestEnd) -> bool {
        let is_marked = end == RequestEnd::Mark;
        let is_joint = |text: &str| self.joins.iter().any(|it| it == text);
        let is_courtesy = |text: &str| {
            let mut courtesies = self.patterns(Cue::Courtesy).iter();
            courtesies.any(|it| it.text.trim() == text)
        };
        let requests = self.patterns(Cue::Remember).iter().filter(|it| it.opens);
        let mut requests = requests.filter_map(|it| Some((it, plain.strip_prefix(&it.text)?)));
        requests.any(|(request, rest)| {
            let rest = rest.trim_matches(|c: char| !c.is_alphanumeric());
            let last = request.text.trim().rsplit(' ').next().unwrap_or_default();
            if rest.is_empty() {
                is_marked || self.spaced && is_joint(last)
            } else {
                is_joint(rest) || is_marked && is_courtesy(rest)
            }
        })
    }

    /// Whether a text begins as a sentence does, where the word that joins it to a request may also point at something:
    /// with a common word, a capital or a figure.
    fn begins_statement(&self, text: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or_default();
        let is_common = self
            .plain(first)
            .split_whitespace()
            .all(|it| self.is_stop(it));
        let is_name = first.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        !self.joint_points || is_common || is_name
    }

    /// Whether a sentence says something without the message that it replies to: `no, it is Graz` does not.
    pub(crate) fn stands_alone(&self, sentence: &str) -> bool {
        let replied = sentence.split_once(OPENING_ENDS);
        let replied = replied.filter(|(reply, _)| self.replies(reply));
        let is_reply = replied.is_some();
        let rest = replied.map_or(sentence, |(_, rest)| rest);
        let is_pointing = self.opens(self.patterns(Cue::Anaphora), rest);
        if self.holds(Cue::First, rest) {
            return true;
        }
        let (n_words, has_figure) = self.telling_words(rest);
        let n_points = n_words + usize::from(has_figure);
        match (is_reply, is_pointing) {
            (true, true) => n_points > 2,
            (true, false) | (false, true) => n_points > 1,
            // A figure or a day alone answers something: `on the 14th`.
            (false, false) => n_words > 0 || !has_figure,
        }
    }

    /// Whether a clause is only a reply: an agreement, a denial or a courtesy.
    pub(crate) fn replies(&self, clause: &str) -> bool {
        let plain = self.plain(clause);
        let is_courtesy = |text: &str| {
            let mut courtesies = self.patterns(Cue::Courtesy).iter();
            courtesies.any(|it| it.text.trim() == text.trim())
        };
        (1..=GREETED_WORDS_MAX).contains(&n_words(clause))
            && (self.openings(clause, |rest| rest.trim().is_empty())
                || is_courtesy(&plain)
                || self.asks_to_correct(clause))
    }

    /// Whether a message asks to correct something, or begins with a denial: `no, we live in Salzburg`.
    pub(crate) fn corrects(&self, message: &str) -> bool {
        let denial = message.split_once(OPENING_ENDS);
        self.asks_to_correct(message) || denial.is_some_and(|(it, _)| self.asks_to_correct(it))
    }

    /// The text after the words that ask to correct something, and after the marks that end them.
    pub(crate) fn behind_correction<'t>(&self, text: &'t str) -> &'t str {
        let mut text = text;
        for _ in 0..DENIALS_MAX {
            match self.behind_request(text, &|it| self.asks_to_correct(it)) {
                None => break,
                Some(rest) => text = rest,
            }
        }
        text
    }

    /// What a message asks to forget, without the words that ask and the full stop; empty if the words that ask are not
    /// at its beginning.
    pub(crate) fn behind_forget<'t>(&self, text: &'t str) -> &'t str {
        let rest = self.behind_request(text, &|it| self.asks_to_forget(it));
        let rest = rest.unwrap_or_default();
        let is_mark = |it: char| !it.is_alphanumeric();
        let mut rest = rest.trim_matches(is_mark);
        for _ in 0..FORGET_JOINTS_MAX {
            let joints = self.joins.iter().chain(&self.remember_clauses);
            let behind = joints.chain(&self.forget_joints).filter_map(|it| {
                let (joint, rest) = rest.split_at_checked(it.len())?;
                let is_word = !self.spaced || rest.is_empty() || rest.starts_with(is_mark);
                (is_word && joint.to_lowercase() == *it).then_some(rest)
            });
            match behind.min_by_key(|it| it.len()) {
                Some(behind) => rest = behind.trim_start_matches(is_mark),
                None => break,
            }
        }
        rest
    }

    /// The text after the words that ask to remember something; `None` if a text does not begin with them.
    pub(crate) fn behind_keep<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.behind_request(text, &|it| self.asks_to_keep(it))
    }

    /// The text after the shortest beginning that asks for something, and after the marks that end it.
    fn behind_request<'t>(&self, text: &'t str, asks: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let is_mark = |it: char| !it.is_alphanumeric();
        let ends = text.char_indices();
        let ends = ends.filter(|(_, it)| !self.spaced || is_mark(*it));
        let ends = ends.map(|(at, _)| at).chain([text.len()]);
        let ends = ends.take_while(|at| *at <= REQUEST_BYTES_MAX);
        let parts = ends.filter_map(|at| text.split_at_checked(at));
        let mut asking = parts.filter(|(it, _)| asks(it));
        let (_, rest) = asking.next()?;
        Some(rest.trim_start_matches(is_mark))
    }

    /// The number of telling words of a text, or of runs of characters in languages without spaces, and whether it also
    /// names a day, time or figure.
    fn telling_words(&self, text: &str) -> (usize, bool) {
        let plain = self.plain(text);
        let words: Vec<String> = if self.spaced {
            let words = plain.split_whitespace();
            let telling = words.filter(|it| !self.is_stop(it) && n_characters(it) > 1);
            telling.map(str::to_owned).collect()
        } else {
            self.telling_runs(&plain)
        };
        let is_figure = |word: &&String| {
            is_calendar_word(word) || word.starts_with(|c: char| c.is_ascii_digit())
        };
        let n_figures = words.iter().filter(is_figure).count();
        (words.len() - n_figures, n_figures > 0)
    }
}

fn n_characters(word: &str) -> usize {
    let is_figure = word.chars().all(char::is_numeric);
    word.chars().count() + usize::from(is_figure)
}

/// A sentence that begins with a capital, if its first word is in lower case.
pub(crate) fn capitalised(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let mut characters = text.chars();
    match characters.next() {
        Some(letter) if !first.contains(char::is_uppercase) => {
            letter.to_uppercase().chain(characters).collect()
        }
        Some(_) | None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
