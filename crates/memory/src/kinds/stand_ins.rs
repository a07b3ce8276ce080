//! Which words stand for those that are asked for: a kayak for a boat, a bike for a bicycle, an insurer for insurance.
//!
//! Each word is looked up and cut to its stem once, however often it stands somewhere.

use std::collections::HashMap;

use super::table::{Kinds, Meaning};
use crate::search::stem_of;
use crate::terms::Analyser;

/// What is known of words that are asked for.
pub struct StandIns {
    asked: Vec<Asked>,
    analyser: Analyser,
    known: HashMap<String, Vec<usize>>,
}

impl std::fmt::Debug for StandIns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self.asked.iter().map(|asked| &asked.word);
        f.debug_list().entries(words).finish()
    }
}

/// A word that is asked for.
struct Asked {
    word: String,
    noun: Option<usize>,
    /// Its meanings of which something is a kind.
    classes: Vec<Meaning>,
    stem: Option<String>,
}

impl StandIns {
    /// For these words, in lower case.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut stand_ins = memory::StandIns::of(&["dog".to_owned(), "bicycle".to_owned()]);
    /// assert_eq!(stand_ins.of_word("poodle"), [0]);
    /// assert_eq!(stand_ins.of_word("bike"), [1]);
    /// assert!(stand_ins.of_word("bus").is_empty());
    /// ```
    pub fn of(words: &[String]) -> Self {
        let kinds = Kinds::carried();
        let mut analyser = Analyser::new();
        let asked = words.iter().map(|word| Asked {
            word: word.clone(),
            noun: kinds.and_then(|kinds| kinds.noun(word)),
            classes: kinds.map_or(Vec::new(), |kinds| kinds.classes(word)),
            stem: stem_of(&mut analyser, word),
        });
        Self {
            asked: asked.collect(),
            analyser,
            known: HashMap::new(),
        }
    }

    /// For which of them, by number, a lower-case word stands that is another one.
    pub fn of_word(&mut self, word: &str) -> &[usize] {
        if !self.known.contains_key(word) {
            let found = self.look_up(word);
            self.known.insert(word.to_owned(), found);
        }
        self.known.get(word).map_or(&[], Vec::as_slice)
    }

    fn look_up(&mut self, word: &str) -> Vec<usize> {
        let kinds = Kinds::carried();
        let noun = kinds.and_then(|kinds| kinds.noun(word));
        let found = kinds.zip(noun);
        let above = kinds.map_or(Vec::new(), |kinds| kinds.above(word));
        let meanings = found.map_or(Vec::new(), |(kinds, noun)| kinds.meanings_of(noun));
        let stem = stem_of(&mut self.analyser, word);
        let stands = |asked: &Asked| {
            let is_kind = above.iter().any(|it| asked.classes.contains(it));
            let has_stem = asked.word != word && stem.is_some() && asked.stem == stem;
            let other = asked.noun.filter(|other| Some(*other) != noun);
            let is_called_otherwise = other.zip(kinds).is_some_and(|(other, kinds)| {
                let others = kinds.meanings_of(other);
                meanings.iter().any(|it| others.contains(it))
            });
            has_stem || is_called_otherwise || is_kind
        };
        let all = self.asked.iter().enumerate();
        all.filter(|(_, asked)| stands(asked))
            .map(|(idx, _)| idx)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(asked: &str, word: &str) -> bool {
        let mut stand_ins = StandIns::of(&[asked.to_owned()]);
        !stand_ins.of_word(word).is_empty()
    }

    #[test]
    fn kinds_other_names_and_other_forms_stand_for_a_word() {
        for (asked, word) in [
            ("boat", "kayak"),
            ("bicycle", "bike"),
            ("insurance", "insurer"),
            ("dog", "dogs"),
        ] {
            assert!(stands(asked, word), "{asked} {word}");
        }
    }

    #[test]
    fn the_word_itself_what_it_is_a_kind_of_and_anything_else_do_not() {
        for (asked, word) in [
            ("boat", "boat"),
            ("kayak", "boat"),
            ("bicycle", "bus"),
            ("insurer", "inspection"),
            ("dog", "nonsenseword"),
            ("nonsenseword", "dog"),
        ] {
            assert!(!stands(asked, word), "{asked} {word}");
        }
    }
}
