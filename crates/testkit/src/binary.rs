//! The program under test, as cargo built it for this run.
//!
//! Builds nothing.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The path of `openclaw`, which cargo and nextest give to the end-to-end tests of its package.
///
/// # Panics
///
/// Where a test program is started without them.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let path = std::env::var_os("CARGO_BIN_EXE_openclaw");
        PathBuf::from(path.expect("run this by `cargo test` or `cargo nextest run`"))
    })
}
