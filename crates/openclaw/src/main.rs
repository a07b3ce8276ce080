//! The program's entry point: arguments in, exit code out.

mod app;
mod backup;
mod command_line;
mod commands;
mod connect;
mod doctor;
mod moved;
mod next_step;
mod prelude;
mod qr;
mod repository;
mod service_unit;
mod terminal_mode;

#[cfg(test)]
mod reference_tests;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::start::run_here(app::run)
}
