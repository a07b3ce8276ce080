//! Finds the repository that a program works in, and the one that a transcript comes from.
//!
//! Never runs git.

mod git;
mod place;

pub(crate) use place::{
    Located, NONE, OnThisMachine, at, named, of_conversation, scope, scope_of_note, viewer,
};
