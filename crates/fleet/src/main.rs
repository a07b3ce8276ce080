//! The program `openclaw-fleet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::start::run_here(fleet::run)
}
