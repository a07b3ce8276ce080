//! All of the owner's servers: starts them, routes calls by tool name, restarts servers that have ended.
//!
//! Does not ask for consent; callers do.

use std::sync::Arc;

use base::model::ToolSpec;
use base::tool_server::{ToolAnswer, ToolOffer, ToolServers};
use futures_util::future::join_all;
use rmcp::model::JsonObject;
use rmcp::service::ServiceError;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::connection::{ServerConnection, reason_of};
use crate::listing::{Listed, listed};
use crate::reply::text;
use crate::settings::ServerSettings;

/// The servers that have started.
#[derive(Debug)]
pub struct Servers {
    servers: Vec<Server>,
}

/// A problem with a server, to report to the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerProblem {
    /// The server's name.
    pub server: String,
    /// A description of the problem.
    pub what: String,
}

#[derive(Debug)]
struct Server {
    settings: ServerSettings,
    tools: Vec<Listed>,
    connection: Mutex<Option<Arc<ServerConnection>>>,
}

impl Servers {
    /// Starts servers concurrently. Returns a problem for each server that fails, and for each tool that is left out.
    pub async fn start(settings: Vec<ServerSettings>) -> (Self, Vec<ServerProblem>) {
        let started = join_all(settings.into_iter().map(Server::start)).await;
        let mut servers = Vec::new();
        let mut problems = Vec::new();
        for result in started {
            match result {
                Ok((server, found)) => {
                    servers.push(server);
                    problems.extend(found);
                }
                Err(problem) => problems.push(problem),
            }
        }
        (Self { servers }, problems)
    }

    /// Whether no server has started.
    pub fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }

    /// Closes all connections, which ends the child processes.
    pub async fn close(&self) {
        let closing = self.servers.iter().map(|server| async {
            let connection = server.connection.lock().await.take();
            if let Some(connection) = connection.and_then(Arc::into_inner) {
                connection.close().await;
            }
        });
        join_all(closing).await;
    }

    fn find(&self, tool: &str) -> Option<(&Server, &Listed)> {
        let mut tools = self.servers.iter().flat_map(|server| {
            let tools = server.tools.iter();
            tools.map(move |listed| (server, listed))
        });
        tools.find(|(_, listed)| listed.spec.name == tool)
    }
}

impl ToolServers for Servers {
    fn specs(&self) -> Vec<ToolSpec> {
        let tools = self.servers.iter().flat_map(|server| &server.tools);
        tools.map(|listed| listed.spec.clone()).collect()
    }

    fn offer(&self, tool: &str) -> Option<ToolOffer> {
        let (server, _) = self.find(tool)?;
        Some(ToolOffer {
            server: server.settings.name.clone(),
            consent: server.settings.consent,
        })
    }

    fn call<'a>(&'a self, tool: &'a str, arguments: &'a str) -> ToolAnswer<'a> {
        Box::pin(async move {
            let Some((server, listed)) = self.find(tool) else {
                return Err(format!("There is no tool named {tool:?}."));
            };
            let struck = |text: String| server.settings.reach.strike_from(&text);
            let answer = server.call(&listed.name, arguments).await;
            answer.map(struck).map_err(struck)
        })
    }
}

impl Server {
    async fn start(settings: ServerSettings) -> Result<(Self, Vec<ServerProblem>), ServerProblem> {
        let server = settings.name.clone();
        let reach = settings.reach.clone();
        let problem = |what: &str| ServerProblem {
            server: server.clone(),
            what: reach.strike_from(what),
        };
        let connection = ServerConnection::open(&settings.reach, settings.patience).await;
        let connection = connection.map_err(|reason| problem(&reason))?;
        let (tools, cut) = match connection.tools(settings.patience).await {
            Ok(listed) => listed,
            Err(reason) => {
                connection.close().await;
                return Err(problem(&reason));
            }
        };
        let (tools, problems) = listed(&settings.name, &settings.allow, &tools);
        let problems = cut.iter().chain(&problems).map(|what| problem(what));
        let problems = problems.collect();
        let started = Self {
            settings,
            tools,
            connection: Mutex::new(Some(Arc::new(connection))),
        };
        Ok((started, problems))
    }

    /// The connection. If the server has ended, starts it again first.
    async fn connected(&self) -> Result<Arc<ServerConnection>, String> {
        let mut connection = self.connection.lock().await;
        if let Some(open) = connection.as_ref().filter(|it| !it.is_over()) {
            return Ok(Arc::clone(open));
        }
        let opened = ServerConnection::open(&self.settings.reach, self.settings.patience).await?;
        let opened = Arc::new(opened);
        *connection = Some(Arc::clone(&opened));
        Ok(opened)
    }

    async fn call(&self, tool: &str, arguments: &str) -> Result<String, String> {
        let arguments = match arguments.trim() {
            "" => JsonObject::new(),
            text => serde_json::from_str(text).map_err(|error| {
                format!("The arguments cannot be read: {error}. Call again with one JSON object.")
            })?,
        };
        let name = &self.settings.name;
        let connection = self.connected().await;
        let connection =
            connection.map_err(|error| format!("The server {name} cannot be reached: {error}."))?;
        let patience = self.settings.patience;
        let answer = timeout(patience, connection.call(tool, arguments)).await;
        match answer {
            Ok(Ok(result)) => text(result),
            Ok(Err(ServiceError::McpError(error))) => {
                Err(format!("The server {name} failed: {}", error.message))
            }
            Ok(Err(error))
                if connection.is_over() || matches!(error, ServiceError::TransportClosed) =>
            {
                let ended = format!("The server {name} ended before answering");
                Err(format!(
                    "{}. The next call restarts it.",
                    connection.words.after(ended).await
                ))
            }
            Ok(Err(ServiceError::TransportSend(error))) => Err(format!(
                "The server {name} cannot be reached: {}.",
                reason_of(&error)
            )),
            Ok(Err(error)) => Err(format!("Invalid reply from server {name}: {error}.")),
            Err(_) => Err(format!(
                "No answer from server {name} within {} s; the call may have taken effect.",
                patience.as_secs()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use base::tool_server::Consent;

    use super::*;
    use crate::settings::Reach;

    /// A server whose tool list has one tool per page and always another page.
    const ENDLESS: &str = r#"
n=0
say() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while IFS= read -r line; do
  id=${line#*\"id\":}
  id=${id%%[,\}]*}
  case $line in
  *'"method":"initialize"'*)
    say '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"box","version":"1"}}' ;;
  *'"method":"tools/list"'*)
    n=$((n + 1))
    say "{\"tools\":[{\"name\":\"t$n\",\"inputSchema\":{\"type\":\"object\"}}],\"nextCursor\":\"$n\"}" ;;
  esac
done
"#;

    #[tokio::test]
    async fn tool_list_cut_at_page_limit_is_reported() {
        let settings = ServerSettings {
            name: "box".to_owned(),
            reach: Reach::Program {
                command: "/bin/sh".to_owned(),
                arguments: vec!["-c".to_owned(), ENDLESS.to_owned()],
                variables: Vec::new(),
                secrets: Vec::new(),
            },
            allow: vec!["*".to_owned()],
            consent: Consent::Ask,
            patience: Duration::from_mins(1),
        };
        let (servers, problems) = Servers::start(vec![settings]).await;
        servers.close().await;
        let what = "it lists its tools on more than 10 pages; only the first 10 tools were read";
        let problem = ServerProblem {
            server: "box".to_owned(),
            what: what.to_owned(),
        };
        assert_eq!((servers.specs().len(), problems), (10, vec![problem]));
    }
}
