//! Scores the ranking on evaluation sets of notes or messages, with questions and the places of their answers.
//!
//! Never copies a set: reads the files where they are.

pub(crate) mod set;

pub(crate) mod beam;
mod beir;
mod locomo;

pub(crate) mod measure;
mod run;
mod table;

pub(crate) use run::{Arguments, run};
