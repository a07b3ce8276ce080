//! What the programs of this project share: settings, ports, wiring, output, errors and exit codes.
//!
//! Has no command but those that print a program's own manual, and holds no policy.
#![expect(
    missing_docs,
    reason = "only the programs beside it use this crate; a comment stands where a name does not say it"
)]

pub mod environment;
pub mod exit_code;
pub mod home;
pub mod host;

pub mod config;

pub mod context;
pub mod error;
pub mod output;
pub mod panic;
pub mod shell;

pub mod arguments;
pub mod start;

pub mod executor;
pub mod serving;
pub mod wiring;

pub mod completions;
pub mod man;

pub mod prelude;
#[cfg(any(test, feature = "testing"))]
pub mod reference;
#[cfg(any(test, feature = "testing"))]
pub mod world;

mod hooks;
mod library_errors;

#[cfg(test)]
mod reference_tests;
