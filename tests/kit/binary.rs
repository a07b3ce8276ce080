//! The program under test, built once a process.
//!
//! Never trusts a binary that happens to lie about: it may be older than the sources.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of `openclaw`, built from the sources as they are, in the profile of the tests.
///
/// # Panics
///
/// Where it cannot be built.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(build)
}

fn build() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let profile_dir = profile_dir();
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(root)
        .args(["build", "--quiet", "--locked", "--offline"])
        .args(["--package", "openclaw", "--bin", "openclaw"])
        .arg("--target-dir")
        .arg(profile_dir.parent().unwrap());
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    // What cargo tells this test of its package would make build scripts of others run anew, each time.
    for (name, _) in std::env::vars_os() {
        let is_of_this_package = name.to_string_lossy().starts_with("CARGO_PKG_");
        if is_of_this_package || name == "CARGO_MANIFEST_DIR" {
            command.env_remove(name);
        }
    }
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?} ended with {status}");
    let binary = profile_dir.join("openclaw");
    assert!(binary.is_file(), "{} was not built", binary.display());
    binary
}

/// The folder above the one in which cargo puts test programs, such as `target/debug`.
fn profile_dir() -> PathBuf {
    let test_program = std::env::current_exe().unwrap();
    test_program.parent().unwrap().parent().unwrap().to_owned()
}
