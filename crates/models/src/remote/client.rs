//! The HTTP client of all dialects, and the route of a request.
//!
//! Sends nothing itself.

use std::net::IpAddr;

use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ServiceTarget};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};
use rustls::crypto::{CryptoProvider, ring};

use super::set_up_error::SetUpError;
use super::{Connection, Dialect, Patience};

/// Idle connections kept open.
const IDLE_CONNECTIONS: usize = 5;

#[derive(Debug)]
pub(super) struct Route {
    /// Sends to relays on this machine.
    pub(super) client: Client,
    auth: RouteAuth,
    model: ModelIden,
    /// Sends to the server.
    pub(super) http: reqwest::Client,
    pub(super) base_url: Url,
    /// The address to show to people.
    pub(super) shown: String,
}

pub(super) fn route(connection: &Connection) -> Result<Route, SetUpError> {
    let base_url = connection.address()?;
    let http = http_client(connection.patience, &base_url)?;
    let relayed = with_cryptography().no_gzip().no_proxy();
    let relayed = relayed.redirect(Policy::none()).build();
    let relayed = relayed.map_err(|error| SetUpError::Client(error.to_string()))?;
    let client = Client::builder().with_reqwest(relayed).build();
    let client = client.map_err(|error| SetUpError::Client(error.to_string()))?;
    let kind: AdapterKind = connection.dialect.adapter();
    Ok(Route {
        client,
        auth: auth(connection)?,
        model: ModelIden::new(kind, connection.model.as_str()),
        http,
        shown: shown_address(base_url.as_str()),
        base_url,
    })
}

/// A client builder with our user agent, and ring as the crypto provider.
pub(crate) fn with_cryptography() -> ClientBuilder {
    if CryptoProvider::get_default().is_none() {
        // Another thread may have installed the same provider first.
        ring::default_provider().install_default().ok();
    }
    reqwest::Client::builder().user_agent(concat!("openclaw/", env!("CARGO_PKG_VERSION")))
}

/// An HTTP client with a connection pool, and without a proxy for this machine.
pub(crate) fn http_client(patience: Patience, url: &Url) -> Result<reqwest::Client, SetUpError> {
    let mut builder = with_cryptography()
        // No compression: a few bytes could expand without limit.
        .no_gzip()
        .connect_timeout(patience.connect)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .tcp_nodelay(true)
        // A redirect target would receive the conversation, and some keys.
        .redirect(Policy::none());
    if is_this_machine(url) {
        builder = builder.no_proxy();
    }
    let client = builder.build();
    client.map_err(|error| SetUpError::Client(error.to_string()))
}

pub(super) fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Parses a base address; adds the final slash.
pub fn address(text: &str) -> Result<Url, SetUpError> {
    let text = text.trim();
    let mut url = Url::parse(text).map_err(|error| SetUpError::address(text, &error))?;
    if !matches!(url.scheme(), "http" | "https") {
        let problem = "it must begin with http:// or https://";
        return Err(SetUpError::address(text, &problem));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

/// An address to show to people, without user name and password.
pub fn shown_address(text: &str) -> String {
    let known = Url::parse(text.trim()).ok();
    let known = known.filter(|url| !url.username().is_empty() || url.password().is_some());
    let Some(mut url) = known else {
        return base::redact(text).into_owned();
    };
    // These fail only for addresses that cannot have either.
    url.set_username("").unwrap_or_default();
    url.set_password(None).unwrap_or_default();
    base::redact(url.as_str()).into_owned()
}

/// How requests are authorised.
#[derive(Debug)]
enum RouteAuth {
    Data(AuthData),
    /// No key at all.
    Keyless,
}

impl Route {
    /// The target of a request that a relay forwards.
    pub(super) fn target(&self, relay: &Url) -> ServiceTarget {
        let auth = match &self.auth {
            RouteAuth::Data(auth) => auth.clone(),
            // The library would send an empty key, which a server without keys may refuse.
            RouteAuth::Keyless => AuthData::RequestOverride {
                url: format!("{relay}chat/completions"),
                headers: Headers::default(),
            },
        };
        ServiceTarget {
            endpoint: Endpoint::from_owned(relay.as_str()),
            auth,
            model: self.model.clone(),
        }
    }
}

fn auth(connection: &Connection) -> Result<RouteAuth, SetUpError> {
    match (&connection.key, connection.dialect) {
        (Some(key), _) => Ok(RouteAuth::Data(AuthData::from_single(key.reveal()))),
        (None, Dialect::OpenAiCompatible) => Ok(RouteAuth::Keyless),
        (None, Dialect::Ollama) => Ok(RouteAuth::Data(AuthData::None)),
        (None, Dialect::Anthropic | Dialect::OpenAi | Dialect::Gemini) => {
            Err(SetUpError::NoKey(connection.key_source.clone()))
        }
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
