//! The program's entry point: arguments in, exit code out.

mod app;
mod backup;
mod cli;
mod commands;
mod config;
mod connect;
mod context;
mod doctor;
mod environment;
mod error;
mod executor;
mod exit_code;
mod home;
mod hooks;
mod host;
mod library_errors;
mod output;
mod panic;
mod prelude;
mod repository;
mod service_unit;
mod shell;
mod terminal_mode;
mod vault_home;
mod wiring;

#[cfg(test)]
mod reference_tests;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use base::disk::OsDisk;
use signal_hook::consts::SIGXFSZ;

use crate::environment::Environment;
use crate::host::Host;
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
    // Catch SIGXFSZ so that a write past the file size limit fails like one on a full disk instead of killing us.
    if let Err(error) = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))) {
        output.warn(&format!(
            "cannot handle SIGXFSZ, so a file size limit would kill the program: {error}"
        ));
    }
    panic::guard(&mut output, |output| app::run(&arguments, &host, output)).into()
}
