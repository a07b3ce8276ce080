//! The paths of the programs under test.
//!
//! Builds nothing.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The path of `openclaw`.
///
/// Cargo and nextest set it for end-to-end tests of its own package. For tests of another program they set the path
/// of that program; `openclaw` is next to it once it is built, which it is when the whole workspace is tested.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let path = passed("openclaw");
        let path = path.unwrap_or_else(|| fleet_binary().with_file_name("openclaw"));
        assert!(
            path.exists(),
            "{} is not built: run `cargo build -p openclaw --locked`",
            path.display()
        );
        path
    })
}

/// The path of `openclaw-fleet`, for the end-to-end tests of its package.
pub fn fleet_binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        passed("openclaw-fleet").expect("run this by `cargo test` or `cargo nextest run`")
    })
}

fn passed(name: &str) -> Option<PathBuf> {
    std::env::var_os(format!("CARGO_BIN_EXE_{name}")).map(PathBuf::from)
}
