//! The words of a clause as its grammar is read: in lower case, contractions taken apart.
//!
//! Knows no grammar itself.

use super::table::BEHIND;

/// A word, and what its spelling tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// The word in lower case; `'s` stands alone.
    pub(super) plain: String,
    /// Whether it is written like a name.
    pub(super) is_name: bool,
    /// Whether it is coined, with capitals inside: `PostgreSQL`.
    pub(super) is_coined: bool,
    /// Whether a comma or another mark follows.
    pub(super) is_end: bool,
}

impl Word {
    /// Whether it has a digit, or is an e-mail address.
    pub(super) fn is_figure(&self) -> bool {
        self.plain
            .contains(|c: char| c.is_ascii_digit() || c == '@')
    }
}

/// Contractions, as they are written with and without their mark.
#[rustfmt::skip]
const CONTRACTIONS: &[(&str, [&str; 2])] = &[
    ("i'm", ["i", "am"]), ("im", ["i", "am"]), ("i've", ["i", "have"]), ("ive", ["i", "have"]),
    ("i'd", ["i", "would"]), ("i'll", ["i", "will"]), ("we're", ["we", "are"]),
    ("we've", ["we", "have"]), ("we'd", ["we", "would"]), ("we'll", ["we", "will"]),
    ("cannot", ["can", "not"]), ("can't", ["can", "not"]), ("cant", ["can", "not"]),
    ("won't", ["will", "not"]), ("wont", ["will", "not"]), ("dont", ["do", "not"]),
    ("doesnt", ["does", "not"]), ("didnt", ["did", "not"]), ("isnt", ["is", "not"]),
    ("wasnt", ["was", "not"]), ("havent", ["have", "not"]), ("gonna", ["going", "to"]),
    ("it's", ["it", "is"]), ("its", ["it", "is"]), ("they're", ["they", "are"]),
    ("he's", ["he", "is"]), ("she's", ["she", "is"]), ("let's", ["let", "us"]),
];

/// The words of a clause, in order.
pub(super) fn words(clause: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for raw in clause.split_whitespace() {
        let inner = raw.trim_matches(|c: char| !c.is_alphanumeric());
        if inner.is_empty() {
            mark_end(&mut found);
            continue;
        }
        let lower = inner.to_lowercase().replace('\u{2019}', "'");
        let is_name = inner.starts_with(char::is_uppercase);
        for plain in parts(&lower) {
            found.push(Word {
                is_name: is_name && plain != "i" && !is_ending(plain),
                is_coined: is_coined(inner),
                plain: plain.to_owned(),
                is_end: false,
            });
        }
        if raw.ends_with([',', ';', ':', '.', '!', '?', ')', '\u{2014}', '\u{2013}']) {
            mark_end(&mut found);
        }
    }
    found
}

fn parts(lower: &str) -> Vec<&str> {
    if let Some((_, both)) = CONTRACTIONS.iter().find(|(own, _)| *own == lower) {
        return both.to_vec();
    }
    if let Some(stem) = lower.strip_suffix("n't") {
        return vec![stem, "not"];
    }
    if let Some(stem) = lower.strip_suffix("'s") {
        return vec![stem, "'s"];
    }
    // `My parents' house`: the mark after a plural was trimmed away with the rest.
    vec![lower]
}

/// Whether capitals stand behind small letters.
fn is_coined(word: &str) -> bool {
    let small = word.find(char::is_lowercase);
    small.is_some_and(|at| {
        word.get(at..)
            .is_some_and(|rest| rest.contains(char::is_uppercase))
    })
}

fn is_ending(plain: &str) -> bool {
    matches!(
        plain,
        "'s" | "am" | "not" | "have" | "would" | "will" | "is" | "us" | "to"
    )
}

fn mark_end(found: &mut [Word]) {
    if let Some(last) = found.last_mut() {
        last.is_end = true;
    }
}

/// The rest of a clause while it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest<'w> {
    words: &'w [Word],
}

impl<'w> Rest<'w> {
    /// All words.
    pub(super) fn new(words: &'w [Word]) -> Self {
        Self { words }
    }

    /// The words that are left.
    pub(super) fn left(self) -> &'w [Word] {
        self.words
    }

    /// The word so many places on; nothing behind the end.
    pub(super) fn at(self, place: usize) -> &'w str {
        self.words.get(place).map_or("", |word| word.plain.as_str())
    }

    /// The next word.
    pub(super) fn next(self) -> &'w str {
        self.at(0)
    }

    /// Whether the next word is written like a name.
    pub(super) fn is_name(self) -> bool {
        self.words.first().is_some_and(|word| word.is_name)
    }

    /// Whether the next word is coined.
    pub(super) fn is_coined(self) -> bool {
        self.words.first().is_some_and(|word| word.is_coined)
    }

    /// Whether nothing follows that belongs to what stood before.
    pub(super) fn is_bound(self) -> bool {
        let is_figure = self.next().starts_with(|c: char| c.is_ascii_digit());
        self.words.is_empty() || self.is_name() || is_figure || BEHIND.contains(&self.next())
    }

    /// What follows so many words.
    pub(super) fn after(self, n_words: usize) -> Self {
        Self {
            words: self.words.get(n_words..).unwrap_or_default(),
        }
    }

    /// What follows words of a list.
    pub(super) fn past(self, list: &[&str]) -> Self {
        let n_words = self
            .words
            .iter()
            .take_while(|word| list.contains(&word.plain.as_str()));
        self.after(n_words.count())
    }

    /// Whether one of the words is on a list.
    pub(super) fn holds(self, list: &[&str]) -> bool {
        self.words
            .iter()
            .any(|word| list.contains(&word.plain.as_str()))
    }

    /// Whether a name, a figure or an e-mail address is among the words.
    pub(super) fn names_something(self) -> bool {
        self.words
            .iter()
            .any(|word| word.is_name || word.is_figure())
    }
}
