//! Looks up stemmers by language.

pub use frostem::{Algorithm, Stemmer};

/// The stemming algorithm for a language, by its English name in lower case, such as `german`.
pub fn algorithm(language: &str) -> Option<Algorithm> {
    match language {
        "dutch" => Some(Algorithm::Dutch),
        "english" => Some(Algorithm::English),
        "french" => Some(Algorithm::French),
        "german" => Some(Algorithm::German),
        "italian" => Some(Algorithm::Italian),
        "portuguese" => Some(Algorithm::Portuguese),
        "russian" => Some(Algorithm::Russian),
        "spanish" => Some(Algorithm::Spanish),
        _ => None,
    }
}
