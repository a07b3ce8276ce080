//! Imports for nearly every command of a program: context, errors, exit codes and output.

pub use std::path::{Path, PathBuf};
pub use std::sync::Arc;

pub use base::{TokenCount, Tz};
pub use clap::Args;
pub use serde_json::{Value, json};
pub use session::{SessionName, SessionStore};

pub use crate::context::Context;
pub use crate::environment::Stream;
pub use crate::error::{CliError, ErrorKind, Result};
pub use crate::exit_code::Exit;
pub use crate::home::Home;
pub use crate::output::{
    Output, OutputFormat, Report, add_line, counted, grouped, heading, printable,
};
pub use crate::wiring;
