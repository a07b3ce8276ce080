//! Starts the owner's tool servers for a chat, and ends them with it.
//!
//! Starts none where no model would call them.

use mcp::{Problem, Servers};

use super::opening::Opened;
use crate::prelude::*;
use crate::tool_servers::tool_servers;

/// Starts the servers that the settings name; those that do not start are told and left out.
pub(super) async fn start(
    opened: &mut Opened,
    context: &mut Context<'_, '_>,
) -> Result<Option<Arc<Servers>>> {
    let runtime = &mut opened.runtime;
    let is_wanted = runtime.is_primary(&opened.name)
        && runtime.sandbox.is_none()
        && !runtime.models.is_offline();
    if !is_wanted {
        return Ok(None);
    }
    let settings = context.settings_of(&opened.home)?.mcp;
    let (settings, missing) = tool_servers(&settings, &context.host.environment)?;
    let (servers, problems) = Servers::start(settings).await;
    for Problem { server, what } in missing.into_iter().chain(problems) {
        context
            .output
            .warn(&format!("the tool server {server}: {what}"));
    }
    if servers.is_empty() {
        return Ok(None);
    }
    let servers = Arc::new(servers);
    runtime.tools.servers = Some(Arc::clone(&servers) as _);
    Ok(Some(servers))
}

pub(super) async fn end(servers: Option<Arc<Servers>>) {
    if let Some(servers) = servers {
        servers.close().await;
    }
}
