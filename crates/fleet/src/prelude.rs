//! Imports for every command.

pub(crate) use cli::prelude::*;
