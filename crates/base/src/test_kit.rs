//! Assertions about words in any text, for tests.
//!
//! A failed assertion shows the whole text.

/// Asserts that a text contains words, or does not.
pub trait Words {
    /// Asserts that the text contains these words.
    fn holds(&self, words: &str);

    /// Asserts that the text contains these words exactly this many times.
    fn holds_times(&self, n_times: usize, words: &str);

    /// Asserts that the text does not contain these words.
    fn lacks(&self, words: &str);

    /// Asserts that the text begins with these words.
    fn begins(&self, words: &str);

    /// Asserts that the text ends with these words.
    fn ends(&self, words: &str);
}

impl Words for str {
    #[track_caller]
    fn holds(&self, words: &str) {
        assert!(self.contains(words), "{words:?} does not stand in: {self}");
    }

    #[track_caller]
    fn holds_times(&self, n_times: usize, words: &str) {
        assert_eq!(self.matches(words).count(), n_times, "{words:?} in: {self}");
    }

    #[track_caller]
    fn lacks(&self, words: &str) {
        assert!(!self.contains(words), "{words:?} stands in: {self}");
    }

    #[track_caller]
    fn begins(&self, words: &str) {
        assert!(self.starts_with(words), "{words:?} does not begin: {self}");
    }

    #[track_caller]
    fn ends(&self, words: &str) {
        assert!(self.ends_with(words), "{words:?} does not end: {self}");
    }
}
