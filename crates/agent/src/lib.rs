//! Joins conversation and knowledge: the turn, the replay, and what both share.
//!
//! Never prints and never reads the environment.

pub mod recording;
