//! The offline engine: answers, notes, summaries and candidates by extraction, with no key and no network.
//!
//! Never writes a word that stands neither in the evidence nor among its few template phrases.
//!
//! A reply is made in this order: a message is split into sentences, a sentence into clauses, a clause
//! is scored by its cues and identifiers, the best clauses are arranged.
mod answer;
mod bare;
mod call;
mod candidates;
mod clause;
mod conduct;
mod cue;
mod date;
mod earlier;
mod east_asian;
mod engine;
mod evidence;
mod fact;
mod identifier;
mod list;
mod matter;
mod mention;
mod notes;
mod owner;
mod question;
mod rank;
mod relative;
mod sentence;
mod signal;
mod statement;
mod summary;
mod template;
mod wanted;

#[cfg(test)]
mod fixture;

pub use engine::OfflineEngine;
pub use matter::{Matter, matters_asked, tells_conduct};
pub use owner::{asks_about_owner, asks_for_own, n_facts, told_about_owner};
pub use relative::{is_for_another, names_asked};
