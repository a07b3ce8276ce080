//! The arguments of a run, as people type them.
//!
//! Never starts a program.

/// What follows the name of the program: words, or a line of them in which single quotes hold blanks.
pub trait Arguments {
    /// The words, in order.
    fn words(&self) -> Vec<String>;
}

impl Arguments for str {
    fn words(&self) -> Vec<String> {
        let parts = self.split('\'').enumerate();
        let words = parts.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }
}

impl Arguments for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl<W: AsRef<str>> Arguments for [W] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<W: AsRef<str>, const N: usize> Arguments for [W; N] {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<W: AsRef<str>> Arguments for Vec<W> {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}
