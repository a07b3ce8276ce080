//! What tests share: a home that vanishes, a clock that stands still, a model that follows a script.
//!
//! Never used by the program.
