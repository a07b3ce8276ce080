//! Synthetic notes and questions made of real words, some common and some from one topic.
//!
//! Contains no real text. Deterministic, because the seed is fixed.

use std::collections::BTreeSet;

use base::{Embedder, WordVectors};
use models::BundledEmbedder;

use crate::Result;

#[derive(Debug)]
pub(crate) struct MadeUp {
    common: Vec<String>,
    topics: Vec<Vec<String>>,
    state: u64,
}

/// The number of passages in a section. All of them share a topic.
pub(crate) const SECTION_PASSAGES: usize = 20;

const COMMON_SEED: &str = "thing";
const COMMON: usize = 4_000;
const TOPICS: usize = 1_000;
const TOPIC_WORDS: usize = 150;

/// The longest function word, in bytes. Questions contain no words up to this length.
const SMALL_WORD_BYTES_MAX: usize = 4;

/// Bounds on the number of random words in a passage, which is one or two sentences long. Fixed words around them set
/// the language.
const WORDS_MIN: usize = 8;
const WORDS_MAX: usize = 24;

/// At most `n_max` words around a seed: its nearest words, the nearest words of these, and so on.
fn around(words: &dyn WordVectors, seed: &str, n_max: usize) -> Vec<String> {
    let mut found = vec![seed.to_owned()];
    let mut known = BTreeSet::from([seed.to_owned()]);
    let mut at = 0;
    while let Some(word) = found.get(at).filter(|_| found.len() < n_max) {
        let names = words.near(word).into_iter().map(|(name, _)| name);
        // Only ASCII words are kept: the index cuts other scripts into pairs of characters, which would skew the
        // terms.
        let new = names.filter(|name| name.is_ascii() && known.insert(name.clone()));
        let new: Vec<String> = new.collect();
        found.extend(new);
        at += 1;
    }
    found.truncate(n_max);
    found
}

impl MadeUp {
    /// Draws from the vocabulary of the bundled embedder.
    pub(crate) fn new() -> Result<Self> {
        let embedder = BundledEmbedder::new();
        let words = embedder.as_ref().and_then(Embedder::words);
        let made_up = words.and_then(Self::of);
        Ok(made_up.ok_or("the embedder knows no words")?)
    }

    fn of(words: &dyn WordVectors) -> Option<Self> {
        let common = around(words, COMMON_SEED, COMMON);
        let step = common.len().div_ceil(TOPICS).max(1);
        let heads = common.iter().step_by(step);
        let topics: Vec<Vec<String>> = heads.map(|word| around(words, word, TOPIC_WORDS)).collect();
        let are_full = topics.iter().all(|topic| topic.len() == TOPIC_WORDS);
        (common.len() == COMMON && are_full).then_some(Self {
            common,
            topics,
            state: 0x9e37_79b9_7f4a_7c15,
        })
    }

    /// A section with passages about a random topic.
    pub(crate) fn section(&mut self) -> MadeUpSection {
        let topic = self.below(self.topics.len());
        let passages = (0..SECTION_PASSAGES).map(|_| self.passage(topic)).collect();
        MadeUpSection { topic, passages }
    }

    /// A question about a passage of the section, made from some of its words and one more word of the topic.
    pub(crate) fn question(&mut self, section: &MadeUpSection) -> String {
        let idx = self.below(section.passages.len());
        let passage = section.passages.get(idx).map_or("", String::as_str);
        let words = passage
            .split(' ')
            .filter(|word| word.len() > SMALL_WORD_BYTES_MAX);
        let words: Vec<&str> = words.collect();
        let mut asked: Vec<String> = Vec::new();
        for _ in 0..4 {
            let at = self.below(words.len());
            asked.extend(words.get(at).map(|word| (*word).to_owned()));
        }
        asked.push(self.word_of(section.topic));
        format!("what about {}?", asked.join(" "))
    }

    fn passage(&mut self, topic: usize) -> String {
        let n_words = WORDS_MIN + self.below(WORDS_MAX - WORDS_MIN);
        let mut words = Vec::with_capacity(n_words);
        for _ in 0..n_words {
            words.push(if self.below(5) < 2 {
                self.word_of(topic)
            } else {
                self.common_word()
            });
        }
        format!("I said that the {} of it", words.join(" "))
    }

    fn word_of(&mut self, topic: usize) -> String {
        let n_words = self.topics.get(topic).map_or(1, Vec::len);
        let at = self.below(n_words);
        let found = self.topics.get(topic).and_then(|words| words.get(at));
        found.cloned().unwrap_or_default()
    }

    /// A common word from a skewed distribution, in which few words are frequent and most are rare.
    fn common_word(&mut self) -> String {
        let bound = self.below(self.common.len()) + 1;
        let at = self.below(bound);
        self.common.get(at).cloned().unwrap_or_default()
    }

    /// A pseudorandom number below `bound`, by xorshift.
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let high = usize::try_from(self.state >> 33).unwrap_or(0);
        high % bound.max(1)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct MadeUpSection {
    topic: usize,
    pub(crate) passages: Vec<String>,
}
