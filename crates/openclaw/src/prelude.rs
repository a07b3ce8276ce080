//! Imports for nearly every command: context, errors, exit codes and output.

pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::sync::Arc;

pub(crate) use base::{TokenCount, Tz};
pub(crate) use clap::Args;
pub(crate) use serde_json::{Value, json};
pub(crate) use session::{SessionName, SessionStore};

pub(crate) use crate::context::Context;
pub(crate) use crate::environment::Stream;
pub(crate) use crate::error::{CliError, ErrorKind, Result};
pub(crate) use crate::exit_code::Exit;
pub(crate) use crate::home::Home;
pub(crate) use crate::output::{
    Output, OutputFormat, Report, add_line, counted, grouped, heading, printable,
};
pub(crate) use crate::wiring;
