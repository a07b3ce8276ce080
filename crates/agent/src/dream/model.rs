//! Asks for what deserves to last, of one engine after the other, and counts what that costs.
//!
//! Writes nothing.

use base::model::{Evidence, Excerpt, Model, Purpose, Quoting, Request, complete};
use base::{Assistant, Message, StopReason, TokenCount, estimate_message};
use dreaming::{
    Item, Proposals, Refusal, is_worth_a_retry, parse_proposals, refusals, retry_request,
};

use crate::Runtime;
use crate::metered::cost_of;

/// What engines said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Extracted {
    pub(super) proposals: Proposals,
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
pub(super) async fn extract(
    runtime: &Runtime,
    requests: &[(Request, Vec<Excerpt>)],
    items: &[Item],
) -> Result<Extracted, String> {
    let mut all = Extracted::default();
    for (request, excerpts) in requests {
        let mut answered = false;
        let evidence = Evidence::from(excerpts.clone());
        let quoting = Quoting {
            extractor: &*runtime.models.offline,
            evidence: &evidence,
        };
        let remote = runtime.models.remote(Purpose::Consolidate).into_iter();
        let remote = remote.map(|model| &**model);
        for model in remote.chain([&quoting as &dyn Model]) {
            if let Some(found) = ask(model, request, items, &mut all).await {
                all.proposals.operations.extend(found.operations);
                all.proposals.unreadable.extend(found.unreadable);
                answered = true;
                break;
            }
        }
        if !answered {
            return Err(all.failures.join("; "));
        }
    }
    Ok(all)
}

/// What one engine proposes; nothing where it gave nothing usable, with the reason in `all`.
async fn ask(
    model: &dyn Model,
    request: &Request,
    items: &[Item],
    all: &mut Extracted,
) -> Option<Proposals> {
    let name = model.profile().name;
    let is_offline = model.profile().only_quotes;
    let text = answer(model, request, all).await?;
    let mut found = parse_proposals(&text, is_offline);
    let wrong = if is_offline {
        Vec::new()
    } else {
        wrong(&mut found, items)
    };
    if !wrong.is_empty() {
        let again = retry_request(request, &text, &wrong);
        if let Some(text) = answer(model, &again, all).await {
            let better = parse_proposals(&text, is_offline);
            found.operations.extend(better.operations);
        }
    }
    if found.operations.is_empty() && !found.unreadable.is_empty() {
        all.failures
            .push(format!("{name}: its reply holds no operation"));
        return None;
    }
    Some(found)
}

async fn answer(model: &dyn Model, request: &Request, all: &mut Extracted) -> Option<String> {
    let name = model.profile().name;
    let failure = match complete(model, request).await {
        Ok(reply) if reply.stop == StopReason::Aborted => "it was broken off".to_owned(),
        Ok(reply) => {
            if !model.profile().only_quotes {
                spend(request, &reply, all);
            }
            return Some(Message::Assistant(reply).text());
        }
        Err(error) => error.to_string(),
    };
    all.failures.push(format!("{name}: {failure}"));
    None
}

fn spend(request: &Request, reply: &Assistant, all: &mut Extracted) {
    let written = estimate_message(&Message::Assistant(reply.clone()));
    let (input, output) = cost_of(request, reply.usage, written);
    all.spent.0 += input;
    all.spent.1 += output;
}

/// What cannot be taken as it is, each piece with the reason; what is only badly cited is left out of what was found.
fn wrong(found: &mut Proposals, items: &[Item]) -> Vec<(String, String)> {
    let unreadable = found.unreadable.iter();
    let why = Refusal::Unreadable.in_words();
    let unreadable = unreadable.map(|piece| (piece.clone(), why.to_owned()));
    let mut wrong: Vec<(String, String)> = unreadable.collect();
    let refused = refusals(&found.operations, items);
    let refused = refused
        .into_iter()
        .rev()
        .filter(|(_, why)| is_worth_a_retry(*why));
    for (place, why) in refused {
        let operation = found.operations.get(place).cloned();
        wrong.extend(operation.map(|own| (own.text, why.in_words().to_owned())));
    }
    wrong
}
