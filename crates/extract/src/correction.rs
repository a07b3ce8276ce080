//! What a correction says, and how a line reads with it.
//!
//! Compares words by their place and their form; never decides what they mean.

use base::dates::names_day_or_month;
use base::{only_asks, sentences};

use crate::frame::capitalised;
use crate::language::{Cue, Language, likely_by_stop_words};

/// A correction that the owner asks for.
#[derive(Debug, Clone)]
pub struct AskedCorrection {
    /// What holds instead, as the message words it; empty if it only says that something is wrong.
    pub stated: String,
    /// Whether that says something without the line that it corrects: `it is Graz` does not.
    pub stands_alone: bool,
    language: &'static Language,
}

/// The correction that a message asks for, by such a request or by a denial at its beginning; `None` for any other
/// message, such as one that asks something.
pub fn correction_asked(message: &str) -> Option<AskedCorrection> {
    let first = sentences(message.trim()).into_iter();
    let mut first = first.map(str::trim).filter(|it| !it.is_empty());
    let (first, second) = (first.next()?, first.next());
    let likely = likely_by_stop_words(message).1.into_iter();
    let language = likely.into_iter().find(|it| it.corrects(first))?;
    let mut stated = language.behind_correction(first);
    if stated.is_empty() {
        stated = language.behind_correction(second.unwrap_or_default());
    }
    if only_asks(stated) || language.holds(Cue::Question, stated) {
        return None;
    }
    let points = language.opens(language.patterns(Cue::Anaphora), stated);
    Some(AskedCorrection {
        stands_alone: !points && language.stands_alone(stated) && n_tokens(stated) > 2,
        stated: stated.to_owned(),
        language,
    })
}

fn n_tokens(text: &str) -> usize {
    text.split_whitespace().count()
}

impl AskedCorrection {
    /// A line with the corrected words, if the correction fits it: a whole statement that has most of the words of the
    /// line, in their places, or words that can only take the place of others. The question before, to which the line
    /// answers, names what is not in doubt.
    pub fn applied(&self, line: &str, question: &str) -> Option<String> {
        let (line, stated) = (without_end(line), without_end(&self.stated));
        if self.stands_alone {
            return has_frame_of(stated, line).then(|| capitalised(stated));
        }
        self.spliced(line, (stated, question), ReplacedPlace::Only)
    }

    /// A line with the corrected words, if these may well belong there.
    pub fn suggested(&self, line: &str) -> Option<String> {
        let (line, stated) = (without_end(line), without_end(&self.stated));
        if self.stands_alone {
            return Some(capitalised(stated));
        }
        self.spliced(line, (stated, ""), ReplacedPlace::Last)
    }

    /// The line with each value of the statement in the place of one of its own of that form.
    fn spliced(
        &self,
        line: &str,
        (stated, question): (&str, &str),
        place: ReplacedPlace,
    ) -> Option<String> {
        let values = self.values(stated);
        let own = self.values(line);
        let mut edits: Vec<(usize, &FormedValue<'_>, &str)> = Vec::new();
        if values.is_empty() {
            return None;
        }
        for value in &values {
            let same = |it: &&FormedValue<'_>| it.form == value.form && !it.is_in(question);
            let n_new = values.iter().filter(|it| it.form == value.form).count();
            let before: Vec<&FormedValue<'_>> = own.iter().filter(same).collect();
            let before = match place {
                ReplacedPlace::Only => before.first().filter(|_| before.len() == 1),
                ReplacedPlace::Last => before.last(),
            }?;
            if n_new > 1 || before.text == value.text {
                return None;
            }
            let start = before.text.as_ptr() as usize - line.as_ptr() as usize;
            edits.push((start, before, value.text));
        }
        edits.sort_by_key(|(start, ..)| *start);
        let (mut text, mut end) = (String::new(), 0);
        for (start, before, value) in edits {
            text.push_str(line.get(end..start)?);
            text.push_str(value);
            end = start + before.text.len();
        }
        text.push_str(line.get(end..)?);
        Some(text)
    }

    /// The values of a text: runs of words that are no common ones and have the same form. The first word of a sentence
    /// has a capital anyway.
    fn values<'t>(&self, text: &'t str) -> Vec<FormedValue<'t>> {
        let mut values: Vec<FormedValue<'t>> = Vec::new();
        let mut last: Option<(ValueForm, usize)> = None;
        let is_edge = |it: char| !it.is_alphanumeric();
        for (idx, token) in text.split_whitespace().enumerate() {
            let word = token.trim_matches(is_edge);
            let form = ValueForm::of(word).filter(|form| {
                let is_first = idx == 0 && n_tokens(text) > 1 && *form == ValueForm::Name;
                !is_first && !self.language.is_stop(&word.to_lowercase())
            });
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let end = start + word.len();
            match (form, last) {
                (Some(form), Some((last_form, from))) if form == last_form => {
                    if let Some(value) = values.last_mut() {
                        value.text = text.get(from..end).unwrap_or(word);
                    }
                }
                (Some(form), _) => {
                    values.push(FormedValue { form, text: word });
                    last = Some((form, start));
                }
                (None, _) => last = None,
            }
        }
        values
    }
}

/// Which value of a line is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplacedPlace {
    /// The only one of its form.
    Only,
    /// The last one of its form.
    Last,
}

/// A value in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FormedValue<'t> {
    form: ValueForm,
    text: &'t str,
}

impl FormedValue<'_> {
    /// Whether a text names the value.
    fn is_in(&self, text: &str) -> bool {
        let own: Vec<String> = base::words(self.text).map(str::to_lowercase).collect();
        let all: Vec<String> = base::words(text).map(str::to_lowercase).collect();
        !own.is_empty() && all.windows(own.len()).any(|part| part == own)
    }
}

/// The form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueForm {
    /// It names a weekday or a month.
    Calendar,
    /// It begins with a digit.
    Figure,
    /// It begins with a capital.
    Name,
}

impl ValueForm {
    fn of(word: &str) -> Option<Self> {
        let first = word.chars().next()?;
        if first.is_numeric() {
            Some(Self::Figure)
        } else if names_day_or_month(&word.to_lowercase()) {
            Some(Self::Calendar)
        } else {
            first.is_uppercase().then_some(Self::Name)
        }
    }
}

/// Whether more than half of the words of both texts are the same at their beginnings and ends, and others differ.
fn has_frame_of(stated: &str, line: &str) -> bool {
    let words = |text: &str| -> Vec<String> { base::words(text).map(str::to_lowercase).collect() };
    let (own, other) = (words(stated), words(line));
    let same = |(one, two): &(&String, &String)| one == two;
    let n_start = own.iter().zip(&other).take_while(same).count();
    let rest = own.iter().skip(n_start).rev();
    let n_end = rest
        .zip(other.iter().skip(n_start).rev())
        .take_while(same)
        .count();
    let n_shared = n_start + n_end;
    let differs = own.len() > n_shared && other.len() > n_shared;
    differs && n_shared * 2 > own.len() && n_shared * 2 > other.len()
}

/// A statement without its full stop.
fn without_end(text: &str) -> &str {
    text.trim()
        .trim_end_matches(['.', '!', '\u{3002}'])
        .trim_end()
}

#[cfg(test)]
#[path = "correction_tests.rs"]
mod tests;
