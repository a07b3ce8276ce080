//! Imports for nearly every command.

pub(crate) use cli::prelude::*;
