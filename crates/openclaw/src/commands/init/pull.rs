//! Downloads a model with Ollama, with a progress bar; Ctrl-C interrupts it.
//!
//! Stores nothing itself: Ollama resumes from the part that it has.

use models::{LocalServer, pull_model};

use crate::executor::{interrupt, wait_for};
use crate::output::ProgressMeter;
use crate::prelude::*;

/// Returns whether the model is there now; reports the reason if not.
pub(super) fn pull(server: &LocalServer, name: &str, context: &mut Context) -> Result<bool> {
    let stderr = context.host.environment.stderr;
    let bar = ProgressMeter::bytes("downloading", context.output, stderr);
    let mut on_progress = |progress: models::PullProgress| {
        bar.set_total(progress.total);
        bar.set(progress.done);
    };
    let pulled = wait_for(async {
        tokio::select! {
            biased;
            () = interrupt() => None,
            pulled = pull_model(&server.base_url, name, &mut on_progress) => Some(pulled),
        }
    })?;
    drop(bar);
    match pulled {
        Some(Ok(())) => return Ok(true),
        Some(Err(error)) => context.output.report(&error.into()),
        None => context
            .output
            .tell_aside("The download was interrupted; Ollama keeps what it has so far."),
    }
    Ok(false)
}
