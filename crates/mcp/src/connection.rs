//! A connection to a tool server: a child process, or an HTTP endpoint.
//!
//! Bounds every wait and keeps the end of a child's stderr; does not choose or filter tools.

use std::error::Error;
use std::net::IpAddr;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::locked;
use reqwest::Url;
use reqwest::redirect::Policy;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
    JsonObject, PaginatedRequestParams, Tool,
};
use rmcp::service::{ClientInitializeError, RunningService, ServiceError};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt};
use rustls::crypto::{CryptoProvider, ring};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::settings::{Hidden, Reach};

/// Maximum number of pages read of a tool list.
const PAGES_MAX: usize = 10;

/// How many bytes of a child's stderr are kept.
const WORDS_BYTES_MAX: usize = 1_000;

/// How long a server may take to shut down before it is killed.
const GOODBYE: Duration = Duration::from_secs(2);

/// A connection after the handshake.
#[derive(Debug)]
pub(crate) struct ServerConnection {
    service: RunningService<RoleClient, ClientConfig>,
    pub(crate) words: LastWords,
}

/// Collects the end of a child's stderr.
#[derive(Debug, Default)]
pub(crate) struct LastWords {
    said: Arc<Mutex<Vec<u8>>>,
    /// The task that reads stderr; it ends when the child closes stderr.
    listening: Mutex<Option<JoinHandle<()>>>,
}

impl ServerConnection {
    /// Starts or connects to a server, and completes the handshake. The error gives the reason.
    pub(crate) async fn open(reach: &Reach, patience: Duration) -> Result<Self, String> {
        let words = LastWords::default();
        let greeting = async {
            match reach {
                Reach::Program {
                    command,
                    arguments,
                    variables,
                    secrets,
                } => {
                    let secrets = secrets.iter().map(|(name, value)| (name, value.reveal()));
                    let mut program = Command::new(command);
                    // The child gets only the variables given here.
                    program
                        .args(arguments)
                        .env_clear()
                        .envs(variables.iter().map(|(name, value)| (name, value)))
                        .envs(secrets)
                        .kill_on_drop(true);
                    let started = TokioChildProcess::builder(program)
                        .stderr(Stdio::piped())
                        .spawn();
                    let (transport, stderr) =
                        started.map_err(|error| format!("{command} cannot be started: {error}"))?;
                    if let Some(stderr) = stderr {
                        words.listen(stderr);
                    }
                    greeted(client().serve(transport).await)
                }
                Reach::Http { url, token } => {
                    greeted(client().serve(http(url, token.as_ref())?).await)
                }
            }
        };
        match timeout(patience, greeting).await {
            Ok(Ok(service)) => Ok(Self { service, words }),
            Ok(Err(reason)) => Err(words.after(reason).await),
            Err(_) => Err(late(patience)),
        }
    }

    /// Lists the server's tools. Also returns a problem if the list has too many pages.
    pub(crate) async fn tools(
        &self,
        patience: Duration,
    ) -> Result<(Vec<Tool>, Option<String>), String> {
        let all = async {
            let mut tools = Vec::new();
            let mut page = PaginatedRequestParams::default();
            for _ in 0..PAGES_MAX {
                let listed = match self.service.list_tools(Some(page)).await {
                    Ok(listed) => listed,
                    Err(error) => {
                        let reason = if let ServiceError::TransportSend(error) = &error {
                            reason_of(error)
                        } else {
                            error.to_string()
                        };
                        return Err(self.words.after(reason).await);
                    }
                };
                tools.extend(listed.tools);
                let Some(next) = listed.next_cursor else {
                    return Ok((tools, None));
                };
                page = PaginatedRequestParams::default().with_cursor(Some(next));
            }
            let n_tools = tools.len();
            let problem = format!(
                "it lists its tools on more than {PAGES_MAX} pages; only the first {n_tools} tools were read"
            );
            Ok((tools, Some(problem)))
        };
        let tools = timeout(patience, all).await;
        tools.unwrap_or_else(|_| Err(late(patience)))
    }

