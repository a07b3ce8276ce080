//! Ctrl-C as something that can be waited for.
//!
//! Ends nothing itself.

/// Is ready when the owner presses Ctrl-C, and never where the system cannot tell of it.
pub(super) async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
