//! The path of the program under test.
//!
//! Builds nothing.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The path of `openclaw`, which cargo and nextest pass to end-to-end tests of its package.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let path = std::env::var_os("CARGO_BIN_EXE_openclaw");
        PathBuf::from(path.expect("run this by `cargo test` or `cargo nextest run`"))
    })
}
