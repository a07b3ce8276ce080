//! Async runtimes for commands, and Ctrl-C.

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::error::{CliError, ErrorKind, open_files_hint};

/// The number of file descriptors that a tokio runtime needs. It panics if it cannot open them.
const N_FILES_MIN: usize = 8;

/// Fails unless enough file descriptors are left for a runtime.
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
    let message = format!("too few open files are allowed: the system limit is {limit}");
    CliError::new(ErrorKind::Input, message).hint(open_files_hint())
}

/// A runtime with one worker thread for background jobs. The offline engine computes without yielding and would
/// otherwise block the chat.
pub fn threads() -> Result<Runtime, CliError> {
    enough_files()?;
    let mut builder = Builder::new_multi_thread();
    Ok(builder.worker_threads(1).enable_all().build()?)
}

/// A runtime for many homes. It has enough threads that a home waiting for its bucket does not block the others.
pub fn many_threads() -> Result<Runtime, CliError> {
    const THREADS: usize = 16;
    enough_files()?;
    let mut builder = Builder::new_multi_thread();
    Ok(builder.worker_threads(THREADS).enable_all().build()?)
}

pub fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    enough_files()?;
    let executor = Builder::new_current_thread().enable_all().build()?;
    Ok(executor.block_on(work))
}

/// Resolves on Ctrl-C after this call; never, if the handler cannot be installed.
pub fn interrupt() -> impl Future<Output = ()> {
    pressed(SignalKind::interrupt())
}

/// Resolves when the signal arrives. The handler is registered at once and not at the first poll, because the work in
/// between may run long before it awaits anything.
pub fn pressed(kind: SignalKind) -> impl Future<Output = ()> {
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
    async fn pressed_notices_signal_sent_before_waiting() {
        // A signal other than SIGINT, which other tests in this process may await.
        let (kind, name) = (SignalKind::user_defined2(), "-USR2");
        let told = pressed(kind);
        let mut known = signal(kind).unwrap();
        let id = std::process::id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
        // Every listener receives the signal, not only the first.
        known.recv().await;
        let waited = tokio::select! {
            biased;
            () = told => true,
            () = tokio::task::yield_now() => false,
        };
        assert!(waited);
    }
}
