//! What is a kind of what.

mod table;

pub(crate) use table::{Kinds, Meaning};

/// Whether what a lower-case English noun commonly means is a kind of what another one means.
///
/// # Examples
///
/// ```
/// assert!(memory::is_kind_of("poodle", "dog"));
/// assert!(!memory::is_kind_of("dog", "poodle"));
/// ```
pub fn is_kind_of(word: &str, of: &str) -> bool {
    Kinds::carried().is_some_and(|kinds| {
        let classes = kinds.classes(of);
        kinds
            .above(word)
            .iter()
            .any(|above| classes.contains(above))
    })
}
