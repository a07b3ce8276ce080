//! Code that the programs of this project share: settings, ports, wiring, output, errors and exit codes.
//!
//! Contains no commands except those that print a program's own manual, and makes no decisions about memory.

pub mod environment;
pub mod exit_code;
pub mod home;
pub mod host;

pub mod config;

pub mod context;
pub mod error;
pub mod output;
pub mod panic;

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

pub mod hooks;
mod library_errors;

#[cfg(test)]
mod reference_tests;
