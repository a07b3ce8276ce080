//! Calls a tool of the owner's servers, after the owner has agreed where they want to be asked.
//!
//! Never takes what a server says for anybody else's word.

use base::tool_server::{Consent, ToolOffer, ToolServers};
use base::{TokenCount, counted, escaped, head};

use super::access::{Approver, OutsideCall, OwnerAnswer};
use super::answer::Answer;

const ANSWER_MAX: TokenCount = TokenCount(8_000);

const OPENING: &str = "<from server=";
const CLOSING: &str = "</from>";

pub(super) async fn run(
    servers: &dyn ToolServers,
    approver: Option<&dyn Approver>,
    (offer, tool, arguments): (&ToolOffer, &str, &str),
) -> Answer {
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
        OwnerAnswer::No => return Err("The owner said no; it was not called.".to_owned()),
        OwnerAnswer::NobodyThere => {
            return Err(format!(
                "Nobody can be asked here, so it was not called. The owner can allow it in the settings: \
                 `approval: always` for the server {server} in mcp.servers."
            ));
        }
    }
    match servers.call(tool, arguments).await {
        Ok(text) => Ok(marked(server, &text)),
        Err(text) => Err(marked(server, &text)),
    }
}

/// The text between marks that it cannot end, as much as is taken.
fn marked(server: &str, text: &str) -> String {
    let shown = head(text, ANSWER_MAX.to_chars());
    let rest = if shown.len() < text.len() {
        format!(
            "\n[{} not shown]",
            counted(
                (text.len() - shown.len()) as u64,
                "byte more is",
                "bytes more are"
            )
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
