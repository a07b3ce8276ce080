//! Asks for what deserves to last, of one engine after the other, and counts what that costs.
//!
//! Writes nothing.

use base::model::{OFFLINE, Purpose, Request, complete};
use base::{Message, StopReason, TokenCount, estimate_message};
use dreaming::{Operation, parse_operations};

use crate::Runtime;
use crate::metered::cost_of;

/// What engines said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Extracted {
    pub(super) operations: Vec<Operation>,
    /// Lines of replies that were no operations.
    pub(super) n_unreadable: usize,
    /// Tokens that remote engines read and wrote.
    pub(super) spent: (TokenCount, TokenCount),
    /// Why an engine did not answer.
    pub(super) failures: Vec<String>,
}

/// What each request may hold: the least of the windows of those who may be asked, so that one set of
/// requests does for all of them.
pub(super) fn window(runtime: &Runtime) -> TokenCount {
    let context_window = runtime.settings.context_window;
    let remote = runtime.models.remote(Purpose::Consolidate).into_iter();
    let windows = remote.map(|model| runtime.models.window_of(&**model, context_window));
    windows.min().unwrap_or(context_window)
}

/// Asks one engine after the other, the offline one last.
///
/// # Errors
///
/// Why no engine gave anything usable.
pub(super) async fn extract(runtime: &Runtime, requests: &[Request]) -> Result<Extracted, String> {
    let mut all = Extracted::default();
    for request in requests {
        let mut answered = false;
        for model in runtime.models.ladder(Purpose::Consolidate) {
            let name = model.profile().name;
            let reply = match complete(&**model, request).await {
                Ok(reply) if reply.stop == StopReason::Aborted => {
                    all.failures.push(format!("{name}: it was broken off"));
                    continue;
                }
                Ok(reply) => reply,
                Err(error) => {
                    all.failures.push(format!("{name}: {error}"));
                    continue;
                }
            };
            if name != OFFLINE {
                let written = estimate_message(&Message::Assistant(reply.clone()));
                let (input, output) = cost_of(request, reply.usage, written);
                all.spent.0 += input;
                all.spent.1 += output;
            }
            let text = Message::Assistant(reply).text();
            let (operations, n_unreadable) = parse_operations(&text);
            if operations.is_empty() && n_unreadable > 0 {
                all.failures
                    .push(format!("{name}: its reply holds no operation"));
                continue;
            }
            all.operations.extend(operations);
            all.n_unreadable += n_unreadable;
            answered = true;
            break;
        }
        if !answered {
            return Err(all.failures.join("; "));
        }
    }
    Ok(all)
}
