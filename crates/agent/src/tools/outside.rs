//! Calls tools of the owner's servers, after asking the owner if their settings require it.
//!
//! A server's text always counts as untrusted.

use base::tool_server::{Consent, ToolOffer, ToolServers};
use base::{TokenCount, counted, escaped, head};

use super::access::{Approver, OutsideCall, OwnerAnswer};
use super::answer::ToolReply;

const ANSWER_MAX: TokenCount = TokenCount(8_000);

const OPENING: &str = "<from server=";
const CLOSING: &str = "</from>";

pub(super) async fn call_server(
    servers: &dyn ToolServers,
    approver: Option<&dyn Approver>,
    offer: &ToolOffer,
    tool: &str,
    arguments: &str,
) -> ToolReply {
    let server = &offer.server;
    let call = OutsideCall {
        server,
        tool,
        arguments,
    };
    let answer = match (offer.consent, approver) {
        (Consent::Given, _) => OwnerAnswer::Yes,
        (Consent::Ask, Some(approver)) => approver.ask(&call),
        (Consent::Ask, None) => OwnerAnswer::NobodyThere,
    };
    match answer {
        OwnerAnswer::Yes => {}
        OwnerAnswer::No => return Err("The owner said no; the tool was not called.".to_owned()),
        OwnerAnswer::NobodyThere => {
            return Err(format!(
                "The owner cannot be asked here, so the tool was not called. The owner can allow it with \
                 `approval: always` for the server {server} in mcp.servers."
            ));
        }
    }
    match servers.call(tool, arguments).await {
        Ok(text) => Ok(marked(server, &text)),
        Err(text) => Err(marked(server, &text)),
    }
}

/// Fences a server's text, escaped so that it cannot close the fence, and cuts it at the limit.
fn marked(server: &str, text: &str) -> String {
    let shown = head(text, ANSWER_MAX.to_chars());
    let rest = if shown.len() < text.len() {
        format!(
            "\n[{} not shown]",
            counted((text.len() - shown.len()) as u64, "more byte", "more bytes")
        )
    } else {
        String::new()
    };
    let shown = escaped(shown.trim_end());
    format!("{OPENING}\"{server}\">\n{shown}\n{CLOSING}{rest}")
}

#[cfg(test)]
#[path = "outside_tests.rs"]
mod tests;
