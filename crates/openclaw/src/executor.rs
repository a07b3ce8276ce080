//! Waits for what the agent does, and for Ctrl-C.
//!
//! Starts nothing that outlives the wait.

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

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

/// Threads for many homes: what one waits for, such as a bucket, holds up no other.
pub(crate) fn many_threads() -> Result<Runtime, CliError> {
    const THREADS: usize = 16;
    enough_files()?;
    let mut builder = Builder::new_multi_thread();
    Ok(builder.worker_threads(THREADS).enable_all().build()?)
}

pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    enough_files()?;
    let executor = Builder::new_current_thread().enable_all().build()?;
    Ok(executor.block_on(work))
}

/// Listens from now on; resolves on Ctrl-C, or never if the system cannot report it.
pub(crate) fn interrupt() -> impl Future<Output = ()> {
    pressed(SignalKind::interrupt())
}

/// What comes between this call and the first wait is not missed: whatever is begun meanwhile may work long
/// before it waits for anything.
pub(crate) fn pressed(kind: SignalKind) -> impl Future<Output = ()> {
    let listened = signal(kind);
    async move {
        if let Ok(mut signal) = listened
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[tokio::test]
    async fn what_is_pressed_before_anybody_waits_is_not_missed() {
        // Not the one of Ctrl-C, for which other tests of this process may wait.
        let (kind, name) = (SignalKind::user_defined2(), "-USR2");
        let told = pressed(kind);
        let mut known = signal(kind).unwrap();
        let id = std::process::id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
        // The signal has come to all that listen.
        known.recv().await;
        let waited = tokio::select! {
            biased;
            () = told => true,
            () = tokio::task::yield_now() => false,
        };
        assert!(waited);
    }
}
