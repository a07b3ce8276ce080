//! What must leave the window: decisions as data, made from tokens and entries.
//!
//! Never writes, and never imports memory.
