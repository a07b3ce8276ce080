//! The names of languages, in English and in German.
//!
//! Data and one look-up; guesses no language of a text.

/// Each language by its English name in lower case, with its German one.
#[rustfmt::skip]
const TONGUES: &[(&str, &str)] = &[
    ("english", "englisch"), ("german", "deutsch"), ("french", "franz\u{f6}sisch"), ("spanish", "spanisch"),
    ("italian", "italienisch"), ("portuguese", "portugiesisch"), ("dutch", "niederl\u{e4}ndisch"), ("polish", "polnisch"),
    ("czech", "tschechisch"), ("slovak", "slowakisch"), ("slovene", "slowenisch"), ("hungarian", "ungarisch"),
    ("croatian", "kroatisch"), ("serbian", "serbisch"), ("russian", "russisch"), ("ukrainian", "ukrainisch"),
    ("turkish", "t\u{fc}rkisch"), ("arabic", "arabisch"), ("hebrew", "hebr\u{e4}isch"), ("hindi", "hindi"),
    ("chinese", "chinesisch"), ("mandarin", "mandarin"), ("japanese", "japanisch"), ("korean", "koreanisch"),
    ("swedish", "schwedisch"), ("danish", "d\u{e4}nisch"), ("norwegian", "norwegisch"), ("finnish", "finnisch"),
    ("greek", "griechisch"), ("romanian", "rum\u{e4}nisch"),
];

/// The English name of the language that a word in lower case names.
///
/// # Examples
///
/// ```
/// assert_eq!(base::tongue("deutsch"), Some("german"));
/// assert_eq!(base::tongue("graz"), None);
/// ```
pub fn tongue(word: &str) -> Option<&'static str> {
    let found = TONGUES
        .iter()
        .find(|(english, german)| *english == word || *german == word);
    found.map(|(english, _)| *english)
}
