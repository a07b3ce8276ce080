//! Reads whom a fact of the owner is about.
//!
//! Sees the beginning of a sentence; judges nothing that is said of them.

/// A word as it is written, and in lower case.
#[derive(Debug, Clone)]
pub(super) struct Word {
    plain: String,
    /// Whether it is written with a capital.
    pub(super) is_name: bool,
}

impl Word {
    pub(super) fn plain(&self) -> &str {
        &self.plain
    }

    pub(super) fn has_digit(&self) -> bool {
        self.plain.contains(|c: char| c.is_ascii_digit())
    }
}

/// Contractions taken apart.
const CONTRACTIONS: &[(&str, &str)] = &[
    ("i'm", "i am"),
    ("i've", "i have"),
    ("we're", "we are"),
    ("we've", "we have"),
    ("don't", "do not"),
    ("can't", "can not"),
    ("cannot", "can not"),
];

/// The words of a fact, in order.
pub(super) fn words(fact: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for raw in fact.split_whitespace() {
        let own = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = own.to_lowercase().replace('\u{2019}', "'");
        let apart = CONTRACTIONS.iter().find(|(short, _)| *short == lower);
        let (stem, ending) = match lower.strip_suffix("'s") {
            Some(stem) => (stem, Some("'s")),
            None => (lower.as_str(), None),
        };
        let parts = apart.map_or(stem, |(_, apart)| apart).split(' ');
        for plain in parts.chain(ending).filter(|plain| !plain.is_empty()) {
            found.push(Word {
                plain: plain.to_owned(),
                is_name: own.starts_with(char::is_uppercase),
            });
        }
    }
    found
}

/// Whom a fact is about, with the words behind.
pub(super) enum Subject<'w> {
    /// Whoever says it.
    Speaker(&'w [Word]),
    /// What belongs to them.
    Own(&'w [Word]),
}

/// The subject stands among so many words.
pub(super) const SUBJECT_WORDS: usize = 4;

/// Whom a fact is about; nothing where it is neither whoever says it nor what belongs to them.
pub(super) fn subject(words: &[Word]) -> Option<Subject<'_>> {
    let at = words.iter().take(SUBJECT_WORDS).position(|word| {
        matches!(
            word.plain(),
            "i" | "we" | "ich" | "wir" | "my" | "our" | "mein" | "meine" | "unser" | "unsere"
        )
    })?;
    // `Anna is my wife`: there somebody stands before the verb.
    let is_behind = words.iter().take(at).any(|word| {
        matches!(
            word.plain(),
            "is" | "ist" | "are" | "sind" | "that" | "dass"
        )
    });
    if is_behind {
        return None;
    }
    let rest = words.get(at + 1..).unwrap_or_default();
    if matches!(words.get(at)?.plain(), "i" | "we" | "ich" | "wir") {
        return Some(Subject::Speaker(rest));
    }
    // `My wife and I live in Graz`.
    let and_i = rest.windows(2).position(
        |pair| matches!(pair, [and, own] if matches!(and.plain(), "and" | "und") && matches!(own.plain(), "i" | "ich")),
    );
    Some(match and_i.filter(|at| *at < SUBJECT_WORDS) {
        Some(at) => Subject::Speaker(rest.get(at + 2..).unwrap_or_default()),
        None => Subject::Own(rest),
    })
}