    pub(crate) async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
    ) -> Result<CallToolResult, ServiceError> {
        let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        self.service.call_tool(params).await
    }

    /// Whether the connection has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.service.is_closed() || self.service.peer().is_transport_closed()
    }

    /// Shuts the server down; kills a child that does not exit.
    pub(crate) async fn close(mut self) {
        // The outcome does not matter, because the connection is not used again.
        self.service.close_with_timeout(GOODBYE).await.ok();
    }
}

fn late(patience: Duration) -> String {
    format!("no answer within {} s", patience.as_secs())
}

fn greeted(
    result: Result<RunningService<RoleClient, ClientConfig>, ClientInitializeError>,
) -> Result<RunningService<RoleClient, ClientConfig>, String> {
    result.map_err(|error| {
        if let ClientInitializeError::TransportError { error, .. } = &error {
            return reason_of(error);
        }
        error.to_string()
    })
}

/// The root cause of a transport error, without the library's type names.
pub(crate) fn reason_of(error: &DynamicTransportError) -> String {
    let mut innermost: &(dyn Error + 'static) = error.error.as_ref();
    if let Some(StreamableHttpError::Client(client)) =
        innermost.downcast_ref::<StreamableHttpError<reqwest::Error>>()
    {
        innermost = client;
    }
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    let reason = innermost.to_string();
    reason.lines().next().unwrap_or_default().to_owned()
}

fn client() -> ClientConfig {
    let name = Implementation::new("openclaw", env!("CARGO_PKG_VERSION"));
    ClientConfig::new(ClientCapabilities::default(), name)
}

fn http(
    url: &str,
    token: Option<&Hidden>,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, String> {
    let address = || {
        let url = base::redact(url);
        format!("{url} is not a server URL: it must start with http:// or https://")
    };
    let parsed = Url::parse(url).map_err(|_| address())?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(address());
    }
    if CryptoProvider::get_default().is_none() {
        // This fails only if another thread has just installed the same provider.
        ring::default_provider().install_default().ok();
    }
    // Redirects are not followed, because the token must go only to the configured server.
    let mut builder = reqwest::Client::builder()
        .redirect(Policy::none())
        .user_agent(concat!("openclaw/", env!("CARGO_PKG_VERSION")));
    if is_this_machine(&parsed) {
        builder = builder.no_proxy();
    }
    let client = builder
        .build()
        .map_err(|error| format!("cannot connect from this machine: {error}"))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    if let Some(token) = token {
        config = config.auth_header(token.reveal());
    }
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

impl LastWords {
    /// Collects the child's stderr until the child closes it.
    fn listen(&self, mut stderr: impl AsyncRead + Send + Unpin + 'static) {
        let said = Arc::clone(&self.said);
        let listening = tokio::spawn(async move {
            let mut piece = [0; 512];
            while let Ok(n_read) = stderr.read(&mut piece).await {
                let Some(heard) = piece.get(..n_read).filter(|heard| !heard.is_empty()) else {
                    return;
                };
                let mut said = locked(&said);
                said.extend_from_slice(heard);
                let n_over = said.len().saturating_sub(WORDS_BYTES_MAX);
                said.drain(..n_over);
            }
        });
        *locked(&self.listening) = Some(listening);
    }

    /// Appends the last line of stderr to the reason. Waits until the child has closed stderr, or for a timeout.
    pub(crate) async fn after(&self, reason: String) -> String {
        let listening = locked(&self.listening).take();
        if let Some(listening) = listening {
            // A child that keeps running is not waited for any longer.
            timeout(GOODBYE, listening).await.ok();
        }
        let said = locked(&self.said);
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        match last {
            Some(last) => format!("{reason}; its last output: {}", last.trim()),
            None => reason,
        }
    }
}
