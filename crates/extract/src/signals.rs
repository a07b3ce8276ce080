//! Features of a sentence: its cues, structure and vector.
//!
//! Applies no weights.

use std::sync::OnceLock;

use base::dates::with_dates;
use base::identifier::{Identifier, IdentifierKind, identifiers};
use base::{Day, EmbedRole, Embedder, QUESTION_MARKS, n_words};
use strum::VariantArray;

use crate::language::{Cue, Language};

/// Names of the structural signals, which follow those of the cues.
const STRUCTURE: [&str; 15] = [
    "asks",
    "exclaims",
    "figure",
    "name",
    "exact",
    "dated",
    "tiny",
    "short",
    "long",
    "quotes",
    "first-figure",
    "first-bare",
    "being-brief",
    "strange",
    "tells-to",
];

/// Most words of a tiny sentence.
const TINY_WORDS_MAX: usize = 3;
/// Most words of a short sentence.
const SHORT_WORDS_MAX: usize = 7;
/// Most words of a sentence that may only say what somebody is or has.
const BRIEF_WORDS_MAX: usize = 5;
/// Fewest words of a long sentence.
const LONG_WORDS_MIN: usize = 20;

/// The names of all signals except those of the vector, in order.
pub(crate) fn signal_names() -> Vec<String> {
    let cues = Cue::VARIANTS.iter().map(<&str>::from);
    cues.chain(STRUCTURE).map(str::to_owned).collect()
}

/// The signals of a sentence, one per name.
pub(crate) fn signals(text: &str, language: Option<&Language>) -> Vec<f32> {
    let plain = language.map(|it| it.plain(text)).unwrap_or_default();
    let holds = |cue| {
        language.is_some_and(|it| {
            if cue == Cue::Remember {
                it.asks_to_keep(text)
            } else {
                it.matches(cue, &plain)
            }
        })
    };
    let mut found: Vec<bool> = Cue::VARIANTS.iter().copied().map(holds).collect();
    let words = n_words(text);
    let is_figure = text.chars().any(char::is_numeric);
    let is_first = holds(Cue::First);
    let is_lasting = !holds(Cue::Moment) && !holds(Cue::Unreal);
    found.extend([
        asks(text),
        text.trim_end().ends_with(['!', '\u{ff01}']),
        is_figure,
        names(text).next().is_some(),
        identifiers(text).iter().any(|it| {
            it.kind.is_exact() && !matches!(it.kind, IdentifierKind::Sum | IdentifierKind::Date)
        }),
        is_dated(text, language),
        words <= TINY_WORDS_MAX,
        words > TINY_WORDS_MAX && words <= SHORT_WORDS_MAX,
        words >= LONG_WORDS_MIN,
        text.contains(['"', '\u{201c}', '\u{201e}', '\u{ab}', '\u{300c}']),
        is_first && is_figure,
        is_first && is_lasting && !is_figure,
        is_lasting && holds(Cue::Being) && words <= BRIEF_WORDS_MAX,
        language.is_none(),
        language.is_some_and(|it| it.tells_to(text)),
    ]);
    let found = found.into_iter();
    found.map(|it| f32::from(u8::from(it))).collect()
}

/// The vectors of some sentences; empty without an embedder.
pub(crate) fn vectors(embedder: Option<&dyn Embedder>, texts: &[&str]) -> Vec<Vec<f32>> {
    let vectors = embedder.and_then(|it| it.embed(EmbedRole::Passage, texts).ok());
    vectors.unwrap_or_default()
}

/// Whether a sentence ends in a question mark.
pub(crate) fn asks(text: &str) -> bool {
    let is_closing = |c: char| c.is_whitespace() || "\"'\u{201d}\u{300d})".contains(c);
    text.trim_end_matches(is_closing).ends_with(QUESTION_MARKS)
}

/// The capitalised words after the first word of a sentence.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let inner = text.split_whitespace().skip(1);
    let bare = inner.map(move |word| word.trim_matches(is_mark));
    bare.filter(|word| {
        let mut characters = word.chars();
        characters.next().is_some_and(char::is_uppercase)
            && characters.next().is_some_and(char::is_lowercase)
    })
}

/// Whether it names a day, as a date or relative to today.
pub(crate) fn is_dated(text: &str, language: Option<&Language>) -> bool {
    static SOME_DAY: OnceLock<Option<Day>> = OnceLock::new();
    let code = language.map(|it| it.code.as_str());
    let day = SOME_DAY.get_or_init(|| "2026-01-07".parse().ok());
    let is_date = |it: &Identifier<'_>| it.kind == IdentifierKind::Date;
    identifiers(text).iter().any(is_date)
        || day.is_some_and(|day| with_dates(text, day, code) != text)
}
