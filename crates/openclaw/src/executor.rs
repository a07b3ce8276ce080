//! Waits for what the agent does.
//!
//! Starts nothing that outlives the wait.

use tokio::runtime::{Builder, Runtime};

use crate::error::{CliError, ErrorKind, open_files_hint};

/// So many files, pipes and sockets more must be open at once for a wait: its runtime panics where it
/// cannot have its own.
const N_FILES_MIN: usize = 8;

/// Whether the system lets the program open what it waits with.
fn enough_files() -> Result<(), CliError> {
    let mut open = Vec::new();
    for _ in 0..N_FILES_MIN {
        open.push(rustix::io::dup(rustix::stdio::stderr()).map_err(|_| too_few_files())?);
    }
    Ok(())
}

fn too_few_files() -> CliError {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let limit = limit.map_or("no".to_owned(), |limit| limit.to_string());
    let message = format!("too few files can be open at once: the limit of the system is {limit}");
    CliError::new(ErrorKind::Input, message).hint(open_files_hint())
}

/// Threads for a program that runs long: work beside a chat has its own, for the offline engine thinks
/// without pause.
pub(crate) fn threads() -> Result<Runtime, CliError> {
    enough_files()?;
    let mut builder = Builder::new_multi_thread();
    Ok(builder.worker_threads(1).enable_all().build()?)
}

pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    enough_files()?;
    let executor = Builder::new_current_thread().enable_all().build()?;
    Ok(executor.block_on(work))
}
