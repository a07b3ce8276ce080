//! Waits for what the agent does, on one thread.
//!
//! Starts nothing that outlives the wait.

use crate::error::CliError;

/// Runs the work to its end.
///
/// # Errors
///
/// Where the system gives no means to wait.
pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(executor.block_on(work))
}
