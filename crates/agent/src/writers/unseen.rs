//! Sends the requests that the program makes for itself: for notes, summaries and dreams, and their retries.
//!
//! All of them pass through here, so that none contains a secret, whichever file it comes from.

use base::Assistant;
use base::model::{Model, ModelError, Request, complete_telling};

/// Redacts a request and waits for the complete reply. Code that cuts or quotes a text must redact it first, because
/// part of a secret is not recognised.
pub(crate) async fn complete_unseen(
    model: &dyn Model,
    request: &Request,
    on_warning: &mut (dyn FnMut(String) + Send),
) -> Result<Assistant, ModelError> {
    let mut request = request.clone();
    request.system = base::redact(&request.system).into_owned();
    let messages = request.messages.into_iter();
    request.messages = messages.map(base::Message::redacted).collect();
    complete_telling(model, &request, on_warning).await
}

#[cfg(test)]
mod tests {
    use base::TokenCount;
    use base::model::Purpose;

    use super::*;
    use crate::test_kit::Script;

    #[tokio::test]
    async fn i14_requests_are_redacted_in_system_prompt_and_messages() {
        let script = Script::new().says("Done.");
        let secret = "My password is hunter!77x";
        let (system, said) = (format!("Summarise. {secret}"), base::Message::user(secret));
        let request = Request::new(Purpose::Summarise, system, vec![said], TokenCount(100));
        complete_unseen(&script, &request, &mut |_| {})
            .await
            .unwrap();
        let sent = format!("{:?}", script.requests());
        assert!(!sent.contains("hunter"), "{sent}");
        assert_eq!(sent.matches("[REDACTED:password]").count(), 2, "{sent}");
    }
}
