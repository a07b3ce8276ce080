//! Unicode normalisation: full-width letters, ligatures, and invisible characters.
//!
//! Independent of words.

use std::borrow::Cow;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The text in NFKC, without default-ignorable characters such as a soft hyphen or zero-width space.
pub(super) fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let is_seen = |character: &char| !ignorable.contains(*character);
    let is_normal = is_nfkc_quick(text.chars()) == IsNormalized::Yes;
    if is_normal && text.chars().all(|character| is_seen(&character)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(is_seen).nfkc().collect())
}
