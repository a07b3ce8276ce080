//! An MCP client for `openclaw mcp`.
//!
//! Asserts nothing about the answers.

#![expect(
    deprecated,
    reason = "clients of the protocol's earlier versions name their roots"
)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, Implementation, ListRootsResult, ProtocolVersion,
    ResourceUpdatedNotificationParam, Root, RootsCapabilities,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::TestHome;

/// A client that gives a fixed answer to elicitations and records them.
#[derive(Debug, Clone, Default)]
pub struct Client {
    /// The owner's answer to every question; `None` disables elicitation.
    pub answer: Option<bool>,
    /// The directories that it works in; it names roots if there are any.
    pub roots: Vec<PathBuf>,
    /// The messages of all elicitations.
    pub asked: Arc<Mutex<Vec<String>>>,
    /// Notified when a resource changes.
    pub updated: Arc<Notify>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = if self.answer.is_some() {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
        if !self.roots.is_empty() {
            capabilities.roots = Some(RootsCapabilities::default());
        }
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.asked.lock().unwrap().push(message);
        }
        // The form has no field: accepting it is the yes.
        Ok(if self.answer.unwrap() {
            ElicitResult::new(ElicitationAction::Accept).with_content(json!({}))
        } else {
            ElicitResult::new(ElicitationAction::Decline)
        })
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let roots = self.roots.iter();
        let roots = roots.map(|path| Root::new(format!("file://{}", path.display())));
        Ok(ListRootsResult::new(roots.collect()))
    }

    async fn on_resource_updated(
        &self,
        _params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.updated.notify_one();
    }
}

/// The opening lines of a client that sends the raw protocol; the request has id 0.
pub const GREETING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
    r#""capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

/// A connection to a server in its own process.
pub type Connected = RunningService<RoleClient, Client>;

/// Starts `openclaw mcp` with these arguments and connects to it.
pub async fn connect(home: &TestHome, arguments: &[&str], client: Client) -> Connected {
    connect_in(home, (home.folder(), arguments), client).await
}

/// Like [`connect`], with a working directory for the server.
pub async fn connect_in(
    home: &TestHome,
    (directory, arguments): (&Path, &[&str]),
    client: Client,
) -> Connected {
    let server = server(home, (directory, arguments));
    client.serve(server).await.unwrap()
}

/// Like [`connect`], with the newest version of the protocol, which has no handshake.
pub async fn connect_without_handshake(home: &TestHome, client: Client) -> Connected {
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::LATEST],
    };
    let server = server(home, (home.folder(), &[]));
    client
        .serve_with_lifecycle(server, lifecycle)
        .await
        .unwrap()
}

fn server(home: &TestHome, (directory, arguments): (&Path, &[&str])) -> TokioChildProcess {
    let arguments = [&["mcp"], arguments].concat();
    let mut command = home.command(&arguments);
    command.current_dir(directory);
    TokioChildProcess::new(tokio::process::Command::from(command)).unwrap()
}

/// Calls a tool and returns the text of its answer, prefixed with `error: ` if the tool failed.
pub async fn call(server: &Connected, tool: &str, arguments: Value) -> String {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments}");
    };
    let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let result = server.call_tool(request).await.unwrap();
    let text = &result.content.first().unwrap().as_text().unwrap().text;
    match result.is_error {
        Some(true) => format!("error: {text}"),
        Some(false) | None => text.clone(),
    }
}
