//! Sends the requests that the program makes for itself: for notes, summaries and dreams, and their retries.
//!
//! All of them pass here, so that none holds a secret, whatever file it comes from.

use base::Assistant;
use base::model::{Model, ModelError, Request, complete_telling};

/// Redacts a request and waits for the complete reply. Whoever cuts or quotes a text redacts it before, because part
/// of a secret is not recognised.
pub(crate) async fn complete_unseen(
    model: &dyn Model,
    request: &Request,
    on_warning: &mut (dyn FnMut(String) + Send),
) -> Result<Assistant, ModelError> {
    let mut request = request.clone();
    let messages = request.messages.into_iter();
    request.messages = messages.map(base::Message::redacted).collect();
    complete_telling(model, &request, on_warning).await
}
