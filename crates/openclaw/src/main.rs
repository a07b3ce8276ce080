//! The program: arguments in, exit code out.
//!
//! Never decides anything itself.

mod answering;
mod app;
mod assistant;
mod backup;
mod cli;
mod commands;
mod config;
mod doctor;
mod embedder_choice;
mod environment;
mod error;
mod executor;
mod exit_code;
mod first_choice;
mod home;
mod hooks;
mod library_errors;
mod model_choice;
mod output;
mod panic;
mod tool_servers;

#[cfg(test)]
mod reference_tests;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use base::SystemClock;
use base::disk::OsDisk;

use crate::app::Host;
use crate::environment::Environment;
use crate::output::Output;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let host = Host {
        environment: Environment::read(),
        disk: Arc::new(OsDisk),
        clock: Arc::new(SystemClock::new()),
    };
    let (mut stdout, mut stderr) = (std::io::stdout(), std::io::stderr());
    let mut output = Output::new(&mut stdout, &mut stderr);
    panic::guard(&mut output, |output| app::run(&arguments, &host, output)).into()
}
