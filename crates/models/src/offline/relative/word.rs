//! The words of a sentence as those who read it for people need them.
//!
//! Reads no meaning but `in law`.

/// A word as it is written and in lower case, without the mark of whose something is.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) plain: String,
    pub(super) has_capital: bool,
    /// Whether something of theirs follows: `Tom's`.
    pub(super) owns: bool,
}

/// The words of a sentence.
pub(super) fn words(text: &str) -> Vec<Word> {
    let text = text.replace('\u{2019}', "'").replace("-in-law", " in law");
    let mut found: Vec<Word> = Vec::new();
    for raw in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-')) {
        let own = raw.trim_matches(['\'', '-']);
        if own.is_empty() {
            continue;
        }
        let lower = own.to_lowercase();
        let contracted = matches!(lower.as_str(), "it's" | "he's" | "she's" | "that's");
        let stem = lower.strip_suffix("'s").filter(|_| !contracted);
        let owns = stem.is_some() || raw.ends_with("s'");
        found.push(Word {
            plain: stem.unwrap_or(&lower).to_owned(),
            has_capital: own.starts_with(char::is_uppercase),
            owns,
        });
    }
    in_laws_joined(found)
}

/// `Mother in law` is one word.
fn in_laws_joined(words: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::new();
    for word in words {
        let ends = matches!(word.plain.as_str(), "law" | "laws");
        let is_in = joined.last().is_some_and(|last| last.plain == "in");
        if ends && is_in && joined.len() > 1 {
            joined.pop();
            if let Some(of) = joined.last_mut() {
                of.plain.push_str("-in-law");
                of.owns = word.owns;
            }
        } else {
            joined.push(word);
        }
    }
    joined
}
