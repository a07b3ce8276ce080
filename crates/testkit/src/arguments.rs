//! The arguments of a run, written as people type them.
//!
//! Never starts a program.

/// Arguments after the program's name: a list of words, or one line in which single quotes enclose blanks.
pub trait Arguments {
    /// The arguments, in order.
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
