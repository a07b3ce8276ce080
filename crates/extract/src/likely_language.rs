//! The language of a text, recognised by script, then by stop words, then by cues.
//!
//! Contains no words: they are in the language files.

use base::Script;
use strum::VariantArray;

use crate::language::{Language, default_language, languages};
use crate::language_file::Cue;

/// If a text has this many more stop words and cues of another language, it is not in the expected one.
const CLEAR_SIGNS_MIN: usize = 2;

/// Known words of this weight are not in a text by chance, where a word of one or two letters weighs 1 and any other 2;
/// fewer are enough if they are half of the text.
const KNOWN_WEIGHT_MIN: usize = 3;
const SHORT_CHARS_MAX: usize = 2;

/// Above this percentage of letters, Han or kana decide the language.
const SCRIPT_PERCENT: usize = 20;

/// Detects the language of a text by script, then stop words, then cues; `None` if undecided.
pub(crate) fn language_of(text: &str) -> Option<&'static Language> {
    likeliest(text).into_iter().next()
}

/// The language to reply in: that of the text, or if the text does not tell clearly, that of the first text in `beside`
/// with a language, or else the default one. A language that lacks letters of the text is none of its: a word of Czech
/// may also be one of Spanish.
pub(crate) fn reply_language<'t>(
    text: &str,
    beside: impl IntoIterator<Item = &'t str>,
) -> Option<&'static Language> {
    let likeliest = fitting(text);
    let mut beside = beside.into_iter();
    let beside = beside.find_map(|it| fitting(it).into_iter().next());
    let fits = |it: &&Language| it.has_letters_of(text);
    let expected = beside.filter(fits).or(default_language().filter(fits));
    let own = likeliest.first().copied();
    // A letter alone, such as `y` for yes, is a word of some language.
    let mut signs = text.chars().filter(|it| it.is_alphanumeric());
    let is_letter = signs
        .next()
        .is_none_or(|it| Script::of(it) == Script::Other)
        && signs.next().is_none();
    let is_clear = |own: &Language, expected: &Language| {
        let lead = own.n_signs(text).saturating_sub(expected.n_signs(text));
        let is_tie = likeliest.iter().any(|it| it.code == expected.code);
        !is_tie && !is_letter && (lead >= CLEAR_SIGNS_MIN || own.knows_all(text))
    };
    match (own, expected) {
        (Some(own), Some(expected)) if !is_clear(own, expected) => Some(expected),
        (Some(own), _) if own.is_likely_of(text) => Some(own),
        (_, expected) => expected.or(beside).or_else(default_language),
    }
}

impl Language {
    /// Whether enough words of a text are known in the language, or the text opens as a question or a request does: two
    /// short words of another language often are known by chance.
    fn is_likely_of(&self, text: &str) -> bool {
        let known = self.known_words(text);
        let weight_of = |word: &String| 1 + usize::from(word.chars().count() > SHORT_CHARS_MAX);
        let weight: usize = known.iter().map(weight_of).sum();
        let plain = self.plain(text);
        let openings = [Cue::Question, Cue::Request, Cue::Remember].into_iter();
        let mut openings = openings.flat_map(|cue| self.patterns(cue));
        let opens = openings.any(|it| it.opens && plain.starts_with(&it.text));
        !self.spaced
            || opens
            || weight >= KNOWN_WEIGHT_MIN
            || known.len() * 2 >= base::n_words(text)
    }
}

/// The most likely languages of a text that have all of its letters.
fn fitting(text: &str) -> Vec<&'static Language> {
    let (mut likeliest, text) = (likeliest(text), uncapitalised(text));
    // The script tells a language without spaces.
    likeliest.retain(|it| !it.spaced || it.has_letters_of(&text));
    likeliest
}

/// The words of a text that begin with a small letter: a name may have letters of another language.
fn uncapitalised(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.filter(|it| !it.starts_with(char::is_uppercase));
    words.collect::<Vec<_>>().join(" ")
}

/// The most likely languages of a text, all tied.
fn likeliest(text: &str) -> Vec<&'static Language> {
    let (n_stop, likely) = likely_by_stop_words(text);
    if n_stop > 0 && likely.len() == 1 {
        return likely;
    }
    let (n_cues, likely) = with_most(likely, |language| {
        let plain = language.plain(text);
        let cues = Cue::VARIANTS.iter();
        cues.filter(|cue| language.matches(**cue, &plain)).count()
    });
    if n_stop + n_cues > 0 {
        likely
    } else {
        Vec::new()
    }
}

/// The most likely languages by script and stop words, and the number of stop words found; all languages with spaces if
/// there are none.
pub(crate) fn likely_by_stop_words(text: &str) -> (usize, Vec<&'static Language>) {
    let (mut kana, mut han, mut letters) = (0, 0, 0);
    for character in text.chars().filter(|it| it.is_alphabetic()) {
        letters += 1;
        match Script::of(character) {
            Script::Hiragana | Script::Katakana => kana += 1,
            Script::Han => han += 1,
            Script::Hangul | Script::Other => {}
        }
    }
    if (kana + han) * 100 > letters * SCRIPT_PERCENT {
        let code = if kana > 0 { "ja" } else { "zh" };
        let language = languages().iter().filter(|it| it.code == code);
        return (1, language.collect());
    }
    let spaced = languages().iter().filter(|it| it.spaced).collect();
    with_most(spaced, |language| {
        let plain = language.plain(text);
        let words = plain.split_whitespace();
        words.filter(|word| language.is_stop(word)).count()
    })
}

/// The languages with the highest count, and that count.
fn with_most(
    languages: Vec<&'static Language>,
    count: impl Fn(&Language) -> usize,
) -> (usize, Vec<&'static Language>) {
    let counted = languages.into_iter().map(|it| (count(it), it));
    let counted: Vec<_> = counted.collect();
    let most = counted.iter().map(|(n, _)| *n).max().unwrap_or(0);
    let found = counted.into_iter().filter(|(n, _)| *n == most);
    (most, found.map(|(_, it)| it).collect())
}
