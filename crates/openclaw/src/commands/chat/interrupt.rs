//! Ctrl-C as something that can be waited for.
//!
//! Ends nothing itself.

use tokio::signal::unix::{SignalKind, signal};

/// Listens from now on; is ready when the owner presses Ctrl-C, and never where the system cannot tell of it.
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
