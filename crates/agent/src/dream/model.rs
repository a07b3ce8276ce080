//! Asks for what deserves to last, of one engine after the other, and counts what that costs.
//!
//! Writes nothing.

use base::model::{OFFLINE, Request, complete};
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

/// Asks the primary engine, and the offline one where that fails.
///
/// # Errors
///
/// Why no engine gave anything usable.
pub(super) async fn extract(runtime: &Runtime, requests: &[Request]) -> Result<Extracted, String> {
    let mut all = Extracted::default();
    for request in requests {
        let mut answered = false;
        for model in runtime.models.ladder() {
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
