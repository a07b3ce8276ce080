//! Downloads a model with Ollama, with a progress bar; Ctrl-C interrupts it.
//!
//! Stores nothing itself: Ollama resumes from the part that it has.

use cli::executor::{interrupt, wait_for};
use cli::output::ProgressMeter;
use models::{LocalServer, pull_model};

use crate::prelude::*;

/// Returns the name of the model once it is there; reports the reason if it is not.
pub(super) fn pull(
    server: &LocalServer,
    name: &str,
    context: &mut Context,
) -> Result<Option<String>> {
    let bar = ProgressMeter::bytes("downloading", context.output);
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
        Some(Ok(())) => return Ok(Some(name.to_owned())),
        Some(Err(error)) => context.output.report(&error.into()),
        None => context
            .output
            .tell_aside("The download was interrupted; Ollama keeps what it has so far."),
    }
    Ok(None)
}
