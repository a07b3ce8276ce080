//! A client of `openclaw mcp`, as other programs have one.
//!
//! Asserts nothing about answers.

use std::path::Path;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, Implementation, ResourceUpdatedNotificationParam,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::TestHome;

/// A client whose owner answers as it is told, and which keeps what they were asked.
#[derive(Debug, Clone, Default)]
pub struct Client {
    /// What the owner answers when they are asked to forget; nobody can be asked where it is `None`.
    pub answer: Option<bool>,
    /// What the owner was asked.
    pub asked: Arc<Mutex<Vec<String>>>,
    /// Told when a resource changed.
    pub updated: Arc<Notify>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.answer.is_some() {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
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
        let forget = json!({ "forget": self.answer.unwrap() });
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(forget))
    }

    async fn on_resource_updated(
        &self,
        _params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.updated.notify_one();
    }
}

/// A connection to a server of its own.
pub type Connected = RunningService<RoleClient, Client>;

/// Starts `openclaw mcp` with these arguments and greets it.
///
/// # Panics
///
/// Where it cannot be started.
pub async fn connect(home: &TestHome, arguments: &[&str], client: Client) -> Connected {
    connect_in(home, (home.folder(), arguments), client).await
}

/// The same in a directory, as a program starts it that works there.
///
/// # Panics
///
/// Where it cannot be started.
pub async fn connect_in(
    home: &TestHome,
    (directory, arguments): (&Path, &[&str]),
    client: Client,
) -> Connected {
    let arguments = [&["mcp"], arguments].concat();
    let mut command = home.command(&arguments);
    command.current_dir(directory);
    let command = tokio::process::Command::from(command);
    client
        .serve(TokioChildProcess::new(command).unwrap())
        .await
        .unwrap()
}

/// Calls a tool; the text of its answer, after `error: ` where the tool failed.
///
/// # Panics
///
/// Where the connection broke.
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
