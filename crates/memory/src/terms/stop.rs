//! Words that say nothing about what a passage is about.
//!
//! Never holds a word that can name a thing.

/// Sorted, so that it can be searched by halves.
const STOP_WORDS: [&str; 103] = [
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "being", "but", "by", "can", "could", "d", "did", "do", "does", "doing", "done", "for", "from",
    "get", "got", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m", "me", "might", "mine", "must",
    "my", "no", "not", "of", "on", "or", "our", "ours", "re", "s", "shall", "she", "should", "so",
    "some", "such", "t", "than", "that", "the", "their", "theirs", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "us", "ve", "very", "was", "we", "were", "what",
    "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your",
];

/// Whether a lower-case word is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("which") && is_stop_word("a") && !is_stop_word("week"));
    }
}
