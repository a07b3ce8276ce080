//! The end-to-end tests, one file a behaviour.
//!
//! Never reach into a crate: they run the program as its users do, or call what it makes public.

#[cfg(test)]
mod tidy;
